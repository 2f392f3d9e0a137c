// All keys of a config, from the descriptions by which it is read: for `somnus config`, the
// reference and templates.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/parameters.hpp"
#include "config/settings.hpp"

namespace somnus {

struct HelpRow {
  std::string name;
  std::string unit;      // empty for plain numbers
  std::string fallback;  // as TOML, "required", or "-": none
  std::string meaning;
  std::vector<std::string> choices;  // all that a text may be; none: any
  std::string needs;                 // read only with that; empty: always
  ValueType type = ValueType::text;
  ValueType element = ValueType::text;  // of a list, or a table with free keys
  Range range = {};                     // of each number in it
};

struct HelpTable {
  std::string head;  // "[cluster]", "[[faults.event]]"
  std::string name;  // "cluster", "faults.event"
  std::string note;  // behind the head; may be empty
  std::vector<HelpRow> rows;
  std::vector<std::string> remarks;  // below, a line each
};

[[nodiscard]] HelpRow row_of(std::string_view table, const ParameterInfo& info);
/// Every table that there can be.
[[nodiscard]] std::vector<HelpTable> settings_tables();
/// In lines of at most 80 columns: a key, what it means, its unit and its default.
[[nodiscard]] std::string text_of(const HelpTable& table);

/// A config to begin with, for a label as `--policy` takes it: complete, every key that this
/// scheduler reads with its default, unit and meaning; those that are not needed are commented out.
[[nodiscard]] Checked<std::string> settings_template(std::string_view label);

}  // namespace somnus
