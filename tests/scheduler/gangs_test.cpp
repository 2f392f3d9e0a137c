// Tasks that start together: what the engine takes of a policy, and how a gang ends and starts
// anew.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/builders.hpp"
#include "scheduler/engine.hpp"
#include "scheduler/registry.hpp"
#include "scheduler/scripted.hpp"

namespace somnus::harness::gangs {
namespace {

using namespace std::chrono_literals;

constexpr JobId job(0U);
constexpr StageId gang(0U);   // three tasks
constexpr StageId after(1U);  // one task, when these have ended

Workload jobs() {
  return workload()
      .job("j")
      .stage(0, {.tasks = {1, 1, 1}, .gang = true})
      .stage(1, {.parents = {0}, .tasks = {1}})
      .build();
}

class FirstComeOfGangs : public ::testing::Test {
 protected:
  explicit FirstComeOfGangs(std::uint32_t slots = 4, const EngineRules& rules = {})
      : cluster_(cluster(2, slots / 2)),
        engine_(workload_.catalogue, cluster_,
                make_scheduler({.order = "fifo", .placement = "any-free", .feedback = "at-once"},
                               {.cluster = cluster_, .queues = {}}),
                rules) {
    engine_.handle(at(0s), JobArrived{job});
  }

  Workload workload_ = jobs();
  Cluster cluster_;
  Engine engine_;

  /// "task:node.attempt" of each launch, and "-task" of each kill.
  std::string plan(Duration now) {
    std::string text;
    const somnus::Plan& plan = engine_.plan(at(now));
    for (const Kill& kill : plan.get<Kill>()) text += fmt::format("-{} ", kill.task.value());
    for (const Launch& launch : plan.get<Launch>()) {
      text += fmt::format("{}:{}.{} ", launch.task.value(), launch.node.value(), launch.attempt);
    }
    return text;
  }
  bool end(Duration now, std::uint32_t task, std::uint32_t node, std::uint16_t attempt = 0,
           Outcome outcome = Outcome::finished) {
    return engine_.handle(
        at(now),
        TaskEnded{
            .task = TaskId(task), .node = NodeId(node), .attempt = attempt, .outcome = outcome});
  }
};

TEST_F(FirstComeOfGangs, PlacesAllTasksNodeByNode) {
  EXPECT_EQ(plan(0s), "0:0.0 1:0.0 2:1.0 ");
  EXPECT_EQ(engine_.jobs().running(gang), 3U);
}

TEST_F(FirstComeOfGangs, KillsTheOthersOfATaskThatFailsAndStartsThemTogetherAgain) {
  plan(0s);
  EXPECT_TRUE(end(1s, 1, 0, 0, Outcome::failed));
  EXPECT_EQ(plan(1s), "-0 -2 ") << "and nothing starts as long as some run";
  EXPECT_TRUE(end(2s, 0, 0, 0, Outcome::killed));
  EXPECT_EQ(plan(2s), "") << "they have been killed already";
  EXPECT_TRUE(end(3s, 2, 1, 0, Outcome::killed));
  const std::string again = plan(3s);
  EXPECT_EQ(again.find('-'), std::string::npos);
  EXPECT_NE(again.find("0:0.1"), std::string::npos) << again;
  EXPECT_EQ(engine_.jobs().running(gang), 3U);
  EXPECT_TRUE(end(4s, 2, engine_.jobs().node(TaskId(2U)).value(), 1, Outcome::lost));
  EXPECT_NE(plan(4s), "") << "a gang may break again";
}

TEST_F(FirstComeOfGangs, LosesAllOfAGangAtOnceWithoutAKill) {
  plan(0s);
  for (const std::uint32_t task : {0U, 1U, 2U}) {
    EXPECT_TRUE(end(1s, task, task / 2, 0, Outcome::lost));
  }
  const std::string again = plan(1s);
  EXPECT_EQ(again.find('-'), std::string::npos) << again;
  EXPECT_EQ(engine_.jobs().running(gang), 3U);
}

class FewSlots : public FirstComeOfGangs {
 protected:
  FewSlots() : FirstComeOfGangs(2) {}
};

TEST_F(FewSlots, StartNothingOfAGangThatDoesNotFit) { EXPECT_EQ(plan(0s), ""); }

class OneFailure : public FirstComeOfGangs {
 protected:
  OneFailure() : FirstComeOfGangs(4, {.task_attempts = 1}) {}
};

TEST_F(OneFailure, EndsTheJobWhenItsGangHasEnded) {
  plan(0s);
  EXPECT_TRUE(end(1s, 1, 0, 0, Outcome::failed));
  EXPECT_EQ(plan(1s), "-0 -2 ");
  EXPECT_FALSE(engine_.all_ended());
  EXPECT_TRUE(end(2s, 0, 0, 0, Outcome::killed));
  EXPECT_TRUE(end(2s, 2, 1, 0, Outcome::killed));
  EXPECT_EQ(plan(2s), "");
  EXPECT_TRUE(engine_.all_ended());
}

// --- what a policy may do ---

std::vector<NodeId> nodes(std::initializer_list<std::uint32_t> numbers) {
  return {numbers.begin(), numbers.end()};
}

void expect_death(Step step, const std::string& words) {
  const std::string found = death_of(jobs(), std::move(step));
  EXPECT_NE(found.find(words), std::string::npos) << found;
}

TEST(GangAudit, TakesAllTasksAtOnce) {
  EXPECT_EQ(death_of(jobs(), [](SchedulerContext& to) { to.place_gang(gang, nodes({0, 1, 1})); }),
            "");
}

TEST(GangAudit, RefusesOneTaskByItself) {
  expect_death([](SchedulerContext& to) { to.place(gang, NodeId(0U)); },
               "its gang starts together");
}

TEST(GangAudit, RefusesPartOfAGang) {
  expect_death([](SchedulerContext& to) { to.place_gang(gang, nodes({0, 1})); },
               "its gang gets another number of nodes");
  expect_death([](SchedulerContext& to) { to.place_gang(gang, {}); }, "there is no such node");
}

TEST(GangAudit, RefusesANodeThatIsFullBecauseOfTheGangItself) {
  expect_death([](SchedulerContext& to) { to.place_gang(gang, nodes({0, 0, 0})); },
               "the node has no free slot");
}

TEST(GangAudit, RefusesAGangThatIsNone) {
  expect_death([](SchedulerContext& to) { to.place_gang(after, nodes({0})); },
               "its parents have not ended");
}

}  // namespace
}  // namespace somnus::harness::gangs
