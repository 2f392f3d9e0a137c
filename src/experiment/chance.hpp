// What of a run is drawn at random, so that another seed is another run.
#pragma once

#include <string>
#include <vector>

#include "config/settings.hpp"

namespace somnus {

/// In words, for people; empty: every seed gives the same run.
[[nodiscard]] std::vector<std::string> chances_in(const Settings& settings);

}  // namespace somnus
