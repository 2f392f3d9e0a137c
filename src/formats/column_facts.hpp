// What the cells of a table's columns are.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "text/cell_number.hpp"

namespace somnus {

struct ColumnFacts {
  std::size_t filled = 0;  // cells that are not empty
  std::size_t numbers = 0;
  std::size_t dates = 0;
  std::size_t zones = 0;  // of the dates
  std::size_t spans = 0;
  std::size_t counts = 0;  // of the numbers, those that are whole and at least 1
  double least = 0;        // of the numbers
  double most = 0;
  double least_positive = 0;                      // 0: none is above 0
  std::size_t fractions = 0;                      // of the numbers, those that are not whole
  std::size_t most_alike = 0;                     // how often the commonest text comes
  std::vector<std::optional<CellNumber>> values;  // by row
  std::string unread;                             // the first that is none of these

  /// Most of what stands there. A few cells may be wrong, which is said when they are read.
  [[nodiscard]] bool are_mostly(std::size_t of_them) const {
    return filled > 0 && 2 * of_them > filled;
  }
  [[nodiscard]] bool are_unique() const { return most_alike <= 1; }
};

[[nodiscard]] ColumnFacts facts_of(const std::vector<std::string>& cells, const CellStyle& style);

/// How the cells of a table are written, and what of that nobody knows.
struct StyleFacts {
  CellStyle style;
  std::string comma_example;     // of a number with a comma; empty: there is none
  std::string date_example;      // of a date whose order matters
  bool is_decimal_open = false;  // commas may stand between thousands
  bool is_order_open = false;    // no number of those dates is above 12
};

/// With commas between cells there are none in numbers.
[[nodiscard]] StyleFacts style_of(const std::vector<std::vector<std::string>>& columns,
                                  char separator);

}  // namespace somnus
