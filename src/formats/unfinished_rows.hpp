// Rows of a table whose job never ran, or had not ended when the table was written.
#pragma once

#include "formats/guess_state.hpp"

namespace somnus {

/// Leaves them out and says how many there are, unless a user said what to do with them; and says
/// how many rows take no time. After the duration is guessed.
void note_unfinished(GuessState& state);

}  // namespace somnus
