#include "config/document.hpp"

#include <optional>
#include <utility>

#include "config/reading.hpp"
#include "config/toml_text.hpp"

namespace somnus {
namespace {

std::optional<toml::table> try_parse(const std::string& toml, const std::string& path) {
  try {
    return toml::parse(toml, path);
  } catch (const toml::parse_error&) {
    return std::nullopt;
  }
}

/// As a document of its own: dotted key = value.
Checked<toml::table> parse_alone(const Override& one) {
  const Mistake wrong{.place = {.file = one.text()},
                      .what = "expected table.key=value, e.g. run.speed=2000"};
  const bool one_line = one.key.find('\n') == std::string::npos;
  if (!one_line || !try_parse(one.key + " = 0", one.text())) return mistake(wrong);
  if (one.value.find('\n') == std::string::npos) {
    if (auto parsed = try_parse(one.key + " = " + one.value, one.text())) return std::move(*parsed);
  }
  if (auto parsed = try_parse(one.key + " = " + in_quotes(one.value), one.text())) {
    return std::move(*parsed);
  }
  return mistake(wrong);
}

void merge(toml::table&& from, toml::table& into) {
  for (auto&& [key, node] : from) {
    toml::table* const table = node.as_table();
    toml::table* const old = into[key.str()].as_table();
    if (table != nullptr && old != nullptr && !table->is_inline()) {
      merge(std::move(*table), *old);
      continue;
    }
    into.erase(key.str());  // its key too, which knows the old place
    node.visit([&](auto& value) { into.insert(key, std::move(value)); });
  }
}

}  // namespace

Checked<toml::table> parse_document(std::string_view toml, const std::string& origin,
                                    std::span<const Override> overrides) {
  Mistakes mistakes;
  toml::table document;
  try {
    document = toml::parse(toml, origin);
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    mistakes.add({.place = {origin, static_cast<int>(at.line), static_cast<int>(at.column)},
                  .what = std::string(error.description())});
  }
  for (const Override& one : overrides) {
    if (auto parsed = parse_alone(one)) {
      merge(std::move(*parsed), document);
    } else {
      mistakes.append(std::move(parsed.error()));
    }
  }
  if (mistakes.any()) return tl::unexpected(std::move(mistakes));
  return document;
}

Value values_in(const toml::node& node) {
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* whole = node.as_integer()) return whole->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* list = node.as_array()) {
    List values;
    for (const toml::node& each : *list) values.push_back(values_in(each));
    return values;
  }
  if (const auto* table = node.as_table()) {
    Table values;
    for (const Entry& entry : in_written_order(*table)) {
      values[entry.key->str()] = values_in(*entry.node);
    }
    return values;
  }
  if (node.is_date()) return Value::Other{"a date"};
  return Value::Other{node.is_time() ? "a time of day" : "a date and time"};
}

}  // namespace somnus
