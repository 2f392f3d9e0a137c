#include "scheduler/engine.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "base/error.hpp"
#include "harness/builders.hpp"
#include "harness/waking.hpp"
#include "scheduler/registry.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

constexpr JobId job(0U);

Scheduler first_come(const Cluster& cluster, const std::string& feedback = "at-once") {
  return make_scheduler({.order = "fifo", .placement = "any-free", .feedback = feedback},
                        {.cluster = cluster, .queues = {}});
}

class FirstCome : public ::testing::Test {
 protected:
  explicit FirstCome(const EngineRules& rules = {})
      : engine_(workload_.catalogue, cluster_, first_come(cluster_), rules) {}

  Workload workload_ = workload()
                           .job("j")
                           .stage(0, {.tasks = {1, 1, 1}})
                           .stage(1, {.parents = {0}, .tasks = {1}})
                           .build();
  Cluster cluster_ = cluster(2);
  Engine engine_;

  std::vector<TaskId> plan(Duration now) {
    std::vector<TaskId> tasks;
    for (const Launch& launch : engine_.plan(at(now)).get<Launch>()) tasks.push_back(launch.task);
    return tasks;
  }
  bool end(Duration now, std::uint32_t task, std::uint32_t node, std::uint16_t attempt = 0,
           Outcome outcome = Outcome::finished) {
    return engine_.handle(
        at(now),
        TaskEnded{
            .task = TaskId(task), .node = NodeId(node), .attempt = attempt, .outcome = outcome});
  }
  static std::vector<TaskId> tasks(std::initializer_list<std::uint32_t> numbers) {
    std::vector<TaskId> ids;
    for (const std::uint32_t number : numbers) ids.emplace_back(number);
    return ids;
  }
};

TEST_F(FirstCome, LaunchesWhatFitsWhenAJobArrives) {
  EXPECT_EQ(plan(0s), tasks({}));
  EXPECT_TRUE(engine_.handle(at(1s), JobArrived{job}));
  EXPECT_EQ(plan(1s), tasks({0, 1}));
  EXPECT_EQ(plan(1s), tasks({}));
}

TEST_F(FirstCome, UnlocksAStageWithTheLastEndOfItsParent) {
  engine_.handle(at(0s), JobArrived{job});
  plan(0s);
  EXPECT_TRUE(end(1s, 0, 0));
  EXPECT_EQ(plan(1s), tasks({2}));
  EXPECT_TRUE(end(2s, 1, 1));
  EXPECT_EQ(plan(2s), tasks({}));
  EXPECT_TRUE(end(3s, 2, 0));
  EXPECT_EQ(engine_.jobs().ready_time(StageId(1U)), at(3s));
  EXPECT_EQ(plan(3s), tasks({3}));
  EXPECT_FALSE(engine_.all_ended());
  EXPECT_TRUE(end(4s, 3, 0));
  EXPECT_TRUE(engine_.all_ended());
}

TEST_F(FirstCome, RunsAFailedTaskAgainBeforeLaterTasksOfItsStage) {
  engine_.handle(at(0s), JobArrived{job});
  plan(0s);
  EXPECT_TRUE(end(1s, 1, 1, 0, Outcome::failed));
  const auto launches = engine_.plan(at(1s)).get<Launch>();
  ASSERT_EQ(launches.size(), 1U);
  EXPECT_EQ(launches[0].task, TaskId(1U)) << "before task 2, which never ran";
  EXPECT_EQ(launches[0].attempt, 1);
  EXPECT_EQ(launches[0].stage, StageId(0U));
}

TEST_F(FirstCome, RunsALostTaskAgainElsewhereAndIgnoresTheOldAttempt) {
  engine_.handle(at(0s), JobArrived{job});
  plan(0s);
  EXPECT_TRUE(end(1s, 0, 0, 0, Outcome::lost));
  EXPECT_TRUE(engine_.handle(at(1s), NodeLost{NodeId(0U)}));
  EXPECT_EQ(plan(1s), tasks({})) << "the other node is full";
  EXPECT_TRUE(end(2s, 1, 1));
  EXPECT_EQ(plan(2s), tasks({0})) << "before task 2";
  EXPECT_FALSE(end(3s, 0, 0, 0)) << "attempt 0 was given up";
  EXPECT_EQ(engine_.jobs().state(TaskId(0U)), TaskState::running);
  EXPECT_EQ(engine_.view().free_slots(NodeId(1U)), 0U);
  EXPECT_TRUE(end(4s, 0, 1, 1));
  EXPECT_EQ(engine_.jobs().state(TaskId(0U)), TaskState::ended);
  EXPECT_FALSE(end(4s, 0, 1, 1)) << "it has ended already";
}

TEST_F(FirstCome, RunsTheLastTaskOfAStageAgainWhenItFails) {
  engine_.handle(at(0s), JobArrived{job});
  plan(0s);
  end(1s, 0, 0);
  EXPECT_EQ(plan(1s), tasks({2}));
  end(2s, 1, 1);
  EXPECT_EQ(plan(2s), tasks({})) << "nothing is left but the one that runs";
  end(3s, 2, 0, 0, Outcome::failed);
  EXPECT_EQ(plan(3s), tasks({2}));
}

TEST_F(FirstCome, TellsAttemptsApartThatRanOnTheSameNode) {
  engine_.handle(at(0s), JobArrived{job});
  plan(0s);
  end(1s, 0, 0, 0, Outcome::lost);
  engine_.handle(at(1s), NodeLost{NodeId(0U)});
  engine_.handle(at(1s), NodeReturned{NodeId(0U)});
  EXPECT_EQ(plan(1s), tasks({0}));
  EXPECT_FALSE(end(2s, 0, 0, 0)) << "attempt 1 runs there now";
  EXPECT_TRUE(end(3s, 0, 0, 1));
}

TEST_F(FirstCome, UsesANodeAgainOnceItReturns) {
  EXPECT_TRUE(engine_.handle(at(0s), NodeLost{NodeId(0U)}));
  engine_.handle(at(0s), JobArrived{job});
  EXPECT_EQ(plan(0s), tasks({0}));
  EXPECT_TRUE(engine_.handle(at(1s), NodeReturned{NodeId(0U)}));
  EXPECT_EQ(plan(1s), tasks({1}));
}

TEST_F(FirstCome, RefusesTimesThatGoBack) {
  engine_.handle(at(2s), JobArrived{job});
  EXPECT_THROW(engine_.handle(at(1s), NodeLost{NodeId(0U)}), Bug);
}

TEST(HeartbeatScheduler, UsesANodeOnlyInTheRoundOfItsHeartbeat) {
  const Workload jobs = workload().job("j", {.tasks = {1, 1, 1}}).build();
  const Cluster nodes = cluster(2);
  Engine engine(jobs.catalogue, nodes, first_come(nodes, "heartbeat"));
  engine.handle(at(0s), JobArrived{job});
  EXPECT_TRUE(engine.plan(at(0s)).empty());
  engine.handle(at(1s), NodeOffered{NodeId(1U)});
  const auto launches = engine.plan(at(1s)).get<Launch>();
  ASSERT_EQ(launches.size(), 1U);
  EXPECT_EQ(launches[0].node, NodeId(1U));
  EXPECT_TRUE(engine.plan(at(2s)).empty()) << "the offer of node 1 is spent";
}

// Of one instant, losses are heard before heartbeats: it may have been said before the loss.
TEST(HeartbeatScheduler, TakesNoHeartbeatOfALostNode) {
  const Workload jobs = workload().job("j", {.tasks = {1}}).build();
  const Cluster nodes = cluster(2);
  Engine engine(jobs.catalogue, nodes, first_come(nodes, "heartbeat"));
  engine.handle(at(0s), JobArrived{job});
  engine.handle(at(1s), NodeLost{NodeId(1U)});
  EXPECT_FALSE(engine.handle(at(1s), NodeOffered{NodeId(1U)}));
  engine.handle(at(2s), NodeReturned{NodeId(1U)});
  EXPECT_TRUE(engine.plan(at(2s)).empty()) << "it has offered nothing since";
  EXPECT_TRUE(engine.handle(at(3s), NodeOffered{NodeId(1U)}));
  EXPECT_EQ(engine.plan(at(3s)).get<Launch>().size(), 1U);
}

/// A task runs for good and one waits. How often the policy is asked at that period; at most
/// 150,000 times, fewer if that is given up.
int rounds_at(Duration period) {
  const Workload jobs = workload().job("j", {.tasks = {1, 1}}).build();
  const Cluster nodes = cluster(1);
  Scheduler scheduler = first_come(nodes);
  scheduler.policy = std::make_unique<Periodic>(std::move(scheduler.policy), period);
  Engine engine(jobs.catalogue, nodes, std::move(scheduler));
  Time now = at(1s);
  engine.handle(now, JobArrived{job});
  static_cast<void>(engine.plan(now));
  int rounds = 0;
  try {
    for (; rounds < 150'000; ++rounds) {
      now = engine.wakes_at();
      engine.handle(now, Woken{});
      static_cast<void>(engine.plan(now));
    }
  } catch (const Refused& refused) {
    EXPECT_NE(refused.deed().find("goes on for ever: it was asked 25000 times from 1."),
              std::string::npos)
        << refused.deed();
  }
  return rounds;
}

TEST(WakingScheduler, IsNotAskedForEverIfItGetsNowhere) {
  EXPECT_EQ(rounds_at(1ns), 49'999);
  EXPECT_EQ(rounds_at(900ns), 49'999);
  EXPECT_EQ(rounds_at(2us), 150'000) << "time goes on";
}

TEST(WakingScheduler, IsAskedWhenItWantsThoughNothingElseHappened) {
  const Workload jobs = workload().job("j", {.tasks = {1}}).build();
  const Cluster nodes = cluster(1);
  Scheduler scheduler = first_come(nodes);
  scheduler.policy = std::make_unique<Periodic>(std::move(scheduler.policy), 4s);
  Engine engine(jobs.catalogue, nodes, std::move(scheduler));
  EXPECT_EQ(engine.wakes_at(), never);
  engine.handle(at(1s), JobArrived{job});
  EXPECT_TRUE(engine.plan(at(1s)).empty());
  EXPECT_EQ(engine.wakes_at(), at(4s));
  EXPECT_FALSE(engine.handle(at(3s), Woken{})) << "nobody wanted that";
  EXPECT_TRUE(engine.handle(at(5s), Woken{})) << "later is better than never";
  EXPECT_FALSE(engine.handle(at(5s), Woken{})) << "once is enough";
  EXPECT_TRUE(engine.plan(at(5s)).empty());
  EXPECT_TRUE(engine.handle(at(8s), Woken{}));
  EXPECT_EQ(engine.plan(at(8s)).get<Launch>().size(), 1U);
  EXPECT_EQ(engine.wakes_at(), never);
}

TEST(WakingScheduler, HasHadItsChanceAtThePlanOfThatTime) {
  const Workload jobs = workload().job("j", {.tasks = {1}}).build();
  const Cluster nodes = cluster(1);
  Scheduler scheduler = first_come(nodes);
  scheduler.policy = std::make_unique<Stubborn>(std::move(scheduler.policy), at(2s));
  Engine engine(jobs.catalogue, nodes, std::move(scheduler));
  EXPECT_EQ(engine.wakes_at(), at(2s));
  engine.handle(at(2s), JobArrived{job});
  EXPECT_EQ(engine.plan(at(2s)).get<Launch>().size(), 1U);
  EXPECT_EQ(engine.wakes_at(), never);
}

TEST(PromisingScheduler, HasItsPromisesNotedOnce) {
  const Workload jobs = workload().job("j", {.tasks = {1, 1}}).build();
  const Cluster nodes = cluster(1);
  Scheduler scheduler = first_come(nodes);
  scheduler.policy = std::make_unique<Promising>(std::move(scheduler.policy), 5s);
  Engine engine(jobs.catalogue, nodes, std::move(scheduler));
  EXPECT_EQ(engine.promised(job), never);
  engine.handle(at(1s), JobArrived{job});
  EXPECT_EQ(engine.plan(at(1s)).get<Promise>(), (std::vector<Promise>{{job, at(6s)}}));
  EXPECT_EQ(engine.promised(job), at(6s));
  EXPECT_TRUE(engine.plan(at(2s)).get<Promise>().empty());
  EXPECT_EQ(engine.promised(job), at(6s));
}

/// Its tasks may fail once.
class FailingJob : public FirstCome {
 protected:
  FailingJob() : FirstCome({.task_attempts = 2}) {
    engine_.handle(at(0s), JobArrived{job});
    plan(0s);  // tasks 0 and 1
    end(1s, 0, 0, 0, Outcome::failed);
    plan(1s);  // task 0 again
  }
};

TEST_F(FailingJob, FailsWithTheLastAttemptOfATaskAndWhatRunsIsKilled) {
  EXPECT_FALSE(engine_.jobs().failed(job));
  EXPECT_TRUE(end(2s, 0, 0, 1, Outcome::failed));
  EXPECT_TRUE(engine_.jobs().failed(job));
  EXPECT_EQ(engine_.jobs().runnable_tasks(), 0U);
  EXPECT_FALSE(engine_.jobs().ended(job)) << "task 1 still runs";
  const auto& decided = engine_.plan(at(2s));
  EXPECT_TRUE(decided.get<Launch>().empty());
  ASSERT_EQ(decided.get<Kill>().size(), 1U);
  EXPECT_EQ(decided.get<Kill>()[0], (Kill{.task = TaskId(1U), .node = NodeId(1U), .attempt = 0}));
  EXPECT_TRUE(engine_.plan(at(2s)).get<Kill>().empty()) << "it is said once";
  EXPECT_TRUE(end(3s, 1, 1, 0, Outcome::killed));
  EXPECT_TRUE(engine_.all_ended());
  EXPECT_EQ(engine_.jobs().active_jobs(), 0U);
  EXPECT_EQ(engine_.jobs().remaining(job), 0s);
  EXPECT_EQ(engine_.nodes().busy_slots(), 0U);
}

TEST_F(FailingJob, AttemptsThatAreLostDoNotCount) {
  for (std::uint16_t attempt = 1; attempt < 5; ++attempt) {
    EXPECT_TRUE(end(2s, 0, 0, attempt, Outcome::lost));
    plan(2s);
  }
  EXPECT_FALSE(engine_.jobs().failed(job));
  EXPECT_TRUE(end(3s, 0, 0, 5, Outcome::failed));
  EXPECT_TRUE(engine_.jobs().failed(job));
}

TEST_F(FailingJob, EndsAtOnceIfNothingElseRuns) {
  EXPECT_TRUE(end(2s, 1, 1, 0, Outcome::finished));
  EXPECT_EQ(plan(2s).size(), 1U);
  EXPECT_TRUE(end(3s, 2, 1, 0, Outcome::finished));
  EXPECT_TRUE(end(4s, 0, 0, 1, Outcome::failed));
  EXPECT_TRUE(engine_.all_ended());
  EXPECT_EQ(engine_.jobs().ready_time(StageId(1U)), never) << "its children never run";
}

TEST_F(FailingJob, AttemptsThatStillFinishMakeNoChildRunnable) {
  EXPECT_TRUE(end(2s, 0, 0, 1, Outcome::failed));
  EXPECT_TRUE(end(2s, 1, 1, 0, Outcome::finished)) << "before the word to end reached it";
  EXPECT_TRUE(engine_.all_ended());
  EXPECT_EQ(engine_.jobs().ready_time(StageId(1U)), never);
}

}  // namespace
}  // namespace somnus::harness
