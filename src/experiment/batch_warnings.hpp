// Intervals over batches of a run take these as independent. Where neighbours are alike they are
// not.
#pragma once

#include <string>

#include "experiment/campaign.hpp"
#include "experiment/plan.hpp"
#include "experiment/results.hpp"

namespace somnus {

// Each is one test of serial_correlation() a metric and point or comparison, and Holm's procedure
// over these. Empty: it finds nothing.

/// Of the means of batches, on which the intervals of points rest.
[[nodiscard]] std::string warning_of_batches(const ExperimentPlan& plan, const Results& results,
                                             const Campaign& campaign);
/// Of the differences between two points, batch by batch, on which verdicts rest. What both points
/// have in common, such as hours with many jobs, is not in them: they may be independent where the
/// means are not.
[[nodiscard]] std::string warning_of_differences_of_batches(const ExperimentPlan& plan,
                                                            const Results& results,
                                                            const Campaign& campaign);

}  // namespace somnus
