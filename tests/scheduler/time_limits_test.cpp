// Time limits: when the engine gives a job up, and when its time begins anew.
#include <gtest/gtest.h>

#include <string>

#include "harness/builders.hpp"
#include "scheduler/engine.hpp"
#include "scheduler/registry.hpp"

namespace somnus::harness::time_limits {
namespace {

using namespace std::chrono_literals;

constexpr JobId limited(0U);  // two tasks, five seconds

class LimitedJob : public ::testing::Test {
 protected:
  explicit LimitedJob(Duration grace = {}, std::uint32_t task_attempts = 0)
      : engine_(workload_.catalogue, cluster_,
                make_scheduler({.order = "fifo", .placement = "any-free", .feedback = "at-once"},
                               {.cluster = cluster_, .queues = {}}),
                {.task_attempts = task_attempts, .limit_grace = grace}) {
    engine_.handle(at(0s), JobArrived{limited});
  }

  /// "+task" of each launch, "-task" of each kill, "!" of each job that has had its time.
  std::string plan(Duration now) {
    std::string text;
    const somnus::Plan& plan = engine_.plan(at(now));
    text.append(plan.get<TimeOut>().size(), '!');
    for (const Kill& kill : plan.get<Kill>()) text += fmt::format("-{}", kill.task.value());
    for (const Launch& one : plan.get<Launch>()) text += fmt::format("+{}", one.task.value());
    return text;
  }
  bool wake(Duration now) { return engine_.handle(at(now), Woken{}); }
  void end(Duration now, std::uint32_t task, std::uint16_t attempt = 0,
           Outcome outcome = Outcome::finished) {
    engine_.handle(
        at(now),
        TaskEnded{
            .task = TaskId(task), .node = NodeId(0U), .attempt = attempt, .outcome = outcome});
  }

  Workload workload_ = [] {
    Workload made = workload().job("limited", {.tasks = {9, 9}}).build();
    made.catalogue.limits = {5s};
    return made;
  }();
  Cluster cluster_ = cluster(1, 1);
  Engine engine_;
};

TEST_F(LimitedJob, IsGivenUpThatLongAfterItsFirstLaunch) {
  EXPECT_EQ(engine_.wakes_at(), never) << "it has not begun";
  EXPECT_EQ(plan(2s), "+0");
  EXPECT_EQ(engine_.wakes_at(), at(7s));
  end(4s, 0);
  EXPECT_EQ(plan(4s), "+1");
  EXPECT_EQ(engine_.wakes_at(), at(7s)) << "the time is the job's";
  EXPECT_FALSE(wake(6s));
  EXPECT_TRUE(wake(7s));
  EXPECT_EQ(plan(7s), "!-1");
  EXPECT_EQ(engine_.wakes_at(), never);
  end(7s, 1, 0, Outcome::killed);
  EXPECT_TRUE(engine_.all_ended());
  EXPECT_TRUE(engine_.jobs().failed(limited));
}

TEST_F(LimitedJob, ThatHasEndedIsNotGivenUp) {
  plan(0s);
  end(1s, 0);
  plan(1s);
  end(5s, 1);
  EXPECT_EQ(engine_.wakes_at(), never);
  EXPECT_FALSE(engine_.jobs().failed(limited));
}

TEST_F(LimitedJob, BeginsAnewWhenAllThatRanOfItIsLost) {
  plan(0s);
  end(4s, 0, 0, Outcome::lost);
  EXPECT_EQ(engine_.wakes_at(), never) << "it waits";
  EXPECT_EQ(plan(6s), "+0");
  EXPECT_EQ(engine_.wakes_at(), at(11s));
  end(7s, 0, 1);
  plan(7s);
  end(8s, 1, 0, Outcome::lost);
  EXPECT_EQ(engine_.wakes_at(), at(11s)) << "some of it has finished, and that counts";
}

TEST_F(LimitedJob, IsGivenUpWhileNothingOfItRuns) {
  plan(0s);
  end(1s, 0);
  EXPECT_TRUE(wake(5s));
  EXPECT_EQ(plan(5s), "!") << "its other task has not started, as nobody has planned";
  EXPECT_TRUE(engine_.all_ended());
}

class WithGrace : public LimitedJob {
 protected:
  WithGrace() : LimitedJob(1500ms) {}
};
TEST_F(WithGrace, ItMayRunForThatBeyond) {
  plan(0s);
  EXPECT_EQ(engine_.wakes_at(), at(6500ms));
}

class FailsAtOnce : public LimitedJob {
 protected:
  FailsAtOnce() : LimitedJob({}, 1) {}
};
TEST_F(FailsAtOnce, WhoHasFailedIsNotGivenUpAgain) {
  plan(0s);
  end(1s, 0, 0, Outcome::failed);
  EXPECT_EQ(plan(1s), "");
  EXPECT_EQ(engine_.wakes_at(), never);
}

}  // namespace
}  // namespace somnus::harness::time_limits
