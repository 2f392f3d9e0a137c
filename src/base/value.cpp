#include "base/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace somnus {
namespace {

std::string list_text(const List& list) {
  std::string text;
  for (const Value& each : list) text += (text.empty() ? "" : ", ") + text_of(each);
  return "[" + text + "]";
}

}  // namespace

Table::Table(std::initializer_list<Entry> entries) {
  for (const auto& [name, value] : entries) (*this)[name] = value;
}

Table::const_iterator Table::begin() const { return entries_.begin(); }
Table::const_iterator Table::end() const { return entries_.end(); }
std::size_t Table::size() const { return entries_.size(); }
bool Table::empty() const { return entries_.empty(); }

Table::const_iterator Table::find(std::string_view name) const {
  return std::ranges::find(entries_, name, &Entry::first);
}

bool Table::contains(std::string_view name) const { return find(name) != end(); }

const Value& Table::at(std::string_view name) const {
  const auto found = find(name);
  SOMNUS_CHECK(found != end(), "a table has no '{}'", name);
  return found->second;
}

Value& Table::operator[](std::string_view name) {
  const auto found = std::ranges::find(entries_, name, &Entry::first);
  if (found != entries_.end()) return found->second;
  return entries_.emplace_back(std::string(name), Value()).second;
}

Value& Table::add_new(std::string name) {
  return entries_.emplace_back(std::move(name), Value()).second;
}

bool operator==(const Table& a, const Table& b) {
  if (a.size() != b.size()) return false;
  return std::ranges::all_of(a, [&](const Table::Entry& entry) {
    const auto same = b.find(entry.first);
    return same != b.end() && same->second == entry.second;
  });
}

std::optional<bool> Value::flag() const {
  const auto* const flag = std::get_if<bool>(&held_);
  return flag == nullptr ? std::nullopt : std::optional(*flag);
}

std::optional<std::int64_t> Value::whole() const {
  if (const auto* const whole = std::get_if<std::int64_t>(&held_)) return *whole;
  const auto* const real = std::get_if<double>(&held_);
  constexpr double most = 9007199254740992;  // beyond it doubles are no longer all whole numbers
  const bool is_whole = real != nullptr && std::abs(*real) <= most && *real == std::floor(*real);
  return is_whole ? std::optional(static_cast<std::int64_t>(*real)) : std::nullopt;
}

std::optional<double> Value::number() const {
  if (const auto* const whole = std::get_if<std::int64_t>(&held_)) {
    return static_cast<double>(*whole);
  }
  const auto* const real = std::get_if<double>(&held_);
  return real == nullptr ? std::nullopt : std::optional(*real);
}

bool operator==(const Value& a, const Value& b) {
  if (a.held_.index() == b.held_.index()) return a.held_ == b.held_;
  const auto number = a.number();
  return number && number == b.number();
}

std::string text_of(const Value& value) {
  return value.visit([]<class T>(const T& held) -> std::string {
    if constexpr (std::same_as<T, bool>) {
      return held ? "true" : "false";
    } else if constexpr (std::same_as<T, std::int64_t>) {
      return fmt::format("{}", held);
    } else if constexpr (std::same_as<T, double>) {
      return number_text(held);
    } else if constexpr (std::same_as<T, std::string>) {
      return in_quotes(held);
    } else if constexpr (std::same_as<T, List>) {
      return list_text(held);
    } else if constexpr (std::same_as<T, Table>) {
      return text_of(held);
    } else {
      return held.kind;
    }
  });
}

std::string text_of(const Table& table) {
  std::string text;
  for (const auto& [name, value] : table) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", key_text(name), text_of(value));
  }
  return text.empty() ? "{}" : "{ " + text + " }";
}

std::string found_text(const Value& value) {
  if (value.list() != nullptr) return "a list";
  if (value.table() != nullptr) return "a table";
  constexpr std::size_t longest_shown = 60;
  std::string text = text_of(value);
  return value.text() != nullptr && text.size() > longest_shown ? "a string" : text;
}

std::string number_text(double number) { return fmt::format("{}", number); }

std::string in_quotes(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += {'\\', c};
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      quoted += fmt::format("\\u{:04X}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

bool is_bare_key(std::string_view key) {
  const auto bare = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  return !key.empty() && std::ranges::all_of(key, bare);
}

std::string key_text(std::string_view key) {
  return is_bare_key(key) ? std::string(key) : in_quotes(key);
}

std::string joined(std::string_view path, std::string_view key) {
  return path.empty() ? key_text(key) : fmt::format("{}.{}", path, key_text(key));
}

}  // namespace somnus
