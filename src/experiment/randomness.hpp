// What a run draws at random, so that another seed gives another run.
#pragma once

#include <string>
#include <vector>

#include "config/settings.hpp"

namespace somnus {

/// In words, for people; empty: every seed gives the same run.
[[nodiscard]] std::vector<std::string> drawn_at_random(const Settings& settings);

}  // namespace somnus
