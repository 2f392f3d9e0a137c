// The scheduler's events and decisions. Closed sets: past-tense facts and imperatives, visited
// exhaustively. Each kind describes its members once; the log's tables, check and replay are
// derived from the lists at the end.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>
#include <utility>
#include <variant>

#include "base/batches.hpp"
#include "base/describe.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/limits.hpp"
#include "model/resources.hpp"

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

/// A scheduler's estimate of a span; never the truth itself.
struct Estimate {
  double seconds = 0;

  /// That nobody asked for.
  [[nodiscard]] static constexpr Estimate none() {
    return {std::numeric_limits<double>::quiet_NaN()};
  }
  [[nodiscard]] constexpr bool known() const { return seconds == seconds; }
  friend bool operator==(const Estimate&, const Estimate&) = default;
};

/// An instant, in a row of the log: seconds since the run's start.
struct Moment {
  double seconds = 0;

  constexpr Moment() = default;
  // NOLINTBEGIN(google-explicit-constructor)
  constexpr Moment(Time time) : seconds(in_seconds(time)) {}
  constexpr operator Time() const { return at_seconds(seconds); }
  // NOLINTEND(google-explicit-constructor)
  friend bool operator==(const Moment&, const Moment&) = default;
  friend auto operator<=>(const Moment&, const Moment&) = default;
};

/// What an estimate can be [s]: of a time, and of a stage's work. Those beyond count as the most.
inline constexpr Range estimable{.low = 0, .high = last_seconds};
inline constexpr Range estimable_work{.low = 0, .high = most_slot_time_s};
[[nodiscard]] inline Estimate within(Estimate estimate, const Range& range) {
  return {std::min(estimate.seconds, range.high)};
}

// Events. Their time is rank 0's, given beside them. What a scheduler estimates comes with the
// event, so that a log of events is all that a replay needs.

/// Preceded, in the same instant, by a StageEstimated for each of its stages.
struct JobArrived {
  JobId job;

  static constexpr const char* kind = "job_arrived";
  static constexpr auto fields() {
    return in_order(field("job", &JobArrived::job, "id", "row of /jobs"));
  }
};
struct StageEstimated {
  StageId stage;
  Estimate slot_time;
  Amounts demand{};  // of one task, by kind; a column a resource in the log, "demand_<name>"

  static constexpr const char* kind = "stage_estimated";
  static constexpr auto fields() {
    using E = StageEstimated;
    return in_order(field("stage", &E::stage, "id", "row of /stages"),
                    field("slot_time", &E::slot_time, "s",
                          "estimate of the whole stage, on one warm slot", estimable_work));
  }
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
/// A heartbeat: what the node does, and that with heartbeats it may be used until the round ends.
struct NodeOffered {
  NodeId node;
  std::uint32_t running = 0;
  std::uint32_t queued = 0;
  Estimate wait;

  static constexpr const char* kind = "node_offered";
  static constexpr auto fields() {
    using E = NodeOffered;
    return in_order(
        field("node", &E::node, "id", "row of /nodes"),
        field("running", &E::running, "1", "tasks running there"),
        field("queued", &E::queued, "1", "tasks in its queue"),
        field("wait", &E::wait, "s", "estimate for one more task in its queue", estimable));
  }
};
/// Its running attempts are lost; each has a TaskEnded of its own, too.
struct NodeLost {
  NodeId node;

  static constexpr const char* kind = "node_lost";
  static constexpr auto fields() {
    return in_order(field("node", &NodeLost::node, "id", "row of /nodes"));
  }
};
struct NodeReturned {
  NodeId node;

  static constexpr const char* kind = "node_returned";
  static constexpr auto fields() {
    return in_order(field("node", &NodeReturned::node, "id", "row of /nodes"));
  }
};

/// What a node says to an Ask (below).
enum class Reply : std::uint8_t {
  load,   // to a probe
  ready,  // a reservation has come to its turn: a slot is held until an answer comes
  gone,   // the node was lost, and probe or reservation with it
};
template <>
struct EnumNames<Reply> {
  static constexpr std::pair<Reply, const char*> names[] = {
      {Reply::load, "its load"},
      {Reply::ready, "a reservation's turn has come"},
      {Reply::gone, "the probe or reservation is gone"}};
};
struct NodeAnswered {
  NodeId node;
  StageId stage;
  Reply reply = Reply::load;
  std::uint32_t running = 0;
  std::uint32_t queued = 0;

  static constexpr const char* kind = "node_answered";
  static constexpr auto fields() {
    using E = NodeAnswered;
    return in_order(field("node", &E::node, "id", "row of /nodes"),
                    field("stage", &E::stage, "id", "row of /stages"),
                    field("reply", &E::reply, "code", "what it says"),
                    field("running", &E::running, "1", "tasks running there"),
                    field("queued", &E::queued, "1", "tasks in its queue"));
  }
};

/// The moment came at which the policy wanted to be asked, or an attempt was due for a backup,
/// though nothing else may have happened.
struct Woken {
  static constexpr const char* kind = "woken";
  static constexpr auto fields() { return in_order(); }
};

using Events = TypeList<JobArrived, StageEstimated, TaskEnded, NodeOffered, NodeLost, NodeReturned,
                        NodeAnswered, Woken>;
using Event = Events::in<std::variant>;

// Commands.

/// Where a launched task starts.
enum class Into : std::uint8_t {
  any_slot,
  held_slot,  // the one that its node holds for the stage
};
template <>
struct EnumNames<Into> {
  static constexpr std::pair<Into, const char*> names[] = {
      {Into::any_slot, "any slot"}, {Into::held_slot, "the slot held for its stage"}};
};
struct Launch {
  TaskId task;
  NodeId node;
  std::uint16_t attempt = 0;
  Into into = Into::any_slot;
  StageId stage;

  static constexpr const char* kind = "launch";
  static constexpr auto fields() {
    using C = Launch;
    return in_order(
        field("task", &C::task, "id", "dense over the workload, stages' tasks adjacent"),
        field("node", &C::node, "id", "row of /nodes"),
        field("attempt", &C::attempt, "1", "from 0"),
        field("into", &C::into, "code", "where it starts"),
        field("stage", &C::stage, "id", "row of /stages"));
  }
  friend bool operator==(const Launch&, const Launch&) = default;
};

/// The attempt is to end at once: its job has failed, its stage starts again as one, or its task
/// has finished by another attempt.
struct Kill {
  TaskId task;
  NodeId node;
  std::uint16_t attempt = 0;

  static constexpr const char* kind = "kill";
  static constexpr auto fields() {
    using C = Kill;
    return in_order(
        field("task", &C::task, "id", "dense over the workload, stages' tasks adjacent"),
        field("node", &C::node, "id", "row of /nodes"),
        field("attempt", &C::attempt, "1", "from 0"));
  }
  friend bool operator==(const Kill&, const Kill&) = default;
};

/// Beside launches, what a job's manager may say to a node about tasks of a stage.
enum class Question : std::uint8_t {
  probe,    // what are you doing?
  reserve,  // put a place for one of them into your queue, and report when its turn has come
  decline,  // there is none left for the place whose turn it is
};
template <>
struct EnumNames<Question> {
  static constexpr std::pair<Question, const char*> names[] = {
      {Question::probe, "probe"}, {Question::reserve, "reserve"}, {Question::decline, "decline"}};
};
struct Ask {
  NodeId node;
  StageId stage;
  Question question = Question::probe;

  static constexpr const char* kind = "ask";
  static constexpr auto fields() {
    using C = Ask;
    return in_order(field("node", &C::node, "id", "row of /nodes"),
                    field("stage", &C::stage, "id", "row of /stages"),
                    field("question", &C::question, "code",
                          "of the node's load, for a place in its queue, or that the place whose "
                          "turn has come is not needed"));
  }
  friend bool operator==(const Ask&, const Ask&) = default;
};

/// Tasks queued at the node beyond either limit come back, unless they have started.
struct Revoke {
  NodeId node;
  double length = infinity;
  Estimate wait{infinity};

  static constexpr const char* kind = "revoke";
  static constexpr auto fields() {
    using C = Revoke;
    return in_order(field("node", &C::node, "id", "row of /nodes"),
                    field("length", &C::length, "1",
                          "tasks that may stay in its queue; inf: any number", zero_to_infinity),
                    field("wait", &C::wait, "s",
                          "estimated wait up to which they may stay; inf: any", zero_to_infinity));
  }
  friend bool operator==(const Revoke&, const Revoke&) = default;
};

/// What a policy may have said to a node as it is.
using Requests = TypeList<Ask, Revoke>;
using Request = Requests::in<std::variant>;

/// What is sent to nodes: each has its message.
using Commands = Joined<TypeList<Launch, Kill>, Requests>;

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

/// The job has run for longer than its limit and fails. Only the log has it; its running tasks have
/// a Kill each.
struct TimeOut {
  JobId job;

  static constexpr const char* kind = "timeout";
  static constexpr auto fields() {
    return in_order(field("job", &TimeOut::job, "id", "row of /jobs"));
  }
  friend bool operator==(const TimeOut&, const TimeOut&) = default;
};

/// The gang, or the single task, gives up its slots to a stage that goes before it, and starts
/// again later. Only the log has it; its running tasks have a Kill each.
struct Preemption {
  StageId stage;
  StageId by;

  static constexpr const char* kind = "preemption";
  static constexpr auto fields() {
    using N = Preemption;
    return in_order(field("stage", &N::stage, "id", "row of /stages"),
                    field("by", &N::by, "id", "row of /stages, for which there is to be room"));
  }
  friend bool operator==(const Preemption&, const Preemption&) = default;
};

/// The attempt takes long: from now on a second one of its task may be launched. Only the log has
/// it.
struct Backup {
  TaskId task;
  std::uint16_t attempt = 0;

  static constexpr const char* kind = "backup";
  static constexpr auto fields() {
    using N = Backup;
    return in_order(
        field("task", &N::task, "id", "dense over the workload, stages' tasks adjacent"),
        field("attempt", &N::attempt, "1", "that takes long, from 0"));
  }
  friend bool operator==(const Backup&, const Backup&) = default;
};

/// What stands in the log alone.
using Notes = TypeList<Promise, Reservation, TimeOut, Preemption, Backup>;
using Decisions = Joined<Commands, Notes>;

/// What a scheduler answers to the events of an instant, of each kind in order.
using Plan = Batches<Decisions>;

}  // namespace somnus
