// Carbyne by hand: figures 2 and 2b of policies.md 6.6 with every number on the way, and the
// examples of 6.5 in which a loan makes a job late.
#include "policies/carbyne.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "harness/carbyne_figures.hpp"
#include "harness/world.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;
using Names = std::vector<std::string>;
using Numbers = std::vector<double>;

Conditions carbyne(Parameters parameters = {}) {
  return {.order = "carbyne", .of_order = std::move(parameters), .within = "breadth-first"};
}
Conditions lends_nothing() { return carbyne({{"leftover", "none"}}); }
Conditions guarded() { return carbyne({{"leftover", "guarded"}}); }

/// On a pool of 1.
World in_one_pool(const WorkloadBuilder& jobs, const Conditions& conditions) {
  return simulate(jobs, machines(1, {1}), conditions);
}

/// "j1.S0": the stages whose tasks start then, in the order of the decisions.
Names stages_at(const World& world, Duration instant) {
  Names stages;
  for (const Decision& each : world.decisions) {
    if (each.at != at(instant)) continue;
    const StageId stage = each.launch.stage;
    const JobId job = world.workload.catalogue[stage].job;
    stages.push_back(
        fmt::format("{}.S{}", world.workload.names.jobs[job.index()],
                    stage.value() - world.workload.catalogue[job].first_stage.value()));
  }
  return stages;
}

/// The ends that jobs are promised at that time, in seconds, by job.
std::map<std::uint32_t, double> promised_at(const World& world, Duration instant) {
  std::map<std::uint32_t, double> ends;
  for (const Promised& each : world.promises) {
    if (each.at == at(instant)) ends[each.promise.job.value()] = in_seconds(each.promise.end);
  }
  return ends;
}

Numbers ends_of(const World& world) {
  Numbers ends;
  for (const Time end : world.finish) ends.push_back(in_seconds(end));
  return ends;
}

using Promises = std::map<std::uint32_t, double>;

// --- figure 2 ---

TEST(CarbyneFigure2, PromisesEachJobWhatItsHalfGivesIt) {
  const World world = in_one_pool(carbyne_figure_2(), carbyne());
  EXPECT_EQ(promised_at(world, 0s), (Promises{{0, 2.1}, {1, 2.0}}));
  EXPECT_EQ(world.promises.size(), 2U) << "shares only grow";
}

TEST(CarbyneFigure2, OneTaskOfEachJobMustStart) {
  EXPECT_EQ(stages_at(in_one_pool(carbyne_figure_2(), lends_nothing()), 0s),
            (Names{"j1.S1", "j2.S0"}));
}

TEST(CarbyneFigure2, JobsDonateTheRestOfTheirHalves) {
  auto targets = targets_at(0s, carbyne_figure_2(), machines(1, {1}), lends_nothing());
  ASSERT_EQ(targets.size(), 2U);
  for (const auto& [job, each] : targets) EXPECT_DOUBLE_EQ(each.entitled, 0.5);
  EXPECT_DOUBLE_EQ(targets[0].target, 0.5 - 0.29);
  EXPECT_DOUBLE_EQ(targets[1].target, 0.5 - 0.21);
}

// Half of the pool: .29 for the job with less work left, .21 for the other, and the pool is full.
TEST(CarbyneFigure2, LeftoverGoesToTheJobWithTheLeastWorkFirst) {
  const World world = in_one_pool(carbyne_figure_2(), carbyne());
  EXPECT_EQ(stages_at(world, 0s), (Names{"j1.S1", "j2.S0", "j2.S0", "j1.S1"}));
  Names second = stages_at(world, 1s);
  std::ranges::sort(second);
  EXPECT_EQ(second, (Names{"j1.S0", "j1.S0", "j1.S1"}));
  EXPECT_EQ(stages_at(world, 2s), (Names{"j1.S2"}));
}

TEST(CarbyneFigure2, EndsAsInTheBook) {
  EXPECT_EQ(ends_of(in_one_pool(carbyne_figure_2(), carbyne())), (Numbers{2.1, 1.0}));
}

TEST(CarbyneFigure2, WithoutAltruismTheOtherJobEndsFirst) {
  const World world = in_one_pool(carbyne_figure_2(), carbyne({{"altruism", 0.0}}));
  EXPECT_EQ(ends_of(world), (Numbers{1.1, 2.0}));
}

// --- figure 2b ---

TEST(CarbyneFigure2b, PromisesEachJobWhatItsHalfGivesIt) {
  const World world = in_one_pool(carbyne_figure_2b(), carbyne());
  EXPECT_EQ(promised_at(world, 0s), (Promises{{0, 5}, {1, 8}}));
}

TEST(CarbyneFigure2b, TheSecondStageOfEachJobMustStart) {
  EXPECT_EQ(stages_at(in_one_pool(carbyne_figure_2b(), lends_nothing()), 0s),
            (Names{"j1.S1", "j2.S1"}));
  auto targets = targets_at(0s, carbyne_figure_2b(), machines(1, {1}), lends_nothing());
  ASSERT_EQ(targets.size(), 2U);
  EXPECT_DOUBLE_EQ(targets[0].target, 0.2);
  EXPECT_DOUBLE_EQ(targets[1].target, 0.4);
}

TEST(CarbyneFigure2b, AllLeftoverGoesToTheFirstStageOfTheFirstJob) {
  EXPECT_EQ(stages_at(in_one_pool(carbyne_figure_2b(), carbyne()), 0s),
            (Names{"j1.S1", "j2.S1", "j1.S0", "j1.S0"}));
}

TEST(CarbyneFigure2b, EndsAsInTheBook) {
  for (const std::string replan : {"share-change", "each-event"}) {
    EXPECT_EQ(ends_of(in_one_pool(carbyne_figure_2b(), carbyne({{"replan", replan}}))),
              (Numbers{3, 5}));
  }
}

TEST(CarbyneFigure2b, WithoutAltruismEndsAsUnderDrf) {
  const World world = in_one_pool(carbyne_figure_2b(), carbyne({{"altruism", 0.0}}));
  EXPECT_EQ(ends_of(world), (Numbers{3, 8}));
}

// Nobody lends, so each job has its half, and starts each task as late as the promise lets it.
TEST(CarbyneFigure2b, WithNothingLentJobsEndAsPromised) {
  const World world = in_one_pool(carbyne_figure_2b(), lends_nothing());
  EXPECT_EQ(ends_of(world), (Numbers{5, 8}));
  EXPECT_EQ(stages_at(world, 2s), (Names{"j1.S0", "j1.S0", "j2.S2"}));
  EXPECT_EQ(stages_at(world, 5s), (Names{"j2.S0", "j2.S2", "j2.S2"}));
}

// --- loans that are not given back ---

// A loan of 5 s, while the lender needs what it lent after 1 s.
WorkloadBuilder counter_example() {
  return workload()
      .resources({"cpu"})
      .job("j1")
      .stage(0, {.tasks = {1}, .demand = {0.05}})
      .stage(1, {.parents = {0}, .tasks = {1}, .demand = {0.5}})
      .job("j2", {.tasks = {5, 5, 5}, .demand = {0.3}});
}

TEST(CarbyneLoans, MakeALenderLateWhereTheyOutlastItsNeed) {
  const World world = in_one_pool(counter_example(), carbyne());
  EXPECT_EQ(promised_at(world, 0s), (Promises{{0, 2}, {1, 15}}));
  EXPECT_EQ(stages_at(world, 0s), (Names{"j1.S0", "j2.S0", "j2.S0", "j2.S0"}));
  EXPECT_EQ(ends_of(world), (Numbers{6, 5}));
}

TEST(CarbyneLoans, ThatAreGuardedMakeNobodyLate) {
  const World world = in_one_pool(counter_example(), guarded());
  EXPECT_EQ(promised_at(world, 0s), (Promises{{0, 2}, {1, 15}}));
  EXPECT_DOUBLE_EQ(world.finish_of("j1"), 2);
  EXPECT_LE(world.finish_of("j2"), 15);
  EXPECT_EQ(stages_at(world, 1s).front(), "j1.S1");
}

// All tasks take 1 s. When j1 ends, j3's share grows from 6 to 8; and into 8 the packer first puts
// both tasks of 4, beside which nothing has room of what the last stage waits for.
TEST(CarbyneLoans, CanMakeAJobLateThatHasMoreThanItWasPromised) {
  const auto jobs = workload()
                        .resources({"cpu"})
                        .job("j1", {.tasks = {1, 1, 1}, .demand = {1}})
                        .job("j2", {.tasks = {1, 1, 1}, .demand = {3}})
                        .job("j3", {.weight = 2})
                        .stage(0, {.tasks = {1, 1}, .demand = {2}})
                        .stage(1, {.tasks = {1, 1}, .demand = {4}})
                        .stage(2, {.parents = {0}, .tasks = {1}, .demand = {1}});
  const World world = simulate(jobs, machines(1, {12}), carbyne());
  EXPECT_EQ(promised_at(world, 0s), (Promises{{0, 1}, {1, 3}, {2, 3}}));
  EXPECT_EQ(world.promises.size(), 3U);
  EXPECT_DOUBLE_EQ(world.finish_of("j3"), 4);
  EXPECT_LE(simulate(jobs, machines(1, {12}), guarded()).finish_of("j3"), 3);
}

// What a job lends to itself is a loan too.
WorkloadBuilder lone_job() {
  return workload()
      .resources({"cpu"})
      .job("lone")
      .stage(0, {.tasks = {3}, .demand = {0.23}})
      .stage(1, {.tasks = {2.5}, .demand = {0.6}})
      .stage(2, {.tasks = {2.5}, .demand = {0.2}});
}

TEST(CarbyneLoans, MakeALoneJobLateByItself) {
  const World world = in_one_pool(lone_job(), carbyne());
  EXPECT_EQ(promised_at(world, 0s), (Promises{{0, 5}}));
  EXPECT_DOUBLE_EQ(world.finish_of("lone"), 5.5);
}

TEST(CarbyneLoans, OfALoneJobDoNotMatterWhereTheyAreGuardedOrNone) {
  for (const Conditions& conditions : {lends_nothing(), guarded()}) {
    const World world = in_one_pool(lone_job(), conditions);
    EXPECT_EQ(promised_at(world, 0s), (Promises{{0, 5}}));
    EXPECT_DOUBLE_EQ(world.finish_of("lone"), 5) << text_of(conditions.of_order.at("leftover"));
  }
}

// --- long stages ---

// One task at a time, in 1000 waves: planned in 33 pieces of 31 tasks in a row, the last of which
// has 8, and is planned as if it had 31.
WorkloadBuilder long_stage() {
  return workload().resources({"cpu"}).job("long", {.tasks = alike(1000), .demand = {1}});
}

TEST(CarbynePlans, OfManyWavesAreMadeOfPiecesAndMissAtMostOne) {
  EXPECT_EQ(promised_at(in_one_pool(long_stage(), carbyne()), 0s), (Promises{{0, 33 * 31}}));
  const World waits = in_one_pool(long_stage(), lends_nothing());
  EXPECT_DOUBLE_EQ(waits.finish_of("long"), 33 * 31);
  EXPECT_EQ(stages_at(waits, 22s), Names{});
  for (int second = 23; second < 33 * 31; ++second) {
    ASSERT_EQ(stages_at(waits, second * 1s), (Names{"long.S0"})) << second;
  }
  EXPECT_DOUBLE_EQ(in_one_pool(long_stage(), carbyne()).finish_of("long"), 1000);
}

TEST(CarbynePlans, OfAsManyWavesAsAPieceHasNoneAreExact) {
  const auto jobs =
      workload().resources({"cpu"}).job("long", {.tasks = alike(126), .demand = {0.5}});
  EXPECT_EQ(promised_at(in_one_pool(jobs, carbyne()), 0s), (Promises{{0, 63}}));
  EXPECT_DOUBLE_EQ(in_one_pool(jobs, lends_nothing()).finish_of("long"), 63);
}

// --- slots that are kept ---

Conditions keeping_slots(Conditions conditions) {
  conditions.placement = "own-slots";
  return conditions;
}

// On four slots each job has two. In one of j2's the long task runs, so its three short ones follow
// each other in the last three seconds. When the second of them takes the slot of the first, j1's
// second stage has just taken one.
TEST(CarbyneOwnSlots, ATaskThatTakesAKeptSlotIsOneOfThoseThatAreDue) {
  const auto jobs = workload()
                        .job("j1")
                        .stage(0, {.tasks = {8}})
                        .stage(1, {.parents = {0}, .tasks = {2}})
                        .job("j2")
                        .stage(0, {.tasks = {10}})
                        .stage(1, {.tasks = {1, 1, 1}});
  for (const std::string replan : {"share-change", "each-event"}) {
    const World world = simulate(
        jobs, cluster(4), keeping_slots(carbyne({{"leftover", "none"}, {"replan", replan}})));
    EXPECT_EQ(stages_at(world, 7s), (Names{"j2.S1"})) << replan;
    EXPECT_EQ(stages_at(world, 8s), (Names{"j1.S1", "j2.S1"})) << replan;
    EXPECT_EQ(stages_at(world, 9s), (Names{"j2.S1"})) << replan;
    EXPECT_EQ(ends_of(world), (Numbers{10, 10})) << replan;
  }
}

// Two of S1's tasks are due when it takes the four slots that S0 leaves; j2's is due, too.
TEST(CarbyneOwnSlots, AreKeptForMoreThanIsDueWhereThatIsLent) {
  const auto jobs = workload()
                        .job("j1")
                        .stage(0, {.tasks = {1, 1, 1, 1}})
                        .stage(1, {.parents = {0}, .tasks = {1, 1, 1, 1, 1, 1, 1, 1}})
                        .job("j2", {.at = 1s, .tasks = {3}});
  EXPECT_EQ(stages_at(simulate(jobs, cluster(5), keeping_slots(carbyne())), 1s),
            (Names{"j1.S1", "j1.S1", "j1.S1", "j1.S1", "j2.S0"}));
}

// What the task of S0 leaves at 1 s is not S1's, whose latest start is at 9 s; only S2's.
TEST(CarbyneOwnSlots, AreNotKeptForATaskThatIsNotDueYet) {
  const auto jobs = workload()
                        .job("j1")
                        .stage(0, {.tasks = {1}})
                        .stage(1, {.tasks = {1}})
                        .stage(2, {.parents = {0}, .tasks = {9}});
  for (const Conditions& conditions : {lends_nothing(), keeping_slots(lends_nothing())}) {
    const World world = simulate(jobs, cluster(2), conditions);
    EXPECT_EQ(stages_at(world, 1s), (Names{"j1.S2"})) << conditions.placement;
    EXPECT_EQ(stages_at(world, 9s), (Names{"j1.S1"})) << conditions.placement;
    EXPECT_EQ(ends_of(world), (Numbers{10})) << conditions.placement;
  }
}

// --- plans ---

// What must start stays what it was, whichever of a stage's tasks start before.
// Where shares stay as they are, only each-event sees in what has started meanwhile that a plan
// can be bettered.
//
//   j1: S0 1 x (.4, 2 s), S1 2 x (.4, 2 s)     j2: S0 1 x (.1, 2 s) -> S1 2 x (.5, 1 s)
TEST(CarbynePlans, AreMadeAnewByChoice) {
  const WorkloadBuilder jobs = workload()
                                   .resources({"cpu"})
                                   .job("j1")
                                   .stage(0, {.tasks = {2}, .demand = {0.4}})
                                   .stage(1, {.tasks = {2, 2}, .demand = {0.4}})
                                   .job("j2")
                                   .stage(0, {.tasks = {2}, .demand = {0.1}})
                                   .stage(1, {.parents = {0}, .tasks = {1, 1}, .demand = {0.5}});
  EXPECT_EQ(ends_of(in_one_pool(jobs, carbyne())), (Numbers{4, 4}));
  EXPECT_EQ(ends_of(in_one_pool(jobs, carbyne({{"replan", "each-event"}}))), (Numbers{5, 3}));
}

}  // namespace
}  // namespace somnus::harness
