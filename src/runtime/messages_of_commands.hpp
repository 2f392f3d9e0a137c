// The scheduler's commands as messages to nodes. A task's true time is added here, which the
// scheduler never sees.
#pragma once

#include "base/time.hpp"
#include "model/event.hpp"
#include "model/message.hpp"
#include "model/workload.hpp"
#include "runtime/job_managers.hpp"
#include "runtime/suspended_work.hpp"
#include "scheduler/engine.hpp"

namespace somnus {

/// All of them must outlive it.
class MessagesOfCommands {
 public:
  MessagesOfCommands(const Workload& workload, const Engine& engine, const JobManagers& managers,
                     const SuspendedWork& suspended)
      : workload_(workload), engine_(engine), managers_(managers), suspended_(suspended) {}

  // Without the node's incarnation, which the sender knows.

  // Part of what carries a launch out: a call of its own would copy the message.
  [[nodiscard, gnu::always_inline]] LaunchMessage message_of(Time now, const Launch& launch) const {
    const JobId job = workload_.catalogue[launch.stage].job;
    LaunchMessage message{.sent = managers_.leaves(job, launch.task, launch.attempt, now),
                          .times = workload_.truth.times(job, launch.task),
                          .estimate = engine_.jobs().task_estimate(launch.stage),
                          .task = launch.task,
                          .node = launch.node,
                          .app = workload_.catalogue[job].app,
                          .job = job,
                          .stage = launch.stage,
                          .attempt = launch.attempt,
                          .into = launch.into};
    if (suspended_.any()) [[unlikely]] {
      message.times = suspended_.left_of(launch.task, message.times);
    }
    return message;
  }
  [[nodiscard]] static KillMessage message_of(Time now, const Kill& kill) {
    return {.sent = now, .task = kill.task, .node = kill.node, .attempt = kill.attempt};
  }
  [[nodiscard]] AskMessage message_of(Time now, const Ask& ask) const {
    return {.sent = now,
            .estimate = engine_.jobs().task_estimate(ask.stage),
            .node = ask.node,
            .stage = ask.stage,
            .job = workload_.catalogue[ask.stage].job,
            .question = ask.question};
  }
  [[nodiscard]] static RevokeMessage message_of(Time now, const Revoke& revoke) {
    return {
        .sent = now, .length = revoke.length, .wait_s = revoke.wait.seconds, .node = revoke.node};
  }

  /// Where the job stands now, for nodes that order their queues by it.
  [[nodiscard]] JobUpdate update_of(JobId job) const {
    const JobTable& jobs = engine_.jobs();
    return {.arrival = jobs.arrival(job),
            .remaining = jobs.remaining(job),
            .job = job,
            .unfinished = jobs.unfinished(job)};
  }

 private:
  const Workload& workload_;
  const Engine& engine_;
  const JobManagers& managers_;
  const SuspendedWork& suspended_;
};

}  // namespace somnus
