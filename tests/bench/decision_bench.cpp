// What one decision costs when 100 ... 100,000 jobs have tasks to launch: all slots are busy, one
// task ends, its slot frees, the scheduler chooses the next task. `x of fewest`: how many times as
// much as with the fewest jobs. Orders over users have ten jobs a user: 10 ... 10,000 users.
//
// Time passes as if the estimates were true, so that as many jobs leave the fluids of CFQ and UWFQ
// as arrive.
//
// And what an arrival costs that overtakes all waiting jobs of its user, and the end of a stage of
// a chain with many more to come: both must not depend on how many those are, but for a logarithm.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <ctime>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "model/workload.hpp"
#include "scheduler/engine.hpp"
#include "scheduler/registry.hpp"

namespace somnus {
namespace {

constexpr std::int64_t decisions = 200'000;
constexpr std::int64_t fewest_jobs = 100;
constexpr std::int64_t fewest_stages = 1000;
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
                make_scheduler({.order = order, .placement = "any-free"},
                               {.cluster = cluster(), .queues = {}})),
        sizes_(1, "estimate") {
    while (running_.size() < slots) {
      arrive();
      const auto& launches = engine_.plan(now_).get<Launch>();
      running_.insert(running_.end(), launches.begin(), launches.end());
    }
    for (std::uint32_t job = 0; job < jobs; ++job) arrive();
  }

  /// The task that runs in this slot ends; another takes its place.
  void end(std::size_t slot) {
    now_ += seconds(mean_task_s / slots);
    const Launch& old = running_[slot];
    engine_.handle(now_, TaskEnded{.task = old.task, .node = old.node, .own = {}});
    running_[slot] = engine_.plan(now_).get<Launch>().front();
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

/// One slot and one user with always the same number of waiting jobs, each shorter than all that
/// came before it.
class OneUser {
 public:
  OneUser(const std::string& order, Parameters of_order, std::uint32_t jobs)
      : catalogue_(single_tasks(jobs + overtaking)),
        engine_(catalogue_, one_slot(),
                make_scheduler(
                    {.order = order, .of_order = std::move(of_order), .placement = "any-free"},
                    {.cluster = one_slot(), .queues = {}})) {
    for (std::uint32_t job = 0; job < jobs; ++job) arrive();
    runs_ = engine_.plan(now_).get<Launch>().front();
  }

  void arrive() {
    now_ += Duration(1);
    const JobId job(next_job_++);
    engine_.handle(now_, StageEstimated{catalogue_[job].first_stage, {1e6 - job.value()}});
    engine_.handle(now_, JobArrived{job});
  }
  void end() {
    engine_.handle(now_, TaskEnded{.task = runs_.task, .node = runs_.node, .own = {}});
    runs_ = engine_.plan(now_).get<Launch>().front();
  }

  static constexpr std::uint32_t overtaking = 20'000;

 private:
  static Cluster one_slot() { return {.groups = {{.count = 1}}, .resources = {}}; }
  static Catalogue single_tasks(std::uint32_t jobs) {
    WorkloadSpec spec;
    for (std::uint32_t job = 0; job < jobs; ++job) {
      spec.jobs.push_back({.job = std::to_string(job), .stages = {{.durations = {1.0}}}});
    }
    return assemble(spec, 1).catalogue;
  }

  Catalogue catalogue_;
  Engine engine_;
  Launch runs_;
  std::uint32_t next_job_ = 0;
  Time now_;
};

/// Four slots, and four jobs that are chains of single tasks.
class Chains {
 public:
  Chains(const std::string& order, std::uint32_t stages)
      : catalogue_(chains(stages)),
        engine_(catalogue_, cluster(),
                make_scheduler({.order = order, .placement = "any-free"},
                               {.cluster = cluster(), .queues = {}})) {
    for (std::uint32_t stage = 0; stage < catalogue_.stages.size(); ++stage) {
      engine_.handle(now_, StageEstimated{StageId(stage), {1}});
    }
    for (std::uint32_t job = 0; job < jobs; ++job) engine_.handle(now_, JobArrived{JobId(job)});
    running_ = engine_.plan(now_).get<Launch>();
  }

  void end(std::size_t slot) {
    now_ += Duration(1);
    const Launch& old = running_[slot];
    engine_.handle(now_, TaskEnded{.task = old.task, .node = old.node, .own = {}});
    running_[slot] = engine_.plan(now_).get<Launch>().front();
  }

  static constexpr std::uint32_t jobs = 4;

 private:
  static Cluster cluster() { return {.groups = {{.count = jobs}}, .resources = {}}; }
  static Catalogue chains(std::uint32_t stages) {
    WorkloadSpec spec;
    for (std::uint32_t job = 0; job < jobs; ++job) {
      JobSpec chain{.job = std::to_string(job)};
      for (std::uint32_t stage = 0; stage < stages; ++stage) {
        chain.stages.push_back({.stage = stage, .durations = {1.0}});
        if (stage > 0) chain.stages.back().parents = {stage - 1};
      }
      spec.jobs.push_back(std::move(chain));
    }
    return assemble(spec, jobs).catalogue;
  }

  Catalogue catalogue_;
  Engine engine_;
  std::vector<Launch> running_;  // by slot
  Time now_;
};

void compare_with_fewest(benchmark::State& state, std::int64_t fewest, const std::string& what,
                         double took) {
  static std::map<std::string, double> with_fewest;
  if (state.range(0) == fewest) with_fewest[what] = took;
  if (with_fewest.contains(what)) state.counters["x of fewest"] = took / with_fewest[what];
}

void overtaking_arrival(benchmark::State& state, const char* order, const char* chain) {
  const Parameters of_order =
      *chain == 0 ? Parameters{} : Parameters{{"chain", std::string(chain)}};
  OneUser scheduler(order, of_order, static_cast<std::uint32_t>(state.range(0)));
  const std::clock_t begin = std::clock();
  for (auto _ : state) {
    scheduler.arrive();
    scheduler.end();
  }
  compare_with_fewest(state, fewest_jobs, fmt::format("overtaking {} {}", order, chain),
                      static_cast<double>(std::clock() - begin));
}

void stage_of_chain(benchmark::State& state, const char* order) {
  Chains scheduler(order, static_cast<std::uint32_t>(state.range(0)));
  std::size_t slot = 0;
  const std::clock_t begin = std::clock();
  for (auto _ : state) scheduler.end(slot++ % Chains::jobs);
  compare_with_fewest(state, fewest_stages, fmt::format("chain {}", order),
                      static_cast<double>(std::clock() - begin));
}

void decision(benchmark::State& state, const char* order) {
  BusyScheduler scheduler(order, static_cast<std::uint32_t>(state.range(0)));
  RandomStream draws(1, "slot");
  std::vector<std::size_t> ends(static_cast<std::size_t>(decisions));
  for (std::size_t& slot : ends) slot = static_cast<std::size_t>(draws.integer(0, slots - 1));
  std::size_t next = 0;
  const std::clock_t begin = std::clock();
  for (auto _ : state) scheduler.end(ends[next++]);
  compare_with_fewest(state, fewest_jobs, order, static_cast<double>(std::clock() - begin));
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

void numbers_of_overtaken(benchmark::internal::Benchmark* one) {
  one->ArgName("jobs")->RangeMultiplier(10)->Range(fewest_jobs, 100'000);
  one->Iterations(OneUser::overtaking);
}
BENCHMARK_CAPTURE(overtaking_arrival, cfq, "cfq", "")->Apply(numbers_of_overtaken);
BENCHMARK_CAPTURE(overtaking_arrival, uwfq, "uwfq", "paper")->Apply(numbers_of_overtaken);
BENCHMARK_CAPTURE(overtaking_arrival, uwfq_exact, "uwfq", "exact2lv")->Apply(numbers_of_overtaken);

void numbers_of_stages(benchmark::internal::Benchmark* one) {
  one->ArgName("stages")->RangeMultiplier(10)->Range(fewest_stages, 100'000);
  one->Iterations(Chains::jobs * (fewest_stages - 1));
}
BENCHMARK_CAPTURE(stage_of_chain, fifo, "fifo")->Apply(numbers_of_stages);
BENCHMARK_CAPTURE(stage_of_chain, cfq, "cfq")->Apply(numbers_of_stages);
BENCHMARK_CAPTURE(stage_of_chain, uwfq, "uwfq")->Apply(numbers_of_stages);

}  // namespace
}  // namespace somnus

BENCHMARK_MAIN();
