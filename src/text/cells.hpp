// Files of separated cells whose first line names the columns: cells with their locations for
// messages, and the indices of the columns.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/suggest.hpp"
#include "text/mistake_collector.hpp"

namespace somnus {

struct Cell {
  std::string_view text;
  int column = 0;  // from 1
};

/// At least one. There is no quoting.
[[nodiscard]] inline std::vector<Cell> cells_of(std::string_view line, char separator = ',') {
  std::vector<Cell> cells;
  std::size_t start = 0;
  while (true) {
    const auto end = std::min(line.find(separator, start), line.size());
    cells.push_back({line.substr(start, end - start), static_cast<int>(start) + 1});
    if (end == line.size()) return cells;
    start = end + 1;
  }
}

inline constexpr std::size_t absent_column = static_cast<std::size_t>(-1);

/// Where each of those columns stands in a first line. What is missing is reported, unless
/// may_lack(column) holds; false if anything was.
template <std::size_t count, class MayLack>
[[nodiscard]] bool find_columns(const std::vector<Cell>& first_line, int line_number,
                                const std::array<std::string_view, count>& names,
                                MayLack&& may_lack, std::array<std::size_t, count>& places,
                                MistakeCollector& report) {
  std::vector<std::string> found;
  found.reserve(first_line.size());
  for (const Cell& cell : first_line) found.emplace_back(cell.text);
  bool all = true;
  for (std::size_t column = 0; column < count; ++column) {
    const auto at = std::ranges::find(found, names[column]);
    const bool here = at != found.end();
    places[column] = here ? static_cast<std::size_t>(at - found.begin()) : absent_column;
    if (here || may_lack(column)) continue;
    all = false;
    report.add(line_number, 0, std::string(names[column]), "expected this column, found none",
               suggest(names[column], found));
  }
  return all;
}

}  // namespace somnus
