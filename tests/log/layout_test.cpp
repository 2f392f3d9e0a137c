#include "log/layout.hpp"

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
  const std::vector<std::string> resources{"cpu", "seal"};
  EXPECT_EQ(names(layout_of<DemandRow>(resources)),
            (std::vector<std::string>{"cpu", "resource_seal", "seal"}));
  const std::vector<std::string> sample = names(layout_of<SampleRow>(resources));
  EXPECT_EQ(sample[sample.size() - 3], "allocated_cpu");
  EXPECT_EQ(sample[sample.size() - 2], "allocated_seal");
}

TEST(Layout, ClearsAllThatNoColumnCovers) {
  using Row = Stamped<Promise>;
  const Layout layout = layout_of<Row>({});
  const std::vector<std::byte> in_memory(layout.memory_bytes(), std::byte{0xff});
  std::vector<std::byte> in_file(layout.row_bytes());
  layout.widen(in_memory, in_file);
  std::size_t column_bytes = 0;
  for (const Column& column : layout.columns()) column_bytes += bytes_of(column.number);
  const std::size_t values = column_bytes - sizeof(std::uint64_t);
  ASSERT_LT(values, sizeof(Row)) << "a row without gaps";
  EXPECT_EQ(std::ranges::count(in_file, std::byte{0xff}), static_cast<std::ptrdiff_t>(values));
}

TEST(Layout, EndsInTheSealOnAWordBoundary) {
  const Layout layout = layout_of<StageParentRow>({});
  EXPECT_EQ(layout.memory_bytes(), 12u);
  EXPECT_EQ(layout.row_bytes(), 24u);
  EXPECT_EQ(layout.columns().back().name, "seal");
  EXPECT_EQ(layout.columns().back().offset, 16u);
}

}  // namespace
}  // namespace somnus
