// Tetris by hand (policies.md 6.2): each step's candidates with their numbers, and whole schedules.
#include "policies/tetris.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/carbyne_figures.hpp"
#include "harness/world.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

/// What one candidate was when a task was started.
struct Weighed {
  StageId stage;
  double alignment = 0;
  double work_s = 0;  // of the whole cluster
  double above = 0;
  double score = 0;
};

struct Step {
  NodeId node;
  StageId started;
  std::vector<Weighed> candidates;  // those that the knobs left
};

/// One round of Tetris over jobs that have all arrived at 0 s, written down step by step.
class Round final : private SchedulerContext {
 public:
  Round(const WorkloadBuilder& jobs, Cluster nodes, const TetrisRules& rules)
      : workload_(jobs.build()),
        cluster_(std::move(nodes)),
        jobs_(workload_.catalogue),
        books_(cluster_),
        view_(books_),
        tetris_(rules, {.cluster = cluster_, .queues = {}}) {
    const Catalogue& catalogue = workload_.catalogue;
    for (std::uint32_t stage = 0; stage < catalogue.stages.size(); ++stage) {
      const Duration work = slot_time(workload_.truth.of(catalogue[StageId(stage)]));
      jobs_.estimate({.stage = StageId(stage),
                      .slot_time = {in_seconds(work)},
                      .demand = workload_.truth.demand(StageId(stage)).amounts()});
    }
    for (std::uint32_t node = 0; node < books_.count(); ++node) {
      tetris_.node_changed(NodeId(node), scheduler_view());
    }
    for (std::uint32_t job = 0; job < catalogue.jobs.size(); ++job) {
      jobs_.arrive(start_of_time, JobId(job));
      tetris_.job_arrived(start_of_time, JobId(job), scheduler_view());
      StageId stage = jobs_.head(JobId(job));
      for (; stage.valid(); stage = jobs_.runnable_after(stage)) {
        tetris_.stage_runnable(start_of_time, stage, scheduler_view());
      }
    }
    tetris_.plan(start_of_time, *this);
  }

  std::vector<Step> steps;

 private:
  [[nodiscard]] const SchedulerView& scheduler_view() const override { return shown_; }
  void use_view_of(JobId) override {}
  [[nodiscard]] bool managers_see_the_same() const override { return true; }
  TaskId place_reserved(StageId, NodeId) override { return {}; }
  void preempt(StageId, StageId, WorkDone) override {}
  std::vector<TaskId> place_gang(StageId, std::span<const NodeId>) override { return {}; }
  void request(const Request&) override {}
  void note(const Reservation&) override {}

  TaskId place(StageId stage, NodeId node) override {
    const auto found = tetris_.candidates(node, scheduler_view());
    std::vector<Tetris::Candidate> left(found.begin(), found.end());
    std::ranges::sort(left, {}, &Tetris::Candidate::stage);
    Step step{node, stage, {}};
    for (const Tetris::Candidate& one : left) {
      step.candidates.push_back({.stage = one.stage,
                                 .alignment = one.alignment,
                                 .work_s = one.work / 1e9,
                                 .above = one.above,
                                 .score = one.score});
    }
    steps.push_back(step);
    books_.take(node, jobs_.demand(stage).amounts);
    view_.see(node, {.free_slots = view_.free_slots(node) - 1});
    return jobs_.launch(stage, node);
  }

  Workload workload_;
  Cluster cluster_;
  JobTable jobs_;
  NodeTable books_;
  NodeView view_;
  SchedulerView shown_{jobs_, view_};
  Tetris tetris_;
};

void expect_step(const Step& step, std::uint32_t node, std::uint32_t started,
                 const std::vector<Weighed>& candidates) {
  EXPECT_EQ(step.node, NodeId(node));
  EXPECT_EQ(step.started, StageId(started));
  ASSERT_EQ(step.candidates.size(), candidates.size());
  for (std::size_t at = 0; at < candidates.size(); ++at) {
    const Weighed& found = step.candidates[at];
    const Weighed& expected = candidates[at];
    EXPECT_EQ(found.stage, expected.stage);
    EXPECT_NEAR(found.alignment, expected.alignment, 1e-12) << at;
    EXPECT_NEAR(found.work_s, expected.work_s, 1e-9) << at;
    EXPECT_NEAR(found.above, expected.above, 1e-12) << at;
    EXPECT_NEAR(found.score, expected.score, 1e-12) << at;
  }
}

std::vector<StageId> stages_of(const Step& step) {
  std::vector<StageId> stages;
  for (const Weighed& one : step.candidates) stages.push_back(one.stage);
  return stages;
}

using Stages = std::vector<StageId>;
constexpr StageId stage_0{0U};
constexpr StageId stage_1{1U};

// Two machines of 10 cores and 20 GB, so C = (20, 40). Shares of the cluster that a task asks for:
// A .1 + .2 = .3, B's map .2 + .05 = .25, its reduce .05 + .025 = .075.
//
//     p_A = 3 x 4 s x .3 = 3.6 s     p_B = 2 x 10 s x .25 + 5 s x .075 = 5.375 s
WorkloadBuilder two_jobs() {
  return workload()
      .resources({"cpu", "mem_gb"})
      .job("A")
      .stage(0, {.tasks = {4, 4, 4}, .demand = {2, 8}})
      .job("B")
      .stage(0, {.tasks = {10, 10}, .demand = {4, 2}})
      .stage(1, {.parents = {0}, .tasks = {5}, .demand = {1, 1}});
}

TEST(Tetris, WeighsAlignmentAgainstRemainingWorkStepByStep) {
  const Round round(two_jobs(), machines(2, {10, 20}), {.fairness = 0});
  ASSERT_EQ(round.steps.size(), 5U);
  // Free (10, 20): a_A = .2 + .4, a_B = .4 + .1; eps = 1.1 / 8.975 = .122562...
  expect_step(round.steps[0], 0, 0,
              {{stage_0, 0.6, 3.6, -0.5, 0.6 - 3.6 * 1.1 / 8.975},
               {stage_1, 0.5, 5.375, -0.5, 0.5 - 5.375 * 1.1 / 8.975}});
  // Free (8, 12): a_A = .2 x .8 + .4 x .6, a_B = .4 x .8 + .1 x .6. A has (.1, .2) of the cluster.
  expect_step(round.steps[1], 0, 0,
              {{stage_0, 0.4, 2.4, -0.3, 0.4 - 2.4 * 0.78 / 7.775},
               {stage_1, 0.38, 5.375, -0.5, 0.38 - 5.375 * 0.78 / 7.775}});
  // Free (6, 4): A asks for 8 GB. Alone, a candidate's a - eps p is a - a.
  expect_step(round.steps[2], 0, 1, {{stage_1, 0.4 * 0.6 + 0.1 * 0.2, 5.375, -0.5, 0}});
  // Free (2, 2): nothing fits; the second machine.
  expect_step(round.steps[3], 1, 0,
              {{stage_0, 0.6, 1.2, -0.1, 0.6 - 1.2 * 1.1 / 4.075},
               {stage_1, 0.5, 2.875, -0.3, 0.5 - 2.875 * 1.1 / 4.075}});
  expect_step(round.steps[4], 1, 1, {{stage_1, 0.38, 2.875, -0.3, 0}});
}

// Fair shares are 1/4 for each of four jobs, 4/7 for one that weighs 4 and 1/7 for three others.
TEST(Tetris, LeavesTheShareOfTheJobsOutThatTheFairnessKnobSays) {
  const auto jobs = [](double weight_of_last) {
    auto made = workload().resources({"cpu"});
    for (const char* name : {"a", "b", "c"}) made.job(name, {.tasks = {1, 1, 1}, .demand = {1}});
    return made.job("d", {.weight = weight_of_last, .tasks = {1, 1, 1}, .demand = {1}});
  };
  const auto left = [&](double fairness, double weight_of_last) {
    return stages_of(
        Round(jobs(weight_of_last), machines(1, {8}), {.fairness = fairness}).steps[0]);
  };
  const StageId third{2U};
  const StageId fourth{3U};
  EXPECT_EQ(left(0, 1), (Stages{stage_0, stage_1, third, fourth}));
  EXPECT_EQ(left(0.2, 1), (Stages{stage_0, stage_1, third, fourth})) << "ceil(3.2)";
  EXPECT_EQ(left(0.25, 1), (Stages{stage_0, stage_1, third})) << "the last of equals is left out";
  EXPECT_EQ(left(0.5, 1), (Stages{stage_0, stage_1}));
  EXPECT_EQ(left(0.75, 1), (Stages{stage_0}));
  EXPECT_EQ(left(1, 1), (Stages{stage_0})) << "never none";
  EXPECT_EQ(left(0.5, 4), (Stages{stage_0, fourth}));
  EXPECT_EQ(left(1, 4), (Stages{fourth}));
}

}  // namespace
}  // namespace somnus::harness
