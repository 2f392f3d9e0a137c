// What each job is entitled to by DRF's closed form (Parkes, Procaccia and Shah, EC 2012; Carbyne,
// section 2; policies.md 6.1).
//
// A job's demand D_kr is the mean over all its tasks, ended or not, as a share of the cluster's
// resource r, and d_kr = D_kr / max_s D_ks. All dominant shares grow in step with the weights,
//
//     A_kr = lambda_k w_k d_kr      lambda = 1 / max_r sum_k w_k d_kr       [share of the cluster]
//
// until a resource is used up; jobs that ask for none of it grow on, round by round, until each
// asks for something that is. So the shares add up to no more than there is, dominant shares by
// weight are equal among jobs that compete, and n equal jobs get 1 / n each.
//
// Quotas change when a job arrives or ends: O(jobs x kinds) for each kind that is used up.
#pragma once

#include <cstdint>
#include <vector>

#include "scheduler/dimensions.hpp"

namespace somnus {

class Quotas {
 public:
  explicit Quotas(const Cluster& cluster) : dimensions_(cluster) {}

  void job_arrived(JobId job, JobsView jobs);
  void job_ended(JobId job);

  /// lambda_k of an active job: its dominant share for its weight.
  [[nodiscard]] double level(JobId job);
  /// What it may hold of that kind, in whole units of `dimensions`.
  [[nodiscard]] Wide of(JobId job, std::size_t kind);
  /// Whether one more task of the stage keeps its job within its quota. A task that is larger than
  /// that runs when the job runs nothing else, or it never would.
  [[nodiscard]] bool allow(StageId stage, JobsView jobs);

 private:
  struct Entitled {
    bool active = false;
    std::vector<Quad> pace;   // w_k d_kr, by kind
    Quad level = 0;           // lambda_k
    std::vector<Wide> quota;  // by kind
  };
  void refresh();
  void round_down(Entitled& one) const;

  Dimensions dimensions_;
  std::vector<JobId> active_;
  std::vector<Entitled> jobs_;  // by job
  bool known_ = true;           // since a job arrived or ended
};

}  // namespace somnus
