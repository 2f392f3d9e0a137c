// What stands in a cell where a number is expected: a number, a date or a length of time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "text/date_time.hpp"
#include "text/time_span.hpp"

namespace somnus {

enum class DecimalMark { point, comma };

/// How a table writes what can be written in several ways.
struct CellStyle {
  DecimalMark decimal = DecimalMark::point;
  DateOrder dates = DateOrder::unknown;
  ShortClock clock = ShortClock::unknown;
};

enum class CellForm : std::uint8_t { number, date, span };
/// "a number", "a date", "a length of time"
[[nodiscard]] const char* in_words(CellForm form);

struct CellNumber {
  double value = 0;  // of a date seconds since 1970, of a span seconds
  CellForm form = CellForm::number;
  bool has_zone = false;  // a date
};

/// Nothing if it is none of these.
[[nodiscard]] std::optional<CellNumber> parse_cell(std::string_view text, const CellStyle& style);

/// A number, perhaps with what it is counted in behind it: "62.50G", "2Gi", "500m", "106 Mbytes"
/// are 62.5e9, 2 * 2^30, 0.5 and 106e6. Nothing if it is none.
[[nodiscard]] std::optional<double> parse_amount(std::string_view text, const CellStyle& style);

/// What to do about a text that is none; empty: nothing is known.
[[nodiscard]] std::string hint_for_cell(std::string_view text, const CellStyle& style);

}  // namespace somnus
