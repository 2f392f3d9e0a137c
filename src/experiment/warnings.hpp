// What the tables of an experiment must not be read without.
#pragma once

#include <string>
#include <vector>

#include "experiment/campaign.hpp"
#include "experiment/plan.hpp"
#include "experiment/results.hpp"

namespace somnus {

/// A sentence each: of rigid jobs that ran as independent tasks, of offered loads above 1, of
/// points at which jobs pile up for as long as they come, and of batches that are alike their
/// neighbours.
[[nodiscard]] std::vector<std::string> warnings_of(const ExperimentPlan& plan,
                                                   const Results& results,
                                                   const Campaign& campaign);
/// A line or more each, of at most 80 columns.
[[nodiscard]] std::string to_text(const std::vector<std::string>& warnings);

}  // namespace somnus
