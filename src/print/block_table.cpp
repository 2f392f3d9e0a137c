#include "print/block_table.hpp"

#include <numeric>
#include <utility>

#include "print/printable.hpp"

namespace somnus {
namespace {

constexpr std::size_t longest_name = 32;

}  // namespace

BlockTable::BlockTable(std::string title, std::span<const std::string_view> names) {
  rows_.push_back({.title = std::move(title)});
  for (const std::string_view name : names) {
    rows_.push_back({.title = printable(name, longest_name)});
  }
}

void BlockTable::start_block(std::string label) {
  if (!blocks_.empty()) {
    for (TextRow& row : rows_) row.cells.emplace_back("|");
  }
  blocks_.push_back({std::move(label), rows_.front().cells.size()});
}

void BlockTable::add(const char* title, std::string_view unit, std::span<const double> values,
                     std::span<const double> all) {
  const Scale scale = scale_for(unit, all);
  rows_.front().cells.push_back(with_unit(title, scale));
  for (std::size_t at = 0; at < values.size(); ++at) {
    rows_[at + 1].cells.push_back(cell(values[at], unit, scale));
  }
}

std::string BlockTable::text() const {
  return (blocks_.size() > 1 ? heading() : "") + aligned(rows_);
}

std::string BlockTable::heading() const {
  const std::vector<std::size_t> widths = widths_of(rows_);
  const auto start_of = [&](std::size_t cell) {
    return std::accumulate(widths.begin(), widths.begin() + 1 + static_cast<std::ptrdiff_t>(cell),
                           2 * (cell + 1));
  };
  std::string line;
  for (std::size_t at = 0; at < blocks_.size(); ++at) {
    const bool last = at + 1 == blocks_.size();
    const std::size_t next_cell =
        last ? rows_.front().cells.size() : blocks_[at + 1].first_cell - 1;
    const std::size_t start = start_of(blocks_[at].first_cell);
    line.resize(line.size() + start - character_count(line), ' ');
    line += printable(blocks_[at].label, start_of(next_cell) - 2 - start);
  }
  return line + '\n';
}

}  // namespace somnus
