// Which parts can't start the tasks of a gang together.
#pragma once

#include <string>
#include <vector>

#include "config/settings.hpp"

namespace somnus {

struct Objection {
  std::string key;   // of the config
  std::string what;  // is wrong, in words
  std::string hint;
};

/// To gangs, by the parts that these settings choose; none if all of them know gangs.
[[nodiscard]] std::vector<Objection> objections_to_gangs(const Settings& settings);

}  // namespace somnus
