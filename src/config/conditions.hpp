// Which keys are read only with certain choices. A key that would not be read is the user's
// mistake: the user expects an effect.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "config/settings.hpp"

namespace somnus {

/// `table.key` is read only where `decided_by` is such that holds().
struct Condition {
  std::string_view table;
  std::string_view key;         // empty: the whole table
  std::string_view decided_by;  // another key
  std::string needs;            // what that key must say, in TOML
  std::function<bool(const Settings&)> holds;
  std::function<std::string(const Settings&)> found;  // what it says
};

[[nodiscard]] std::span<const Condition> conditions();

/// key empty: of the table as a whole. nullptr: always read.
[[nodiscard]] const Condition* condition_of(std::string_view table, std::string_view key);
[[nodiscard]] bool is_read(const Settings& settings, std::string_view table, std::string_view key);

}  // namespace somnus
