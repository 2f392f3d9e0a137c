// Tasks a second through `simulate` where jobs are rigid: 50,000 jobs as in archives, 1.6 million
// tasks, at load 0.85 on 10,000 slots; beside a loop that only carries the same schedule out. And
// what a round takes in which 10,000 jobs wait with a reservation each. One thread, CPU time.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <queue>
#include <vector>

#include "base/random.hpp"
#include "config/config.hpp"
#include "model/workload.hpp"
#include "session/compose.hpp"
#include "session/simulation.hpp"

namespace somnus {
namespace {

constexpr int slots = 10'000;
constexpr double load = 0.85;

Settings settings_of(const std::string& policy) {
  return value_or_throw(
      parse_settings(fmt::format("[cluster]\nnodes = {}\nslots_per_node = 1\n[scheduler]\n"
                                 "policy = '{}'\n[workload]\ngenerator = 'fixed'\n",
                                 slots, policy),
                     "benchmark", {}));
}

/// Widths are powers of 2 up to 128; times between a minute and ten hours, as many of each order of
/// magnitude; limits up to five times as long.
WorkloadSpec rigid_jobs(int count) {
  RandomStream draws(1, "rigid");
  WorkloadSpec spec{.name = "rigid"};
  double area = 0;
  for (int job = 0; job < count; ++job) {
    JobSpec& one = spec.jobs.emplace_back();
    one.job = fmt::format("{}", job);
    const auto width = std::size_t{1} << static_cast<unsigned>(draws.integer(0, 7));
    const double time_s = std::floor(60 * std::pow(600, draws.uniform()));
    one.limit = 60 * std::ceil(time_s * (1 + 4 * draws.uniform()) / 60);
    one.stages.push_back({.stage = 0, .durations = std::vector(width, time_s), .gang = true});
    area += static_cast<double>(width) * time_s;
  }
  const double mean_s = area / count / slots / load;
  double submit = 0;
  for (JobSpec& job : spec.jobs) job.submit = submit += draws.exponential(mean_s);
  return spec;
}

const Workload& workload() {
  static const Workload made = assemble(rigid_jobs(50'000), 1);
  return made;
}

/// The same jobs come at once, and all but 700 of them wait.
const Workload& crowd() {
  static const Workload made = [] {
    WorkloadSpec spec = rigid_jobs(11'000);
    for (JobSpec& job : spec.jobs) job.submit = 0;
    return assemble(spec, 1);
  }();
  return made;
}

void count_tasks(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * std::int64_t{workload().catalogue.tasks});
}

void simulate(benchmark::State& state, const char* policy) {
  const Settings settings = settings_of(policy);
  for (auto _ : state) {
    const Simulation done = simulate_one(settings, workload(), {.keep_rows = false});
    if (!done.complete) state.SkipWithError("the simulation stopped early");
  }
  count_tasks(state);
}

/// EASY's schedule, known beforehand: a heap of ends, and each start takes its slot.
void floor_of_easy(benchmark::State& state) {
  const Simulation done = simulate_one(settings_of("easy"), workload(), {.keep_rows = true});
  std::vector<TaskRow> rows = done.log.tasks;
  std::ranges::stable_sort(rows, {}, &TaskRow::start);
  using Row = const TaskRow*;
  const auto later = [](Row a, Row b) { return a->finish > b->finish; };
  for (auto _ : state) {
    std::vector<Row> runs(std::size_t{slots});
    std::priority_queue<Row, std::vector<Row>, decltype(later)> running(later);
    for (const TaskRow& row : rows) {
      while (!running.empty() && running.top()->finish <= row.start) {
        runs[running.top()->node] = nullptr;
        running.pop();
      }
      if (runs[row.node] != nullptr) state.SkipWithError("two tasks in a slot");
      runs[row.node] = &row;
      running.push(&row);
    }
    benchmark::DoNotOptimize(runs.data());
  }
  count_tasks(state);
}

/// The rounds of the first 1,000 s, of which the first makes all reservations.
void rounds_of_conservative(benchmark::State& state) {
  Settings settings = settings_of("conservative");
  settings.run.until_s = 1000;
  std::int64_t rounds = 0;
  for (auto _ : state) {
    const Simulation done = simulate_one(settings, crowd(), {.keep_rows = false});
    rounds += static_cast<std::int64_t>(done.log.tables.scheduler.rounds);
  }
  state.SetItemsProcessed(rounds);
}

BENCHMARK(floor_of_easy)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(simulate, fcfs, "fcfs")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(simulate, easy, "easy")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(simulate, conservative, "conservative")->Unit(benchmark::kMillisecond);
BENCHMARK(rounds_of_conservative)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace somnus

BENCHMARK_MAIN();
