// A value as users write it in a file or after --set: true, 3, 0.5, "text", [1, 2],
// { A = 70, B = 30 }.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace somnus {

class Value;
using List = std::vector<Value>;

/// Values by name, each name once, in the order in which they were written. Equal to any table that
/// gives the same names the same values, in whatever order.
class Table {
 public:
  using Entry = std::pair<std::string, Value>;
  using const_iterator = std::vector<Entry>::const_iterator;

  Table() = default;
  Table(std::initializer_list<Entry> entries);

  [[nodiscard]] const_iterator begin() const;
  [[nodiscard]] const_iterator end() const;
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool empty() const;

  [[nodiscard]] const_iterator find(std::string_view name) const;
  [[nodiscard]] bool contains(std::string_view name) const;
  /// Which has to be there.
  [[nodiscard]] const Value& at(std::string_view name) const;
  /// A new one comes last.
  Value& operator[](std::string_view name);
  /// The same of a name that the table does not have yet, without a look through the others.
  Value& add_new(std::string name);

  friend bool operator==(const Table& a, const Table& b);

 private:
  std::vector<Entry> entries_;
};

class Value {
 public:
  /// Of a kind that nothing takes: "a date".
  struct Other {
    std::string kind;
    friend bool operator==(const Other&, const Other&) = default;
  };

  Value() = default;  // false
  // NOLINTBEGIN(google-explicit-constructor)
  template <std::same_as<bool> Flag>
  Value(Flag flag) : held_(flag) {}
  template <std::integral Whole>
    requires(!std::same_as<Whole, bool>)
  Value(Whole whole) : held_(static_cast<std::int64_t>(whole)) {}
  Value(double number) : held_(number) {}
  Value(const char* text) : held_(std::string(text)) {}
  Value(std::string text) : held_(std::move(text)) {}
  Value(std::string_view text) : held_(std::string(text)) {}
  Value(List list) : held_(std::move(list)) {}
  Value(Table table) : held_(std::move(table)) {}
  Value(Other other) : held_(std::move(other)) {}
  // NOLINTEND(google-explicit-constructor)

  // Each empty or nullptr if it is something else.
  [[nodiscard]] std::optional<bool> flag() const;
  /// Also of a number without a fraction: 2.0.
  [[nodiscard]] std::optional<std::int64_t> whole() const;
  [[nodiscard]] std::optional<double> number() const;
  [[nodiscard]] const std::string* text() const { return std::get_if<std::string>(&held_); }
  [[nodiscard]] const List* list() const { return std::get_if<List>(&held_); }
  [[nodiscard]] const Table* table() const { return std::get_if<Table>(&held_); }

  /// visit(value) with what it is: bool, std::int64_t, double, std::string, List, Table or Other.
  template <class Visit>
  decltype(auto) visit(Visit&& visit) const {
    return std::visit(std::forward<Visit>(visit), held_);
  }

  /// Numbers are equal by what they are worth, 2 and 2.0 too.
  friend bool operator==(const Value& a, const Value& b);

 private:
  std::variant<bool, std::int64_t, double, std::string, List, Table, Other> held_;
};

/// In one line, as configs have it. What is no Other is read back as an equal value.
[[nodiscard]] std::string text_of(const Value& value);
[[nodiscard]] std::string text_of(const Table& table);
/// What was found where something else was expected: a number, flag or text as it is, anything else
/// by its kind.
[[nodiscard]] std::string found_text(const Value& value);

/// The shortest decimal that reads back as the same number, without a point where it needs none.
[[nodiscard]] std::string number_text(double number);
/// In double quotes, escaped.
[[nodiscard]] std::string in_quotes(std::string_view text);
/// May stand before `=` without quotes: letters, digits, _ and -.
[[nodiscard]] bool is_bare_key(std::string_view key);
/// In quotes where it has to be.
[[nodiscard]] std::string key_text(std::string_view key);
/// "cluster" and "nodes" give "cluster.nodes"; the root's path is empty.
[[nodiscard]] std::string joined(std::string_view path, std::string_view key);

}  // namespace somnus
