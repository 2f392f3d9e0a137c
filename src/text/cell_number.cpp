#include "text/cell_number.hpp"

#include <algorithm>

#include "text/parse_number.hpp"

namespace somnus {
namespace {

constexpr std::string_view digits = "0123456789";

/// 1.024,5 without its points, where commas are decimal points: both signs show which is which. The
/// text as it is, where it has not both, or not a point before each three digits.
std::string without_thousands(std::string_view text, char mark, char decimal) {
  const auto fraction = text.find(decimal);
  if (fraction == std::string_view::npos || text.find(mark) == std::string_view::npos) {
    return std::string(text);
  }
  std::string plain;
  std::size_t since_mark = 0;
  bool any_mark = false;
  for (const char one : text.substr(0, fraction)) {
    const bool is_mark = one == mark;
    const bool is_digit = digits.find(one) != std::string_view::npos;
    const bool fits = is_mark ? (any_mark ? since_mark == 3 : since_mark > 0 && since_mark < 4)
                              : is_digit || (plain.empty() && one == '-');
    if (!fits) return std::string(text);
    since_mark = is_mark ? 0 : since_mark + (is_digit ? 1 : 0);
    any_mark = any_mark || is_mark;
    if (!is_mark) plain += one;
  }
  if (since_mark != 3) return std::string(text);
  return plain + std::string(text.substr(fraction));
}

std::optional<double> parse_styled(std::string_view text, DecimalMark decimal) {
  if (const auto plain = decimal == DecimalMark::point ? parse_number<double>(text) : std::nullopt)
    return plain;
  if (text.find(',') == std::string_view::npos && text.find('.') == std::string_view::npos) {
    return parse_number<double>(text);
  }
  if (decimal == DecimalMark::point) {
    return parse_number<double>(without_thousands(text, ',', '.'));
  }
  std::string with_point = without_thousands(text, '.', ',');
  if (with_point.find('.') != std::string::npos) return std::nullopt;
  std::ranges::replace(with_point, ',', '.');
  return parse_number<double>(with_point);
}

struct AmountUnit {
  std::string_view name;
  double of_them;
};
constexpr AmountUnit amount_units[] = {{"n", 1e-9},
                                       {"u", 1e-6},
                                       {"m", 1e-3},
                                       {"k", 1e3},
                                       {"K", 1e3},
                                       {"M", 1e6},
                                       {"G", 1e9},
                                       {"T", 1e12},
                                       {"P", 1e15},
                                       {"Ki", 1024.0},
                                       {"Mi", 1048576.0},
                                       {"Gi", 1073741824.0},
                                       {"Ti", 1.099511627776e12},
                                       {"Pi", 1.125899906842624e15}};
constexpr std::string_view byte_words[] = {"B", "byte", "bytes", "Byte", "Bytes"};

bool is_only(std::string_view text, std::string_view of) {
  return !text.empty() && text.find_first_not_of(of) == std::string_view::npos;
}

}  // namespace

const char* in_words(CellForm form) {
  switch (form) {
    case CellForm::number:
      return "a number";
    case CellForm::date:
      return "a date";
    case CellForm::span:
      break;
  }
  return "a length of time";
}

std::optional<CellNumber> parse_cell(std::string_view text, const CellStyle& style) {
  if (const auto number = parse_styled(text, style.decimal)) return CellNumber{.value = *number};
  if (const auto date = parse_date_time(text, style.dates)) {
    return CellNumber{.value = date->seconds, .form = CellForm::date, .has_zone = date->has_zone};
  }
  const auto short_clock = parse_short_clock(text, style.clock);
  if (const auto span = short_clock ? short_clock : parse_time_span(text)) {
    return CellNumber{.value = *span, .form = CellForm::span};
  }
  return std::nullopt;
}

std::optional<double> parse_amount(std::string_view text, const CellStyle& style) {
  if (const auto plain = parse_styled(text, style.decimal)) return plain;
  const auto end = text.find_last_of(digits);
  if (end == std::string_view::npos) return std::nullopt;
  const auto number = parse_styled(text.substr(0, end + 1), style.decimal);
  std::string_view unit = text.substr(end + 1);
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  if (!number || unit.empty()) return std::nullopt;
  bool has_bytes = false;
  for (const std::string_view word : byte_words) {
    if (has_bytes || !unit.ends_with(word)) continue;
    has_bytes = true;
    unit.remove_suffix(word.size());
  }
  if (has_bytes && unit.empty()) return number;
  for (const AmountUnit& each : amount_units) {
    if (unit == each.name && !(has_bytes && each.of_them < 1)) return *number * each.of_them;
  }
  return std::nullopt;
}

std::string hint_for_cell(std::string_view text, const CellStyle& style) {
  constexpr std::string_view of_numbers = "0123456789.,+-eE";
  const bool has_comma = text.find(',') != std::string_view::npos;
  const bool has_point = text.find('.') != std::string_view::npos;
  if (is_only(text, of_numbers) && has_comma && has_point) {
    return "numbers are written without marks between thousands";
  }
  if (is_only(text, of_numbers) && has_comma && style.decimal == DecimalMark::point) {
    return "decimal = \"comma\" if commas are decimal points";
  }
  if (is_only(text, of_numbers) && has_point && style.decimal == DecimalMark::comma &&
      std::ranges::count(text, '.') == 1) {
    return "decimal = \"point\" if points are decimal points";
  }
  for (const DateOrder order : {DateOrder::day_first, DateOrder::month_first}) {
    if (style.dates != order && parse_date_time(text, order)) {
      return "dates = \"day-first\" or \"month-first\" says which number is the day";
    }
  }
  const bool is_day = parse_date_time(std::string(text) + " 00:00", style.dates) ||
                      parse_date_time(std::string(text) + " 00:00", DateOrder::day_first);
  if (is_day) return "a date needs its time of day, as in 2024-05-01 12:30";
  if (text.starts_with('P') && text.find_first_of("YM") != std::string_view::npos) {
    return "years and months have no length that is known: write days, as in P30DT1H";
  }
  if (parse_date_time("2024 " + std::string(text), style.dates)) return "a date needs its year";
  const bool is_short = std::ranges::count(text, ':') == 1 && is_only(text, "0123456789:");
  if (is_short) {
    return "clock = \"hours\" or \"minutes\" says whether 12:30 is hours and minutes, or minutes "
           "and "
           "seconds";
  }
  const auto blank = text.find_last_of(' ');
  if (blank != std::string_view::npos && parse_date_time(text.substr(0, blank), style.dates)) {
    return "zones are written as Z or +02:00";
  }
  return "";
}

}  // namespace somnus
