// Orders of a job's stages by packing its DAG alone, before it starts, into the empty machines of
// the cluster; where only slots count they are one pool. Tasks of a stage are alike: each takes the
// stage's estimated mean.
#pragma once

#include "packing/profile.hpp"
#include "scheduler/dimensions.hpp"
#include "scheduler/environment.hpp"
#include "scheduler/policy.hpp"

namespace somnus {

/// The cluster as space for a single job.
class Machines {
 public:
  explicit Machines(const Cluster& cluster);

  [[nodiscard]] const Dimensions& dimensions() const { return dimensions_; }
  /// As many of them as that many tasks can need.
  [[nodiscard]] std::vector<Profile> empty_for(std::uint32_t tasks) const;

 private:
  struct Alike {
    std::vector<Wide> capacity;  // by kind
    std::uint32_t count = 0;
  };
  Dimensions dimensions_;
  std::vector<Alike> alike_;
};

/// The stage first that starts first where the whole DAG is packed forward (policies.md 6.7); ties
/// to the stage numbered first.
class PackedForward final : public StageOrder {
 public:
  explicit PackedForward(const Environment& environment) : machines_(environment.cluster) {}
  [[nodiscard]] std::vector<StageId> stages_of(JobId job, JobsView jobs) const override;

 private:
  Machines machines_;
};

/// DAGPS (Graphene, OSDI 2016, as policies.md 6.7 has it). Idea: what is hard to pack, stages that
/// take long or leave much free beside them, is placed first into an empty space of resources and
/// time, and all that must come before it, after it, or neither, around that. Which stages are
/// hard is tried out:
///
///     long  = task duration / the longest of the job            hard from a threshold on
///     frag  = work / time that the stage takes alone            hard up to a threshold
///             = max_r n d_r / C_r / ceil(n / tasks that fit at once)
///     T     = the hard ones and all on paths between them; P their ancestors, C their descendants,
///             O the rest; T is placed first, then the others in one of four orders: ancestors
///             backward from what they must precede, descendants forward, O as its neighbours let
///             it
///
/// At most 8 thresholds of each are tried, and of all these schedules the shortest, the first among
/// equals, says which stage is first: that which begins first in it. O(64 x 4 packings).
class Dagps final : public StageOrder {
 public:
  explicit Dagps(const Environment& environment) : machines_(environment.cluster) {}
  [[nodiscard]] std::vector<StageId> stages_of(JobId job, JobsView jobs) const override;

 private:
  Machines machines_;
};

}  // namespace somnus
