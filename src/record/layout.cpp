#include "record/layout.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace somnus {

std::size_t bytes_of(Number number) {
  switch (number) {
    case Number::u8:
      return 1;
    case Number::u16:
      return 2;
    case Number::u32:
      return 4;
    case Number::u64:
    case Number::f64:
      return 8;
  }
  return 0;
}

Layout::Layout(std::vector<Column> columns, std::span<const std::byte> fallback)
    : columns_(std::move(columns)), fallback_(fallback.begin(), fallback.end()) {
  std::vector<bool> covered(fallback.size());
  for (const Column& column : columns_) {
    const auto begin = covered.begin() + static_cast<std::ptrdiff_t>(column.offset);
    std::fill_n(begin, bytes_of(column.number), true);
  }
  for (std::size_t at = 0; at < covered.size(); ++at) {
    if (covered[at]) continue;
    if (gaps_.empty() || gaps_.back().offset + gaps_.back().bytes != at) gaps_.push_back({at, 0});
    ++gaps_.back().bytes;
  }
  clear_gaps(fallback_);
}

void Layout::clear_gaps(std::span<std::byte> rows) const {
  for (const Gap& gap : gaps_) {
    for (std::size_t row = 0; row < rows.size(); row += row_bytes()) {
      std::memset(rows.data() + row + gap.offset, 0, gap.bytes);
    }
  }
}

bool Layout::is_fallback(const void* row) const {
  const auto* bytes = static_cast<const std::byte*>(row);
  return std::ranges::all_of(columns_, [&](const Column& column) {
    return std::memcmp(bytes + column.offset, fallback_.data() + column.offset,
                       bytes_of(column.number)) == 0;
  });
}

void add_resource_columns(std::vector<Column>& columns, std::span<const std::string> resources,
                          std::size_t offset, const char* prefix, const char* meaning) {
  SOMNUS_CHECK(resources.size() <= DemandRow().size(), "{} resources, a row has room for {}",
               resources.size(), DemandRow().size());
  for (const std::string& resource : resources) {
    std::string name = prefix + resource;
    if (std::ranges::find(columns, name, &Column::name) != columns.end()) {
      name = "resource_" + name;
    }
    columns.push_back({std::move(name), "1", resource + ": " + meaning, Number::f64, offset});
    offset += sizeof(double);
  }
}

}  // namespace somnus
