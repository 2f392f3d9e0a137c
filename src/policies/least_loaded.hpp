// Distributed Mercury's placement (policies.md 4.3): a usage monitor keeps the nodes sorted by
// load, anew every interval; a job's manager spreads its tasks over the k first of them that it may
// use. Among these it goes by the load that it sees itself, beginning at a random one; nodes that
// the stage prefers go first.
//
//     load(n) = (running + queued) / slots
//
// Under feedback "monitor" the list is of what nodes last reported, so managers that come within
// one interval crowd onto the same k nodes.
#pragma once

#include <unordered_map>
#include <vector>

#include "scheduler/environment.hpp"
#include "scheduler/job_streams.hpp"
#include "scheduler/placement.hpp"
#include "scheduler/traits.hpp"

namespace somnus {

struct LeastLoadedRules {
  std::uint32_t k = 10;
  double interval_s = 1;

  static constexpr auto fields() {
    using R = LeastLoadedRules;
    return in_order(field("k", &R::k, "1", "tasks of a job go to that many nodes at a time",
                          Range{.low = 1, .high = 1e6}),
                    field("interval_s", &R::interval_s, "s",
                          "the monitor sorts the nodes that often", positive));
  }
  [[nodiscard]] static PlacementTraits traits() { return {.draws = true, .finds_any_slot = false}; }
};

class LeastLoaded final : public Placement {
 public:
  using Rules = LeastLoadedRules;
  LeastLoaded(const Rules& rules, const Environment& environment)
      : rules_(rules), streams_(environment.seed) {}

  [[nodiscard]] NodeId choose(StageId stage, const PlacementView& view) override;
  void job_ended(JobId job) override { streams_.forget(job); }
  void round_begins(Time now, Asking& nodes) override;
  void round_ends(Asking&) override { spreads_.clear(); }

 private:
  /// Where the job's manager places in this round, in the order of its liking.
  [[nodiscard]] std::vector<NodeId> candidates_of(JobId job, const PlacementView& view);

  Rules rules_;
  JobStreams streams_;
  Time next_sort_ = start_of_time;
  std::vector<NodeId> sorted_;  // all nodes, for lost ones may return; the least loaded first
  std::unordered_map<JobId, std::vector<NodeId>> spreads_;  // of this round
};

}  // namespace somnus
