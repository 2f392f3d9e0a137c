// What a row of a table is: a job, or a task of the job that a column names.
#pragma once

#include "formats/guess_state.hpp"

namespace somnus {

/// Job and rows, unless they are given; after guess_times.
void guess_rows(GuessState& state);

}  // namespace somnus
