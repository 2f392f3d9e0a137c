// A wrong policy dies with a helpful sentence. Each test has a tiny policy that makes one mistake.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "harness/builders.hpp"
#include "scheduler/engine.hpp"
#include "scheduler/refused.hpp"
#include "scheduler/registry.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

using Plan = std::function<void(SchedulerContext&)>;

/// Does what the test says, whatever happened.
class Scripted final : public Policy {
 public:
  explicit Scripted(Plan plan, std::vector<Promise> promises = {})
      : plan_(std::move(plan)), promises_(std::move(promises)) {}
  void job_arrived(Time, JobId, const SchedulerView&) override {}
  void stage_runnable(Time, StageId, const SchedulerView&) override {}
  void stage_withdrawn(StageId, const SchedulerView&) override {}
  void task_ended(const TaskEnded&, StageId, const SchedulerView&) override {}
  void job_ended(JobId, const SchedulerView&) override {}
  void plan(Time, SchedulerContext& context) override { plan_(context); }
  [[nodiscard]] std::span<const Promise> promises() const override { return promises_; }

 private:
  Plan plan_;
  std::vector<Promise> promises_;
};

constexpr StageId map(0U);     // three tasks, each needs 3 of 4 cpu
constexpr StageId reduce(1U);  // waits for map
constexpr StageId later(2U);   // of a job that has not arrived

class Audit : public ::testing::Test {
 protected:
  static Workload jobs() {
    auto made = workload();
    made.resources({"cpu"})
        .job("j")
        .stage(0, {.tasks = {1, 1, 1}, .demand = {3}})
        .stage(1, {.parents = {0}, .tasks = {1}, .demand = {1}})
        .job("later", {.at = 9s, .tasks = {1}, .demand = {1}});
    return made.build();
  }

  Workload workload_ = jobs();
  std::vector<Promise> promises_;
  // Nodes 0 and 1 have two slots, node 2 has one.
  Cluster cluster_{.groups = {{.count = 2, .slots = 2, .capacity = amounts({4})},
                              {.count = 1, .slots = 1, .capacity = amounts({8})}},
                   .resources = {"cpu"}};

  /// What the audit says of a policy that plans like this at 0 s; empty if it lets it pass.
  std::string verdict(const Plan& plan, const std::string& feedback = "at-once",
                      const std::vector<Event>& events = {}) {
    Scheduler scheduler =
        make_scheduler({.order = "fifo", .placement = "any-free", .feedback = feedback},
                       {.cluster = cluster_, .queues = {}});
    scheduler.policy = std::make_unique<Scripted>(plan, promises_);
    Engine engine(workload_.catalogue, cluster_, std::move(scheduler));
    for (const StageId stage : {map, reduce, later}) {
      engine.handle(
          start_of_time,
          StageEstimated{.stage = stage, .demand = workload_.truth.demand(stage).amounts()});
    }
    engine.handle(start_of_time, JobArrived{JobId(0U)});
    for (const Event& event : events) engine.handle(start_of_time, event);
    try {
      (void)engine.plan(start_of_time);
    } catch (const Bug& bug) {
      return bug.what();
    }
    return {};
  }

  static void expect_sentence(const std::string& verdict, const std::string& stage,
                              const std::string& node, const std::string& reason) {
    EXPECT_NE(verdict.find("stage " + stage), std::string::npos) << verdict;
    EXPECT_NE(verdict.find("node " + node), std::string::npos) << verdict;
    EXPECT_NE(verdict.find(reason), std::string::npos) << verdict;
  }
};

TEST_F(Audit, ShowsNothingOfAJobThatHasNotArrived) {
  const auto refused = [&](auto&& ask) {
    return verdict([&](SchedulerContext& context) { ask(context.scheduler_view().jobs); });
  };
  const std::string of_job = "the policy asks about job 1, which has not arrived";
  EXPECT_EQ(refused([](JobsView jobs) { (void)jobs[JobId(1U)].submit; }), of_job);
  EXPECT_EQ(refused([](JobsView jobs) { (void)jobs.curve(JobId(1U)); }), of_job);
  EXPECT_EQ(refused([](JobsView jobs) { (void)jobs.weight_of_user(JobId(1U)); }), of_job);
  const std::string of_stage = "the policy asks about stage 2, whose job has not arrived";
  EXPECT_EQ(refused([](JobsView jobs) { (void)jobs[later].tasks; }), of_stage);
  EXPECT_EQ(refused([](JobsView jobs) { (void)jobs.affinity_of(later); }), of_stage);
  EXPECT_EQ(refused([](JobsView jobs) { (void)jobs.children_of(later); }), of_stage);
  EXPECT_EQ(refused([](JobsView jobs) { (void)jobs.stage_of(TaskId(4U)); }), of_stage);
  EXPECT_EQ(refused([](JobsView jobs) { (void)jobs[JobId(2U)].submit; }),
            "the policy asks about job 2, which has not arrived")
      << "nor is there such a job, which is not said";
  EXPECT_EQ(refused([](JobsView jobs) { (void)jobs[reduce].tasks; }), "");
}

TEST_F(Audit, CountsNothingOfAJobThatHasNotArrived) {
  const std::string verdict_of_counts = verdict([](SchedulerContext& context) {
    const JobsView jobs = context.scheduler_view().jobs;
    EXPECT_FALSE(jobs.arrived(JobId(1U)));
    EXPECT_FALSE(jobs.ended(JobId(1U)));
    EXPECT_EQ(jobs.unfinished(JobId(1U)), 0U);
    EXPECT_EQ(jobs.unstarted(JobId(1U)), 0U);
    EXPECT_EQ(jobs.unfinished(later), 0U);
    EXPECT_FALSE(jobs.ready(later));
    EXPECT_FALSE(jobs.finished(later));
    EXPECT_EQ(jobs.unfinished(reduce), 1U);
    EXPECT_EQ(jobs.active_jobs(), 1U);
  });
  EXPECT_EQ(verdict_of_counts, "");
}

TEST_F(Audit, RefusesAPromiseToAJobThatIsNotThere) {
  promises_ = {{JobId(0U), start_of_time + 4s}};
  EXPECT_EQ(verdict([](SchedulerContext&) {}), "");
  promises_.push_back({JobId(1U), start_of_time + 9s});
  const std::string words = verdict([](SchedulerContext&) {});
  EXPECT_NE(words.find("a promise to job 1 at 0 s, which is not there"), std::string::npos)
      << words;
}

TEST_F(Audit, LeavesNoTaskOnANodeWhosePlanFailed) {
  Scheduler scheduler = make_scheduler({.order = "fifo", .placement = "any-free"},
                                       {.cluster = cluster_, .queues = {}});
  scheduler.policy = std::make_unique<Scripted>([](SchedulerContext& context) {
    context.place(map, NodeId(0U));
    context.place(map, NodeId(9U));
  });
  Engine engine(workload_.catalogue, cluster_, std::move(scheduler));
  engine.handle(start_of_time, JobArrived{JobId(0U)});
  try {
    (void)engine.plan(start_of_time);
    FAIL() << "node 9 is not there";
  } catch (const Refused& refused) {
    EXPECT_EQ(refused.deed(),
              "placed a task of stage 0 on node 9 at 0 s, but there is no such node");
  }
  EXPECT_EQ(engine.jobs().running_tasks(), 0U);
  EXPECT_EQ(engine.jobs().runnable(map), 3U);
}

TEST_F(Audit, LetsAGoodPlanPass) {
  EXPECT_EQ(verdict([](SchedulerContext& context) {
              EXPECT_EQ(context.place(map, NodeId(1U)), TaskId(0U));
              EXPECT_EQ(context.place(map, NodeId(2U)), TaskId(1U));
              EXPECT_EQ(context.scheduler_view().jobs.runnable(map), 1U);
              EXPECT_EQ(context.scheduler_view().nodes.free_slots(NodeId(2U)), 0U);
            }),
            "");
}

TEST_F(Audit, APlaceOnAFullNodeIsABug) {
  expect_sentence(verdict([](SchedulerContext& context) {
                    context.place(map, NodeId(2U));
                    context.place(map, NodeId(2U));
                  }),
                  "0", "2", "no free slot");
}

TEST_F(Audit, APlaceOnALostNodeIsABug) {
  expect_sentence(verdict([](SchedulerContext& context) { context.place(map, NodeId(1U)); },
                          "at-once", {NodeLost{NodeId(1U)}}),
                  "0", "1", "lost");
}

TEST_F(Audit, AStageWhoseParentsHaveNotEndedIsABug) {
  expect_sentence(verdict([](SchedulerContext& context) { context.place(reduce, NodeId(1U)); }),
                  "1", "1", "parents have not ended");
}

TEST_F(Audit, AStageOfAJobThatHasNotArrivedIsABug) {
  expect_sentence(verdict([](SchedulerContext& context) { context.place(later, NodeId(1U)); }), "2",
                  "1", "job has not arrived");
}

TEST_F(Audit, AStageWithoutAnyTaskLeftIsABug) {
  expect_sentence(verdict([](SchedulerContext& context) {
                    for (const std::uint32_t node : {0U, 1U, 2U}) context.place(map, NodeId(node));
                    context.place(map, NodeId(0U));
                  }),
                  "0", "0", "no runnable task");
}

TEST_F(Audit, AStageThatDoesNotExistIsABug) {
  EXPECT_NE(verdict([](SchedulerContext& context) { context.place(StageId(77U), NodeId(1U)); }),
            "");
  EXPECT_NE(verdict([](SchedulerContext& context) { context.place(StageId(), NodeId(1U)); }), "");
}

TEST_F(Audit, ANodeThatDoesNotExistIsABug) {
  expect_sentence(verdict([](SchedulerContext& context) { context.place(map, NodeId(3U)); }), "0",
                  "3", "no such");
  EXPECT_NE(verdict([](SchedulerContext& context) { context.place(map, NodeId()); }), "");
}

TEST_F(Audit, WithHeartbeatsANodeThatDidNotOfferIsABug) {
  const Plan on_one = [](SchedulerContext& context) { context.place(map, NodeId(1U)); };
  EXPECT_EQ(verdict(on_one, "heartbeat", {NodeOffered{NodeId(1U)}}), "");
  expect_sentence(verdict(on_one, "heartbeat", {NodeOffered{NodeId(0U)}}), "0", "1", "offer");
}

TEST_F(Audit, MoreDemandThanTheNodeHasLeftIsABug) {
  expect_sentence(verdict([](SchedulerContext& context) {
                    context.place(map, NodeId(1U));
                    context.place(map, NodeId(1U));  // 3 + 3 cpu of 4, in the second slot
                  }),
                  "0", "1", "demand");
}

}  // namespace
}  // namespace somnus::harness
