// Distributed Mercury's placement (policies.md 4.3): a usage monitor keeps the nodes sorted by
// load, anew every interval; a job's manager spreads its tasks over the k least loaded, beginning
// at a random one, and counts what it placed itself. Of the k, those that the stage prefers go
// first.
//
//     load(n) = (running + queued) / slots, as last reported
//
// The sorted list is all that a manager sees, so managers that come within one interval crowd onto
// the same k nodes.
#pragma once

#include <unordered_map>
#include <vector>

#include "policy/job_streams.hpp"
#include "policy/registry.hpp"

namespace somnus {

struct LeastLoadedRules {
  std::uint32_t k = 10;
  double interval_s = 1;

  static constexpr auto fields() {
    using R = LeastLoadedRules;
    return std::tuple{field("k", &R::k, "1", "tasks of a job go to that many nodes at a time",
                            Range{.low = 1, .high = 1e6}),
                      field("interval_s", &R::interval_s, "s",
                            "the monitor sorts the nodes that often", positive)};
  }
};

class LeastLoaded final : public Placement {
 public:
  using Rules = LeastLoadedRules;
  LeastLoaded(const Rules& rules, const Surroundings& surroundings)
      : rules_(rules), streams_(surroundings.seed) {}
  [[nodiscard]] std::unique_ptr<Placement> clone() const override {
    return std::make_unique<LeastLoaded>(*this);
  }

  [[nodiscard]] NodeId choose(StageId stage, const Picture& picture) override;
  void job_ended(JobId job) override { streams_.forget(job); }
  void round_begins(Time now, Desk& desk) override;
  void round_ends(Desk&) override { spreads_.clear(); }

 private:
  struct Candidate {
    double load;
    NodeId node;
  };
  /// What a job's manager places in one round.
  struct Spread {
    std::vector<Candidate> candidates;  // with what it has placed itself
    std::size_t first = 0;              // where among them it begins
  };
  [[nodiscard]] Spread begin(JobId job, const Picture& picture);

  Rules rules_;
  JobStreams streams_;
  Time next_sort_ = start_of_time;
  std::vector<Candidate> sorted_;  // all nodes, for lost ones may return; the least loaded first
  std::unordered_map<JobId, Spread> spreads_;
};

}  // namespace somnus
