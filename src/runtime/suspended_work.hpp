// What is left to do of tasks that were suspended: they go on from where they stopped. The truth,
// so it goes into launch messages, past the scheduler.
#pragma once

#include <unordered_map>

#include "base/ids.hpp"
#include "model/message.hpp"
#include "model/task_times.hpp"
#include "model/workload.hpp"
#include "scheduler/engine.hpp"

namespace somnus {

class SuspendedWork {
 public:
  /// The end of an attempt, as one of a unit that is suspended, if it is.
  [[nodiscard]] CompletionMessage end_of(CompletionMessage end, const Engine& engine,
                                         const Workload& workload) {
    const StageId stage = workload.catalogue.stage_of[end.task.index()];
    if (end.outcome != Outcome::killed || !engine.is_suspended(stage)) return end;
    end.outcome = Outcome::suspended;
    note(end, workload);
    return end;
  }
  /// Of a suspended attempt.
  void note(const CompletionMessage& end, const Workload& workload) {
    if (end.started == never) return;  // its launch had not reached the node
    const StageId stage = workload.catalogue.stage_of[end.task.index()];
    const TaskTimes whole = workload.truth.times(workload.catalogue[stage].job, end.task);
    left_[end.task] = left_of(end.task, whole).after(end.finished - end.started, end.intended);
  }
  [[nodiscard]] bool any() const { return !left_.empty(); }
  [[nodiscard, gnu::noinline]] TaskTimes left_of(TaskId task, const TaskTimes& whole) const {
    const auto found = left_.find(task);
    return found == left_.end() ? whole : found->second;
  }

 private:
  std::unordered_map<TaskId, TaskTimes> left_;
};

}  // namespace somnus
