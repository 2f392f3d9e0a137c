// Figures of batch systems, of logs that have gangs: waits, bounded slowdown, what is held and what
// is lost.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "log/log.hpp"

namespace somnus {

struct GangSummary {
  double jobs_with_gangs = 0;
  double widest_gang = 0;    // tasks
  double wait_mean_s = NAN;  // from a job's submit to its first start
  double wait_p50_s = NAN;
  double wait_p95_s = NAN;
  double wait_max_s = NAN;
  double bounded_slowdown_mean = NAN;
  double bounded_slowdown_p95 = NAN;
  double held = NAN;
  double capacity_lost = NAN;
  double overtaking = NAN;
  double reservations_kept = NAN;
};

/// All but the first two are of all jobs that have ended, or of the cluster's slots over the
/// makespan. Bounded slowdown: response time / max(time since the first start of an attempt that
/// finished, and what suspended attempts ran before it, 10 s), at least 1 (Feitelson and Rudolph,
/// JSSPP 1998). Held: a gang's slots count until its last task has ended, an exclusive one's are
/// all of its nodes. Capacity lost: slots that nobody held while some job waited to start (as "loss
/// of capacity" in Zhang et al., IPDPS 2000); both are NaN where the run's end cut attempts off.
/// Overtaking: the share of jobs that started while another waited that had been submitted before
/// them; jobs that failed before they started do not count. Reservations kept: of the stages that
/// had one and then started, the share of those that did so no later than the first one said. That
/// is compared to the nanosecond, so in a run a start that a message made a millisecond late does
/// not count. Nothing where there are no gangs.
[[nodiscard]] GangSummary gang_summary_of(const Log& log);

/// Waits and bounded slowdowns of any jobs of a log, which has to outlive it.
class JobWaits {
 public:
  explicit JobWaits(const Log& log);

  /// Sets them to those of the jobs at these places of the table.
  void measure(std::span<const std::size_t> places, GangSummary& summary) const;

 private:
  const std::vector<JobRow>& jobs_;
  std::vector<double> begins_;     // by job, as all below: when what it finished began
  std::vector<double> suspended_;  // for how long suspended attempts ran before that [s]
};

}  // namespace somnus
