// How many runs each point of an experiment needs, by what those so far gave.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "experiment/campaign.hpp"
#include "experiment/plan.hpp"
#include "experiment/results.hpp"

namespace somnus {

/// Runs of each point in the first round.
[[nodiscard]] std::vector<std::size_t> first_round(const ExperimentPlan& plan);
/// In the round after `campaign.seeds`; none: `precision` and `decide` need no more, or have
/// most_seeds. It depends on what these runs gave and on nothing else.
[[nodiscard]] std::optional<std::vector<std::size_t>> next_round(const ExperimentPlan& plan,
                                                                 const Results& results,
                                                                 const Campaign& campaign);

}  // namespace somnus
