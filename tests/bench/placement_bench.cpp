// What one placement costs on 100 ... 10,000 nodes with 8 slots and full queues: a task ends
// somewhere, its node reports, a job comes, and the scheduler finds its task a node. Beside it a
// bare scan over the waits of all nodes, which is what Algorithm 1 of Yaq says literally (section
// 3.2). `x of fewest`: how many times as much as with the fewest nodes.
//
// `any_node`: queues without a bound, so that every node is a candidate. `heartbeats`: queues of 4,
// each round is one node's heartbeat, which reports 6 ends and gets 6 tasks; one item is one task.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "model/workload.hpp"
#include "scheduler/engine.hpp"
#include "scheduler/registry.hpp"

namespace somnus {
namespace {

constexpr std::int64_t placements = 200'000;
constexpr std::int64_t fewest_nodes = 100;
constexpr std::uint32_t slots = 8;
constexpr std::uint32_t queued = 4;
constexpr std::uint32_t ends_per_heartbeat = 6;

Cluster cluster(std::uint32_t nodes) {
  return {.groups = {{.count = nodes, .slots = slots}}, .resources = {}};
}

/// One job that fills the cluster, then jobs of one task.
Catalogue jobs(std::size_t tasks_of_first) {
  WorkloadSpec spec;
  spec.jobs.push_back(
      {.job = "first", .stages = {{.durations = std::vector<double>(tasks_of_first, 1.0)}}});
  for (std::int64_t job = 0; job < placements; ++job) {
    spec.jobs.push_back({.job = std::to_string(job), .stages = {{.durations = {1.0}}}});
  }
  return assemble(spec, slots).catalogue;
}

/// All slots are busy and `queued` tasks wait at each node, more or less.
class FullCluster {
 public:
  FullCluster(const std::string& placement, std::uint32_t nodes, const std::string& feedback,
              const QueueRules& rules)
      : cluster_(cluster(nodes)),
        catalogue_(jobs(std::size_t{nodes} * (slots + queued))),
        engine_(catalogue_, cluster_,
                make_scheduler(
                    {.order = "fifo", .placement = placement, .feedback = feedback, .queue = rules},
                    {.cluster = cluster_, .queues = {}})),
        on_(nodes) {
    arrive();
    for (std::uint32_t node = 0; node < nodes; ++node) report(NodeId(node));
    keep(engine_.plan(now_).get<Launch>());
  }

  /// So many tasks end on the node and its heartbeat comes; as many others are placed.
  void end(NodeId node, std::uint32_t tasks) {
    now_ += mean * tasks / (static_cast<std::int64_t>(on_.size()) * slots);
    for (std::uint32_t at = 0; at < tasks && !on_[node.index()].empty(); ++at) {
      const Launch done = on_[node.index()].back();
      on_[node.index()].pop_back();
      engine_.handle(now_, TaskEnded{.task = done.task, .node = node, .own = {}});
      arrive();
    }
    report(node);
    keep(engine_.plan(now_).get<Launch>());
  }

 private:
  void arrive() {
    const JobId job(next_job_++);
    const Job& facts = catalogue_[job];
    engine_.handle(now_, StageEstimated{facts.first_stage, {in_seconds(mean) * facts.tasks}});
    engine_.handle(now_, JobArrived{job});
  }
  void report(NodeId node) {
    engine_.handle(now_, NodeOffered{.node = node,
                                     .running = slots,
                                     .queued = queued,
                                     .wait = Estimate{draws_.uniform(1, 10)}});
  }
  void keep(std::span<const Launch> launches) {
    for (const Launch& one : launches) on_[one.node.index()].push_back(one);
  }

  static constexpr Duration mean = std::chrono::seconds(5);
  Cluster cluster_;
  Catalogue catalogue_;
  Engine engine_;
  RandomStream draws_{1, "wait"};
  std::vector<std::vector<Launch>> on_;  // by node
  std::uint32_t next_job_ = 0;
  Time now_;
};

void compare_with_fewest(benchmark::State& state, const std::string& name, double took) {
  static std::map<std::string, double> with_fewest;
  if (state.range(0) == fewest_nodes) with_fewest[name] = took;
  if (with_fewest.contains(name)) state.counters["x of fewest"] = took / with_fewest[name];
}

std::vector<NodeId> random_nodes(std::uint32_t nodes, std::int64_t count) {
  RandomStream draws(1, "node");
  std::vector<NodeId> chosen;
  while (std::ssize(chosen) < count)
    chosen.emplace_back(static_cast<std::uint32_t>(draws.integer(0, nodes - 1)));
  return chosen;
}

void place(benchmark::State& state, const char* placement, const std::string& name,
           const std::string& feedback, const QueueRules& rules, std::uint32_t tasks) {
  const auto nodes = static_cast<std::uint32_t>(state.range(0));
  FullCluster full(placement, nodes, feedback, rules);
  const auto at = random_nodes(nodes, placements / tasks);
  std::size_t next = 0;
  const std::clock_t begin = std::clock();
  for (auto _ : state) full.end(at[next++], tasks);
  compare_with_fewest(state, name, static_cast<double>(std::clock() - begin));
  state.SetItemsProcessed(state.iterations() * tasks);
}

void any_node(benchmark::State& state, const char* placement) {
  place(state, placement, placement, "at-once", {}, 1);
}

void heartbeats(benchmark::State& state, const char* placement) {
  place(state, placement, std::string("heartbeats ") + placement, "heartbeat",
        {.bound = QueueBound::length, .length = queued}, ends_per_heartbeat);
}

void bare_scan(benchmark::State& state) {
  RandomStream draws(1, "wait");
  std::vector<double> waits(static_cast<std::size_t>(state.range(0)));
  for (double& wait : waits) wait = draws.uniform(1, 10);
  const std::clock_t begin = std::clock();
  for (auto _ : state) {
    const auto least = std::ranges::min_element(waits);
    *least += 1;
    benchmark::DoNotOptimize(*least);
  }
  compare_with_fewest(state, "scan", static_cast<double>(std::clock() - begin));
  state.SetItemsProcessed(state.iterations());
}

void numbers_of_nodes(benchmark::internal::Benchmark* one) {
  one->ArgName("nodes")->RangeMultiplier(10)->Range(fewest_nodes, 10'000);
}
void one_a_placement(benchmark::internal::Benchmark* one) {
  numbers_of_nodes(one);
  one->Iterations(placements);
}
void one_a_heartbeat(benchmark::internal::Benchmark* one) {
  numbers_of_nodes(one);
  one->Iterations(placements / ends_per_heartbeat);
}

BENCHMARK(bare_scan)->Apply(one_a_placement);
BENCHMARK_CAPTURE(any_node, queue_wait, "queue-wait")->Apply(one_a_placement);
BENCHMARK_CAPTURE(any_node, queue_length, "queue-length")->Apply(one_a_placement);
BENCHMARK_CAPTURE(any_node, random, "random")->Apply(one_a_placement);
BENCHMARK_CAPTURE(heartbeats, queue_wait, "queue-wait")->Apply(one_a_heartbeat);

}  // namespace
}  // namespace somnus

BENCHMARK_MAIN();
