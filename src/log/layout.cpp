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
    : columns_(std::move(columns)), fallback_(fallback.begin(), fallback.end()) {
  for (const Column& column : columns_) {
    row_bytes_ = std::max(row_bytes_, column.offset + bytes_of(column.number));
  }
  std::vector<bool> covered(row_bytes_);
  for (const Column& column : columns_) {
    const auto begin = covered.begin() + static_cast<std::ptrdiff_t>(column.offset);
    std::fill_n(begin, bytes_of(column.number), true);
  }
  for (std::size_t at = 0; at < covered.size(); ++at) {
    if (covered[at]) continue;
    if (gaps_.empty() || gaps_.back().offset + gaps_.back().bytes != at) gaps_.push_back({at, 0});
    ++gaps_.back().bytes;
  }
}

std::size_t Layout::pack(std::span<const std::byte> in_memory, std::span<std::byte> in_file) const {
  const std::size_t rows = in_memory.size() / memory_bytes();
  if (row_bytes_ == memory_bytes()) {
    std::memcpy(in_file.data(), in_memory.data(), in_memory.size());
  } else {
    for (std::size_t row = 0; row < rows; ++row) {
      std::memcpy(in_file.data() + row * row_bytes_, in_memory.data() + row * memory_bytes(),
                  row_bytes_);
    }
  }
  for (const Gap& gap : gaps_) {
    for (std::size_t row = 0; row < rows; ++row) {
      std::memset(in_file.data() + row * row_bytes_ + gap.offset, 0, gap.bytes);
    }
  }
  return rows * row_bytes_;
}

std::vector<std::byte> Layout::packed(std::span<const std::byte> in_memory) const {
  std::vector<std::byte> in_file(in_memory.size() / memory_bytes() * row_bytes_);
  if (!in_file.empty()) pack(in_memory, in_file);
  return in_file;
}

void add_resource_columns(std::vector<Column>& columns, std::span<const std::string> resources,
                          std::size_t offset, const char* prefix, const char* meaning) {
  SOMNUS_CHECK(resources.size() <= DemandRow().size(), "{} resources, a row has room for {}",
               resources.size(), DemandRow().size());
  for (const std::string& resource : resources) {
    std::string name = prefix + resource;
    const bool taken = std::ranges::find(columns, name, &Column::name) != columns.end();
    if (taken) name = "resource_" + name;
    columns.push_back({std::move(name), "1", resource + ": " + meaning, Number::f64, offset});
    offset += sizeof(double);
  }
}

}  // namespace somnus
