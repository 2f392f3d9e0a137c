#include "harness/world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "harness/node_sets.hpp"
#include "queueing/reordered_queue.hpp"
#include "runtime/virtual_clock.hpp"
#include "workers/late_loopback.hpp"

namespace somnus::harness {
namespace {

class Recorder {
 public:
  Recorder(World& world, const Engine& engine, const Conditions& conditions)
      : world_(world), engine_(engine), conditions_(conditions) {}

  void round_begins() {}
  void submitted(JobId, Time) {}
  void happened(Time now, std::uint32_t round, const Event& event) {
    now_ = now;
    world_.events.push_back({now, round, event});
  }
  void decided(Time now, std::uint32_t round, const Launch& launch) {
    world_.decisions.push_back({now, round, launch});
    placed_[{launch.task, launch.attempt}] = now;
  }
  void ended(const CompletionMessage& end) {
    const Catalogue& catalogue = world_.workload.catalogue;
    const StageId stage = catalogue.stage_of[end.task.index()];
    const JobId job = catalogue[stage].job;
    world_.attempts.push_back({.job = job,
                               .stage = stage,
                               .task = end.task,
                               .number = end.attempt,
                               .node = end.node,
                               .slot = end.slot,
                               .placed = placed_.at({end.task, end.attempt}),
                               .queued = end.queued,
                               .started = end.started,
                               .finished = end.finished,
                               .reported = reported(end),
                               .intended = end.intended,
                               .outcome = end.outcome,
                               .warm = end.warm});
    world_.failed[job.index()] = engine_.jobs().failed(job);
    if (!engine_.jobs().ended(job) || world_.failed[job.index()]) return;
    Time last = start_of_time;
    for (const Attempt& each : world_.attempts) {
      const bool counts = each.job == job && each.outcome == Outcome::finished;
      if (counts) last = std::max(last, each.finished);
    }
    world_.finish[job.index()] = last;
  }
  void given_up(Time now, TaskId task, std::uint16_t attempt, NodeId node) {
    given_up_[{task, attempt}] = {now, node};
  }
  /// Those that were given up and never heard of again.
  void add_given_up() {
    for (const auto& [of, at] : std::map(given_up_)) {
      now_ = at.first;
      ended({.queued = never,
             .started = never,
             .finished = never,
             .task = of.first,
             .node = at.second,
             .attempt = of.second,
             .outcome = Outcome::lost});
    }
  }
  void decided(Time, std::uint32_t, const Kill&) {}
  void decided(Time now, std::uint32_t, const Ask& ask) { world_.asks.push_back({now, ask}); }
  void decided(Time now, std::uint32_t, const Revoke& revoke) {
    world_.revokes.push_back({now, revoke});
  }
  void decided(Time now, std::uint32_t, const Promise& promise) {
    world_.promises.push_back({now, promise});
  }
  void decided(Time now, std::uint32_t, const Reservation& made) {
    world_.reservations.push_back({now, made});
  }
  void decided(Time, std::uint32_t, const Preemption&) {}
  void decided(Time now, std::uint32_t, const TimeOut& timeout) {
    world_.timeouts.push_back({now, timeout.job});
  }
  void decided(Time, std::uint32_t, const Backup&) { ++world_.backups_due; }
  void handled(Duration) {}
  void sample(Time now) { world_.samples.push_back({now, world_.rounds.size()}); }
  void instant(Time now) {
    world_.rounds.push_back(now);
    if (conditions_.rounds) conditions_.rounds(now, engine_);
  }

 private:
  World& world_;
  const Engine& engine_;
  const Conditions& conditions_;
  [[nodiscard]] Time reported(const CompletionMessage& end) {
    const auto given_up = given_up_.extract({end.task, end.attempt});
    return given_up ? given_up.mapped().first : now_;
  }

  std::map<std::pair<TaskId, std::uint16_t>, Time> placed_;
  std::map<std::pair<TaskId, std::uint16_t>, std::pair<Time, NodeId>> given_up_;
  Time now_;
};

}  // namespace

JobId World::job(std::string_view name) const {
  const auto& names = workload.names.jobs;
  const auto found = std::find(names.begin(), names.end(), name);
  SOMNUS_CHECK(found != names.end(), "no job {} in this world", name);
  return JobId(static_cast<std::size_t>(found - names.begin()));
}

double World::finish_of(std::string_view name) const {
  return in_seconds(finish[job(name).index()]);
}

double World::mean_response() const {
  double sum = 0;
  for (std::size_t at = 0; at < finish.size(); ++at) {
    sum += in_seconds(finish[at] - workload.catalogue.jobs[at].submit);
  }
  return sum / static_cast<double>(finish.size());
}

std::vector<Attempt> World::attempts_of(std::string_view name) const {
  std::vector<Attempt> found;
  for (const Attempt& each : attempts) {
    if (each.job == job(name)) found.push_back(each);
  }
  return found;
}

Served World::served_at(Duration instant) const {
  Served served;
  for (const Decision& each : decisions) {
    if (each.at != start_of_time + instant) continue;
    const JobId owner = workload.catalogue[each.launch.stage].job;
    served.push_back(workload.names.jobs[owner.index()]);
  }
  return served;
}

std::string attempts_of(const World& world) {
  std::string text;
  for (const Attempt& each : world.attempts) {
    text += fmt::format(
        "task {} attempt {} on node {} slot {}: queued {} started {} finished {} reported {} "
        "intended "
        "{} outcome {} warm {}\n",
        each.task.value(), each.number, each.node.value(), each.slot,
        each.queued.time_since_epoch().count(), each.started.time_since_epoch().count(),
        each.finished.time_since_epoch().count(), each.reported.time_since_epoch().count(),
        each.intended.count(), name_of(each.outcome), each.warm);
  }
  return text;
}

std::string heard(const World& world) {
  std::string text;
  const auto member = [&]<class Member>(const char* name, const Member& value) {
    if constexpr (is_id<Member>) {
      text += fmt::format(" {} {}", name, value.value());
    } else if constexpr (std::is_enum_v<Member>) {
      text += fmt::format(" {} {}", name, name_of(value));
    } else if constexpr (std::is_same_v<Member, Estimate>) {
      text += fmt::format(" {} {} s", name, value.seconds);
    } else {
      text += fmt::format(" {} {}", name, value);
    }
  };
  for (const Heard& each : world.events) {
    text += fmt::format("{} round {}:", each.at.time_since_epoch().count(), each.round);
    std::visit(
        [&]<class Kind>(const Kind& event) {
          text += fmt::format(" {}", Kind::kind);
          for_each_field<Kind>([&](const auto& field) { member(field.name, event.*field.member); });
        },
        each.event);
    text += '\n';
  }
  return text;
}

std::string transcript(const World& world) {
  std::string text;
  for (const Decision& each : world.decisions) {
    text += fmt::format("{} round {}: launch task {} attempt {} on node {}\n",
                        each.at.time_since_epoch().count(), each.round, each.launch.task.value(),
                        each.launch.attempt, each.launch.node.value());
  }
  for (const Asked& each : world.asks) {
    text += fmt::format("{}: ask node {} about stage {}, question {}\n",
                        each.at.time_since_epoch().count(), each.ask.node.value(),
                        each.ask.stage.value(), static_cast<int>(each.ask.question));
  }
  for (const Revoked& each : world.revokes) {
    text +=
        fmt::format("{}: revoke from node {} beyond {}, {} s\n", each.at.time_since_epoch().count(),
                    each.revoke.node.value(), each.revoke.length, each.revoke.wait.seconds);
  }
  for (const Promised& each : world.promises) {
    text += fmt::format("{}: promise job {} to end by {} s\n", each.at.time_since_epoch().count(),
                        each.promise.job.value(), each.promise.end.seconds);
  }
  return text + attempts_of(world);
}

NodeModel node_model(const Conditions& conditions) {
  const FeedbackTraits feedback = feedback_traits(conditions.feedback);
  NodeModel model = conditions.nodes;
  if (conditions.queue) {
    model.make_queue = make_worker_queue<ReorderedQueue>;
    model.queue = *conditions.queue;
  }
  model.heartbeats |= feedback.heartbeats || conditions.queue.has_value();
  model.ends_wait |= feedback.ends_with_them;
  return model;
}

std::unique_ptr<Engine> engine_of(const Workload& workload, const Cluster& cluster,
                                  const Conditions& conditions) {
  Composition composition{
      .within = conditions.within, .feedback = conditions.feedback, .queue = conditions.queue};
  if (find_part(PartKind::policy, conditions.order) != nullptr) {
    composition.whole = conditions.order;
    composition.of_whole = conditions.of_order;
  } else {
    composition.order = conditions.order;
    composition.of_order = conditions.of_order;
    composition.backfill = conditions.backfill;
    composition.of_backfill = conditions.of_backfill;
    composition.placement = conditions.placement;
    composition.of_placement = conditions.of_placement;
  }
  Scheduler scheduler = make_scheduler(
      composition,
      {.cluster = cluster, .queues = workload.names.queues, .seed = conditions.nodes.seed});
  if (conditions.wrap) scheduler.policy = conditions.wrap(std::move(scheduler.policy));
  return std::make_unique<Engine>(workload.catalogue, cluster, std::move(scheduler),
                                  conditions.rules);
}

World simulate(Workload workload, const Cluster& cluster, const Conditions& conditions) {
  World world{.workload = std::move(workload), .cluster = cluster};
  world.finish.assign(world.workload.catalogue.jobs.size(), never);
  world.failed.assign(world.finish.size(), false);
  const std::unique_ptr<Engine> owned = engine_of(world.workload, cluster, conditions);
  Engine& engine = *owned;
  const auto estimator = conditions.estimator(world.workload);
  Recorder recorder(world, engine, conditions);
  const auto live = [&](auto clock, auto nodes) {
    return Loop(world.workload, engine, *estimator, clock, nodes, recorder, conditions.loop).run();
  };
  const NodeModel model = node_model(conditions);
  world.ending = conditions.late ? live(LateClock(), LateLoopback(cluster, model, *conditions.late))
                                 : live(VirtualClock(), NodeSets(cluster, conditions.cuts, model));
  recorder.add_given_up();
  std::sort(world.attempts.begin(), world.attempts.end(), [](const Attempt& a, const Attempt& b) {
    return std::pair(a.task, a.number) < std::pair(b.task, b.number);
  });
  return world;
}

World simulate(const WorkloadBuilder& jobs, const Cluster& cluster, const Conditions& conditions) {
  return simulate(jobs.build(cluster.slot_count()), cluster, conditions);
}

std::map<std::uint32_t, Target> targets_at(Duration instant, const WorkloadBuilder& jobs,
                                           const Cluster& cluster, Conditions conditions) {
  std::map<std::uint32_t, Target> found;
  conditions.rounds = [&](Time now, const Engine& engine) {
    if (now != at(instant)) return;
    for (std::uint32_t id = 0; id < engine.jobs().catalogue().jobs.size(); ++id) {
      const bool active = engine.jobs().arrived(JobId(id)) && !engine.jobs().ended(JobId(id));
      if (!active) continue;
      if (const auto target = engine.target_of(JobId(id))) found[id] = *target;
    }
  };
  static_cast<void>(simulate(jobs, cluster, conditions));
  return found;
}

}  // namespace somnus::harness
