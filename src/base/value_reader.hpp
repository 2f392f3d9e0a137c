// Values checked one by one. Mistakes are collected, each with the value's path, from which a
// caller that knows where the values were written makes the location for the user.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/describe.hpp"
#include "base/value.hpp"

namespace somnus {

/// Something wrong with the value at a path such as `faults.event[1].node`.
struct ValueError {
  enum class At { value, key };

  std::string path;
  std::string what;  // is wrong, and what was expected
  std::string hint = {};
  At at = At::value;
  std::string where = {};  // another path whose location is reported; empty: `path`
  bool ignored = false;    // nothing is wrong with it, but that nobody would read it

  /// Without a place: `path: what; hint`.
  [[nodiscard]] std::string text() const;
  friend bool operator==(const ValueError&, const ValueError&) = default;
};

class ValueReader {
 public:
  void add_error(ValueError error);
  /// "expected ..., found ...".
  void add_value_error(const Value& value, const std::string& path, std::string_view expected);
  /// Blames each key that is not among the known. True if there is none: only then is it sure that
  /// something else is missing, not misspelt.
  bool refuse_unknown(const Table& table, std::string_view path,
                      std::span<const std::string> known);

  /// Those for which forgets(error) holds, after all.
  void forget_errors(const std::function<bool(const ValueError&)>& forgets) {
    std::erase_if(errors_, forgets);
  }

  [[nodiscard]] bool any() const { return !errors_.empty(); }
  /// Other than keys that nobody would read.
  [[nodiscard]] bool any_wrong() const {
    return std::ranges::any_of(errors_, [](const ValueError& error) { return !error.ignored; });
  }
  [[nodiscard]] bool blamed(std::string_view path) const { return blamed_.contains(path); }
  [[nodiscard]] const std::vector<ValueError>& errors() const { return errors_; }

  // Each gives what the value is, or blames it.
  std::optional<bool> flag(const Value& value, const std::string& path);
  std::optional<std::string> text(const Value& value, const std::string& path);
  /// `unit` as in Field; times must be ones that the emulated clock can keep.
  std::optional<double> number(const Value& value, const std::string& path, const Range& range,
                               std::string_view unit);
  /// Within the range, from 0 to `most`.
  std::optional<std::int64_t> whole(const Value& value, const std::string& path, const Range& range,
                                    std::int64_t most);
  /// The index of the choice.
  std::optional<std::size_t> choice(const Value& value, const std::string& path,
                                    std::span<const std::string> choices);
  const Table* table(const Value& value, const std::string& path);
  const List* list(const Value& value, const std::string& path);
  /// Each of its elements is yet to be seen.
  const List* list_of_tables(const Value& value, const std::string& path);

 private:
  std::vector<ValueError> errors_;
  std::set<std::string, std::less<>> blamed_;  // their paths
};

}  // namespace somnus
