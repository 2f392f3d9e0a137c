// The scheduler's events and decisions. Closed sets: past-tense facts and imperatives, visited
// exhaustively. Each kind describes its members once; the log's tables, check and replay are
// derived from the lists at the end.
#pragma once

#include <cstdint>
#include <utility>
#include <variant>

#include "base/batches.hpp"
#include "base/describe.hpp"
#include "base/ids.hpp"
#include "base/type_list.hpp"
#include "model/estimate.hpp"
#include "model/node_event.hpp"
#include "model/resources.hpp"
#include "model/task_event.hpp"

namespace somnus {

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

/// What is sent to nodes: each has its message.
using Commands = Joined<TypeList<Launch, Kill>, Requests>;

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
