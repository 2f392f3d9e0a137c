// Carries out the runs that an experiment's results lack.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "experiment/plan.hpp"
#include "experiment/results.hpp"
#include "experiment/run_executor.hpp"
#include "experiment/share.hpp"

namespace somnus {

struct CampaignOptions {
  Share share;                       // the runs to carry out
  bool show_progress = false;        // on stderr
  std::atomic<int>* stop = nullptr;  // not 0: end early
};

struct FailedRun {
  std::string label;  // of its point
  std::string run;    // "fair 0.5, seed 3"
  std::string what;
  std::exception_ptr error;
};

struct Campaign {
  std::vector<std::vector<std::uint64_t>> seeds;  // by point: of its runs
  bool complete = true;                           // not asked to end
  std::size_t ran = 0;                            // that were not there before
  std::size_t lacking = 0;                        // of other shares, which are not there
  std::vector<FailedRun> failures;                // in the spec of points and seeds
};

/// Which runs there are does not depend on how many go at once, nor on which were there before:
/// more seeds than the file's are added in rounds, by what a point's runs so far gave. A run that
/// fails is reported and stops no other.
[[nodiscard]] Campaign run_campaign(const ExperimentPlan& plan, Results& results,
                                    RunExecutor& executor, const CampaignOptions& options);

}  // namespace somnus
