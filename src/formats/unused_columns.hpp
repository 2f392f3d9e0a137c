// What is said of a table's columns that become nothing.
#pragma once

#include "formats/guess_state.hpp"

namespace somnus {

/// Each with a remark; a parameter is offered only with what the rows that were looked at can be
/// read as. After all other guesses.
void remark_unused(GuessState& state);

}  // namespace somnus
