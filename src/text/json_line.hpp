// One line of a JSON Lines file, or a document that goes over several lines, read key by key.
//
// A valid line is parsed once, by simdjson's DOM, which knows no columns. Only when something is
// wrong is the line parsed again: up to the value of the key, for its column, or by nlohmann-json,
// whose syntax errors say what was expected and where.
#pragma once

#include <simdjson.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/suggest.hpp"
#include "text/key_path.hpp"
#include "text/mistake_collector.hpp"

namespace somnus {

struct JsonValue;

class JsonLine {
 public:
  /// `text` begins in line `number`, and must be padded as TextFile::text() is.
  JsonLine(std::string_view text, int number, MistakeCollector& report, int column = 1)
      : text_(text), number_(number), column_(column), mistakes_(report) {}

  /// The line's object; valid until the parser's next use. Nothing if it is no JSON object, which
  /// then has been reported.
  [[nodiscard]] std::optional<simdjson::dom::object> parse(simdjson::dom::parser& parser);

  /// The same, as a value.
  [[nodiscard]] std::optional<JsonValue> parse_value(simdjson::dom::parser& parser);

  /// `key` is a path() such as "stages[1].parents[0]"; empty for the line as a whole.
  void wrong(std::string key, std::string what, std::string hint = "");
  /// As wrong(), but silent if that key, one above or one below it was wrong already: what follows
  /// from a mistake is not another one.
  void also_wrong(std::string key, std::string what, std::string hint = "");

 private:
  struct Spot {
    int line = 0;
    int column = 0;
  };

  void report_syntax(simdjson::error_code error);
  [[nodiscard]] Spot spot_of(std::string_view key) const;
  [[nodiscard]] Spot spot_at(std::size_t offset) const;

  std::string_view text_;
  int number_;
  int column_;  // where the text begins
  MistakeCollector& mistakes_;
  std::vector<std::string> wrong_keys_;
};

/// A value with its key, able to complain.
struct JsonValue {
  simdjson::dom::element value;
  JsonLine& line;
  std::string key;

  // Each gives nothing for a value of another type, and has reported it.
  [[nodiscard]] std::optional<bool> flag() const;
  [[nodiscard]] std::optional<double> number() const;
  [[nodiscard]] std::optional<std::uint64_t> whole(std::uint64_t most) const;
  [[nodiscard]] std::optional<std::string> text() const;
  [[nodiscard]] std::optional<simdjson::dom::array> array() const;
  [[nodiscard]] std::optional<simdjson::dom::object> object() const;
  /// Of an object's key. Where there is none it is silent, and needed_at() has reported that.
  [[nodiscard]] std::optional<JsonValue> at(std::string_view name) const;
  [[nodiscard]] std::optional<JsonValue> needed_at(std::string_view name) const;
  /// An array's values, each with its key; none of something else, which then has been reported.
  [[nodiscard]] std::vector<JsonValue> elements() const;
  /// An array's; 0 stands for each element that is none, so that the others keep their places.
  [[nodiscard]] std::vector<double> numbers() const;

  void expected(std::string_view what) const;  // reports "expected WHAT, found a string"
};

/// What a key means: one row of a table.
template <class Target>
struct JsonKey {
  std::string_view name;
  void (*read)(Target& target, const JsonValue& value);
};

/// Hands each key's value to its row; reports keys that have none or come twice. Says which rows
/// had their key.
template <class Target, std::size_t rows>
std::array<bool, rows> read_keys(simdjson::dom::object object, const JsonKey<Target> (&table)[rows],
                                 Target& target, JsonLine& line, std::string_view above) {
  std::array<bool, rows> given{};
  for (const auto& [name, value] : object) {
    std::size_t row = 0;
    while (row < rows && table[row].name != name) ++row;
    if (row == rows) {
      std::vector<std::string> known;
      for (const JsonKey<Target>& each : table) known.emplace_back(each.name);
      line.wrong(path(above, name), "unknown key", suggest(name, known));
    } else if (given[row]) {
      line.wrong(path(above, name), "expected once, found again");
    } else {
      given[row] = true;
      table[row].read(target, {value, line, path(above, name)});
    }
  }
  return given;
}

}  // namespace somnus
