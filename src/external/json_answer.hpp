// What a process answers, a JSON object a line, read into described structs. All that is wrong is a
// WorldError, which says what was expected and what was found: "said 'x': expected ...".
#pragma once

#include <fmt/format.h>
#include <simdjson.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/describe.hpp"
#include "base/error.hpp"
#include "base/parameters.hpp"
#include "base/time.hpp"

namespace somnus::json_answer {

namespace dom = simdjson::dom;

/// An id of a line: a row of a table of the log.
using Number = std::uint32_t;
inline constexpr Number last_number = std::numeric_limits<Number>::max() - 1;

[[noreturn]] void expected(std::string_view what, std::string_view found);
/// A part of an answer, as it was said, in quotes; a long one is cut.
[[nodiscard]] std::string excerpt(std::string_view text);
[[nodiscard]] std::string excerpt(const dom::element& element);

/// The object of a line, which stays the parser's.
[[nodiscard]] dom::object object_of(std::string_view line, dom::parser& parser);
[[nodiscard]] Table table_of(const dom::object& object);
/// "wakes_at": null: never.
[[nodiscard]] Time time_of(const dom::element& element);

/// What a process says of itself, in its first line. T has `protocol`, which must be `version`.
template <Described T>
[[nodiscard]] T about_of(std::string_view line, std::uint32_t version) {
  dom::parser parser;
  auto about = from_value<T>(table_of(object_of(line, parser)));
  if (!about) {
    throw WorldError(fmt::format("said {}: {}", excerpt(line), about.error().front().text()));
  }
  if (about->protocol != version) {
    expected(fmt::format("\"protocol\": {}, which is what this program speaks", version),
             excerpt(line));
  }
  return std::move(*about);
}

// Whether the place of a list holds such a value, which `into` then has.
[[nodiscard]] bool read_place(const dom::element& element, Number& into);
[[nodiscard]] bool read_place(const dom::element& element, double& into);
/// In whole nanoseconds.
[[nodiscard]] bool read_place(const dom::element& element, Time& into);
/// One number, or a list of them.
[[nodiscard]] bool read_place(const dom::element& element, std::vector<Number>& into);
template <class T>
[[nodiscard]] bool read_place(const dom::element& element, std::optional<T>& into) {
  return element.is_null() || read_place(element, into.emplace());
}
template <NamedEnum Enum>
[[nodiscard]] bool read_place(const dom::element& element, Enum& into) {
  std::string_view name;
  if (element.get(name) != simdjson::SUCCESS) return false;
  for (const auto& [value, its_name] : EnumNames<Enum>::names) {
    if (name == its_name) return into = value, true;
  }
  return false;
}

/// "[stage, node] or [stage, node, tasks]": a list whose places are the fields, of which those at
/// the end may be left out that are not required.
template <Described T>
[[nodiscard]] std::string shape_of() {
  std::string shapes;
  std::string names;
  for_each_field<T>([&](const auto& field) {
    if (!field.required) shapes += fmt::format("[{}] or ", names);
    names += fmt::format("{}{}", names.empty() ? "" : ", ", field.name);
  });
  return fmt::format("{}[{}]", shapes, names);
}

template <Described T>
[[nodiscard]] T decision_of(const dom::element& element, std::string_view key, std::size_t number) {
  T made;
  dom::array places;
  bool is_one = element.get(places) == simdjson::SUCCESS;
  if (is_one) {
    auto at = places.begin();
    for_each_field<T>([&](const auto& field) {
      if (!is_one) return;
      if (at == places.end()) {
        is_one = !field.required;
        return;
      }
      is_one = read_place(*at, made.*field.member);
      if constexpr (std::same_as<decltype(field.member), double T::*>) {
        is_one = is_one && field.range.holds(made.*field.member);
      }
      ++at;
    });
    is_one = is_one && at == places.end();
  }
  if (!is_one) {
    expected(fmt::format("{}[{}] to be {}, as `somnus protocol` says", key, number, shape_of<T>()),
             excerpt(element));
  }
  return made;
}

/// A list of them.
template <Described T>
void read_decisions(const dom::element& element, std::string_view key, std::vector<T>& into) {
  dom::array list;
  if (element.get(list) != simdjson::SUCCESS) {
    expected(fmt::format("a list of {} as \"{}\"", shape_of<T>(), key), excerpt(element));
  }
  for (const dom::element each : list) into.push_back(decision_of<T>(each, key, into.size()));
}

}  // namespace somnus::json_answer
