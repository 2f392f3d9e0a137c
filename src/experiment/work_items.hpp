// Work items for other ranks and their outcomes, as JSON texts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "experiment/run_executor.hpp"

namespace somnus {

struct NumberedRun {
  std::size_t number = 0;
  RunSpec spec;
};
struct NumberedOutcome {
  std::size_t number = 0;
  RunOutcome outcome;
};

// Reading throws WorldError for what can't be read: ranks of several versions.
[[nodiscard]] std::string text_of(const NumberedRun& spec);
[[nodiscard]] NumberedRun read_run(std::string_view text);
[[nodiscard]] std::string text_of(const NumberedOutcome& outcome);
[[nodiscard]] NumberedOutcome read_outcome(std::string_view text);

}  // namespace somnus
