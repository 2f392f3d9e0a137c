// The comma separated cells of one line, with their places for messages.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace somnus {

struct Cell {
  std::string_view text;
  int column = 0;  // from 1
};

/// At least one. There is no quoting.
[[nodiscard]] inline std::vector<Cell> cells_of(std::string_view line) {
  std::vector<Cell> cells;
  std::size_t start = 0;
  while (true) {
    const auto comma = std::min(line.find(',', start), line.size());
    cells.push_back({line.substr(start, comma - start), static_cast<int>(start) + 1});
    if (comma == line.size()) return cells;
    start = comma + 1;
  }
}

}  // namespace somnus
