// What tasks compete for: the cluster's resources, in millionths; or, where only slots count, slots
// as the one resource, of which each task holds one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/cluster.hpp"
#include "scheduler/jobs_view.hpp"

namespace somnus {

class Dimensions {
 public:
  explicit Dimensions(const Cluster& cluster) : only_slots_(cluster.resources.empty()) {
    if (only_slots_) totals_.push_back(static_cast<Wide>(cluster.slot_count()));
    const ResourceTotals all = cluster.capacity();
    for (std::size_t kind = 0; kind < cluster.resources.size(); ++kind) {
      totals_.push_back(all.millionths(kind));
    }
    for (const Wide total : totals_) rounded_totals_.push_back(as_double(total));
  }

  [[nodiscard]] bool only_slots() const { return only_slots_; }
  [[nodiscard]] std::size_t count() const { return totals_.size(); }
  /// Of the whole cluster.
  [[nodiscard]] Wide total(std::size_t kind) const { return totals_[kind]; }
  [[nodiscard]] const std::vector<Wide>& totals() const { return totals_; }
  /// By one task of the stage.
  [[nodiscard]] std::int64_t asked(std::size_t kind, StageId stage, JobsView jobs) const {
    return only_slots_ ? 1 : jobs.demand(stage).amounts.millionths(kind);
  }
  /// All of that, by kind; kinds after the last are not asked for.
  [[nodiscard]] std::span<const std::int64_t> demand(StageId stage, JobsView jobs) const {
    static constexpr std::int64_t one_slot[] = {1};
    if (only_slots_) return one_slot;
    return jobs.demand(stage).amounts.millionths();
  }
  /// By the running tasks of a job or of a queue.
  template <class Owner>
  [[nodiscard]] Wide held(std::size_t kind, Owner owner, JobsView jobs) const {
    return only_slots_ ? Wide{jobs.running(owner)} : jobs.allocated(owner).millionths(kind);
  }
  /// The largest share of the cluster, over kinds, that these hold.
  template <class Owner>
  [[nodiscard]] double dominant_share(Owner owner, JobsView jobs) const {
    double most = 0;
    for (std::size_t kind = 0; kind < totals_.size(); ++kind) {
      const double amount = as_double(held(kind, owner, jobs));
      if (amount > 0) most = std::max(most, amount / rounded_totals_[kind]);
    }
    return most;
  }

 private:
  bool only_slots_;
  std::vector<Wide> totals_;            // by kind
  std::vector<double> rounded_totals_;  // the same
};

}  // namespace somnus
