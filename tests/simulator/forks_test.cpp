// Laws of steps and forks, whichever scheduler decides; and why a job waited, by what would have
// been otherwise without another one.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/property.hpp"
#include "scheduler/registry.hpp"
#include "simulator/simulator.hpp"

namespace somnus::harness {
namespace {

int integer(int low, int high) { return *rc::gen::inRange(low, high + 1); }

/// Jobs of one stage or of two that follow each other, in tenths of a second.
WorkloadSpec some_jobs(int most) {
  WorkloadSpec spec;
  const int jobs = integer(1, most);
  for (int at = 0; at < jobs; ++at) {
    JobSpec job{.job = "job " + std::to_string(at),
                .user = "user " + std::to_string(integer(0, 2)),
                .submit = integer(0, 100) / 10.0,
                .limit = 1000};
    const int stages = integer(1, 2);
    for (int stage = 0; stage < stages; ++stage) {
      StageSpec one{.stage = static_cast<std::uint32_t>(stage)};
      if (stage > 0) one.parents = {0};
      const int tasks = integer(1, 4);
      for (int task = 0; task < tasks; ++task) one.durations.push_back(integer(1, 50) / 10.0);
      job.stages.push_back(std::move(one));
    }
    if (at > 0 && integer(0, 3) == 0) {  // comes when an earlier one has ended
      const JobSpec& before = spec.jobs[static_cast<std::size_t>(integer(0, at - 1))];
      job.after = before.job;
      job.submit = std::max(job.submit, before.submit);
    }
    spec.jobs.push_back(std::move(job));
  }
  return spec;
}

/// Any preset, but for those of other processes.
std::string some_scheduler() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Preset& preset : presets()) {
      if (preset.whole != "external") all.push_back(preset.name);
    }
    return all;
  }();
  return *rc::gen::elementOf(names);
}

std::string some_config() {
  std::string toml = "[cluster]\nnodes = " + std::to_string(integer(2, 4)) +
                     "\nslots_per_node = " + std::to_string(integer(1, 3)) +
                     "\n[scheduler]\npolicy = \"" + some_scheduler() +
                     "\"\n[network]\ndelay_ms = " + std::to_string(integer(0, 1) * 50) +
                     "\n[estimate]\nmodel = \"uniform\"\n";
  if (*rc::gen::arbitrary<bool>()) {
    toml += "[faults]\nnode_mtbf_s = 30\nnode_repair_s = 2\ntask_failure_probability = 0.05\n";
  }
  return toml + "[run]\nuntil_s = 1000\n";
}

void expect_equal(const Simulator& one, const Simulator& other) {
  const std::vector<SimulatedAttempt> mine = one.attempts();
  const std::vector<SimulatedAttempt> its = other.attempts();
  RC_ASSERT(mine.size() == its.size());
  for (std::size_t at = 0; at < mine.size(); ++at) {
    RC_ASSERT(mine[at].job == its[at].job);
    RC_ASSERT(mine[at].stage == its[at].stage);
    RC_ASSERT(mine[at].task == its[at].task);
    RC_ASSERT(mine[at].attempt == its[at].attempt);
    RC_ASSERT(mine[at].node == its[at].node);
    RC_ASSERT(mine[at].slot == its[at].slot);
    RC_ASSERT(mine[at].outcome == its[at].outcome);
    RC_ASSERT(mine[at].placed_s == its[at].placed_s);
    RC_ASSERT(mine[at].start_s == its[at].start_s || std::isnan(mine[at].start_s));
    RC_ASSERT(mine[at].finish_s == its[at].finish_s || std::isnan(mine[at].finish_s));
  }
}

TEST(SimulatorLaws, TheStepsInWhichItIsSimulatedDecideNothing) {
  check_law({.cases = 300}, [] {
    const std::string config = some_config();
    const WorkloadSpec jobs = some_jobs(8);
    Simulator whole = Simulator::of_workload(config, jobs);
    whole.finish();
    Simulator stepped = Simulator::of_workload(config, jobs);
    for (int at = integer(0, 6); at > 0; --at) {
      stepped.advance_to(stepped.now_s() + integer(0, 40) / 10.0);
      if (*rc::gen::arbitrary<bool>()) static_cast<void>(stepped.step());
    }
    stepped.finish();
    expect_equal(whole, stepped);
    const std::vector<Figure> mine = whole.figures();
    const std::vector<Figure> its = stepped.figures();
    for (std::size_t at = 0; at < mine.size(); ++at) {
      RC_ASSERT(mine[at].value == its[at].value || std::isnan(mine[at].value));
    }
  });
}

TEST(SimulatorLaws, AForkInWhichNothingIsDifferentHasTheSameFuture) {
  check_law({.cases = 200}, [] {
    Simulator one = Simulator::of_workload(some_config(), some_jobs(8));
    one.advance_to(integer(0, 150) / 10.0);
    Simulator other = one.fork();
    expect_equal(one, other);
    one.finish();
    other.finish();
    expect_equal(one, other);
  });
}

bool is_followed(const WorkloadSpec& spec, const std::string& name) {
  return std::ranges::any_of(spec.jobs, [&](const JobSpec& job) { return job.after == name; });
}

// fork() itself holds the pasts against each other, and throws if they differ.
TEST(SimulatorLaws, WhateverIsDifferentLaterThePastIsTheSame) {
  check_law({.cases = 400}, [] {
    const WorkloadSpec spec = some_jobs(8);
    Simulator one = Simulator::of_workload(some_config(), spec);
    one.advance_to(integer(0, 150) / 10.0);
    WhatIf what_if;
    if (*rc::gen::arbitrary<bool>()) {
      what_if.jobs.push_back({.job = "another",
                              .submit = integer(0, 200) / 10.0,
                              .limit = 1000,
                              .stages = {{.durations = {integer(1, 50) / 10.0}}}});
    }
    if (*rc::gen::arbitrary<bool>()) {
      what_if.losses.push_back({.node = static_cast<std::uint32_t>(integer(0, 1)),
                                .for_s = static_cast<double>(integer(1, 5))});
    }
    for (const SimulatedJob& job : one.jobs()) {
      const bool stays = what_if.withdrawn.size() + 1 >= one.jobs().size() ||
                         std::isnan(job.submit_s) || is_followed(spec, job.name);
      if (job.submit_s > one.now_s() && !stays && *rc::gen::arbitrary<bool>()) {
        what_if.withdrawn.push_back(job.name);
      }
    }
    Simulator other = one.fork(what_if);
    other.finish();
    const auto past_ends_s = one.now_s();
    for (const SimulatedAttempt& attempt : other.attempts()) {
      const bool of_a_lost_node = !what_if.losses.empty() &&
                                  attempt.node == what_if.losses.front().node &&
                                  attempt.outcome == "finished";
      const double away_until_s =
          past_ends_s + (what_if.losses.empty() ? 0 : what_if.losses.front().for_s);
      RC_ASSERT(!of_a_lost_node || attempt.finish_s <= past_ends_s ||
                attempt.start_s >= away_until_s);
    }
  });
}

std::map<std::string, SimulatedJob> by_name(const Simulator& simulator) {
  std::map<std::string, SimulatedJob> jobs;
  for (SimulatedJob& job : simulator.jobs()) jobs.emplace(job.name, job);
  return jobs;
}

Simulator without(const WorkloadSpec& jobs, const std::string& config,
                  const std::vector<std::string>& withdrawn) {
  Simulator simulator = Simulator::of_workload(config, jobs).fork({.withdrawn = withdrawn});
  simulator.finish();
  return simulator;
}

// Why a job waited: under FIFO because of jobs that came before it and had not ended then. Without
// all of these it starts as it comes; without any other job as before.
TEST(Counterfactuals, AFifoJobWaitedForThoseBeforeItAndForNobodyElse) {
  int waited = 0;
  check_law({.cases = 300}, [&] {
    const std::string config =
        "[cluster]\nnodes = 2\nslots_per_node = 1\n[scheduler]\npolicy = \"fifo\"\n";
    WorkloadSpec jobs = some_jobs(8);
    for (JobSpec& job : jobs.jobs) {
      job.submit += 1;  // so that all can be withdrawn before
      job.after.clear();
    }
    Simulator simulator = Simulator::of_workload(config, jobs);
    simulator.finish();
    const auto all = by_name(simulator);
    std::vector<std::string> in_order;
    for (const SimulatedJob& job : simulator.jobs()) in_order.push_back(job.name);
    const std::string& name =
        in_order[static_cast<std::size_t>(integer(0, static_cast<int>(in_order.size()) - 1))];
    const SimulatedJob& job = all.at(name);
    std::vector<std::string> before;
    std::vector<std::string> others;
    bool is_before = true;
    for (const std::string& each : in_order) {
      if (each == name) is_before = false;
      if (each == name) continue;
      const bool had_not_ended = all.at(each).finish_s > job.submit_s;
      (is_before && had_not_ended ? before : others).push_back(each);
    }
    const double wait_s = job.first_start_s - job.submit_s;
    if (wait_s > 0) {
      ++waited;
      RC_ASSERT(!before.empty());
      RC_ASSERT(without(jobs, config, before).job(name).first_start_s == job.submit_s);
    }
    std::vector<std::string> later;
    std::copy(std::find(in_order.begin(), in_order.end(), name) + 1, in_order.end(),
              std::back_inserter(later));
    RC_ASSERT(without(jobs, config, later).job(name).first_start_s == job.first_start_s);
  });
  EXPECT_GT(waited, 30);
}

// One more slot would have helped whoever waited for a slot: here by a node that need not be lost.
TEST(Counterfactuals, ANodeMoreWouldHaveStartedTheJobThatWaited) {
  int waited = 0;
  check_law({.cases = 300}, [&] {
    const std::string config =
        "[cluster]\nnodes = 3\nslots_per_node = 1\n[scheduler]\npolicy = \"fifo\"\n";
    WorkloadSpec jobs = some_jobs(6);
    for (JobSpec& job : jobs.jobs) {
      job.submit += 1;
      job.after.clear();
      job.stages.resize(1);
      job.stages.front().durations.resize(1);
    }
    Simulator three = Simulator::of_workload(config, jobs);
    Simulator two = three.fork({.losses = {{.node = 2}}});
    three.finish();
    two.finish();
    const auto with = by_name(three);
    for (const auto& [name, job] : by_name(two)) {
      RC_ASSERT(with.at(name).first_start_s <= job.first_start_s);
      waited += job.first_start_s > job.submit_s ? 1 : 0;
    }
  });
  EXPECT_GT(waited, 30);
}

}  // namespace
}  // namespace somnus::harness
