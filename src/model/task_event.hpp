// What an order hears of attempts, and the promises that it may give.
#pragma once

#include <cstdint>
#include <utility>

#include "base/describe.hpp"
#include "base/ids.hpp"
#include "model/estimate.hpp"

namespace somnus {

enum class Outcome : std::uint8_t {
  finished = 0,
  failed = 1,      // the task itself; it becomes runnable again
  lost = 2,        // with its node; it becomes runnable again
  unfinished = 3,  // the run ended first
  returned = 4,    // from its node's queue, without a start; it becomes runnable again
  killed = 5,      // by the scheduler's word; its task becomes runnable again if all of its stage
                   // starts again as one, else it is not wanted any more
  suspended =
      6,  // by the scheduler's word; its task becomes runnable again, and goes on from there
};

template <>
struct EnumNames<Outcome> {
  static constexpr std::pair<Outcome, const char*> names[] = {
      {Outcome::finished, "finished"},  {Outcome::failed, "failed"},
      {Outcome::lost, "lost"},          {Outcome::unfinished, "unfinished"},
      {Outcome::returned, "returned"},  {Outcome::killed, "killed"},
      {Outcome::suspended, "suspended"}};
};

/// One attempt is over. A failed or lost one makes its task runnable again, unless its job has
/// failed or another attempt of it goes on.
struct TaskEnded {
  TaskId task;
  NodeId node;
  std::uint16_t attempt = 0;
  Outcome outcome = Outcome::finished;
  Estimate own;  // none() where neither the scheduler nor the log wants it

  static constexpr const char* kind = "task_ended";
  static constexpr auto fields() {
    using E = TaskEnded;
    return in_order(
        field("task", &E::task, "id", "dense over the workload, stages' tasks adjacent"),
        field("node", &E::node, "id", "row of /nodes"),
        field("attempt", &E::attempt, "1", "from 0"),
        field("outcome", &E::outcome, "code", "how it ended"),
        field("own", &E::own, "s", "what the estimator had said of just this task", estimable));
  }
};
/// The job is to end by then, if estimates are right and the policy keeps its word. Only the log
/// has it.
struct Promise {
  JobId job;
  Moment end;

  static constexpr const char* kind = "promise";
  static constexpr auto fields() {
    using N = Promise;
    return in_order(field("job", &N::job, "id", "row of /jobs"),
                    field("end", &N::end, "s", "when it is to have ended", not_negative));
  }
  friend bool operator==(const Promise&, const Promise&) = default;
};

/// The stage's next task, or all its gang, is to start by then, as no job runs for longer than its
/// limit. Only the log has it.
struct Reservation {
  StageId stage;
  double start = infinity;

  static constexpr const char* kind = "reservation";
  static constexpr auto fields() {
    using N = Reservation;
    return in_order(
        field("stage", &N::stage, "id", "row of /stages"),
        field("start", &N::start, "s",
              "when it is to start at the latest; inf: others go first, it has none any more",
              zero_to_infinity));
  }
  friend bool operator==(const Reservation&, const Reservation&) = default;
};

}  // namespace somnus
