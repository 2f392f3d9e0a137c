// Tasks a second through `simulate`: the benchmark trace on 1,000 nodes with 8 slots each, beside
// loops that do the least that such a schedule needs. Reading the trace is not counted; setting up
// engine, nodes and log is. One thread without a file is timed by its CPU time, which neighbours
// disturb least; with a file, which has a thread of its own to write it, real time counts.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

#include "bare_loops.hpp"
#include "bench_case.hpp"
#include "harness/fresh_folder.hpp"
#include "session/simulation.hpp"

namespace somnus {
namespace {

constexpr double delay_ms = 0.5;
constexpr std::uint32_t slots = 8000;

void count_tasks(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * std::int64_t{bench_workload().catalogue.tasks});
  state.SetLabel(bench_workload_name());
}

void simulate(benchmark::State& state, const BenchCase& one, bool keep_rows = false) {
  const Settings settings = settings_of(one);
  const Workload& workload = bench_workload();
  for (auto _ : state) {
    const Simulation done = simulate_one(
        settings, workload, {.keep_rows = keep_rows, .outputs = {.replace_log = true}});
    if (!done.complete) state.SkipWithError("the simulation stopped early");
  }
  count_tasks(state);
}

void log_off(benchmark::State& state, const char* policy, double delay) {
  simulate(state, {.policy = policy, .delay_ms = delay});
}

void log_on(benchmark::State& state, const char* policy, double delay) {
  const harness::FreshFolder folder;
  simulate(state, {.policy = policy, .delay_ms = delay, .log_file = (folder / "log.h5").string()});
}

/// Without a file, for the closing table alone.
void log_in_memory(benchmark::State& state, const char* policy, double delay) {
  simulate(state, {.policy = policy, .delay_ms = delay}, /*keep_rows=*/true);
}

/// A floor must do the same work: its last task ends when that of the simulation does.
void require_same_end(benchmark::State& state, const BenchCase& one, Time last) {
  const Simulation done = simulate_one(settings_of(one), bench_workload(), {.keep_rows = false});
  const std::vector<JobRow>& jobs = done.log.tables.jobs;
  const double finish = std::ranges::max_element(jobs, {}, &JobRow::finish)->finish;
  if (finish != in_seconds(last)) state.SkipWithError("the floor makes another schedule");
}

void floor_fifo(benchmark::State& state, double delay) {
  const Workload& workload = bench_workload();
  Time last;
  for (auto _ : state) last = bare_fifo(workload, slots, seconds(delay / 1000));
  require_same_end(state, {.delay_ms = delay}, last - seconds(delay / 1000));
  count_tasks(state);
}

void floor_cfq(benchmark::State& state) {
  const Workload& workload = bench_workload();
  Time last;
  for (auto _ : state) last = bare_cfq(workload, slots);
  require_same_end(state, {.policy = "cfq"}, last);
  count_tasks(state);
}

void floor_append(benchmark::State& state) {
  const Workload& workload = bench_workload();
  const harness::FreshFolder folder;
  const std::filesystem::path path = folder / "rows";
  for (auto _ : state) bare_append(workload, path.c_str());
  count_tasks(state);
}

void cpu_time(benchmark::internal::Benchmark* one) { one->Unit(benchmark::kMillisecond); }
void real_time(benchmark::internal::Benchmark* one) {
  one->Unit(benchmark::kMillisecond)->UseRealTime();
}

BENCHMARK_CAPTURE(floor_fifo, with_delays, delay_ms)->Apply(cpu_time);
BENCHMARK_CAPTURE(log_off, fifo_with_delays, "fifo", delay_ms)->Apply(cpu_time);
BENCHMARK_CAPTURE(log_off, fifo, "fifo", 0)->Apply(cpu_time);
BENCHMARK_CAPTURE(log_off, fair, "fair", 0)->Apply(cpu_time);
BENCHMARK_CAPTURE(log_off, srpt, "srpt", 0)->Apply(cpu_time);
BENCHMARK(floor_cfq)->Apply(cpu_time);
BENCHMARK_CAPTURE(log_off, cfq, "cfq", 0)->Apply(cpu_time);
BENCHMARK(floor_append)->Apply(real_time);
BENCHMARK_CAPTURE(log_on, fifo_with_delays, "fifo", delay_ms)->Apply(real_time);
BENCHMARK_CAPTURE(log_on, cfq, "cfq", 0)->Apply(real_time);
BENCHMARK_CAPTURE(log_in_memory, fifo_with_delays, "fifo", delay_ms)->Apply(cpu_time);

}  // namespace
}  // namespace somnus

BENCHMARK_MAIN();
