// What can happen to a scheduler, and what it can order. Closed sets: past-tense facts and
// imperatives, visited exhaustively.
#pragma once

#include <cstdint>
#include <variant>

#include "base/batches.hpp"
#include "base/describe.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"

namespace somnus {

enum class Outcome : std::uint8_t {
  finished = 0,
  failed = 1,      // the task itself; it becomes runnable again
  lost = 2,        // with its node; it becomes runnable again
  unfinished = 3,  // the run ended first
  returned = 4,    // from its node's queue, without a start; it becomes runnable again
};

template <>
struct EnumNames<Outcome> {
  static constexpr std::pair<Outcome, const char*> names[] = {{Outcome::finished, "finished"},
                                                              {Outcome::failed, "failed"},
                                                              {Outcome::lost, "lost"},
                                                              {Outcome::unfinished, "unfinished"},
                                                              {Outcome::returned, "returned"}};
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
/// A heartbeat: what the node does, and that with heartbeats it may be used until the round ends.
struct NodeOffered {
  NodeId node;
  std::uint32_t running = 0;
  std::uint32_t queued = 0;
  Estimate wait;  // of one more task in its queue
};
/// Its running attempts are lost; each is also told by a TaskEnded.
struct NodeLost {
  NodeId node;
};
struct NodeReturned {
  NodeId node;
};

/// What a node says to an Ask (below).
enum class Reply : std::uint8_t {
  load,   // to a probe: what it does now
  ready,  // a reservation has come to its turn: a slot is held until it is told what to do
  gone,   // the node was lost, and probe or reservation with it
};
struct NodeAnswered {
  NodeId node;
  StageId stage;
  Reply reply = Reply::load;
  std::uint32_t running = 0;  // of a load
  std::uint32_t queued = 0;
};

using Events = TypeList<JobArrived, StageEstimated, TaskEnded, NodeOffered, NodeLost, NodeReturned,
                        NodeAnswered>;
using Event = Events::in<std::variant>;

// Commands.

struct Launch {
  TaskId task;
  NodeId node;
  std::uint16_t attempt = 0;
  bool reserved = false;  // to the slot that the node holds for the stage
  StageId stage;

  friend bool operator==(const Launch&, const Launch&) = default;
};
/// Beside launches, what a job's manager may say to a node about tasks of a stage.
enum class Question : std::uint8_t {
  probe,    // what are you doing?
  reserve,  // put a place for one of them into your queue, and tell when its turn has come
  decline,  // there is none left for the place whose turn it is
};
struct Ask {
  NodeId node;
  StageId stage;
  Question question = Question::probe;

  friend bool operator==(const Ask&, const Ask&) = default;
};
/// Tasks queued at the node beyond the limit come back, unless they have started.
struct Revoke {
  NodeId node;
  double limit = 0;  // tasks or seconds of estimated wait, as QueueRules::rebalance says

  friend bool operator==(const Revoke&, const Revoke&) = default;
};

/// What a policy may have said to a node as it is.
using Requests = TypeList<Ask, Revoke>;
using Request = Requests::in<std::variant>;

using Commands = Joined<TypeList<Launch>, Requests>;

/// What a scheduler answers to the events of an instant, of each kind in order.
using Plan = Batches<Commands>;

}  // namespace somnus
