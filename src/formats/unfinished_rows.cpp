#include "formats/unfinished_rows.hpp"

#include <fmt/format.h>

#include "formats/table_rows.hpp"

namespace somnus {

void note_unfinished(GuessState& state) {
  const std::string duration = state.text_of("duration");
  const auto meant = number_in(state.sample(), duration);
  if (!meant || !meant->column) return;
  std::size_t unfinished = 0;
  std::string example;
  std::size_t moments = 0;
  const auto took = state.values_of(duration);
  for (std::size_t row = 0; row < took.size(); ++row) {
    const std::string& last = state.sample().columns[*meant->column][row];
    const bool has_end = !never_came(last, meant->minus.has_value());
    const bool has_start =
        !meant->minus || !never_came(state.sample().columns[*meant->minus][row], false);
    if (has_end && has_start) {
      moments += took[row] == 0.0 ? 1 : 0;
      continue;
    }
    if (unfinished == 0) {
      example = fmt::format("{} is '{}'",
                            state.columns[has_end ? meant->minus.value_or(0) : *meant->column].name,
                            has_end ? state.sample().columns[meant->minus.value_or(0)][row] : last);
    }
    ++unfinished;
  }
  if (unfinished > 0 && !state.is_given("skip_unfinished")) {
    state.guess.parameters["skip_unfinished"] = true;
    state.assume(fmt::format("{} of {} rows never ran or had not ended and are left out: {}",
                             unfinished, took.size(), example));
  }
  if (moments > 0) {
    state.assume(
        fmt::format("{} of {} rows take 0 s and are jobs: if they never ran, they do not "
                    "belong into the file",
                    moments, took.size()));
  }
}

}  // namespace somnus
