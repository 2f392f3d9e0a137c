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
  const std::vector<std::string> resources{"cpu", "slots"};
  EXPECT_EQ(names(layout_of<DemandRow>(resources)), resources);
  const std::vector<std::string> nodes = names(layout_of<NodeRow>(resources));
  EXPECT_EQ(nodes[nodes.size() - 2], "cpu");
  EXPECT_EQ(nodes.back(), "resource_slots");
}

TEST(Layout, ClearsAllThatNoColumnCovers) {
  using Row = Stamped<Promise>;
  const Layout layout = layout_of<Row>({});
  const std::vector<std::byte> in_memory(layout.memory_bytes(), std::byte{0xff});
  std::vector<std::byte> in_file(layout.row_bytes());
  EXPECT_EQ(layout.pack(in_memory, in_file), in_file.size());
  std::size_t values = 0;
  for (const Column& column : layout.columns()) values += bytes_of(column.number);
  ASSERT_LT(values, sizeof(Row)) << "a row without gaps";
  EXPECT_EQ(std::ranges::count(in_file, std::byte{0xff}), static_cast<std::ptrdiff_t>(values));
}

TEST(Layout, EndsWithTheLastColumn) {
  const Layout layout = layout_of<InstantRow>({});
  EXPECT_EQ(layout.memory_bytes(), 16u);
  EXPECT_EQ(layout.row_bytes(), 12u);
}

}  // namespace
}  // namespace somnus
