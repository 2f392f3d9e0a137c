// Carbyne's promises (policies.md 6.5), in random DAGs on one pool where all jobs are there from
// the beginning, each task fits its job's share and estimates are exact.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "harness/property.hpp"
#include "harness/scenarios.hpp"
#include "policies/quotas.hpp"

namespace somnus::harness {
namespace {

struct Shape {
  bool equal_durations = false;
  int least_demand = 1;  // with 0 a share may shrink when another job ends
  int last_submit_s = 0;
  int most_stages = 4;
  int most_jobs = 5;
};

StageSpec stage(std::uint32_t label, const Shape& shape, std::size_t kinds) {
  StageSpec made{.stage = label};
  for (std::uint32_t parent = 0; parent < label; ++parent) {
    if (draw::integer(0, 2) == 0) made.parents.push_back(parent);
  }
  const double duration = shape.equal_durations ? 1 : draw::tenths(1, 60);
  made.durations.assign(static_cast<std::size_t>(draw::integer(1, 5)), duration);
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    made.demand.push_back(draw::integer(kind == 0 ? 1 : shape.least_demand, 6));
  }
  return made;
}

WorkloadSpec jobs_of(const Shape& shape) {
  const auto kinds = static_cast<std::size_t>(draw::integer(1, 2));
  WorkloadSpec made;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    made.resources.push_back(fmt::format("k{}", kind));
  }
  const int count = draw::integer(1, shape.most_jobs);
  for (int at = 0; at < count; ++at) {
    JobSpec& job = made.jobs.emplace_back();
    job.job = fmt::format("j{}", at);
    job.submit = draw::integer(0, shape.last_submit_s);
    job.weight = *rc::gen::element(1.0, 1.0, 2.0);
    const int stages = draw::integer(1, shape.most_stages);
    for (int label = 0; label < stages; ++label) {
      job.stages.push_back(stage(static_cast<std::uint32_t>(label), shape, kinds));
    }
  }
  std::ranges::stable_sort(made.jobs, {}, &JobSpec::submit);
  return made;
}

/// Whether each task alone fits the share that its job has while all jobs are there.
bool within_shares(const WorkloadSpec& spec, const Cluster& pool) {
  const Workload work = assemble(spec, 1);
  JobTable jobs(work.catalogue);
  Quotas quotas(pool);
  const auto stages = static_cast<std::uint32_t>(work.catalogue.stages.size());
  for (std::uint32_t stage = 0; stage < stages; ++stage) {
    jobs.estimate({.stage = StageId(stage),
                   .slot_time = {1},
                   .demand = work.truth.demand(StageId(stage)).amounts()});
  }
  for (std::uint32_t job = 0; job < work.catalogue.jobs.size(); ++job) {
    jobs.arrive(start_of_time, JobId(job));
    quotas.job_arrived(JobId(job), jobs);
  }
  for (std::uint32_t stage = 0; stage < stages; ++stage) {
    const auto demand = jobs.demand(StageId(stage)).amounts.millionths();
    for (std::size_t kind = 0; kind < demand.size(); ++kind) {
      if (demand[kind] > quotas.of(work.catalogue[StageId(stage)].job, kind)) return false;
    }
  }
  return true;
}

/// The smallest pool of that shape whose shares hold each task, or one that is a little larger.
Cluster pool_of(const WorkloadSpec& jobs) {
  const double wider = draw::integer(2, 4) / 2.0;
  for (int size = 1;; ++size) {
    Cluster pool;
    pool.resources = jobs.resources;
    Resources capacity = amounts({1.0 * size});
    if (jobs.resources.size() == 2) capacity = amounts({1.0 * size, wider * size});
    pool.groups.push_back({.count = 1, .slots = 0, .capacity = capacity});
    if (within_shares(jobs, pool)) return pool;
  }
}

Scenario scenario_of(const Shape& shape, const Parameters& parameters) {
  return *rc::gen::exec([shape, parameters] {
    Scenario scenario;
    scenario.jobs = jobs_of(shape);
    scenario.cluster = pool_of(scenario.jobs);
    scenario.conditions = {
        .order = "carbyne",
        .of_order = parameters,
        .within = *rc::gen::element<std::string>("as-numbered", "breadth-first", "critical-path")};
    scenario.conditions.loop.until = at_seconds(100'000);
    return scenario;
  });
}

/// Checks each job against what it was promised first; how many ended earlier.
int expect_promises_kept(const World& world) {
  std::map<JobId, Time> promised;
  for (const Promised& each : world.promises) {
    promised.emplace(each.promise.job, each.promise.end);
  }
  RC_ASSERT(world.ending == Ending::all_jobs_ended);
  RC_ASSERT(promised.size() == world.finish.size());
  int earlier = 0;
  for (const auto& [job, end] : promised) {
    RC_ASSERT(world.finish[job.index()] <= end);
    earlier += world.finish[job.index()] < end ? 1 : 0;
  }
  return earlier;
}

TEST(CarbyneLaws, NoJobEndsAfterItsPromiseWhereLoansAreGuarded) {
  int earlier = 0;
  check_law({.cases = 1500}, [&] {
    const Scenario scenario = scenario_of({}, {{"leftover", "guarded"}});
    earlier += expect_promises_kept(run(scenario));
  });
  EXPECT_GT(earlier, 500) << "nothing was lent";
}

// Of unlike tasks a smaller rest can take longer to pack (carbyne_test.cpp).
TEST(CarbyneLaws, NorWhereAllTasksTakeEquallyLongAndThoseOfAJobAreAlike) {
  int earlier = 0;
  check_law({.cases = 1500}, [&] {
    const char* leftover = *rc::gen::element("srtf_then_pack", "pack_then_srtf");
    const Shape shape{.equal_durations = true, .most_stages = 1};
    earlier += expect_promises_kept(run(scenario_of(shape, {{"leftover", leftover}})));
  });
  EXPECT_GT(earlier, 100) << "nothing was lent";
}

TEST(CarbyneLaws, AJobAloneThatIsLentNothingEndsAsPromised) {
  check_law({.cases = 500}, [&] {
    const std::string replan = *rc::gen::element("share-change", "each-event");
    const Parameters parameters = {{"leftover", "none"}, {"replan", replan}};
    RC_ASSERT(expect_promises_kept(run(scenario_of({.most_jobs = 1}, parameters))) == 0);
  });
}

// Starts in order of time; at one time, in order of tasks.
std::vector<std::tuple<Time, TaskId>> starts_of(const World& world) {
  std::vector<std::tuple<Time, TaskId>> starts;
  for (const Decision& each : world.decisions) starts.emplace_back(each.at, each.launch.task);
  std::ranges::sort(starts);
  return starts;
}

TEST(CarbyneLaws, WithoutAltruismAndLoansItStartsWhatStrictDrfDoes) {
  check_law({.cases = 1500}, [] {
    Scenario scenario = scenario_of({}, {{"altruism", 0.0}, {"leftover", "none"}});
    const auto starts = starts_of(run(scenario));
    scenario.conditions.order = "drf-strict";
    scenario.conditions.of_order = {};
    RC_ASSERT(starts_of(run(scenario)) == starts);
  });
}

TEST(CarbyneLaws, TwoArrivalsAndHalfOfTheAltruismAreTheSameRunAgain) {
  int selfish = 0;
  check_law({.cases = 200}, [&] {
    Scenario scenario = scenario_of({.last_submit_s = 5}, {{"altruism", 0.5}});
    const std::string once = transcript(run(scenario));
    RC_ASSERT(transcript(run(scenario)) == once);
    scenario.conditions.of_order = {};
    selfish += transcript(run(scenario)) != once ? 1 : 0;
  });
  EXPECT_GT(selfish, 20) << "chance decided nothing";
}

}  // namespace
}  // namespace somnus::harness
