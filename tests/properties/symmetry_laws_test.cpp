// What must not matter, does not: the numbers of jobs, and the order of lines in the workload.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/property.hpp"
#include "harness/scenarios.hpp"

namespace somnus::harness {
namespace {

std::map<std::string, Time> ends_by_name(const World& world) {
  std::map<std::string, Time> ends;
  for (std::size_t at = 0; at < world.finish.size(); ++at) {
    ends[world.workload.names.jobs[at]] = world.finish[at];
  }
  return ends;
}

// Jobs that arrive together are numbered as they stand in the file. Their keys are distinct, and
// stay so: durations are odd nanoseconds that add up to the same sum in no two ways worth fearing.
WorkloadSpec jobs_at_once() {
  auto jobs = workload();
  const int count = *rc::gen::inRange(2, 7);
  for (int at = 0; at < count; ++at) {
    std::vector<double> tasks;
    const int parts = *rc::gen::inRange(1, 6);
    for (int part = 0; part < parts; ++part) {
      const int odd = 7919 * (31 * at + part) + 104729 * (at + 1) * (part + 3);
      tasks.push_back(*rc::gen::inRange(1, 30) / 10.0 + odd * 1e-9);
    }
    jobs.job(fmt::format("j{}", at), {.tasks = tasks});
  }
  return jobs.spec();
}

void expect_ids_not_to_matter(const std::string& order) {
  check_law({.cases = 150}, [&] {
    WorkloadSpec jobs = jobs_at_once();
    std::set<Duration> sums;
    const Workload straight = assemble(jobs, 1);
    for (const Job& job : straight.catalogue.jobs) {
      sums.insert(slot_time(straight.truth.of(job)));
    }
    RC_PRE(sums.size() == jobs.jobs.size());
    const Cluster slots = cluster(static_cast<std::uint32_t>(*rc::gen::inRange(1, 5)));
    const auto ends = ends_by_name(simulate(straight, slots, {.order = order}));
    std::reverse(jobs.jobs.begin(), jobs.jobs.end());
    std::rotate(jobs.jobs.begin(),
                jobs.jobs.begin() + *rc::gen::inRange(0, static_cast<int>(jobs.jobs.size())),
                jobs.jobs.end());
    RC_ASSERT(ends_by_name(simulate(assemble(jobs, 1), slots, {.order = order})) == ends);
  });
}

TEST(SymmetryLaws, UnderCfqOtherNumbersForTheSameJobsChangeNoCompletion) {
  expect_ids_not_to_matter("cfq");
}

TEST(SymmetryLaws, UnderSrptOtherNumbersForTheSameJobsChangeNoCompletion) {
  expect_ids_not_to_matter("srpt");
}

TEST(SymmetryLaws, TheOrderOfLinesInTheWorkloadDoesNotMatterWhereSubmitTimesDiffer) {
  check_law({.cases = 100}, [] {
    Scenario scenario = any_scenario({});
    std::set<double> submits;
    double apart = 0;
    for (JobSpec& job : scenario.jobs.jobs) {
      job.submit += apart;
      apart += 0.001;
    }
    const std::string straight = transcript(run(scenario));
    std::reverse(scenario.jobs.jobs.begin(), scenario.jobs.jobs.end());
    RC_ASSERT(transcript(run(scenario)) == straight);
  });
}

TEST(SymmetryLaws, TwiceTheWeightForAllIsTheSameRun) {
  check_law({.cases = 100}, [] {
    Scenario scenario = any_scenario({});
    const std::string once = transcript(run(scenario));
    for (JobSpec& job : scenario.jobs.jobs) job.weight *= 2;  // exact in binary
    RC_ASSERT(transcript(run(scenario)) == once);
  });
}

}  // namespace
}  // namespace somnus::harness
