// What the scheduler thinks at one heartbeat when 250 ... 8,000 stages of DAGs are runnable and
// machines of six resources are full: a task ends, its machine says so, and what fits is started.
// Stages have 20 tasks or 200: what a heartbeat costs must not follow the tasks.
//
// Beside it the least that a scheduler by alignment does: one look at each runnable stage.
//
// What is timed is real time, of single heartbeats: look at the median and at the 99th percentile,
// and not at the longest, which is the neighbours'. Arrivals of jobs are timed by themselves, for
// a policy may reckon anew for all jobs then.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <queue>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "model/workload.hpp"
#include "packing/packer.hpp"
#include "scheduler/engine.hpp"
#include "scheduler/registry.hpp"

namespace somnus {
namespace {

constexpr std::uint32_t machines = 100;
constexpr std::size_t kinds = 6;
constexpr std::uint32_t roots = 5;  // of a job, each with a child
constexpr std::uint32_t arriving = 200;
constexpr std::int64_t heartbeats = 4000;

using Clock = std::chrono::steady_clock;

double microseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

Cluster full_machines() {
  NodeGroup group{.count = machines, .slots = 0};
  Cluster cluster;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    group.capacity.set(kind, 1);
    cluster.resources.push_back(fmt::format("k{}", kind));
  }
  cluster.groups = {group};
  return cluster;
}

/// Sixty demands in all, as jobs drawn from a library of queries have.
std::vector<std::vector<double>> demands() {
  RandomStream draws(1, "demands");
  std::vector<std::vector<double>> all(60, std::vector<double>(kinds));
  for (auto& demand : all) {
    for (double& share : demand) share = 0.01 * static_cast<double>(draws.integer(2, 20));
  }
  return all;
}

Workload dags(const Cluster& cluster, std::uint32_t jobs, std::uint32_t tasks) {
  RandomStream draws(2, "dags");
  const auto of_tasks = demands();
  WorkloadSpec spec{.name = "dags", .resources = cluster.resources};
  for (std::uint32_t job = 0; job < jobs; ++job) {
    JobSpec& one = spec.jobs.emplace_back();
    one.job = std::to_string(job);
    for (std::uint32_t stage = 0; stage < 2 * roots; ++stage) {
      StageSpec made{.stage = stage};
      if (stage >= roots) made.parents = {stage - roots};
      made.durations.assign(tasks, 5 + 0.001 * static_cast<double>(draws.integer(0, 55'000)));
      made.demand = of_tasks[static_cast<std::size_t>(draws.integer(0, std::ssize(of_tasks) - 1))];
      one.stages.push_back(std::move(made));
    }
  }
  return assemble(spec, 1);
}

/// A scheduler whose machines are full, with always about as many runnable stages: for a job that
/// ends another arrives.
class FullCluster {
 public:
  FullCluster(const Composition& composition, std::uint32_t jobs, std::uint32_t tasks)
      : cluster_(full_machines()),
        workload_(dags(cluster_, jobs + arriving, tasks)),
        engine_(workload_.catalogue, cluster_,
                make_scheduler(composition, {.cluster = cluster_, .queues = {}})),
        active_(jobs) {
    for (std::uint32_t job = 0; job < jobs; ++job) arrive();
    think();
  }

  /// All that ends next, at one instant; in microseconds.
  double heartbeat() {
    now_ = ends_.top().at;
    std::vector<Launch> ended;
    for (; !ends_.empty() && ends_.top().at == now_; ends_.pop()) {
      ended.push_back(ends_.top().launch);
    }
    const Clock::time_point begin = Clock::now();
    for (const Launch& launch : ended) {
      engine_.handle(now_, TaskEnded{.task = launch.task, .node = launch.node, .own = {}});
    }
    think();
    return microseconds_since(begin);
  }
  /// Jobs in the place of those that have ended, as long as there are any; microseconds for each.
  std::vector<double> arrivals() {
    std::vector<double> took;
    while (!exhausted() && next_job_ - engine_.jobs().ended_jobs() < active_) {
      const Clock::time_point begin = Clock::now();
      arrive();
      think();
      took.push_back(microseconds_since(begin));
    }
    return took;
  }
  [[nodiscard]] bool exhausted() const { return next_job_ == workload_.catalogue.jobs.size(); }
  [[nodiscard]] std::vector<StageId> runnable() const {
    std::vector<StageId> stages;
    const JobTable& jobs = engine_.jobs();
    for (StageId at = jobs.first_runnable(); at.valid(); at = jobs.next_runnable(at)) {
      stages.push_back(at);
    }
    return stages;
  }
  [[nodiscard]] DemandSpan demand(StageId stage) const {
    return engine_.jobs().demand(stage).amounts.millionths();
  }

 private:
  struct End {
    Time at;
    Launch launch;
    friend bool operator>(const End& a, const End& b) { return a.at > b.at; }
  };

  void arrive() {
    const JobId job(next_job_++);
    const Job& of = workload_.catalogue[job];
    for (std::uint32_t stage = 0; stage < of.stages; ++stage) {
      const StageId id(of.first_stage.value() + stage);
      engine_.handle(now_, StageEstimated{id,
                                          {mean_s(id) * workload_.catalogue[id].tasks},
                                          workload_.truth.demands[id.index()].amounts()});
    }
    engine_.handle(now_, JobArrived{job});
  }
  [[nodiscard]] double mean_s(StageId stage) const {
    return in_seconds(workload_.truth[workload_.catalogue[stage].first_task]);
  }
  void think() {
    for (const Launch& launch : engine_.plan(now_).get<Launch>()) {
      ends_.push({now_ + seconds(mean_s(launch.stage)), launch});
    }
  }

  Cluster cluster_;
  Workload workload_;
  Engine engine_;
  std::uint32_t active_;
  std::uint32_t next_job_ = 0;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
  Time now_;
};

double percentile(std::vector<double>& all, double part) {
  const auto at = all.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(all.size()));
  std::ranges::nth_element(all, at);
  return *at;
}

void heartbeat(benchmark::State& state, const Composition& composition) {
  FullCluster cluster(composition, static_cast<std::uint32_t>(state.range(0)) / roots,
                      static_cast<std::uint32_t>(state.range(1)));
  std::vector<double> took;
  std::vector<double> arrivals;
  for (auto _ : state) {
    took.push_back(cluster.heartbeat());
    state.SetIterationTime(took.back() * 1e-6);
    if (cluster.exhausted()) {
      state.SkipWithError("more jobs ended than there are to come");
      break;
    }
    for (const double one : cluster.arrivals()) arrivals.push_back(one);
  }
  state.counters["runnable"] = static_cast<double>(cluster.runnable().size());
  state.counters["p50_us"] = percentile(took, 0.5);
  state.counters["p99_us"] = percentile(took, 0.99);
  if (!arrivals.empty()) state.counters["arrival_p50_us"] = percentile(arrivals, 0.5);
}

/// One look at each runnable stage: its alignment with what is free of one machine.
void bare_scan(benchmark::State& state) {
  const FullCluster cluster({.order = "fifo", .placement = "any-free"},
                            static_cast<std::uint32_t>(state.range(0)) / roots,
                            static_cast<std::uint32_t>(state.range(1)));
  const std::vector<Wide> capacity(kinds, 1'000'000);
  const Alignment alignment(capacity);
  const std::vector<double> free(kinds, 100'000);
  const std::vector<StageId> stages = cluster.runnable();
  for (auto _ : state) {
    const Clock::time_point begin = Clock::now();
    double best = 0;
    for (const StageId stage : stages) {
      best = std::max(best, alignment.of(cluster.demand(stage), free));
    }
    benchmark::DoNotOptimize(best);
    state.SetIterationTime(microseconds_since(begin) * 1e-6);
  }
  state.counters["runnable"] = static_cast<double>(stages.size());
}

void sizes(benchmark::internal::Benchmark* one) {
  one->ArgNames({"stages", "tasks"})->Unit(benchmark::kMicrosecond)->UseManualTime();
  one->Iterations(heartbeats);
  for (const int stages : {250, 500, 2000, 8000}) {
    for (const int tasks : {20, 200}) one->Args({stages, tasks});
  }
}

Composition order(const char* name, Parameters parameters = {}) {
  return {.order = name,
          .of_order = std::move(parameters),
          .within = "breadth-first",
          .placement = "any-free"};
}

BENCHMARK(bare_scan)->Apply(sizes);
BENCHMARK_CAPTURE(heartbeat, drf, order("drf"))->Apply(sizes);
BENCHMARK_CAPTURE(heartbeat, sjf, order("sjf"))->Apply(sizes);
BENCHMARK_CAPTURE(heartbeat, tetris, Composition{.whole = "tetris"})->Apply(sizes);
BENCHMARK_CAPTURE(heartbeat, carbyne, order("carbyne"))->Apply(sizes);
BENCHMARK_CAPTURE(heartbeat, carbyne_each_event, order("carbyne", {{"replan", "each-event"}}))
    ->Apply(sizes);

}  // namespace
}  // namespace somnus

BENCHMARK_MAIN();
