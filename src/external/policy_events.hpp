// What a policy in a process of its own hears of (policy_protocol.hpp), and how that is made
// from what the scheduler knows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/describe.hpp"
#include "model/event.hpp"
#include "model/node_table.hpp"
#include "scheduler/policy.hpp"

namespace somnus {
namespace policy_protocol {

enum class Hears {
  job_arrived,
  stage_runnable,
  stage_withdrawn,
  task_launched,
  task_ended,
  job_ended,
  node_changed,
  node_offered,
  node_answered
};

using Amounts = std::optional<std::vector<std::int64_t>>;

/// What never changes of a node.
struct NodeFacts {
  std::optional<std::uint32_t> slots;
  Amounts capacity;

  static constexpr auto fields() {
    using N = NodeFacts;
    return in_order(
        field("slots", &N::slots, "1", "tasks that it runs at once; left out: any number"),
        field("capacity", &N::capacity, "millionths",
              "of each resource; left out: only slots count"));
  }
};
[[nodiscard]] NodeFacts facts_of(NodeId node, const NodeTable& books, std::size_t resources);

struct StageFacts {
  std::uint32_t stage = 0;
  std::vector<std::uint32_t> parents;
  std::uint32_t tasks = 0;
  std::int64_t slot_time = 0;
  Amounts demand;
  bool gang = false, exclusive = false;
  std::optional<std::vector<std::uint32_t>> prefers;

  static constexpr auto fields() {
    using S = StageFacts;
    return in_order(
        field("stage", &S::stage, "id", "row of /stages; those of a job are adjacent"),
        field("parents", &S::parents, "id", "stages that have to end before"),
        field("tasks", &S::tasks, "1", "how many it has"),
        field("slot_time", &S::slot_time, "ns", "estimated, of all its tasks"),
        field("demand", &S::demand, "millionths",
              "of one task, of each resource; left out: only slots count"),
        field("gang", &S::gang, "", "whether its tasks start together"),
        field("exclusive", &S::exclusive, "", "whether nobody else may be on its nodes"),
        field("prefers", &S::prefers, "id", "nodes where its data is; left out: all are alike"));
  }
};

/// With its stages, in the order of scheduler.within.
struct JobArrivedMessage {
  std::int64_t time = 0;
  std::uint32_t job = 0, user = 0;
  std::optional<std::uint32_t> queue, account, qos;
  std::int32_t nice = 0;
  double weight = 1, weight_of_user = 1;
  std::optional<std::int64_t> limit;
  std::vector<StageFacts> stages;

  static constexpr const char* kind = "job_arrived";
  static constexpr auto fields() {
    using M = JobArrivedMessage;
    return in_order(
        field("time", &M::time, "ns", "since the run's start: its arrival"),
        field("job", &M::job, "id", "row of /jobs; a smaller one was submitted earlier"),
        field("user", &M::user, "id", "its user"),
        field("queue", &M::queue, "id", "its queue; left out: in none"),
        field("account", &M::account, "id", "its account; left out: of none"),
        field("qos", &M::qos, "id", "its quality of service; left out: of none"),
        field("nice", &M::nice, "1", "as users give it"),
        field("weight", &M::weight, "1", "of the job"),
        field("weight_of_user", &M::weight_of_user, "1", "among users"),
        field("limit", &M::limit, "ns", "for how long it may run; left out: for any time"),
        field("stages", &M::stages, "", "all that it has, the first first; see below"));
  }
};
[[nodiscard]] JobArrivedMessage job_arrived(Time now, JobId job, JobsView jobs,
                                            std::size_t resources);

struct StageRunnableMessage {
  std::int64_t time = 0;
  std::uint32_t stage = 0, runnable = 0;

  static constexpr const char* kind = "stage_runnable";
  static constexpr auto fields() {
    using M = StageRunnableMessage;
    return in_order(field("time", &M::time, "ns", "since the run's start"),
                    field("stage", &M::stage, "id",
                          "whose parents have ended, or of which a task may run again, or twice"),
                    field("runnable", &M::runnable, "1", "its tasks that could be launched now"));
  }
};
struct StageWithdrawnMessage {
  std::int64_t time = 0;
  std::uint32_t stage = 0, runnable = 0;

  static constexpr const char* kind = "stage_withdrawn";
  static constexpr auto fields() {
    using M = StageWithdrawnMessage;
    return in_order(field("time", &M::time, "ns", "since the run's start"),
                    field("stage", &M::stage, "id", "some of whose tasks are not wanted any more"),
                    field("runnable", &M::runnable, "1", "its tasks that could be launched now"));
  }
};
struct TaskLaunchedMessage {
  std::int64_t time = 0;
  std::uint32_t task = 0, stage = 0, node = 0, attempt = 0;

  static constexpr const char* kind = "task_launched";
  static constexpr auto fields() {
    using M = TaskLaunchedMessage;
    return in_order(field("time", &M::time, "ns", "since the run's start"),
                    field("task", &M::task, "id", "which of the stage's it was"),
                    field("stage", &M::stage, "id", "as the policy said"),
                    field("node", &M::node, "id", "the same"),
                    field("attempt", &M::attempt, "1", "from 0"));
  }
};
struct TaskEndedMessage {
  std::int64_t time = 0;
  std::uint32_t task = 0, stage = 0, node = 0, attempt = 0;
  Outcome outcome = Outcome::finished;
  std::uint32_t running = 0, runnable = 0, unfinished = 0;

  static constexpr const char* kind = "task_ended";
  static constexpr auto fields() {
    using M = TaskEndedMessage;
    return in_order(
        field("time", &M::time, "ns", "since the run's start"),
        field("task", &M::task, "id", "of which an attempt is over"),
        field("stage", &M::stage, "id", "its stage"), field("node", &M::node, "id", "where it was"),
        field("attempt", &M::attempt, "1", "from 0"),
        field("outcome", &M::outcome, "", "how it ended"),
        field("running", &M::running, "1", "the stage's tasks that run now"),
        field("runnable", &M::runnable, "1", "the stage's tasks that could be launched now"),
        field("unfinished", &M::unfinished, "1", "the stage's tasks that have not finished"));
  }
};
struct JobEndedMessage {
  std::int64_t time = 0;
  std::uint32_t job = 0;
  bool failed = false;

  static constexpr const char* kind = "job_ended";
  static constexpr auto fields() {
    using M = JobEndedMessage;
    return in_order(field("time", &M::time, "ns", "since the run's start"),
                    field("job", &M::job, "id", "the job, of which nothing comes back"),
                    field("failed", &M::failed, "", "whether it failed, else it has finished"));
  }
};
/// A node as the feedback shows it now, if that is not as the policy has to expect.
struct NodeChangedMessage {
  std::int64_t time = 0;
  std::uint32_t node = 0;
  bool up = true, ready = true;
  std::optional<std::uint32_t> free_slots, queued;
  std::optional<std::int64_t> wait;
  Amounts free;

  static constexpr const char* kind = "node_changed";
  static constexpr auto fields() {
    using M = NodeChangedMessage;
    return in_order(
        field("time", &M::time, "ns", "since the run's start"),
        field("node", &M::node, "id", "that is other than its tasks that you placed say"),
        field("up", &M::up, "", "whether it is not lost"),
        field("ready", &M::ready, "",
              "whether tasks may go there while the round is open: it has room, and has reported"),
        field("free_slots", &M::free_slots, "1", "as seen; left out: it has no slots"),
        field("queued", &M::queued, "1", "tasks in its queue; left out: it has none"),
        field("wait", &M::wait, "ns", "estimated, of one more task there; left out: no queue"),
        field("free", &M::free, "millionths", "of each resource; left out: only slots count"));
  }
  [[nodiscard]] bool shows_as(const NodeChangedMessage& other) const {
    return up == other.up && ready == other.ready && free_slots == other.free_slots &&
           queued == other.queued && wait == other.wait && free == other.free;
  }
};
[[nodiscard]] NodeChangedMessage node_changed(Time now, NodeId node, const NodeView& nodes,
                                              std::size_t resources);

struct NodeOfferedMessage {
  std::int64_t time = 0;
  std::uint32_t node = 0, running = 0, queued = 0;
  std::optional<std::int64_t> wait;

  static constexpr const char* kind = "node_offered";
  static constexpr auto fields() {
    using M = NodeOfferedMessage;
    return in_order(
        field("time", &M::time, "ns", "since the run's start"),
        field("node", &M::node, "id", "whose heartbeat it is"),
        field("running", &M::running, "1", "tasks running there"),
        field("queued", &M::queued, "1", "tasks in its queue"),
        field("wait", &M::wait, "ns", "estimated, of one more task; left out: it has no queue"));
  }
};
enum class Answered { load, ready, gone };
struct NodeAnsweredMessage {
  std::int64_t time = 0;
  std::uint32_t node = 0, stage = 0;
  Answered reply = Answered::load;
  std::uint32_t running = 0, queued = 0;

  static constexpr const char* kind = "node_answered";
  static constexpr auto fields() {
    using M = NodeAnsweredMessage;
    return in_order(field("time", &M::time, "ns", "since the run's start"),
                    field("node", &M::node, "id", "that was asked"),
                    field("stage", &M::stage, "id", "for whose tasks"),
                    field("reply", &M::reply, "",
                          "\"load\": to a probe; \"ready\": it holds a slot that was reserved; "
                          "\"gone\": it was lost, and the question with it"),
                    field("running", &M::running, "1", "tasks running there"),
                    field("queued", &M::queued, "1", "tasks in its queue"));
  }
};
[[nodiscard]] NodeOfferedMessage node_offered(Time now, const NodeOffered& report);
[[nodiscard]] NodeAnsweredMessage node_answered(Time now, const NodeAnswered& answer);

}  // namespace policy_protocol

template <>
struct EnumNames<policy_protocol::Answered> {
  using enum policy_protocol::Answered;
  static constexpr std::pair<policy_protocol::Answered, const char*> names[] = {
      {load, "load"}, {ready, "ready"}, {gone, "gone"}};
};
template <>
struct EnumNames<policy_protocol::Hears> {
  using enum policy_protocol::Hears;
  static constexpr std::pair<policy_protocol::Hears, const char*> names[] = {
      {job_arrived, "job_arrived"},         {stage_runnable, "stage_runnable"},
      {stage_withdrawn, "stage_withdrawn"}, {task_launched, "task_launched"},
      {task_ended, "task_ended"},           {job_ended, "job_ended"},
      {node_changed, "node_changed"},       {node_offered, "node_offered"},
      {node_answered, "node_answered"}};
};

}  // namespace somnus
