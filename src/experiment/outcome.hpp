// The result of an experiment: each point's figures over its runs, or the batches of one, beside
// the baseline's.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiment/answers.hpp"
#include "experiment/campaign.hpp"
#include "experiment/plan.hpp"
#include "experiment/results.hpp"
#include "experiment/statistics.hpp"

namespace somnus {

struct PointFigure {
  MeanInterval interval;
  /// To the baseline, run by run of the same seed or batch by batch, as a share of the baseline's
  /// mean over these; none: there is no baseline, or this is it.
  std::optional<MeanInterval> difference;
};

/// What a mean is over, as columns are called: runs; batches of one run.
[[nodiscard]] const char* replicates_of(const ExperimentPlan& plan);

/// By point.
[[nodiscard]] std::vector<PointFigure> outcome_of(const ExperimentPlan& plan,
                                                  const Results& results, const Campaign& campaign,
                                                  std::size_t figure);

/// A table a metric: a line a point, with the mean, its 95 % interval, and the difference to the
/// baseline; one whose interval holds 0 has a ~, and is dimmed where that can be seen. Of many
/// points only a dozen, unless all lines are asked for.
[[nodiscard]] std::string outcome_to_text(const ExperimentPlan& plan, const Results& results,
                                          const Campaign& campaign, bool dim, Lines lines);
/// The same of all figures that any run has.
[[nodiscard]] nlohmann::json outcome_to_json(const ExperimentPlan& plan, const Results& results,
                                             const Campaign& campaign);

/// results.csv and results.h5 have a row a point, seed and figure, and of batches one a batch
/// (from 1 on; 0: the whole run); summary.csv one a point and
/// figure; answers.json what is decided. The same results give the same bytes. Throws WorldError.
void write_tables(const ExperimentPlan& plan, const Results& results, const Campaign& campaign,
                  const Answers& answers);

}  // namespace somnus
