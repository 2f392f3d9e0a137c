// How many tasks a row of a table has.
#pragma once

#include "formats/guess_state.hpp"

namespace somnus {

/// Unless it is given.
void guess_width(GuessState& state);

}  // namespace somnus
