// The rows of /targets: what the policy means jobs to have, beside what they have.
#pragma once

#include <span>
#include <vector>

#include "log/schema.hpp"
#include "scheduler/engine.hpp"

namespace somnus {

class TargetRows {
 public:
  /// The engine must outlive it.
  explicit TargetRows(const Engine& engine) : engine_(engine) {}

  void job_arrived(JobId job) { jobs_.push_back(job); }
  /// At present: of each job that has not ended, in the order in which they arrived, if
  /// the policy says what it is to have. Valid until the next call.
  [[nodiscard]] std::span<const TargetRow> at(Time now);

 private:
  const Engine& engine_;
  std::vector<JobId> jobs_;  // that arrived; some may have ended
  std::vector<TargetRow> rows_;
};

}  // namespace somnus
