// When a table's jobs come and how long their tasks take: which columns say so, and in which unit.
#pragma once

#include "formats/guess_state.hpp"

namespace somnus {

/// Submit and duration, unless they are given.
void guess_times(GuessState& state);

}  // namespace somnus
