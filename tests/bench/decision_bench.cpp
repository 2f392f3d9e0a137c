// What one decision costs when 100 ... 100,000 jobs have tasks to launch: all slots are busy, one
// task ends, its slot frees, the scheduler chooses the next task. `x of fewest`: how many times as
// much as with the fewest jobs. Orders over users have ten jobs a user: 10 ... 10,000 users.
//
// Time passes as if the estimates were true, so that as many jobs leave the fluids of CFQ and UWFQ
// as arrive.
#include <benchmark/benchmark.h>

#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "engine/engine.hpp"
#include "policy/registry.hpp"

namespace somnus {
namespace {

constexpr std::int64_t decisions = 200'000;
constexpr std::int64_t fewest_jobs = 100;
constexpr std::uint32_t tasks_per_job = 32;
constexpr std::uint32_t slots = 8000;

Cluster cluster() { return {.groups = {{.count = slots / 8, .slots = 8}}, .resources = {}}; }

constexpr double mean_task_s = 500;
constexpr std::uint32_t jobs_per_user = 10;

Catalogue equal_jobs(std::uint32_t jobs, std::uint32_t users) {
  WorkloadSpec spec;
  for (std::uint32_t job = 0; job < jobs; ++job) {
    spec.jobs.push_back({.job = std::to_string(job),
                         .user = std::to_string(job % users),
                         .stages = {{.durations = std::vector<double>(tasks_per_job, 1.0)}}});
  }
  return assemble(spec, slots).catalogue;
}

/// A scheduler whose slots are all busy, with always the same number of jobs that have tasks to
/// launch: when one has launched its last, another arrives.
class BusyScheduler {
 public:
  BusyScheduler(const std::string& order, std::uint32_t jobs)
      : catalogue_(
            equal_jobs((slots + decisions) / tasks_per_job + 1 + jobs, jobs / jobs_per_user)),
        engine_(catalogue_, cluster(),
                make_policy(
                    {.order = order, .of_order = {}, .placement = "any-free", .of_placement = {}},
                    {.cluster = cluster(), .queues = {}}),
                Feedback::at_once),
        sizes_(1, "estimate") {
    while (running_.size() < slots) {
      arrive();
      const auto launches = engine_.plan(now_);
      running_.insert(running_.end(), launches.begin(), launches.end());
    }
    for (std::uint32_t job = 0; job < jobs; ++job) arrive();
  }

  /// The task that runs in this slot ends; another takes its place.
  void end(std::size_t slot) {
    now_ += seconds(mean_task_s / slots);
    const Launch& old = running_[slot];
    engine_.handle(now_, TaskEnded{.task = old.task, .node = old.node, .own = {}});
    running_[slot] = engine_.plan(now_).front();
    if (engine_.jobs().runnable(running_[slot].stage) == 0) arrive();
  }

 private:
  void arrive() {
    const JobId job(next_job_++);
    const double mean_s = sizes_.uniform(1, 2 * mean_task_s - 1);
    engine_.handle(now_, StageEstimated{catalogue_[job].first_stage, {mean_s * tasks_per_job}});
    engine_.handle(now_, JobArrived{job});
  }

  Catalogue catalogue_;
  Engine engine_;
  RandomStream sizes_;
  std::vector<Launch> running_;  // by slot
  std::uint32_t next_job_ = 0;
  Time now_;
};

void decision(benchmark::State& state, const char* order) {
  BusyScheduler scheduler(order, static_cast<std::uint32_t>(state.range(0)));
  RandomStream draws(1, "slot");
  std::vector<std::size_t> ends(static_cast<std::size_t>(decisions));
  for (std::size_t& slot : ends) slot = static_cast<std::size_t>(draws.integer(0, slots - 1));
  std::size_t next = 0;
  const std::clock_t begin = std::clock();
  for (auto _ : state) scheduler.end(ends[next++]);
  const auto took = static_cast<double>(std::clock() - begin);
  static std::map<std::string, double> with_fewest;
  if (state.range(0) == fewest_jobs) with_fewest[order] = took;
  if (with_fewest.contains(order)) {
    state.counters["x of fewest"] = took / with_fewest[order];
  }
}

void numbers_of_jobs(benchmark::internal::Benchmark* one) {
  one->ArgName("jobs")->RangeMultiplier(10)->Range(fewest_jobs, 100'000)->Iterations(decisions);
}

BENCHMARK_CAPTURE(decision, fifo, "fifo")->Apply(numbers_of_jobs);
BENCHMARK_CAPTURE(decision, fair, "fair")->Apply(numbers_of_jobs);
BENCHMARK_CAPTURE(decision, srpt, "srpt")->Apply(numbers_of_jobs);
BENCHMARK_CAPTURE(decision, cfq, "cfq")->Apply(numbers_of_jobs);
BENCHMARK_CAPTURE(decision, ujf, "ujf")->Apply(numbers_of_jobs);
BENCHMARK_CAPTURE(decision, uwfq, "uwfq")->Apply(numbers_of_jobs);

}  // namespace
}  // namespace somnus

BENCHMARK_MAIN();
