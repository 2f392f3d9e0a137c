#include "record/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace somnus {
namespace {

std::vector<std::string> names(const Layout& layout) {
  std::vector<std::string> result;
  for (const Column& column : layout.columns()) result.push_back(column.name);
  return result;
}

TEST(Layout, NamesAResourceColumnAfterItsResource) {
  const std::vector<std::string> resources{"cpu", "mem_gb"};
  EXPECT_EQ(names(layout_of<DemandRow>(resources)), resources);
  const std::vector<std::string> sample = names(layout_of<SampleRow>(resources));
  EXPECT_EQ(sample[sample.size() - 2], "allocated_cpu");
  EXPECT_EQ(sample[sample.size() - 1], "allocated_mem_gb");
}

TEST(Layout, ClearsAllThatNoColumnCovers) {
  const Layout layout = layout_of<TaskRow>({});
  std::vector<std::byte> rows(3 * sizeof(TaskRow), std::byte{0xff});
  layout.clear_gaps(rows);
  std::size_t column_bytes = 0;
  for (const Column& column : layout.columns()) column_bytes += bytes_of(column.number);
  EXPECT_EQ(std::ranges::count(rows, std::byte{0xff}),
            3 * static_cast<std::ptrdiff_t>(column_bytes));
  EXPECT_EQ(std::ranges::count(rows, std::byte{0}),
            3 * static_cast<std::ptrdiff_t>(sizeof(TaskRow) - column_bytes));
}

TEST(Layout, KnowsADefaultRowWhateverItsPaddingHolds) {
  const Layout layout = layout_of<TaskRow>({});
  std::array<std::byte, sizeof(TaskRow)> row{};
  std::memset(row.data(), 0xff, row.size());
  for (const Column& column : layout.columns()) {
    std::memcpy(row.data() + column.offset, layout.fallback().data() + column.offset,
                bytes_of(column.number));
  }
  EXPECT_TRUE(layout.is_fallback(row.data()));
  row[layout.columns().front().offset] = std::byte{1};
  EXPECT_FALSE(layout.is_fallback(row.data()));
}

}  // namespace
}  // namespace somnus
