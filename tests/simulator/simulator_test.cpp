// A simulation as a library: composed, advanced, asked; what is wrong is said.
#include "simulator/simulator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "base/error.hpp"

namespace somnus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

JobSpec job(std::string name, double submit, std::vector<double> durations) {
  return {
      .job = std::move(name), .submit = submit, .stages = {{.durations = std::move(durations)}}};
}

constexpr const char* two_slots =
    "[cluster]\nnodes = 1\nslots_per_node = 2\n[scheduler]\npolicy = \"fifo\"\n";

Simulator three_jobs() {
  return Simulator::of_workload(
      two_slots, {.jobs = {job("c", 5, {1}), job("a", 0, {4, 6}), job("b", 1, {3})}});
}

template <class Call>
std::string error_of(const Call& call) {
  try {
    static_cast<void>(call());
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

// Slot 0: a's first 0-4, b 4-7; slot 1: a's second 0-6, c 6-7.
TEST(Simulator, IsAskedAtAnyTimeAndKnowsNoMoreThanHasHappened) {
  Simulator simulator = three_jobs();
  simulator.advance_to(0.5);
  EXPECT_EQ(simulator.now_s(), 0.5);
  EXPECT_EQ(simulator.job("a").running, 2U);
  EXPECT_EQ(simulator.job("b").state, SimulatedJob::State::to_come);
  EXPECT_TRUE(simulator.attempts().empty());
  simulator.advance_to(4);
  ASSERT_EQ(simulator.attempts().size(), 1U);
  EXPECT_EQ(simulator.attempts().front().finish_s, 4);
  EXPECT_EQ(simulator.job("a").unfinished, 1U);
  EXPECT_EQ(simulator.job("b").running, 1U);
  EXPECT_EQ(simulator.nodes().front().placed, 2U);
  simulator.advance_to(3);  // has passed
  EXPECT_EQ(simulator.now_s(), 4);
  EXPECT_FALSE(simulator.ended());
  simulator.finish();
  EXPECT_TRUE(simulator.ended());
  EXPECT_EQ(simulator.note_on_end(), "");
  EXPECT_EQ(simulator.job("a").finish_s, 6);
  EXPECT_EQ(simulator.job("b").finish_s, 7);
  EXPECT_EQ(simulator.job("b").first_start_s, 4);
  EXPECT_EQ(simulator.job("c").finish_s, 7);
  EXPECT_EQ(simulator.job("c").state, SimulatedJob::State::finished);
  EXPECT_DOUBLE_EQ(simulator.figure("response_mean_s"), (6.0 + 6 + 2) / 3);
  EXPECT_EQ(simulator.figure("makespan_s"), 7);
}

TEST(Simulator, StepsFromDecisionToDecision) {
  Simulator simulator = three_jobs();
  std::vector<double> times;
  while (simulator.step()) times.push_back(simulator.now_s());
  EXPECT_THAT(times, ElementsAre(0, 1, 4, 5, 6));
  EXPECT_EQ(simulator.now_s(), 7);
  EXPECT_FALSE(simulator.step());
}

TEST(Simulator, SaysWhyItEndsBeforeAllJobs) {
  Simulator simulator =
      Simulator::of_workload(two_slots + std::string("[[faults.event]]\nat_s = 2\nnode = 0\n"),
                             {.jobs = {job("a", 0, {4})}});
  simulator.finish();
  EXPECT_THAT(simulator.note_on_end(), HasSubstr("1 of 1 nodes are lost for good"));
  EXPECT_EQ(simulator.job("a").state, SimulatedJob::State::active);
  EXPECT_TRUE(std::isnan(simulator.job("a").finish_s));
  EXPECT_FALSE(simulator.nodes().front().up);
}

TEST(Simulator, TakesSettingsAsTheCommandLineDoes) {
  Simulator slow = Simulator::of_workload(two_slots, {.jobs = {job("a", 0, {4, 6})}},
                                          {{"cluster.slots_per_node", "1"}});
  slow.finish();
  EXPECT_EQ(slow.figure("makespan_s"), 10);
}

TEST(Simulator, SaysAllThatIsWrongAtOnce) {
  EXPECT_THAT(error_of([] {
                return Simulator::of_workload(
                    "[cluster]\nnodes = 0\nslots_per_node = 2\n[scheduler]\npolicy = \"fifoo\"\n",
                    {.jobs = {job("a", 0, {4})}});
              }),
              testing::AllOf(HasSubstr("cluster.nodes"), HasSubstr("did you mean 'fifo'?")));
  EXPECT_THAT(error_of([] {
                return Simulator::of_workload(
                    two_slots, {.jobs = {job("b", 5, {-1}), job("a", 0, {4}), job("a", 0, {4})}});
              }),
              testing::AllOf(HasSubstr("job 'b': stages[0].durations"), HasSubstr("job 'a': ")));
  EXPECT_THAT(error_of([] { return Simulator::of_config("nowhere.toml"); }),
              HasSubstr("nowhere.toml"));
  EXPECT_THAT(error_of([] {
                return Simulator::of_workload(
                    two_slots + std::string("[workload]\ngenerator = \"google\"\n"),
                    {.jobs = {job("a", 0, {4})}});
              }),
              HasSubstr("config: workload: expected neither file nor generator"));
  Simulator simulator = three_jobs();
  EXPECT_THAT(error_of([&] { return simulator.job("aa"); }), HasSubstr("found 'aa'"));
  EXPECT_THAT(error_of([&] {
                simulator.advance_to(std::numeric_limits<double>::quiet_NaN());
                return 0;
              }),
              HasSubstr("expected a time"));
  EXPECT_THROW(static_cast<void>(simulator.figures()), std::logic_error);
  simulator.finish();
  EXPECT_THAT(error_of([&] { return simulator.figure("makespan"); }),
              HasSubstr("did you mean 'makespan_s'?"));
}

TEST(Simulator, ThatFailedDoesNotGoOn) {
  constexpr const char* config = R"toml(
[cluster]
nodes = 1
slots_per_node = 2
[scheduler]
policy = "fair"
order = "external"
[scheduler.external]
command = ["sh", "-c", """
read init; echo '{"protocol":1,"name":"odd","events":["submitted"]}'; read question; echo nonsense"""]
)toml";
  Simulator simulator = Simulator::of_workload(config, {.jobs = {job("a", 0, {4})}});
  EXPECT_THROW(simulator.finish(), UserError);
  EXPECT_FALSE(simulator.ended());
  EXPECT_THROW(simulator.finish(), UserError);
  EXPECT_THROW(static_cast<void>(simulator.fork()), UserError);
}

TEST(Simulator, ThatHasBeenMovedFromSaysSo) {
  Simulator simulator = three_jobs();
  const Simulator other = std::move(simulator);
  EXPECT_THROW(simulator.finish(), std::logic_error);  // NOLINT(bugprone-use-after-move)
}

TEST(Forks, HaveTwoFuturesOfOnePast) {
  Simulator simulator = three_jobs();
  simulator.advance_to(2);
  Simulator same = simulator.fork();
  Simulator busier = simulator.fork({.jobs = {job("d", 0, {10})}});
  Simulator quieter = simulator.fork({.withdrawn = {"c"}});
  Simulator later = simulator.fork({.jobs = {job("d", 6.5, {10})}});
  for (Simulator* const each : {&simulator, &same, &busier, &quieter, &later}) {
    EXPECT_EQ(each->now_s(), 2);
    each->finish();
  }
  EXPECT_EQ(same.job("c").finish_s, 7);
  EXPECT_EQ(busier.job("d").submit_s, 2.000000001);
  EXPECT_EQ(busier.job("d").first_start_s, 6);
  EXPECT_EQ(busier.job("c").finish_s, 8) << "behind d, which came first";
  EXPECT_EQ(quieter.jobs().size(), 2U);
  EXPECT_EQ(later.job("d").first_start_s, 7);
  EXPECT_EQ(later.job("c").finish_s, 7);
  EXPECT_EQ(simulator.jobs().size(), 3U) << "it has not heard of others' futures";
}

TEST(Forks, LoseNodesJustAfterThePresent) {
  Simulator simulator = Simulator::of_workload(
      "[cluster]\nnodes = 2\nslots_per_node = 1\n[scheduler]\npolicy = \"fifo\"\n",
      {.jobs = {job("a", 0, {4, 6})}});
  simulator.advance_to(4);
  Simulator other = simulator.fork({.losses = {{.node = 1, .for_s = 3}}});
  EXPECT_EQ(other.attempts().size(), 1U) << "node 0's has ended at the present, and stays so";
  other.finish();
  ASSERT_EQ(other.attempts().size(), 3U);
  EXPECT_EQ(other.attempts()[1].outcome, "lost");
  EXPECT_EQ(other.attempts()[2].node, 0U);
  EXPECT_EQ(other.figure("makespan_s"), 10.000000001);
}

TEST(Forks, OfTheEndGoOn) {
  Simulator simulator = three_jobs();
  simulator.finish();
  Simulator other = simulator.fork({.jobs = {job("d", 20, {2})}});
  EXPECT_FALSE(other.ended());
  other.finish();
  EXPECT_EQ(other.job("d").finish_s, 22);
  EXPECT_EQ(other.job("b").finish_s, 7);
}

TEST(Forks, SayWhatCannotBeDifferent) {
  Simulator simulator = three_jobs();
  simulator.advance_to(2);
  const auto error = [&](const WhatIf& what_if) {
    return error_of([&] { return simulator.fork(what_if); });
  };
  EXPECT_THAT(error({.withdrawn = {"a"}}), HasSubstr("job 'a' has come at 0 s already"));
  EXPECT_THAT(error({.withdrawn = {"z"}}), HasSubstr("found 'z'"));
  EXPECT_THAT(error({.losses = {{.node = 7}}}), HasSubstr("there is no node 7"));
  EXPECT_THAT(error({.losses = {{.node = 0, .for_s = -1}}}), HasSubstr("expected 0 to"));
  EXPECT_THAT(error({.losses = {{.node = 0}, {.node = 0}}}), HasSubstr("node 0 is lost already"));
  EXPECT_THAT(error({.jobs = {job("a", 0, {1})}}), HasSubstr("job 'a'"));
  EXPECT_THAT(error({.jobs = {job("d", 0, {-1})}}), HasSubstr("durations"));
  JobSpec follower = job("d", 0, {1});
  follower.after = "c";
  EXPECT_THAT(
      error_of([&] { return simulator.fork({.jobs = {follower}}).fork({.withdrawn = {"c"}}); }),
      HasSubstr("job 'd' comes after 'c'; withdraw both"));
}

}  // namespace
}  // namespace somnus
