// What can happen to a scheduler, and what it can order. Closed sets: past-tense facts and
// imperatives, visited exhaustively.
#pragma once

#include <cstdint>
#include <variant>

#include "base/describe.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"

namespace somnus {

enum class Outcome : std::uint8_t {
  finished = 0,
  failed = 1,      // the task itself; it becomes runnable again
  lost = 2,        // with its node; it becomes runnable again
  unfinished = 3,  // the run ended first
};

template <>
struct EnumNames<Outcome> {
  static constexpr std::pair<Outcome, const char*> names[] = {{Outcome::finished, "finished"},
                                                              {Outcome::failed, "failed"},
                                                              {Outcome::lost, "lost"},
                                                              {Outcome::unfinished, "unfinished"}};
};

/// What a scheduler believes of a span; never the truth itself.
struct Estimate {
  double seconds = 0;
};

// Events. Their time is rank 0's, given beside them. What a scheduler believes comes with the
// event, so that a log of events is all that a replay needs.

/// Preceded, in the same instant, by a StageEstimated for each of its stages.
struct JobArrived {
  JobId job;
};
struct StageEstimated {
  StageId stage;
  Estimate slot_time;  // of the whole stage, on one warm slot
};
/// One attempt is over. A failed or lost one makes its task runnable again.
struct TaskEnded {
  TaskId task;
  NodeId node;
  std::uint16_t attempt = 0;
  Outcome outcome = Outcome::finished;
  Estimate own;  // what the estimator had said of just this task
};
/// A heartbeat: until the round ends, this node may be used.
struct NodeOffered {
  NodeId node;
};
/// Its running attempts are lost; each is also told by a TaskEnded.
struct NodeLost {
  NodeId node;
};
struct NodeReturned {
  NodeId node;
};

using Event =
    std::variant<JobArrived, StageEstimated, TaskEnded, NodeOffered, NodeLost, NodeReturned>;

// Commands.

struct Launch {
  TaskId task;
  NodeId node;
  std::uint16_t attempt = 0;
  StageId stage;
};

using Command = std::variant<Launch>;

}  // namespace somnus
