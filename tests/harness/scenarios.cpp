#include "harness/scenarios.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <utility>

namespace somnus::harness {

std::ostream& operator<<(std::ostream& out, const Scenario& scenario) {
  for (const NodeGroup& group : scenario.cluster.groups) {
    out << fmt::format("\n{} nodes x {} slots, slowdown {}, capacity {} {}", group.count,
                       group.slots, group.slowdown, group.capacity.amount(0),
                       group.capacity.amount(1));
  }
  const NodeModel& nodes = scenario.conditions.nodes;
  out << fmt::format(
      "\norder {}, delay {} ns, jitter {}, heartbeats {} every {} ns (random phase {}), warm-up {} "
      "{}, seed {}",
      scenario.conditions.order, nodes.network.mean.count(), nodes.network.jitter, nodes.heartbeats,
      nodes.heartbeat_interval.count(), nodes.random_phase, nodes.warmup.row().name,
      text_of(Value(nodes.warmup.parameters())), nodes.seed);
  const FaultModel& fault_model = nodes.fault_model;
  out << fmt::format(
      "\nattempts fail {}, straggle {} by {}, nodes slow {} by {}, up {} ns, away {} ns, cut off "
      "{}, "
      "heartbeats lost {}, late {} by {} ns, nodes silent {}",
      fault_model.fails, fault_model.straggles, fault_model.straggler_factor, fault_model.slow,
      fault_model.slow_factor, fault_model.up.count(), fault_model.away.count(),
      fault_model.cut_off, fault_model.heartbeat_lost, fault_model.heartbeat_late,
      fault_model.late_by.count(), nodes.silent);
  const Conditions& conditions = scenario.conditions;
  out << fmt::format("\nsilence {} ns, attempts {}", conditions.loop.silence.count(),
                     conditions.rules.task_attempts);
  const SpeculationRules& backups = conditions.rules.speculation;
  out << fmt::format("\nbackups after {} medians of {}, and {} ns", backups.slowdown,
                     backups.quantile, backups.least.count());
  out << fmt::format("\nplacement {}, feedback {}, managers poll {} s, launch {} s",
                     conditions.placement, conditions.feedback, conditions.loop.job_managers.poll_s,
                     conditions.loop.job_managers.launch_s);
  for (const auto& [name, value] : conditions.of_placement) {
    out << fmt::format(", {} {}", name, text_of(value));
  }
  if (conditions.queue) {
    const QueueRules& queue = *conditions.queue;
    out << fmt::format(
        "\nqueue bound {}, length {}, max wait {} s, reorder {}, starvation {} s, {} x, rebalance "
        "{} every {} s, [{}, {}]",
        name_of(queue.bound), queue.length, queue.max_wait_s, queue.reorder.name(),
        queue.starvation_s, queue.starvation_relative, name_of(queue.rebalance),
        queue.rebalance_interval_s, queue.rebalance_low, queue.rebalance_high);
  }
  for (const NodeFault& fault : nodes.faults) {
    static constexpr const char* changes[] = {"lost", "returned", "cut off"};
    out << fmt::format("\nnode {} {} at {} s", fault.node.value(),
                       changes[static_cast<std::size_t>(fault.change)], in_seconds(fault.at));
    if (fault.until != never) out << fmt::format(" until {} s", in_seconds(fault.until));
  }
  for (const auto& [name, value] : scenario.conditions.of_order) {
    out << fmt::format("\n{} = {}", name, text_of(value));
  }
  for (const UserSpec& user : scenario.jobs.users) {
    out << fmt::format("\nuser {} weight {}", user.user, user.weight);
  }
  for (const JobSpec& job : scenario.jobs.jobs) {
    out << fmt::format("\njob {} of {} in {} at {} weight {} progress [{}]", job.job, job.user,
                       job.queue, job.submit, job.weight, fmt::join(job.progress, ","));
    for (const StageSpec& stage : job.stages) {
      out << fmt::format("\n  stage {} after [{}] durations [{}] demand [{}]", stage.stage,
                         fmt::join(stage.parents, ","), fmt::join(stage.durations, ","),
                         fmt::join(stage.demand, ","));
    }
  }
  return out << '\n';
}

const std::vector<AnyOrder>& any_order() {
  static const std::vector<AnyOrder> all = [] {
    std::vector<AnyOrder> orders;
    for (const Part& part : parts()) {
      if (part.kind != PartKind::order && part.kind != PartKind::policy) continue;
      orders.push_back({part.name, {}});
      for (const Parameters& example : part.examples) orders.push_back({part.name, example});
    }
    return orders;
  }();
  return all;
}

std::vector<std::string> names_of_parts(PartKind kind) {
  std::vector<std::string> names;
  for (const Part& part : parts()) {
    if (part.kind == kind) names.push_back(part.name);
  }
  return names;
}

namespace draw {

int integer(int low, int high) { return *rc::gen::inRange(low, high + 1); }
bool coin() { return *rc::gen::arbitrary<bool>(); }
double tenths(int low, int high) { return integer(low, high) / 10.0; }
// Up to `small` for the first cases, up to `large` for the last.
static int up_to(int low, int small, int large) {
  return *rc::gen::withSize(
      [=](int size) { return rc::gen::inRange(low, small + (large - small) * size / 100 + 1); });
}

Cluster cluster(const Terrain& terrain) {
  Cluster made;
  const bool vectors = terrain.vectors && coin();
  if (vectors) made.resources = {"cpu", "mem_gb"};
  const int groups = integer(1, 2);
  for (int group = 0; group < groups; ++group) {
    NodeGroup nodes;
    nodes.name = fmt::format("group{}", group);
    nodes.count = static_cast<std::uint32_t>(up_to(1, 2, 3));
    nodes.slots = static_cast<std::uint32_t>(up_to(1, 2, 3));
    nodes.slowdown = 1 + integer(0, 2) / 2.0;
    if (vectors) {
      const double cpu = integer(2, 6);
      const double memory = integer(2, 6);
      nodes.capacity = amounts({cpu, memory});
    }
    made.groups.push_back(nodes);
  }
  return made;
}

static StageSpec stage(std::uint32_t label, const Terrain& terrain, const Cluster& cluster) {
  StageSpec made{.stage = label};
  for (std::uint32_t parent = 0; parent < label; ++parent) {
    if (coin()) made.parents.push_back(parent);
  }
  const int tasks = up_to(1, 3, 6);
  for (int task = 0; task < tasks; ++task) made.durations.push_back(tenths(1, 30));
  if (integer(0, 2) == 0) {
    for (const double duration : made.durations) made.first.push_back(duration + tenths(0, 10));
    for (const double first : made.first) made.fresh.push_back(first + tenths(0, 20));
  }
  if (terrain.vectors && !cluster.resources.empty()) {
    const auto group = static_cast<std::size_t>(
        integer(0, static_cast<int>(cluster.groups.size()) - 1));  // on which it fits for sure
    for (std::size_t kind = 0; kind < 2; ++kind) {
      const double most = cluster.groups[group].capacity.amount(kind);
      made.demand.push_back(integer(0, static_cast<int>(most)));
    }
  }
  return made;
}

WorkloadSpec jobs(const Terrain& terrain, const Cluster& cluster) {
  WorkloadSpec made;
  made.resources = cluster.resources;
  for (const char* user : {"ann", "bob", "eve"}) {
    made.users.push_back({user, std::vector<double>{1, 1, 0.5, 3}[std::size_t(integer(0, 3))]});
  }
  const int count = up_to(1, 3, 7);
  for (int at = 0; at < count; ++at) {
    JobSpec job;
    job.job = fmt::format("j{}", at);
    job.user = made.users[std::size_t(integer(0, 2))].user;
    job.submit = tenths(0, 60);
    job.queue = coin() ? "A" : "B";
    job.weight = std::vector<double>{1, 1, 0.5, 2, 3}[static_cast<std::size_t>(integer(0, 4))];
    if (coin()) {
      for (int slots = integer(1, 4); slots > 0; --slots) job.progress.push_back(tenths(1, 10));
    }
    const int stages = terrain.stages ? integer(1, 3) : 1;
    for (int label = 0; label < stages; ++label) {
      job.stages.push_back(stage(static_cast<std::uint32_t>(label), terrain, cluster));
    }
    made.jobs.push_back(std::move(job));
  }
  std::stable_sort(made.jobs.begin(), made.jobs.end(),
                   [](const JobSpec& a, const JobSpec& b) { return a.submit < b.submit; });
  return made;
}

Warmup warmup() {
  static const std::vector<Warmup> all = [] {
    std::vector<Warmup> models;
    for (const WarmupRow& row : warmup_models()) {
      models.emplace_back(row.name, row.parameters.defaults());
      for (const Parameters& example : row.examples) models.emplace_back(row.name, example);
    }
    return models;
  }();
  return all[static_cast<std::size_t>(integer(0, int(all.size()) - 1))];
}

// Not so much that long tasks never end.
static void add_random_faults(const Terrain& terrain, NodeModel& nodes) {
  FaultModel& made = nodes.fault_model;
  made.seed = nodes.seed;
  made.fails = integer(0, 3) / 10.0;
  if (!terrain.chaos) return;
  if (coin()) {
    made.straggles = integer(0, 3) / 10.0;
    made.straggler_factor = 1 + integer(0, 4) / 2.0;
    made.slow = integer(0, 3) / 10.0;
    made.slow_factor = 1 + integer(0, 2) / 2.0;
  }
  if (coin()) {
    made.up = std::chrono::seconds(integer(8, 40));
    made.away = std::chrono::milliseconds(100 * integer(1, 60));
    made.cut_off = integer(0, 2) / 2.0;
  }
  if (nodes.heartbeats && coin()) {
    made.heartbeat_lost = integer(0, 2) / 10.0;
    made.heartbeat_late = integer(0, 4) / 10.0;
    made.late_by = nodes.heartbeat_interval * integer(0, 10) / 10;
  }
}

NodeModel nodes(const Terrain& terrain, const Cluster& cluster) {
  NodeModel made;
  made.seed = static_cast<std::uint64_t>(integer(1, 1000));
  made.warmup = warmup();
  if (!terrain.instant) {
    made.network.mean = std::chrono::milliseconds(50 * integer(0, 2));
    if (terrain.jitter) made.network.jitter = integer(0, 9) / 10.0;
    made.heartbeats = coin();
    made.random_phase = coin();
    made.heartbeat_interval = std::chrono::milliseconds(100 * integer(2, 20));
    made.heartbeat_delay = std::chrono::milliseconds(10 * integer(0, 3));
  }
  if (terrain.faults) {
    add_random_faults(terrain, made);
    // A node is lost at most once and comes back.
    for (std::uint32_t node = 0; node < cluster.node_count(); ++node) {
      if (integer(0, 3) > 0) continue;
      const double lost = tenths(0, 80);
      const double away = tenths(1, 30);
      made.faults.push_back({at_seconds(lost), NodeId(node), NodeChange::lost});
      made.faults.push_back({at_seconds(lost + away), NodeId(node), NodeChange::returned});
    }
    for (std::uint32_t node = 0; terrain.chaos && node < cluster.node_count(); ++node) {
      if (coin()) continue;
      const double cut_off = tenths(0, 40);
      const double away = tenths(5, 80);
      made.faults.push_back({.at = at_seconds(cut_off),
                             .node = NodeId(node),
                             .change = NodeChange::cut_off,
                             .until = at_seconds(cut_off + away)});
    }
    std::stable_sort(made.faults.begin(), made.faults.end(),
                     [](const NodeFault& a, const NodeFault& b) { return a.at < b.at; });
  }
  return made;
}

void lose_in_silence(Conditions& conditions) {
  conditions.nodes.heartbeats = true;
  conditions.nodes.silent = true;
  conditions.loop.silence = conditions.nodes.heartbeat_interval * integer(4, 6);
}

std::uint32_t attempts() { return coin() ? 0 : static_cast<std::uint32_t>(integer(1, 3)); }

// Tenths of a second on the slowest and coldest slot are multiples of 2^5 ns: so are eighths of
// them of 4 ns, and halves of medians, which may be halves themselves, are whole, as laws of scale
// need.
void speculate(Conditions& conditions) {
  conditions.rules.speculation = {.slowdown = 1 + integer(0, 4) / 2.0,
                                  .quantile = integer(0, 3) / 4.0,
                                  .least = std::chrono::milliseconds(100 * integer(0, 10))};
  conditions.loop.last_words = std::chrono::seconds(1000);
}

static OrderTraits order_of(const Conditions& conditions) {
  const Part* const order = find_part(PartKind::order, conditions.order);
  return order == nullptr ? OrderTraits() : std::get<OrderPart>(order->as).traits({});
}

static Scenario scenario(const Terrain& terrain) {
  Scenario made;
  made.cluster = cluster(terrain);
  made.jobs = jobs(terrain, made.cluster);
  const auto order = static_cast<std::size_t>(integer(0, int(any_order().size()) - 1));
  made.conditions.order = any_order()[order].order;
  made.conditions.of_order = any_order()[order].parameters;
  if (terrain.within) {
    made.conditions.within =
        *rc::gen::element<std::string>("as-numbered", "breadth-first", "critical-path");
  }
  const bool counts_slots = order_of(made.conditions).counts_slots;
  if (terrain.slotless && !made.cluster.resources.empty() && !counts_slots && coin()) {
    for (NodeGroup& group : made.cluster.groups) group.slots = 0;
  }
  made.conditions.nodes = nodes(terrain, made.cluster);
  made.conditions.feedback = made.conditions.nodes.heartbeats ? "heartbeat" : "at-once";
  if (terrain.chaos && !terrain.instant && coin()) lose_in_silence(made.conditions);
  if (terrain.chaos) made.conditions.rules.task_attempts = attempts();
  // Far beyond what the largest takes: a forgotten task must end the run, though heartbeats go on.
  made.conditions.loop.until = at_seconds(4000);
  if (terrain.chaos && coin()) speculate(made.conditions);
  return made;
}

}  // namespace draw

Scenario any_scenario(const Terrain& terrain) {
  return *rc::gen::exec([terrain] { return draw::scenario(terrain); });
}

World run(const Scenario& scenario) {
  return simulate(scenario.workload(), scenario.cluster, scenario.conditions);
}

void expect_each_task_to_finish_once(const World& world) {
  RC_ASSERT(world.ending == Ending::all_jobs_ended);
  RC_ASSERT(world.decisions.size() == world.attempts.size());
  const Catalogue& catalogue = world.workload.catalogue;
  std::size_t at = 0;
  for (std::uint32_t task = 0; task < catalogue.tasks; ++task) {
    bool finished = false;
    const auto is_next = [&] {
      return at < world.attempts.size() && world.attempts[at].task == TaskId(task);
    };
    for (std::uint16_t number = 0; is_next(); ++at, ++number) {
      const Attempt& each = world.attempts[at];
      RC_ASSERT(each.number == number);
      const bool beside_its_backup = at > 0 && each.placed < world.attempts[at - 1].reported;
      RC_ASSERT(!finished || (beside_its_backup && each.outcome != Outcome::finished));
      finished |= each.outcome == Outcome::finished;
    }
    RC_ASSERT(finished || world.failed[catalogue[catalogue.stage_of[task]].job.index()]);
  }
  RC_ASSERT(at == world.attempts.size());
}

void expect_never_two_tasks_in_a_slot(const World& world) {
  std::map<std::pair<NodeId, std::uint32_t>, std::vector<const Attempt*>> slots;
  for (const Attempt& each : world.attempts) {
    if (each.started == never) continue;
    const std::uint32_t limit = world.cluster.node(each.node).slots;
    RC_ASSERT(limit == 0 || each.slot < limit);
    auto& taken = slots[{each.node, each.slot}];
    for (const Attempt* other : taken) {
      RC_ASSERT(std::max(each.started, other->started) >= std::min(each.finished, other->finished));
    }
    taken.push_back(&each);
  }
}

void expect_divisions_not_to_matter(Scenario scenario) {
  const World whole = run(scenario);
  for (std::uint32_t node = 1; node < scenario.cluster.node_count(); ++node) {
    if (draw::coin()) scenario.conditions.cuts.push_back(node);
  }
  const World divided = run(scenario);
  RC_ASSERT(heard(divided) == heard(whole));
  RC_ASSERT(transcript(divided) == transcript(whole));
}

}  // namespace somnus::harness
