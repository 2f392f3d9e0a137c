#include "external/external_policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scheduler/presets.hpp"
#include "scheduler/refused.hpp"
#include "scheduler/rows.hpp"

namespace somnus {
namespace {

using policy_protocol::Hears;

policy_protocol::Init first_line(const ProcessSettings& settings, const Environment& environment) {
  const Cluster& cluster = environment.cluster;
  auto init = init_of<policy_protocol::Init>(settings, environment);
  init.nodes.reserve(cluster.node_count());
  const NodeTable books(cluster);
  for (std::uint32_t at = 0; at < books.count(); ++at) {
    init.nodes.push_back(policy_protocol::facts_of(NodeId(at), books, cluster.resources.size()));
  }
  init.resources = cluster.resources;
  return init;
}

}  // namespace

ExternalPolicy::ExternalPolicy(const Rules& rules, const Environment& environment)
    : asks_(rules.asks),
      preempted_work_(rules.preempted_work),
      resources_(environment.cluster.resources.size()),
      process_("policy", rules),
      about_(process_.begin(first_line(rules, environment), policy_protocol::read_about)),
      changed_(environment.cluster.node_count()) {
  const NodeTable books(environment.cluster);
  const NodeView idle(books);
  expected_.reserve(idle.count());
  for (std::uint32_t at = 0; at < idle.count(); ++at) {
    expected_.push_back(policy_protocol::node_changed(start_of_time, NodeId(at), idle, resources_));
  }
}

// --- what it hears of ---

template <class Make>
void ExternalPolicy::hear(Hears what, Make&& make) {
  if (about_.hears(what)) process_.hear(make());
}

void ExternalPolicy::job_arrived(Time now, JobId job, const SchedulerView& view) {
  const Job& facts = view.jobs[job];
  const std::size_t stages = facts.first_stage.index() + facts.stages;
  if (stages > stages_.size()) stages_.resize(stages);
  std::fill_n(stages_.begin() + facts.first_stage.value(), facts.stages, true);
  if (job.index() >= jobs_.size()) jobs_.resize(job.index() + 1);
  jobs_[job.index()] = true;
  hear(Hears::job_arrived,
       [&] { return policy_protocol::job_arrived(now, job, view.jobs, resources_); });
}

void ExternalPolicy::stage_runnable(Time now, StageId stage, const SchedulerView& view) {
  hear(Hears::stage_runnable, [&] {
    return policy_protocol::StageRunnableMessage{
        .time = ns(now), .stage = stage.value(), .runnable = view.jobs.runnable(stage)};
  });
}

void ExternalPolicy::stage_withdrawn(StageId stage, const SchedulerView& view) {
  hear(Hears::stage_withdrawn, [&] {
    return policy_protocol::StageWithdrawnMessage{
        .time = ns(view.jobs.now()), .stage = stage.value(), .runnable = view.jobs.runnable(stage)};
  });
}

void ExternalPolicy::task_ended(const TaskEnded& end, StageId stage, const SchedulerView& view) {
  hear(Hears::task_ended, [&] {
    return policy_protocol::TaskEndedMessage{.time = ns(view.jobs.now()),
                                             .task = end.task.value(),
                                             .stage = stage.value(),
                                             .node = end.node.value(),
                                             .attempt = end.attempt,
                                             .outcome = end.outcome,
                                             .running = view.jobs.running(stage),
                                             .runnable = view.jobs.runnable(stage),
                                             .unfinished = view.jobs.unfinished(stage)};
  });
}

void ExternalPolicy::job_ended(JobId job, const SchedulerView& view) {
  if (job.index() < targets_.size()) targets_[job.index()].reset();
  hear(Hears::job_ended, [&] {
    return policy_protocol::JobEndedMessage{
        .time = ns(view.jobs.now()), .job = job.value(), .failed = view.jobs.failed(job)};
  });
}

void ExternalPolicy::node_changed(NodeId node, const SchedulerView&) {
  changed_.insert(node.value());
}

void ExternalPolicy::node_reported(Time now, const NodeOffered& report, const SchedulerView&) {
  if (!about_.hears(Hears::node_offered)) return;
  is_urgent_ = true;
  process_.hear(policy_protocol::node_offered(now, report));
}

void ExternalPolicy::node_answered(const NodeAnswered& answer, const SchedulerView& view) {
  if (!about_.hears(Hears::node_answered)) return;
  is_urgent_ = true;
  process_.hear(policy_protocol::node_answered(view.jobs.now(), answer));
}

void ExternalPolicy::hear_of_nodes(Time now, const NodeView& nodes) {
  for (NodeId node(changed_.first()); node.valid();
       node = NodeId(changed_.first(node.value() + 1))) {
    policy_protocol::NodeChangedMessage message =
        policy_protocol::node_changed(now, node, nodes, resources_);
    policy_protocol::NodeChangedMessage& expected = expected_[node.index()];
    changed_.erase(node.value());
    if (message.shows_as(expected)) continue;
    process_.hear(message);
    expected = std::move(message);
  }
}

// --- what it decides ---

bool ExternalPolicy::is_to_be_asked(Time now, const SchedulerView& view) const {
  if (about_.each_round || is_urgent_ || wakes_at_ <= now) return true;
  if (view.jobs.runnable_tasks() == 0) return false;
  return process_.has_unheard() || !changed_.empty() || (view.nodes.any_usable() && !was_open_);
}

void ExternalPolicy::plan(Time now, SchedulerContext& context) {
  promises_.clear();
  const SchedulerView& view = context.scheduler_view();
  if (!is_to_be_asked(now, view)) return;
  is_urgent_ = false;
  was_open_ = view.nodes.any_usable();
  hear_of_nodes(now, view.nodes);
  const std::string_view line =
      process_.ask(now, was_open_ ? R"(,"open":true)" : R"(,"open":false)");
  process_.attempt([&] {
    const policy_protocol::Answer answer = policy_protocol::read_answer(line);
    decide(answer, now, context);
    wakes_at_ = answer.wakes_at;
    require_later(wakes_at_, now);
  });
}

void ExternalPolicy::decide(const policy_protocol::Answer& answer, Time now,
                            SchedulerContext& context) {
  const SchedulerView& view = context.scheduler_view();
  each(answer.reserved, [&](const policy_protocol::PlaceReserved& wanted) {
    const StageId stage(wanted.stage);
    const NodeId node(wanted.node);
    launched(context.place_reserved(stage, node), stage, node, now, view);
  });
  each(answer.places, [&](const policy_protocol::Place& wanted) { place(wanted, now, context); });
  each(answer.preempted, [&](const policy_protocol::Preempt& wanted) {
    context.preempt(StageId(wanted.stage), StageId(wanted.by), preempted_work_);
  });
  each(answer.asked, [&](const policy_protocol::AskNode& wanted) { ask(wanted, context); });
  each(answer.taken_back,
       [&](const policy_protocol::TakeBack& wanted) { take_back(wanted, context); });
  each(answer.promised, [&](const policy_protocol::PromisedEnd& promise) {
    promises_.push_back({.job = known_job(promise.job), .end = promise.end});
  });
  each(answer.targets, [&](const policy_protocol::MeantShare& share) {
    const JobId job = known_job(share.job);
    if (view.jobs.ended(job)) return;
    if (job.index() >= targets_.size()) targets_.resize(job.index() + 1);
    targets_[job.index()] = {.entitled = share.entitled, .target = share.target};
  });
}

template <class Decision, class CarryOut>
void ExternalPolicy::each(const std::vector<Decision>& decisions, CarryOut&& carry_out) {
  for (std::size_t number = 0; number < decisions.size(); ++number) {
    const auto fail = [&](std::string_view deed) {
      throw WorldError(
          fmt::format("{} ({}[{}] of its answer)", deed, std::string_view(Decision::kind), number));
    };
    try {
      carry_out(decisions[number]);
    } catch (const Refused& refused) {
      fail(refused.deed());
    } catch (const WorldError& error) {
      fail(error.what());
    }
  }
}

void ExternalPolicy::place(const policy_protocol::Place& wanted, Time now,
                           SchedulerContext& context) {
  const SchedulerView& view = context.scheduler_view();
  const StageId stage(wanted.stage);
  const bool is_gang = knows(stage) && view.jobs[stage].gang;
  const std::uint64_t tasks = std::uint64_t{wanted.tasks} * wanted.node.size();
  if (tasks == 0) throw WorldError(fmt::format("placed no task of stage {}", wanted.stage));
  if (!is_gang) {
    for (const std::uint32_t node : wanted.node) {
      for (std::uint32_t task = 0; task < wanted.tasks; ++task) {
        launched(context.place(stage, NodeId(node)), stage, NodeId(node), now, view);
      }
    }
    return;
  }
  const std::uint32_t all = view.jobs[stage].tasks;
  if (tasks != all) {
    throw WorldError(fmt::format("placed {} tasks of stage {}, a gang of {}, which starts at once",
                                 tasks, wanted.stage, all));
  }
  std::vector<NodeId> nodes;
  for (const std::uint32_t node : wanted.node) {
    nodes.insert(nodes.end(), wanted.tasks, NodeId(node));
  }
  const std::vector<TaskId> placed = context.place_gang(stage, nodes);
  for (std::size_t at = 0; at < placed.size(); ++at) {
    launched(placed[at], stage, nodes[at], now, view);
  }
}

// Where nodes have queues it depends on the feedback how one looks after a task has been placed.
void ExternalPolicy::launched(TaskId task, StageId stage, NodeId node, Time now,
                              const SchedulerView& view) {
  if (policy_protocol::NodeChangedMessage& seen = expected_[node.index()]; !view.nodes.queue()) {
    const bool takes_all = view.jobs[stage].exclusive;
    if (seen.free_slots && *seen.free_slots > 0) --*seen.free_slots;
    if (seen.free_slots && takes_all) seen.free_slots = 0;
    if (seen.free_slots == 0U || takes_all) seen.ready = false;
    if (seen.free) {
      const Resources& demand = view.jobs.demand(stage).amounts;
      for (std::size_t kind = 0; kind < resources_; ++kind) {
        std::int64_t& left = (*seen.free)[kind];
        left = takes_all ? 0 : left - demand.millionths(kind);
      }
    }
  }
  hear(Hears::task_launched, [&] {
    return policy_protocol::TaskLaunchedMessage{.time = ns(now),
                                                .task = task.value(),
                                                .stage = stage.value(),
                                                .node = node.value(),
                                                .attempt = view.jobs.last_attempt(task)};
  });
}

void ExternalPolicy::ask(const policy_protocol::AskNode& wanted, SchedulerContext& context) const {
  const SchedulerView& view = context.scheduler_view();
  const auto fail = [&](std::string_view why) {
    throw WorldError(fmt::format("asked node {} for stage {} ({}), but {}", wanted.node,
                                 wanted.stage, name_of(wanted.question), why));
  };
  const StageId stage(wanted.stage);
  if (!asks_) fail("scheduler.external.asks is false");
  if (wanted.node >= view.nodes.count()) fail("there is no such node");
  if (!knows(stage)) fail("there is no such stage");
  const bool declines = wanted.question == Question::decline;
  if (!declines && !view.nodes.up(NodeId(wanted.node))) fail("the node is lost");
  if (!declines && view.jobs.runnable(stage) == 0) fail("the stage has no runnable task");
  context.request(Ask{.node = NodeId(wanted.node), .stage = stage, .question = wanted.question});
}

void ExternalPolicy::take_back(const policy_protocol::TakeBack& wanted,
                               SchedulerContext& context) const {
  const NodeView& nodes = context.scheduler_view().nodes;
  const auto fail = [&](std::string_view why) {
    throw WorldError(fmt::format("took tasks back from node {}, but {}", wanted.node, why));
  };
  if (wanted.node >= nodes.count()) fail("there is no such node");
  if (!nodes.queue()) fail("nodes have no queues");
  if (!nodes.up(NodeId(wanted.node))) fail("the node is lost");
  context.request(
      Revoke{.node = NodeId(wanted.node), .length = static_cast<double>(wanted.length)});
}

JobId ExternalPolicy::known_job(std::uint32_t number) const {
  if (number < jobs_.size() && jobs_[number]) return JobId(number);
  throw WorldError(fmt::format("speaks of job {}, which has not arrived", number));
}

std::optional<Target> ExternalPolicy::target_of(JobId job, const SchedulerView&) const {
  return job.index() < targets_.size() ? targets_[job.index()] : std::nullopt;
}

namespace {

const Registered<Part> external_policy = rows::policy<ExternalPolicy>(
    "external", "what a process of yours decides, all of it", "`somnus protocol`");
const Registered<Preset> external_preset = presets_of::whole_policy(
    "external", "external", "a policy of yours that is a process", "`somnus protocol`");

}  // namespace
}  // namespace somnus
