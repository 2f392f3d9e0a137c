// Who gives up its slots: what the engine takes of a policy, and what becomes of who runs.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/builders.hpp"
#include "scheduler/engine.hpp"
#include "scheduler/registry.hpp"
#include "scheduler/scripted.hpp"

namespace somnus::harness::preemption {
namespace {

using namespace std::chrono_literals;

constexpr StageId gang(0U);    // two tasks, 10 s each
constexpr StageId later(1U);   // two tasks of a gang
constexpr StageId single(2U);  // one task
constexpr StageId spread(3U);  // two tasks that start one by one

Workload jobs() {
  return workload()
      .job("g")
      .stage(0, {.tasks = {10, 10}, .gang = true})
      .job("l")
      .stage(0, {.tasks = {10, 10}, .gang = true})
      .job("s")
      .stage(0, {.tasks = {10}})
      .job("p")
      .stage(0, {.tasks = {10, 10}})
      .build();
}

void start_gang(SchedulerContext& to) {
  to.place_gang(gang, std::vector<NodeId>{NodeId(0U), NodeId(1U)});
}

std::string death(Step step) { return death_of(jobs(), std::move(step)); }

TEST(PreemptionAudit, TakesAGangAndASingleTask) {
  EXPECT_EQ(death([](SchedulerContext& to) {
              start_gang(to);
              to.place(single, NodeId(0U));
              to.preempt(gang, later, WorkDone::lost);
              to.preempt(single, later, WorkDone::lost);
            }),
            "");
}

TEST(PreemptionAudit, RefusesWhatDoesNotEndAsOne) {
  EXPECT_NE(death([](SchedulerContext& to) {
              to.place(spread, NodeId(0U));
              to.place(spread, NodeId(0U));
              to.preempt(spread, later, WorkDone::lost);
            }).find("it is neither a gang nor a single task"),
            std::string::npos);
}

TEST(PreemptionAudit, RefusesWhoDoesNotRun) {
  EXPECT_NE(death([](SchedulerContext& to) {
              to.preempt(gang, later, WorkDone::lost);
            }).find("not all of it runs"),
            std::string::npos);
  EXPECT_NE(death([](SchedulerContext& to) {
              start_gang(to);
              to.preempt(gang, StageId(), WorkDone::lost);
            }).find("there is no such stage"),
            std::string::npos);
}

TEST(PreemptionAudit, RefusesToTakeTwice) {
  EXPECT_NE(death([](SchedulerContext& to) {
              start_gang(to);
              to.preempt(gang, later, WorkDone::lost);
              to.preempt(gang, single, WorkDone::lost);
            }).find("it has been killed already"),
            std::string::npos);
}

TEST(PreemptionAudit, RefusesForWhoHasNothingToStart) {
  EXPECT_NE(death([](SchedulerContext& to) {
              start_gang(to);
              to.preempt(gang, gang, WorkDone::lost);
            }).find("that has no runnable task"),
            std::string::npos);
}

/// las with a threshold of 4 slot-seconds, on two slots.
class TwoSlots : public ::testing::Test {
 protected:
  explicit TwoSlots(std::uint32_t nodes = 1) : cluster_(cluster(nodes, 2 / nodes)) {
    engine_.handle(at(0s), JobArrived{JobId(0U)});
    EXPECT_EQ(plan(0s), "0.0 1.0 ");
    engine_.handle(at(1s), JobArrived{JobId(1U)});
    EXPECT_EQ(plan(1s), "") << "both are in the first queue";
    EXPECT_EQ(engine_.wakes_at(), at(2s));
    EXPECT_TRUE(engine_.handle(at(2s), Woken{}));
  }

  /// "task.attempt" of each launch, "-task" of each kill, "stage<by" of each preemption.
  std::string plan(Duration now) {
    std::string text;
    const somnus::Plan& plan = engine_.plan(at(now));
    for (const Preemption& one : plan.get<Preemption>()) {
      text += fmt::format("{}<{} ", one.stage.value(), one.by.value());
    }
    for (const Kill& kill : plan.get<Kill>()) text += fmt::format("-{} ", kill.task.value());
    for (const Launch& launch : plan.get<Launch>()) {
      text += fmt::format("{}.{} ", launch.task.value(), launch.attempt);
    }
    return text;
  }
  void end(Duration now, std::uint32_t task, std::uint16_t attempt, Outcome outcome) {
    EXPECT_TRUE(engine_.handle(at(now), TaskEnded{.task = TaskId(task),
                                                  .node = engine_.jobs().node(TaskId(task)),
                                                  .attempt = attempt,
                                                  .outcome = outcome}));
  }

  Workload workload_ = jobs();
  Cluster cluster_;
  Engine engine_{workload_.catalogue, cluster_,
                 make_scheduler({.order = "las",
                                 .of_order = {{"threshold_s", 4.0}},
                                 .preemption = "requeue",
                                 .placement = "any-free"},
                                {.cluster = cluster_, .queues = {}})};
};

TEST_F(TwoSlots, AreGivenToWhoHasHadLess) {
  EXPECT_EQ(plan(2s), "0<1 -0 -1 ");
  end(3s, 0, 0, Outcome::killed);
  EXPECT_EQ(plan(3s), "") << "the other task still has its slot";
  end(4s, 1, 0, Outcome::killed);
  EXPECT_EQ(plan(4s), "2.0 3.0 ");
  EXPECT_EQ(engine_.jobs().runnable(gang), 2U);
}

TEST_F(TwoSlots, AreKeptForIt) {
  plan(2s);
  end(3s, 0, 0, Outcome::killed);
  engine_.handle(at(3s), JobArrived{JobId(2U)});
  EXPECT_EQ(plan(3s), "") << "a slot is free, and a task behind it would fit";
  end(4s, 1, 0, Outcome::killed);
  EXPECT_EQ(plan(4s), "2.0 3.0 ");
}

TEST_F(TwoSlots, MayHaveBeenLeftBeforeTheKillWasHeard) {
  EXPECT_EQ(plan(2s), "0<1 -0 -1 ");
  end(3s, 0, 0, Outcome::finished);
  end(3s, 1, 0, Outcome::finished);
  EXPECT_EQ(plan(3s), "2.0 3.0 ");
  EXPECT_TRUE(engine_.jobs().ended(JobId(0U)));
}

class OneSlotEach : public TwoSlots {
 protected:
  OneSlotEach() : TwoSlots(2) {}
};

TEST_F(OneSlotEach, OfANodeThatIsLostNobodyWaitsForTheSlot) {
  EXPECT_EQ(plan(2s), "0<1 -0 -1 ");
  EXPECT_TRUE(engine_.handle(at(3s), NodeLost{NodeId(0U)}));
  end(3s, 0, 0, Outcome::lost);
  engine_.handle(at(3s), JobArrived{JobId(2U)});
  EXPECT_EQ(plan(3s), "") << "the other slot is on its way";
  end(4s, 1, 0, Outcome::killed);
  EXPECT_EQ(plan(4s), "4.0 ") << "it is not enough for the first, and no other comes";
}

}  // namespace
}  // namespace somnus::harness::preemption
