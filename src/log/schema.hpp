// The rows of the log, each member described once. A table is a one-dimensional dataset of a
// compound type; attributes "<column>.unit" and "<column>.meaning" of the dataset say what each
// column is. Times are float64 emulated seconds since the run's start; NaN = did not happen.
// Ids count from 0 in the order of /names and of the tables they point into.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "base/batches.hpp"
#include "base/describe.hpp"
#include "log/rank_rows.hpp"
#include "model/event.hpp"

namespace somnus {

inline constexpr double nan_time = std::numeric_limits<double>::quiet_NaN();

/// Of a column that may name something: nothing.
inline constexpr std::uint32_t no_id = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint32_t no_job = no_id;

/// /jobs, one row a job of the workload, by job id.
struct JobRow {
  std::uint32_t job = 0;
  std::uint32_t user = 0;
  std::uint32_t queue = 0;
  std::uint32_t app = 0;
  std::uint32_t after = no_job;
  std::uint32_t tasks = 0;
  std::uint32_t stages = 0;
  std::uint8_t state = 0;  // JobState
  double think = 0;
  double weight = 1;
  double warmup = 0;
  double submit = nan_time;
  double first_start = nan_time;
  double finish = nan_time;
  double slot_time = nan_time;
  double estimate = nan_time;
  double critical_path = nan_time;
  double alone = nan_time;
  double gps_finish = nan_time;
  double ujf_finish = nan_time;

  static constexpr auto fields() {
    using R = JobRow;
    return in_order(
        field("job", &R::job, "id", "row of /names/jobs"),
        field("user", &R::user, "id", "row of /users and /names/users"),
        field("queue", &R::queue, "id", "row of /names/queues"),
        field("app", &R::app, "id", "what keeps a JVM warm, row of /names/apps"),
        field("after", &R::after, "id",
              "the job that had to end before this came; none: 4294967295, empty in an export"),
        field("think", &R::think, "s", "from that end to the submit"),
        field("tasks", &R::tasks, "1", "number of tasks, all stages"),
        field("stages", &R::stages, "1", "number of stages"),
        field("state", &R::state, "code",
              "0 not yet submitted, 1 waiting or running at the end, 2 finished, 3 failed, "
              "4 killed at its time limit"),
        field("weight", &R::weight, "1", "relative share"),
        field("warmup", &R::warmup, "1", "cold / warm factor; 0: that of the config"),
        field("submit", &R::submit, "s", "when it was due to arrive"),
        field("first_start", &R::first_start, "s", "start of the first attempt of any task"),
        field("finish", &R::finish, "s", "end of the last task"),
        field("slot_time", &R::slot_time, "s", "true durations summed: time on one warm slot"),
        field("estimate", &R::estimate, "s", "slot-time as the scheduler got it on arrival"),
        field("critical_path", &R::critical_path, "s",
              "longest sum of longest task durations along the stages"),
        field("alone", &R::alone, "s", "response time alone in the idle cluster"),
        field("gps_finish", &R::gps_finish, "s", "end in the fluid GPS with true slot-times"),
        field("ujf_finish", &R::ujf_finish, "s", "end in the fluid user-job fairness"));
  }
};

enum class JobState : std::uint8_t {
  pending = 0,
  active = 1,
  finished = 2,
  failed = 3,
  timed_out = 4,
};
/// Whether it ended without finishing.
[[nodiscard]] inline bool is_failure(std::uint8_t state) {
  return state == static_cast<std::uint8_t>(JobState::failed) ||
         state == static_cast<std::uint8_t>(JobState::timed_out);
}

/// /stages, one row a stage of the workload, by stage id.
struct StageRow {
  std::uint32_t job = 0;
  std::uint32_t stage = 0;
  std::uint32_t tasks = 0;
  std::uint32_t partitions = 0;
  double ready = nan_time;
  double first_start = nan_time;
  double finish = nan_time;
  double slot_time = nan_time;

  static constexpr auto fields() {
    using R = StageRow;
    return in_order(
        field("job", &R::job, "id", "row of /jobs"),
        field("stage", &R::stage, "1", "the user's number of the stage in its job"),
        field("tasks", &R::tasks, "1", "number of tasks"),
        field("partitions", &R::partitions, "1", "tasks cut from a divisible stage, else 0"),
        field("ready", &R::ready, "s", "when the scheduler knew that all parents had ended"),
        field("first_start", &R::first_start, "s", "start of the first attempt of any task"),
        field("finish", &R::finish, "s", "end of the last task"),
        field("slot_time", &R::slot_time, "s", "true durations summed"));
  }
};

/// /stage_parents, one row an edge of a job's graph.
struct StageParentRow {
  std::uint32_t job = 0;
  std::uint32_t stage = 0;
  std::uint32_t parent = 0;

  static constexpr auto fields() {
    using R = StageParentRow;
    return in_order(field("job", &R::job, "id", "row of /jobs"),
                    field("stage", &R::stage, "id", "row of /stages"),
                    field("parent", &R::parent, "id", "row of /stages"));
  }
};

/// /stage_affinity, one row a node that a stage's tasks prefer: stages in turn, nodes in the user's
/// order.
struct StageAffinityRow {
  std::uint32_t stage = 0;
  std::uint32_t node = 0;

  static constexpr auto fields() {
    using R = StageAffinityRow;
    return in_order(field("stage", &R::stage, "id", "row of /stages"),
                    field("node", &R::node, "id", "row of /nodes"));
  }
};

/// /curves, jobs in turn: what slots add to a job's progress; those beyond its last row add
/// nothing. Not in the file of a workload without curves.
struct CurveRow {
  std::uint32_t job = 0;
  std::uint32_t slots = 0;
  double gain = 0;

  static constexpr auto fields() {
    using R = CurveRow;
    return in_order(field("job", &R::job, "id", "row of /jobs"),
                    field("slots", &R::slots, "1", "up to so many, from the row before on"),
                    field("gain", &R::gain, "1", "what each adds to the job's progress"));
  }
};

/// /cold_tasks, one row a task, stages in turn: what it takes on a normal node where its slot is
/// not warm. Not in the file of a workload that lists nothing of it.
struct ColdTaskRow {
  double fresh = nan_time;
  double first = nan_time;

  static constexpr auto fields() {
    using R = ColdTaskRow;
    return in_order(field("fresh", &R::fresh, "s", "after a task of another app, or none"),
                    field("first", &R::first, "s", "after one of another stage of the app"));
  }
};

/// /gangs, one row a stage whose tasks start together, or that has its nodes for itself, by stage
/// id. Not in the file of a workload without any.
struct GangRow {
  std::uint32_t stage = 0;
  std::uint8_t exclusive = 0;

  static constexpr auto fields() {
    return in_order(
        field("stage", &GangRow::stage, "id", "row of /stages"),
        field("exclusive", &GangRow::exclusive, "0/1", "1: it has its nodes for itself"));
  }
};

/// /accounting, one row a job that is of an account or a QOS or is nice, by job id. Not in the file
/// of a workload without any.
struct AccountingRow {
  std::uint32_t job = 0;
  std::uint32_t account = no_id;
  std::uint32_t qos = no_id;
  double nice = 0;

  static constexpr auto fields() {
    using R = AccountingRow;
    return in_order(
        field("job", &R::job, "id", "row of /jobs"),
        field("account", &R::account, "id",
              "row of /names/accounts; none: 4294967295, empty in an export"),
        field("qos", &R::qos, "id", "row of /names/qos; none: 4294967295, empty in an export"),
        field("nice", &R::nice, "1", "what its priority is lessened by"));
  }
};

/// /limits, one row a job that has a time limit, by job id. Not in the file of a workload without
/// any.
struct LimitRow {
  std::uint32_t job = 0;
  double limit = 0;

  static constexpr auto fields() {
    using R = LimitRow;
    return in_order(
        field("job", &R::job, "id", "row of /jobs"),
        field("limit", &R::limit, "s", "for which it may run from the launch of its first task",
              Range{.low = 0, .high = longest_exact_seconds, .open = true}));
  }
};

/// /tasks, one row an attempt, in the order of their ends.
struct TaskRow {
  std::uint32_t job = 0;
  std::uint32_t stage = 0;
  std::uint32_t index = 0;
  std::uint32_t node = 0;
  std::uint32_t slot = 0;
  std::uint16_t attempt = 0;
  std::uint8_t warm = 0;
  std::uint8_t outcome = 0;
  double ready = nan_time;
  double placed = nan_time;
  double queued = nan_time;
  double start = nan_time;
  double finish = nan_time;
  double intended = nan_time;
  double nominal = nan_time;

  static constexpr const char* path = "/tasks";
  static constexpr auto fields() {
    using R = TaskRow;
    return in_order(
        field("job", &R::job, "id", "row of /jobs"),
        field("stage", &R::stage, "id", "row of /stages"),
        field("index", &R::index, "1", "place in the stage, from 0"),
        field("node", &R::node, "id", "row of /nodes"),
        field("attempt", &R::attempt, "1", "from 0"),
        field("slot", &R::slot, "1", "slot of the node, from 0"),
        field("warm", &R::warm, "0/1",
              "1: by what the slot ran before nothing was left to warm up"),
        field("outcome", &R::outcome, "code",
              "0 finished, 1 failed, 2 lost, 3 unfinished, 4 returned from its node's queue, 5 "
              "killed, 6 suspended"),
        field("ready", &R::ready, "s", "when the scheduler could first have placed it"),
        field("placed", &R::placed, "s", "when the scheduler placed it"),
        field("queued", &R::queued, "s", "when it reached its node"),
        field("start", &R::start, "s", "measured on the node; from `queued` on it waited there"),
        field("finish", &R::finish, "s", "measured on the node"),
        field("intended", &R::intended, "s",
              "what it should take there: with warm-up and node slowdown"),
        field("nominal", &R::nominal, "s", "what it should take warm on a normal node"));
  }
};

/// /samples, a time series. `allocated` becomes one column a resource, "allocated_<name>".
struct SampleRow {
  double time = nan_time;
  std::uint32_t busy_slots = 0;
  std::uint32_t pending_tasks = 0;
  std::uint32_t queued_tasks = 0;
  std::uint32_t active_jobs = 0;
  std::uint32_t active_users = 0;
  double lag = 0;
  Amounts allocated{};

  static constexpr const char* path = "/samples";
  static constexpr auto fields() {
    using R = SampleRow;
    return in_order(
        field("time", &R::time, "s", "when"),
        field("busy_slots", &R::busy_slots, "1",
              "slots taken, as the scheduler knows; without slots: tasks that run"),
        field("pending_tasks", &R::pending_tasks, "1", "runnable tasks that wait for a slot"),
        field("queued_tasks", &R::queued_tasks, "1",
              "tasks in worker queues, as the scheduler knows"),
        field("active_jobs", &R::active_jobs, "1", "jobs submitted and not ended"),
        field("active_users", &R::active_users, "1", "users with an active job"),
        field("lag", &R::lag, "s", "largest lateness of rank 0 since the last sample"));
  }
};

/// /targets, at each sample a row an active job of which the policy says what it is to have.
struct TargetRow {
  double time = nan_time;
  std::uint32_t job = 0;
  double entitled = 0;
  double target = 0;
  double allocated = 0;
  double promised = nan_time;

  static constexpr const char* path = "/targets";
  static constexpr auto fields() {
    using R = TargetRow;
    return in_order(
        field("time", &R::time, "s", "when, as in /samples"),
        field("job", &R::job, "id", "row of /jobs"),
        field("entitled", &R::entitled, "1",
              "share of the cluster, of the resource of which the job has most, by its fair share"),
        field("target", &R::target, "1", "the same as the policy means it to be then"),
        field("allocated", &R::allocated, "1",
              "the same of its running tasks, as the scheduler knows"),
        field("promised", &R::promised, "s", "by when it was last promised to end"));
  }
};

/// /instants, in order of rounds: exactly when each was that was later than 96 days. From then on a
/// float64 of seconds does not distinguish every nanosecond from the next.
struct InstantRow {
  std::uint64_t time_ns = 0;
  std::uint32_t round = 0;

  static constexpr const char* path = "/instants";
  static constexpr auto fields() {
    using R = InstantRow;
    return in_order(
        field("time_ns", &R::time_ns, "ns", "when the round was, of which `time` is the nearest"),
        field("round", &R::round, "1", "as in /events and /decisions"));
  }
};

/// /nodes, by node id.
struct NodeRow {
  std::uint32_t node = 0;
  std::uint32_t group = 0;
  std::uint32_t rank = 0;
  std::uint32_t slots = 0;
  double slowdown = 1;
  Amounts resources{};

  static constexpr auto fields() {
    using R = NodeRow;
    return in_order(
        field("node", &R::node, "id", "own number"),
        field("group", &R::group, "id", "row of /names/groups"),
        field("rank", &R::rank, "id", "the MPI rank that emulates it; 0 in simulate"),
        field("slots", &R::slots, "1", "most tasks at once; 0: resources alone limit them"),
        field("slowdown", &R::slowdown, "1", "a task takes that many times as long here"));
  }
};

/// /users, by user id.
struct UserRow {
  std::uint32_t user = 0;
  double weight = 1;

  static constexpr auto fields() {
    using R = UserRow;
    return in_order(field("user", &R::user, "id", "row of /names/users"),
                    field("weight", &R::weight, "1", "relative share"));
  }
};

/// When, and in what place among all kinds.
struct Stamp {
  double time = nan_time;
  std::uint32_t number = 0;
  std::uint32_t round = 0;
};
/// A row of /events/KIND or /decisions/KIND: what happened to the scheduler or what it decided, and
/// when.
template <class Kind>
struct Stamped : Stamp, Kind {
  static constexpr auto fields() {
    using R = Stamped;
    return together(
        in_order(field("time", &R::time, "s", "rank 0's stamp"),
                 field("number", &R::number, "1", "place among the rows of all kinds, from 0"),
                 field("round", &R::round, "1", "a round's events are answered by its decisions")),
        Kind::fields());
  }
};

using EventRows = Events::wrapped<Stamped>;
using DecisionRows = Decisions::wrapped<Stamped>;

/// The tables that grow while a run goes on.
using LongRows =
    Joined<TypeList<TaskRow, SampleRow, TargetRow, InstantRow>, EventRows, DecisionRows>;

/// Where the table of such rows is.
template <class Row>
[[nodiscard]] std::string path_of() {
  if constexpr (EventRows::has<Row>) {
    return std::string("/events/") + Row::kind;
  } else if constexpr (DecisionRows::has<Row>) {
    return std::string("/decisions/") + Row::kind;
  } else {
    return Row::path;
  }
}

}  // namespace somnus
