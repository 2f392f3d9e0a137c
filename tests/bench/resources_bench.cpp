// Tasks a second through `simulate` where resources count: 400 DAGs, 100,000 tasks of six kinds of
// demand, all at once on machines without slots; beside a loop that only carries the same schedule
// out. One thread, CPU time.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <queue>
#include <vector>

#include "base/random.hpp"
#include "config/config.hpp"
#include "model/workload.hpp"
#include "session/compose.hpp"
#include "session/simulation.hpp"

namespace somnus {
namespace {

constexpr std::size_t kinds = 6;
constexpr std::uint32_t stages_of_job = 5;
constexpr std::uint32_t tasks_of_stage = 50;

Settings settings_of(const std::string& policy, std::int64_t machines) {
  return value_or_throw(parse_settings(
      fmt::format("[cluster]\nnodes = {}\n"
                  "resources = {{ k0 = 1, k1 = 1, k2 = 1, k3 = 1, k4 = 1, k5 = 1 }}\n"
                  "[scheduler]\npolicy = '{}'\n[workload]\ngenerator = 'fixed'\n",
                  machines, policy),
      "benchmark", {}));
}

std::uint32_t below(RandomStream& draws, std::int64_t end) {
  return static_cast<std::uint32_t>(draws.integer(0, end - 1));
}

/// Sixty demands in all, as jobs drawn from a library of queries have; edges between half of the
/// pairs of stages.
Workload dags() {
  RandomStream draws(1, "dags");
  constexpr std::array<double, 4> shares = {0.02, 0.05, 0.1, 0.2};
  std::vector<std::vector<double>> demands(60, std::vector<double>(kinds));
  for (auto& demand : demands) {
    for (double& share : demand) share = shares[below(draws, shares.size())];
  }
  WorkloadSpec spec{.name = "dags", .resources = {"k0", "k1", "k2", "k3", "k4", "k5"}};
  for (int job = 0; job < 400; ++job) {
    JobSpec& one = spec.jobs.emplace_back();
    one.job = fmt::format("{}", job);
    for (std::uint32_t stage = 0; stage < stages_of_job; ++stage) {
      StageSpec made{.stage = stage};
      for (std::uint32_t parent = 0; parent < stage; ++parent) {
        if (below(draws, 2) == 1) made.parents.push_back(parent);
      }
      const double seconds = 5 + 0.1 * below(draws, 550);
      made.durations.assign(tasks_of_stage, seconds);
      made.demand = demands[below(draws, std::ssize(demands))];
      one.stages.push_back(std::move(made));
    }
  }
  return assemble(spec, 1);
}

const Workload& workload() {
  static const Workload made = dags();
  return made;
}

void count_tasks(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * std::int64_t{workload().catalogue.tasks});
}

void simulate(benchmark::State& state, const char* policy) {
  const Settings settings = settings_of(policy, state.range(0));
  for (auto _ : state) {
    const Simulation done = simulate_one(settings, workload(), {.keep_rows = false});
    if (!done.complete) state.SkipWithError("the simulation stopped early");
  }
  count_tasks(state);
}

/// DRF's schedule, known beforehand: a heap of ends, and each start takes its demand from its node.
void floor_of_drf(benchmark::State& state) {
  const Simulation done =
      simulate_one(settings_of("drf", state.range(0)), workload(), {.keep_rows = true});
  std::vector<TaskRow> rows = done.log.tasks;
  std::ranges::stable_sort(rows, {}, &TaskRow::start);
  using Row = const TaskRow*;
  const auto later = [](Row a, Row b) { return a->finish > b->finish; };
  double last = 0;
  for (auto _ : state) {
    std::vector<Resources> free(static_cast<std::size_t>(state.range(0)));
    std::priority_queue<Row, std::vector<Row>, decltype(later)> running(later);
    for (const TaskRow& row : rows) {
      while (!running.empty() && running.top()->finish <= row.start) {
        free[running.top()->node] += workload().truth.demands[running.top()->stage];
        running.pop();
      }
      free[row.node] -= workload().truth.demands[row.stage];
      running.push(&row);
      last = std::max(last, row.finish);
    }
    benchmark::DoNotOptimize(free.data());
  }
  const std::vector<JobRow>& jobs = done.log.tables.jobs;
  if (last != std::ranges::max_element(jobs, {}, &JobRow::finish)->finish) {
    state.SkipWithError("the floor makes another schedule");
  }
  count_tasks(state);
}

void on_machines(benchmark::internal::Benchmark* one) {
  one->Unit(benchmark::kMillisecond)->ArgName("machines")->Arg(3000)->Arg(300);
}

BENCHMARK(floor_of_drf)->Apply(on_machines);
BENCHMARK_CAPTURE(simulate, drf, "drf")->Apply(on_machines);
BENCHMARK_CAPTURE(simulate, sjf, "sjf")->Apply(on_machines);
BENCHMARK_CAPTURE(simulate, carbyne, "carbyne")->Apply(on_machines);
BENCHMARK_CAPTURE(simulate, tetris, "tetris")->Apply(on_machines);
BENCHMARK_CAPTURE(simulate, fifo, "fifo")->Apply(on_machines);

}  // namespace
}  // namespace somnus

BENCHMARK_MAIN();
