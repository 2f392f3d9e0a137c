#include "base/value_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/suggest.hpp"
#include "base/time.hpp"

namespace somnus {
namespace {

/// To look for what was meant takes a while: it is done for more errors than are shown.
constexpr std::size_t most_hints = 1000;

std::string with_unit(double number, std::string_view unit) {
  const bool plain = unit.empty() || unit == "1";
  return plain ? number_text(number) : fmt::format("{} {}", number_text(number), unit);
}

std::string expected_number(const Range& range, std::string_view unit) {
  const bool bounded_low = std::isfinite(range.low);
  const bool bounded_high = std::isfinite(range.high);
  std::string text = "a number";
  if (bounded_low && bounded_high && !range.open) {
    return fmt::format("{} from {} to {}", text, number_text(range.low),
                       with_unit(range.high, unit));
  }
  if (bounded_low) {
    text += fmt::format(" {} {}", range.open ? "above" : "of at least", with_unit(range.low, unit));
  }
  if (bounded_high) {
    text += fmt::format("{} of at most {}", bounded_low ? " and" : "", with_unit(range.high, unit));
  }
  if (range.infinite) text += ", or inf";
  return text;
}

/// Emulated time counts nanoseconds, and spans are exact up to 96 days: empty if the clock can keep
/// it. Of instants, the range says how late they may be.
std::string expected_time(double value, const Range& range, std::string_view unit) {
  if (unit != "s" && unit != "ms") return {};
  const bool in_ms = unit == "ms";
  const double most =
      std::isfinite(range.high) ? range.high : longest_exact_seconds * (in_ms ? 1e3 : 1);
  const double least = in_ms ? 1e-6 : 1e-9;
  if (std::abs(value) > most) return fmt::format("a time of at most {}", with_unit(most, unit));
  if (value != 0 && std::abs(value) < least) {
    return fmt::format("a time of at least {} (a nanosecond)", with_unit(least, unit));
  }
  return {};
}

}  // namespace

std::string ValueError::text() const {
  return fmt::format("{}{}{}{}{}", path, path.empty() ? "" : ": ", what, hint.empty() ? "" : "; ",
                     hint);
}

void ValueReader::add_error(ValueError error) {
  blamed_.insert(error.path);
  errors_.push_back(std::move(error));
}

void ValueReader::add_value_error(const Value& value, const std::string& path,
                                  std::string_view expected) {
  add_error(
      {.path = path, .what = fmt::format("expected {}, found {}", expected, found_text(value))});
}

bool ValueReader::refuse_unknown(const Table& table, std::string_view path,
                                 std::span<const std::string> known) {
  bool all_known = true;
  for (const auto& [name, value] : table) {
    if (std::ranges::find(known, name) != known.end()) continue;
    all_known = false;
    add_error({.path = joined(path, name),
               .what = value.table() != nullptr ? "unknown table" : "unknown key",
               .hint = errors_.size() < most_hints ? suggest(name, known) : "",
               .at = ValueError::At::key});
  }
  return all_known;
}

std::optional<bool> ValueReader::flag(const Value& value, const std::string& path) {
  const auto flag = value.flag();
  if (!flag) add_value_error(value, path, "true or false");
  return flag;
}

std::optional<std::string> ValueReader::text(const Value& value, const std::string& path) {
  if (const std::string* const text = value.text()) return *text;
  add_value_error(value, path, "a string");
  return std::nullopt;
}

std::optional<double> ValueReader::number(const Value& value, const std::string& path,
                                          const Range& range, std::string_view unit) {
  const auto number = value.number();
  if (range.infinite && number == infinity) return number;
  if (!number || !std::isfinite(*number) || !range.holds(*number)) {
    add_value_error(value, path, expected_number(range, unit));
    return std::nullopt;
  }
  if (const std::string expected = expected_time(*number, range, unit); !expected.empty()) {
    add_value_error(value, path, expected);
    return std::nullopt;
  }
  return number;
}

std::optional<std::int64_t> ValueReader::whole(const Value& value, const std::string& path,
                                               const Range& range, std::int64_t most) {
  std::int64_t low = 0;
  std::int64_t high = most;
  if (range.low > 0) low = static_cast<std::int64_t>(range.low);
  if (range.high < static_cast<double>(high)) high = static_cast<std::int64_t>(range.high);
  const auto whole = value.whole();
  if (whole && *whole >= low && *whole <= high) return whole;
  const bool unbounded = high == std::numeric_limits<std::int64_t>::max();
  add_value_error(value, path,
                  unbounded ? fmt::format("a whole number of at least {}", low)
                            : fmt::format("a whole number from {} to {}", low, high));
  return std::nullopt;
}

std::optional<std::size_t> ValueReader::choice(const Value& value, const std::string& path,
                                               std::span<const std::string> choices) {
  const bool two = choices.size() == 2;
  const std::string expected = fmt::format("{}\"{}\"", choices.size() > 2 ? "one of " : "",
                                           fmt::join(choices, two ? "\" or \"" : "\", \""));
  const std::string* const text = value.text();
  if (text == nullptr) {
    add_value_error(value, path, expected);
    return std::nullopt;
  }
  const auto chosen = std::ranges::find(choices, *text);
  if (chosen != choices.end()) return static_cast<std::size_t>(chosen - choices.begin());
  std::string hint = suggest(*text, choices);
  if (!hint.starts_with("did you mean")) hint.clear();  // the choices are already listed
  add_error({.path = path,
             .what = fmt::format("expected {}, found {}", expected, in_quotes(*text)),
             .hint = std::move(hint)});
  return std::nullopt;
}

const Table* ValueReader::table(const Value& value, const std::string& path) {
  const bool of_list = path.ends_with(']');
  if (value.table() == nullptr) {
    add_value_error(value, path, of_list ? "a table" : fmt::format("a table [{}]", path));
  }
  return value.table();
}

const List* ValueReader::list(const Value& value, const std::string& path) {
  if (value.list() == nullptr) add_value_error(value, path, "a list");
  return value.list();
}

const List* ValueReader::list_of_tables(const Value& value, const std::string& path) {
  if (value.list() == nullptr)
    add_value_error(value, path, fmt::format("a list of tables [[{}]]", path));
  return value.list();
}

}  // namespace somnus
