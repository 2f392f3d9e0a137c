// What a resource manager gets when a job arrives: its shape, user, weight and so on. Nothing in it
// says how long a task takes. Jobs are ordered by (submit, place in the file); a job's stages are
// adjacent, and so are a stage's tasks, so ids index flat arrays.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/job.hpp"
#include "model/progress_curve.hpp"

namespace somnus {

struct Catalogue {
  std::vector<Job> jobs;
  std::vector<Stage> stages;
  std::vector<StageId> parents;
  std::vector<StageId> children;
  std::vector<NodeId> affinity;
  std::vector<StageId> stage_of;      // by TaskId
  std::vector<ProgressCurve> curves;  // by JobId; empty: no job's is known
  // By JobId, of the whole run from the job's first launch, zero: none; empty: no job has one.
  std::vector<Duration> limits;
  std::vector<Accounting> accounting;  // by JobId; empty: nothing is said of any
  std::uint32_t tasks = 0;
  std::vector<User> users;
  std::uint32_t queues = 0;
  std::uint32_t apps = 0;

  [[nodiscard]] const User& operator[](UserId user) const { return users[user.index()]; }
  [[nodiscard]] const Job& operator[](JobId job) const { return jobs[job.index()]; }
  [[nodiscard]] const Stage& operator[](StageId stage) const { return stages[stage.index()]; }
  [[nodiscard]] std::span<const StageId> parents_of(const Stage& stage) const {
    return std::span(parents).subspan(stage.first_parent, stage.parents);
  }
  [[nodiscard]] std::span<const StageId> children_of(const Stage& stage) const {
    return std::span(children).subspan(stage.first_child, stage.children);
  }
  /// The nodes that its tasks prefer, where its data is, in the user's order.
  [[nodiscard]] std::span<const NodeId> affinity_of(const Stage& stage) const {
    return std::span(affinity).subspan(stage.first_affinity, stage.affinity);
  }
  /// Not known, where users gave none.
  [[nodiscard]] const ProgressCurve& curve(JobId job) const;
  /// For how long the job may run from its first launch; none: for any time.
  [[nodiscard]] std::optional<Duration> limit(JobId job) const;
  [[nodiscard]] Accounting accounting_of(JobId job) const {
    return job.index() < accounting.size() ? accounting[job.index()] : Accounting();
  }
  /// Whether any stage is a gang.
  [[nodiscard]] bool has_gangs() const;
  /// Whether any stage has its nodes for itself.
  [[nodiscard]] bool has_exclusive() const;
  /// Most slots that the job can use at once: the tasks of its widest stage.
  [[nodiscard]] std::uint32_t parallelism(const Job& job) const;
  /// Of one job, in order.
  [[nodiscard]] std::span<const Stage> stages_of(const Job& job) const {
    return std::span(stages).subspan(job.first_stage.index(), job.stages);
  }
};

}  // namespace somnus
