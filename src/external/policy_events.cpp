#include "external/policy_events.hpp"

#include <span>

#include "external/json_object.hpp"

namespace somnus::policy_protocol {
namespace {

template <class IdOfSome>
std::vector<std::uint32_t> numbers_of(std::span<const IdOfSome> ids) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(ids.size());
  for (const IdOfSome id : ids) numbers.push_back(id.value());
  return numbers;
}

Amounts amounts_of(const Resources& resources, std::size_t kinds) {
  if (kinds == 0) return std::nullopt;
  std::vector<std::int64_t> amounts(kinds);
  for (std::size_t kind = 0; kind < kinds; ++kind) amounts[kind] = resources.millionths(kind);
  return amounts;
}

StageFacts facts_of(StageId id, JobsView jobs, std::size_t resources) {
  const Stage& stage = jobs[id];
  StageFacts facts{.stage = id.value(),
                   .parents = numbers_of(jobs.parents_of(id)),
                   .tasks = stage.tasks,
                   .slot_time = jobs.slot_time(id).count(),
                   .demand = amounts_of(jobs.demand(id).amounts, resources),
                   .gang = stage.gang,
                   .exclusive = stage.exclusive};
  if (stage.affinity > 0) facts.prefers = numbers_of(jobs.affinity_of(id));
  return facts;
}

}  // namespace

NodeFacts facts_of(NodeId node, const NodeTable& books, std::size_t resources) {
  NodeFacts facts{.capacity = amounts_of(books.capacity(node), resources)};
  if (books.slots(node) != NodeTable::no_limit) facts.slots = books.slots(node);
  return facts;
}

JobArrivedMessage job_arrived(Time now, JobId id, JobsView jobs, std::size_t resources) {
  const Job& job = jobs[id];
  const Accounting accounting = jobs.accounting(id);
  const std::optional<Duration> limit = jobs.limit(id);
  JobArrivedMessage message{.time = ns(now),
                            .job = id.value(),
                            .user = job.user.value(),
                            .queue = number_of(job.queue),
                            .account = number_of(accounting.account),
                            .qos = number_of(accounting.qos),
                            .nice = accounting.nice,
                            .weight = job.weight,
                            .weight_of_user = jobs.weight_of_user(id),
                            .limit = limit ? std::optional(limit->count()) : std::nullopt};
  message.stages.reserve(job.stages);
  for (std::uint32_t at = 0; at < job.stages; ++at) {
    const StageId stage = jobs.stage_at(job.first_stage.value() + at);
    message.stages.push_back(facts_of(stage, jobs, resources));
  }
  return message;
}

NodeChangedMessage node_changed(Time now, NodeId node, const NodeView& nodes,
                                std::size_t resources) {
  NodeChangedMessage message{
      .time = ns(now), .node = node.value(), .up = nodes.up(node), .ready = nodes.ready(node)};
  if (nodes.slots(node) != NodeTable::no_limit) message.free_slots = nodes.free_slots(node);
  if (nodes.queue()) {
    message.queued = nodes.queued(node);
    const auto wait = nodes.wait(node);
    message.wait = wait.under > 0 ? wait.over / wait.under : 0;
  }
  message.free = amounts_of(nodes.free(node), resources);
  return message;
}

NodeOfferedMessage node_offered(Time now, const NodeOffered& report) {
  NodeOfferedMessage message{.time = ns(now),
                             .node = report.node.value(),
                             .running = report.running,
                             .queued = report.queued};
  if (report.wait.known()) message.wait = seconds(report.wait.seconds).count();
  return message;
}

NodeAnsweredMessage node_answered(Time now, const NodeAnswered& answer) {
  const auto reply = [&] {
    switch (answer.reply) {
      case Reply::load:
        return Answered::load;
      case Reply::ready:
        return Answered::ready;
      case Reply::gone:
        return Answered::gone;
    }
    return Answered::gone;
  };
  return {.time = ns(now),
          .node = answer.node.value(),
          .stage = answer.stage.value(),
          .reply = reply(),
          .running = answer.running,
          .queued = answer.queued};
}

}  // namespace somnus::policy_protocol
