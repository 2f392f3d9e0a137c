#include "text/time_span.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "text/parse_number.hpp"

namespace somnus {
namespace {

constexpr double seconds_of_day = 86'400;
constexpr std::string_view digits = "0123456789";

/// Takes unsigned digits, perhaps with a fraction after a point or comma, from the front.
std::optional<double> take_number(std::string_view& text) {
  const auto whole = std::min(text.find_first_not_of(digits), text.size());
  if (whole == 0) return std::nullopt;
  std::size_t end = whole;
  if (end < text.size() && (text[end] == '.' || text[end] == ',')) {
    end = std::min(text.find_first_not_of(digits, end + 1), text.size());
    if (end == whole + 1) return std::nullopt;
  }
  std::string plain(text.substr(0, end));
  std::ranges::replace(plain, ',', '.');
  text.remove_prefix(end);
  return parse_number<double>(plain);
}

/// hours:minutes:seconds. Minutes and seconds stay below 60.
std::optional<double> parse_clock(std::string_view text) {
  std::array<double, 3> pieces{};
  for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
    const std::string_view before = text;
    const auto number = take_number(text);
    if (!number) return std::nullopt;
    pieces[piece] = *number;
    const bool is_last = piece + 1 == pieces.size();
    const std::string_view written = before.substr(0, before.size() - text.size());
    const bool is_whole = written.find_first_not_of(digits) == std::string_view::npos;
    if ((!is_last && !is_whole) || (piece > 0 && !(*number < 60))) return std::nullopt;
    if (is_last) break;
    if (!text.starts_with(':')) return std::nullopt;
    text.remove_prefix(1);
  }
  if (!text.empty()) return std::nullopt;
  return pieces[0] * 3600 + pieces[1] * 60 + pieces[2];
}

/// "P1DT2H3.5S": each unit once, from large to small, and a fraction only of the last.
std::optional<double> parse_iso(std::string_view text) {
  struct Unit {
    char sign;
    bool of_clock;
    double seconds;
  };
  constexpr std::array<Unit, 5> units = {{{'W', false, 7 * seconds_of_day},
                                          {'D', false, seconds_of_day},
                                          {'H', true, 3600},
                                          {'M', true, 60},
                                          {'S', true, 1}}};
  double total_s = 0;
  bool in_clock = false;
  bool any = false;
  bool ended = false;  // by a fraction
  std::size_t next = 0;
  while (!text.empty()) {
    if (text.front() == 'T') {
      if (in_clock || text.size() == 1) return std::nullopt;
      in_clock = true;
      text.remove_prefix(1);
    }
    const std::string_view before = text;
    const auto number = take_number(text);
    if (!number || text.empty() || ended) return std::nullopt;
    const std::string_view written = before.substr(0, before.size() - text.size());
    ended = written.find_first_not_of(digits) != std::string_view::npos;
    while (next < units.size() &&
           (units[next].sign != text.front() || units[next].of_clock != in_clock)) {
      ++next;
    }
    if (next == units.size()) return std::nullopt;
    total_s += *number * units[next++].seconds;
    text.remove_prefix(1);
    any = true;
  }
  return any ? std::optional(total_s) : std::nullopt;
}

struct SpanUnit {
  std::string_view name;
  double seconds;
};
constexpr SpanUnit span_units[] = {{"d", seconds_of_day},
                                   {"day", seconds_of_day},
                                   {"days", seconds_of_day},
                                   {"h", 3600},
                                   {"hr", 3600},
                                   {"hrs", 3600},
                                   {"hour", 3600},
                                   {"hours", 3600},
                                   {"hour(s)", 3600},
                                   {"m", 60},
                                   {"min", 60},
                                   {"mins", 60},
                                   {"minute", 60},
                                   {"minutes", 60},
                                   {"minute(s)", 60},
                                   {"s", 1},
                                   {"sec", 1},
                                   {"secs", 1},
                                   {"second", 1},
                                   {"seconds", 1},
                                   {"second(s)", 1},
                                   {"ms", 1e-3},
                                   {"milliseconds", 1e-3},
                                   {"us", 1e-6},
                                   {"microseconds", 1e-6},
                                   {"ns", 1e-9},
                                   {"nanoseconds", 1e-9}};

/// "1h30m5.5s", "250ms", "21.1 min", "810 second(s)", "1 hour, 2 minutes": each unit once, from
/// large to small.
std::optional<double> parse_units(std::string_view text) {
  constexpr std::string_view blanks = " ";
  double total_s = 0;
  double last_s = std::numeric_limits<double>::infinity();
  while (!text.empty()) {
    const auto number = take_number(text);
    if (!number) return std::nullopt;
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    const auto end = std::min(text.find_first_of(digits), text.size());
    std::string_view name = text.substr(0, end);
    const bool is_last = end == text.size();
    if (!is_last) name = name.substr(0, name.find_last_not_of(" ,") + 1);
    const auto unit = std::ranges::find(span_units, name, &SpanUnit::name);
    if (unit == std::end(span_units) || unit->seconds >= last_s) return std::nullopt;
    last_s = unit->seconds;
    total_s += *number * last_s;
    text.remove_prefix(end);
  }
  return total_s;
}

/// "1 day, 02:03:04", "2 days 02:03:04".
std::optional<double> parse_days_in_words(std::string_view text) {
  const auto days = parse_number<std::uint32_t>(text.substr(0, text.find(' ')));
  const auto word = text.find(" day");
  if (!days || word == std::string_view::npos) return std::nullopt;
  text.remove_prefix(word + 4);
  if (text.starts_with('s')) text.remove_prefix(1);
  if (text.starts_with(',')) text.remove_prefix(1);
  if (!text.starts_with(' ')) return std::nullopt;
  const auto clock = parse_clock(text.substr(1));
  return clock ? std::optional(*days * seconds_of_day + *clock) : std::nullopt;
}

}  // namespace

std::optional<double> parse_time_span(std::string_view text) {
  if (text.empty()) return std::nullopt;
  if (text.front() == 'P') return parse_iso(text.substr(1));
  if (text.find(':') == std::string_view::npos) return parse_units(text);
  if (text.find(" day") != std::string_view::npos) return parse_days_in_words(text);
  const auto dash = text.find('-');
  if (dash == std::string_view::npos) return parse_clock(text);
  const auto days = parse_number<std::uint32_t>(text.substr(0, dash));
  const auto clock = parse_clock(text.substr(dash + 1));
  return days && clock ? std::optional(*days * seconds_of_day + *clock) : std::nullopt;
}

std::optional<double> parse_short_clock(std::string_view text, ShortClock clock) {
  const auto colon = text.find(':');
  if (clock == ShortClock::unknown || colon == std::string_view::npos) return std::nullopt;
  const auto first = parse_number<std::uint32_t>(text.substr(0, colon));
  const auto second = parse_number<std::uint32_t>(text.substr(colon + 1));
  const bool is_fine = first && second && *second < 60 && text.size() == colon + 3;
  if (!is_fine) return std::nullopt;
  return (*first * 60.0 + *second) * (clock == ShortClock::hours ? 60 : 1);
}

std::optional<double> parse_slurm_span(std::string_view text) {
  const bool has_minutes_only =
      std::ranges::count(text, ':') == 1 && text.find('-') == std::string_view::npos;
  if (!has_minutes_only) {
    return text.find(':') == std::string_view::npos ? std::nullopt : parse_time_span(text);
  }
  const auto colon = text.find(':');
  const auto minutes = parse_number<std::uint32_t>(text.substr(0, colon));
  const auto seconds = parse_number<double>(text.substr(colon + 1));
  if (!minutes || !seconds || *seconds < 0) return std::nullopt;
  return *minutes * 60.0 + *seconds;
}

}  // namespace somnus
