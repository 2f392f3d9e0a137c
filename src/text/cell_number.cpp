#include "text/cell_number.hpp"

#include <algorithm>

#include "text/parse_number.hpp"
#include "text/time_span.hpp"

namespace somnus {
namespace {

std::optional<double> parse_with_comma(std::string_view text) {
  if (text.find('.') != std::string_view::npos) return std::nullopt;
  std::string with_point(text);
  std::ranges::replace(with_point, ',', '.');
  return parse_number<double>(with_point);
}

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
  const auto number =
      style.decimal == DecimalMark::comma ? parse_with_comma(text) : parse_number<double>(text);
  if (number) return CellNumber{.value = *number};
  if (const auto date = parse_date_time(text, style.dates)) {
    return CellNumber{.value = date->seconds, .form = CellForm::date, .has_zone = date->has_zone};
  }
  if (const auto span = parse_time_span(text)) {
    return CellNumber{.value = *span, .form = CellForm::span};
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
  const bool is_short = std::ranges::count(text, ':') == 1 && is_only(text, "0123456789:");
  if (is_short) return "write hours, minutes and seconds, as in 0:12:30";
  const auto blank = text.find_last_of(' ');
  if (blank != std::string_view::npos && parse_date_time(text.substr(0, blank), style.dates)) {
    return "zones are written as Z or +02:00";
  }
  return "";
}

}  // namespace somnus
