#include "log/layout.hpp"

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
    : columns_(std::move(columns)),
      memory_bytes_(fallback.size()),
      fallback_(fallback.begin(), fallback.end()) {
  for (const Column& column : columns_) {
    kept_bytes_ = std::max(kept_bytes_, column.offset + bytes_of(column.number));
  }
  constexpr std::size_t seal_bytes = sizeof(std::uint64_t);
  const std::size_t seal_offset = (kept_bytes_ + seal_bytes - 1) / seal_bytes * seal_bytes;
  columns_.push_back({seal_column, "", "hash of the row, its number and its table; 0: not written",
                      Number::u64, seal_offset});
  fallback_.resize(seal_offset + seal_bytes);
  std::vector<bool> covered(fallback_.size());
  for (const Column& column : columns_) {
    const auto begin = covered.begin() + static_cast<std::ptrdiff_t>(column.offset);
    std::fill_n(begin, bytes_of(column.number), true);
  }
  for (std::size_t at = 0; at < covered.size(); ++at) {
    if (covered[at]) continue;
    if (gaps_.empty() || gaps_.back().offset + gaps_.back().bytes != at) gaps_.push_back({at, 0});
    ++gaps_.back().bytes;
  }
  widen(fallback, fallback_);
}

void Layout::widen(std::span<const std::byte> in_memory, std::span<std::byte> in_file) const {
  std::memcpy(in_file.data(), in_memory.data(), kept_bytes_);
  for (const Gap& gap : gaps_) std::memset(in_file.data() + gap.offset, 0, gap.bytes);
}

void add_resource_columns(std::vector<Column>& columns, std::span<const std::string> resources,
                          std::size_t offset, const char* prefix, const char* meaning) {
  SOMNUS_CHECK(resources.size() <= DemandRow().size(), "{} resources, a row has room for {}",
               resources.size(), DemandRow().size());
  for (const std::string& resource : resources) {
    std::string name = prefix + resource;
    const bool taken = std::ranges::find(columns, name, &Column::name) != columns.end();
    if (taken || name == seal_column) {
      name = "resource_" + name;
    }
    columns.push_back({std::move(name), "1", resource + ": " + meaning, Number::f64, offset});
    offset += sizeof(double);
  }
}

}  // namespace somnus
