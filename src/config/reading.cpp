#include "config/reading.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/suggest.hpp"
#include "base/time.hpp"
#include "config/toml_text.hpp"

namespace somnus {
namespace {

Place place_of(const toml::source_region& where, const std::string& origin) {
  const std::string file = where.path ? *where.path : origin;
  if (file != origin) return {.file = file};
  return {file, static_cast<int>(where.begin.line), static_cast<int>(where.begin.column)};
}

std::string kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::none:
      return "nothing";
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    case toml::node_type::date:
      return "a date";
    case toml::node_type::time:
      return "a time of day";
    case toml::node_type::date_time:
      return "a date and time";
  }
  return "something else";
}

/// So that it can't be taken for a whole number.
std::string with_point(double number) {
  const std::string text = number_text(number);
  return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
}

/// A number by its value, anything else by its kind.
std::string found(const toml::node& node) {
  if (const auto* whole = node.as_integer()) return fmt::format("{}", whole->get());
  if (const auto* number = node.as_floating_point()) return with_point(number->get());
  if (const auto* boolean = node.as_boolean()) return boolean->get() ? "true" : "false";
  return kind_of(node);
}

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

/// Emulated time counts nanoseconds and is exact up to 52 days: empty if the clock can keep it.
std::string expected_time(double value, std::string_view unit) {
  if (unit != "s" && unit != "ms") return {};
  const bool in_ms = unit == "ms";
  const double most = longest_exact_seconds * (in_ms ? 1e3 : 1);
  const double least = in_ms ? 1e-6 : 1e-9;
  if (std::abs(value) > most) {
    return fmt::format("a time of at most {}", with_unit(most, unit));
  }
  if (value != 0 && std::abs(value) < least) {
    return fmt::format("a time of at least {} (a nanosecond)", with_unit(least, unit));
  }
  return {};
}

}  // namespace

Place Reading::place(const toml::node& node) const { return place_of(node.source(), origin_); }

void Reading::blame(const toml::source_region& where, std::string key, std::string what,
                    std::string hint) {
  mistakes_.add({.place = place_of(where, origin_),
                 .key = std::move(key),
                 .what = std::move(what),
                 .hint = std::move(hint)});
}

void Reading::blame_missing(std::string key, std::string what, std::string hint) {
  mistakes_.add({.place = {.file = origin_},
                 .key = std::move(key),
                 .what = std::move(what),
                 .hint = std::move(hint)});
}

void Reading::blame_value(const toml::node& node, const std::string& key,
                          std::string_view expected) {
  blame(node.source(), key, fmt::format("expected {}, found {}", expected, found(node)));
}

bool Reading::blamed(std::string_view key) const {
  return std::any_of(mistakes_.list().begin(), mistakes_.list().end(),
                     [&](const Mistake& mistake) { return mistake.key == key; });
}

Mistakes Reading::mistakes() const {
  std::vector<Mistake> list = mistakes_.list();
  const auto rank = [&](const Mistake& mistake) {
    const Place& place = mistake.place;
    const int group = !from_file(place) ? 2 : place.line == 0 ? 1 : 0;
    return std::tuple(group, place.line, place.column);
  };
  std::stable_sort(list.begin(), list.end(),
                   [&](const Mistake& a, const Mistake& b) { return rank(a) < rank(b); });
  Mistakes sorted;
  for (Mistake& mistake : list) sorted.add(std::move(mistake));
  return sorted;
}

std::optional<double> Reading::number(const toml::node& node, const std::string& key,
                                      const Range& range, std::string_view unit) {
  const auto value = node.is_number() ? node.value<double>() : std::nullopt;
  if (range.infinite && value == std::numeric_limits<double>::infinity()) return value;
  if (!value || !std::isfinite(*value) || !range.holds(*value)) {
    blame_value(node, key, expected_number(range, unit));
    return std::nullopt;
  }
  if (const std::string expected = expected_time(*value, unit); !expected.empty()) {
    blame_value(node, key, expected);
    return std::nullopt;
  }
  return value;
}

std::optional<std::int64_t> Reading::whole(const toml::node& node, const std::string& key,
                                           std::int64_t low, std::int64_t high) {
  const toml::value<std::int64_t>* const value = node.as_integer();
  if (value != nullptr && value->get() >= low && value->get() <= high) return value->get();
  const bool unbounded = high == std::numeric_limits<std::int64_t>::max();
  blame_value(node, key,
              unbounded ? fmt::format("a whole number of at least {}", low)
                        : fmt::format("a whole number from {} to {}", low, high));
  return std::nullopt;
}

std::optional<bool> Reading::boolean(const toml::node& node, const std::string& key) {
  if (const auto* value = node.as_boolean()) return value->get();
  blame_value(node, key, "true or false");
  return std::nullopt;
}

std::optional<std::string> Reading::text(const toml::node& node, const std::string& key) {
  if (const auto* value = node.as_string()) return value->get();
  blame_value(node, key, "a string");
  return std::nullopt;
}

std::optional<std::size_t> Reading::choice(const toml::node& node, const std::string& key,
                                           std::span<const std::string> choices) {
  const bool two = choices.size() == 2;
  const std::string expected = fmt::format("{}\"{}\"", choices.size() > 2 ? "one of " : "",
                                           fmt::join(choices, two ? "\" or \"" : "\", \""));
  const toml::value<std::string>* const value = node.as_string();
  if (value == nullptr) {
    blame_value(node, key, expected);
    return std::nullopt;
  }
  const auto chosen = std::find(choices.begin(), choices.end(), value->get());
  if (chosen != choices.end()) return static_cast<std::size_t>(chosen - choices.begin());
  std::string hint = suggest(value->get(), choices);
  if (!hint.starts_with("did you mean")) hint.clear();  // the choices are already listed
  blame(node.source(), key, fmt::format("expected {}, found {}", expected, in_quotes(value->get())),
        std::move(hint));
  return std::nullopt;
}

const toml::table* Reading::table(const toml::node& node, const std::string& key) {
  if (const toml::table* const table = node.as_table()) return table;
  blame_value(node, key, fmt::format("a table [{}]", key));
  return nullptr;
}

std::vector<const toml::table*> Reading::tables(const toml::node& node, const std::string& key) {
  std::vector<const toml::table*> tables;
  const toml::array* const list = node.as_array();
  if (list == nullptr) {
    blame_value(node, key, fmt::format("a list of tables [[{}]]", key));
    return tables;
  }
  for (std::size_t index = 0; index < list->size(); ++index) {
    const toml::node& one = *list->get(index);
    if (const toml::table* const table = one.as_table()) {
      tables.push_back(table);
    } else {
      blame_value(one, fmt::format("{}[{}]", key, index), "a table");
    }
  }
  return tables;
}

bool Reading::refuse_unknown(const toml::table& table, std::string_view path,
                             std::span<const std::string> known) {
  bool all_known = true;
  for (const Entry& entry : in_written_order(table)) {
    const std::string name(entry.key->str());
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    all_known = false;
    const bool is_table = entry.node->is_table();
    blame(entry.key->source(), joined(path, name), is_table ? "unknown table" : "unknown key",
          suggest(name, known));
  }
  return all_known;
}

std::vector<Entry> in_written_order(const toml::table& table) {
  std::vector<Entry> entries;
  for (auto&& [key, node] : table) entries.push_back({&key, &node});
  const auto file_of = [](const toml::source_region& where) {
    return where.path ? std::string_view(*where.path) : std::string_view();
  };
  const auto is_override = [&](const Entry& entry) {
    return file_of(entry.key->source()) != file_of(table.source());
  };
  std::stable_sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    const auto& left = a.key->source().begin;
    const auto& right = b.key->source().begin;
    return std::tuple(is_override(a), left.line, left.column) <
           std::tuple(is_override(b), right.line, right.column);
  });
  return entries;
}

}  // namespace somnus
