// What running tasks and planned ones will hold, of the whole cluster as one pool; and whether one
// more task started now would be in their way (Carbyne's guarded leftover, policies.md 6.5).
#pragma once

#include <span>

#include "policies/job_packing.hpp"

namespace somnus {

class Loans {
 public:
  explicit Loans(const Dimensions& dimensions);

  /// Nothing is known yet of this instant.
  void forget() { known_ = false; }
  [[nodiscard]] bool known() const { return known_; }
  void begin(Time now);
  void running(const RunningTasks& tasks, JobsView jobs);
  void planned(const LatestStart& start, JobsView jobs);

  /// Whether a task of the stage could run from now on, in the place of one that is planned for
  /// `instead`.
  [[nodiscard]] bool allow(StageId stage, Time instead, JobsView jobs);
  /// It has been started.
  void started(StageId stage, Time instead, JobsView jobs);

 private:
  Dimensions dimensions_;
  bool known_ = false;
  Time now_;
  Profile all_;  // from now on
};

}  // namespace somnus
