// Placements that draw: random, least-loaded (Mercury) and batch sampling (Sparrow).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "harness/placement_rig.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

constexpr double chi_square_9_999 = 27.88;   // exceeded once in 1000, 9 degrees of freedom
constexpr double chi_square_19_999 = 43.82;  // the same, 19

std::vector<double> counts(const NodeList& nodes, std::size_t count) {
  std::vector<double> made(count);
  for (const std::uint32_t node : nodes) ++made[node];
  return made;
}

TEST(RandomPlacement, SpreadsTasksOverQueuesUniformly) {
  PlacementRig rig(job_of(20020), cluster(20), {.placement = "random"});
  rig.arrive(0s, 0);
  const NodeList nodes = rig.plan(0s);
  ASSERT_EQ(nodes.size(), 20020U);
  const NodeList first(nodes.begin(), nodes.begin() + 20);
  EXPECT_EQ(std::set<std::uint32_t>(first.begin(), first.end()).size(), 20U)
      << "free slots come first";
  EXPECT_LT(chi_square(counts({nodes.begin() + 20, nodes.end()}, 20)), chi_square_19_999);
}

TEST(RandomPlacement, TakesEachFreeSlotsNodeEquallyOften) {
  WorkloadBuilder jobs;
  for (int job = 0; job < 4000; ++job) jobs.job(fmt::format("j{}", job), {.tasks = {1}});
  PlacementRig rig(jobs, cluster(20), {.placement = "random"});
  NodeList nodes;
  for (std::uint32_t job = 0; job < 4000; ++job) {
    const Duration now = std::chrono::seconds(job);
    if (job > 0) rig.end(now, job - 1);
    rig.arrive(now, job);
    const NodeList one = rig.plan(now);
    nodes.insert(nodes.end(), one.begin(), one.end());
  }
  ASSERT_EQ(nodes.size(), 4000U);
  EXPECT_LT(chi_square(counts(nodes, 20)), chi_square_19_999);
}

TEST(RandomPlacement, DrawsAnewForAnotherSeedAndTheSameForTheSame) {
  const auto drawn = [](std::uint64_t seed) {
    PlacementRig rig(job_of(30), cluster(20), {.placement = "random", .seed = seed});
    rig.arrive(0s, 0);
    return rig.plan(0s);
  };
  EXPECT_EQ(drawn(1), drawn(1));
  EXPECT_NE(drawn(1), drawn(2));
}

PlacementRig::Setup least_loaded(double k, std::uint64_t seed = 1) {
  return {
      .placement = "least-loaded", .parameters = {{"k", k}}, .feedback = "monitor", .seed = seed};
}

TEST(LeastLoaded, SpreadsAJobOverTheKLeastLoadedCountingItsOwn) {
  PlacementRig rig(job_of(3), cluster(4), least_loaded(2));
  rig.report(0s, {.node = 0, .running = 1, .queued = 3});
  rig.report(0s, {.node = 2, .running = 1});
  rig.report(0s, {.node = 3, .running = 1, .queued = 2});
  rig.arrive(0s, 0);
  EXPECT_EQ(sorted(rig.plan(0s)), (NodeList{1, 1, 2})) << "0 and 1, then 1 and 1, then 2 and 1";
}

TEST(LeastLoaded, GoesByTasksPerSlot) {
  Cluster unlike;
  unlike.groups = {{.count = 1, .slots = 1}, {.count = 1, .slots = 4}};
  PlacementRig rig(job_of(3), unlike, least_loaded(2));
  rig.report(0s, {.node = 0, .running = 1});
  rig.report(0s, {.node = 1, .running = 1});
  rig.arrive(0s, 0);
  EXPECT_EQ(rig.plan(0s), (NodeList{1, 1, 1})) << "1/4, 2/4 and 3/4 are less than 1";
}

TEST(LeastLoaded, OfTheKLeastLoadedTakesThoseThatTheStagePrefers) {
  PlacementRig rig(job_of(2, 1, {3, 2}), cluster(4), least_loaded(3));
  rig.report(0s, {.node = 2, .running = 1, .queued = 1});
  rig.report(0s, {.node = 3, .running = 1, .queued = 5});
  rig.arrive(0s, 0);
  EXPECT_EQ(rig.plan(0s), (NodeList{2, 2})) << "3 is none of the 3 least loaded";
}

TEST(LeastLoaded, SeesNothingNewWithinAnInterval) {
  PlacementRig rig(
      workload().job("a", {.tasks = {1}}).job("b", {.tasks = {1}}).job("c", {.tasks = {1}}),
      cluster(2), least_loaded(1));
  rig.arrive(0s, 0);
  EXPECT_EQ(rig.plan(0s), NodeList{0});
  rig.report(500ms, {.node = 0, .running = 1, .queued = 8});
  rig.arrive(999ms, 1);
  EXPECT_EQ(rig.plan(999ms), NodeList{0}) << "the list is of 0 s";
  rig.arrive(1s, 2);
  EXPECT_EQ(rig.plan(1s), NodeList{1});
}

TEST(LeastLoaded, BeginsAtARandomOneOfTheK) {
  WorkloadBuilder jobs;
  for (int job = 0; job < 2000; ++job) jobs.job(fmt::format("j{}", job), {.tasks = {1}});
  PlacementRig rig(jobs, cluster(20), least_loaded(10));
  for (std::uint32_t job = 0; job < 2000; ++job) rig.arrive(0s, job);
  const NodeList nodes = rig.plan(0s);
  ASSERT_EQ(nodes.size(), 2000U);
  const std::set<std::uint32_t> used(nodes.begin(), nodes.end());
  EXPECT_EQ(used.size(), 10U);
  EXPECT_LT(*used.rbegin(), 10U) << "of equal ones the first ten";
  EXPECT_LT(chi_square(counts(nodes, 10)), chi_square_9_999);
}

TEST(LeastLoaded, AManagerWhoseTasksAlternateWithAnothersRemembersItsOwn) {
  PlacementRig::Setup setup = least_loaded(4);
  setup.order = "fair";
  PlacementRig rig(workload().job("a", {.tasks = {1, 1, 1, 1}}).job("b", {.tasks = {1, 1, 1, 1}}),
                   cluster(4), setup);
  rig.arrive(0s, 0);
  rig.arrive(0s, 1);
  rig.plan(0s);
  EXPECT_EQ(sorted(rig.nodes_of(0)), (NodeList{0, 1, 2, 3}));
  EXPECT_EQ(sorted(rig.nodes_of(1)), (NodeList{0, 1, 2, 3}));
}

TEST(LeastLoaded, PassesOverLostNodes) {
  PlacementRig rig(workload().job("a", {.tasks = {1}}).job("b", {.tasks = {1, 1, 1}}), cluster(3),
                   least_loaded(3));
  rig.arrive(0s, 0);
  rig.plan(0s);
  rig.handle(500ms, NodeLost{NodeId(1U)});
  rig.arrive(500ms, 1);
  const NodeList nodes = rig.plan(500ms);
  EXPECT_EQ(nodes.size(), 3U);
  EXPECT_EQ(counts(nodes, 3)[1], 0) << "although it is in the list of 0 s";
}

TEST(LeastLoaded, UsesANodeThatReturnsWhateverItsListSaid) {
  PlacementRig rig(workload().job("a", {.tasks = {1}}).job("b", {.tasks = {1}}), cluster(1),
                   least_loaded(1));
  rig.handle(0s, NodeLost{NodeId(0U)});
  rig.arrive(0s, 0);
  EXPECT_EQ(rig.plan(0s), NodeList{});
  rig.handle(500ms, NodeReturned{NodeId(0U)});
  EXPECT_EQ(rig.plan(500ms), NodeList{0}) << "there may be no other moment to place it";
}

class Sparrow {
 public:
  Sparrow(const WorkloadBuilder& jobs, const Cluster& cluster, const Parameters& parameters = {})
      : rig_(jobs, cluster, {.placement = "batch-sampling", .parameters = parameters}) {}

  PlacementRig& rig() { return rig_; }
  /// The nodes asked in the last plan.
  [[nodiscard]] NodeList asked(Question question) const {
    NodeList nodes;
    for (const Ask& ask : rig_.last_plan().get<Ask>()) {
      if (ask.question == question) nodes.push_back(ask.node.value());
    }
    return nodes;
  }
  void answer(Duration now, std::uint32_t node, const NodeAnswered& what) {
    NodeAnswered answer = what;
    answer.node = NodeId(node);
    rig_.handle(now, answer);
  }

 private:
  PlacementRig rig_;
};

TEST(BatchSampling, ProbesTwoNodesATaskAllDistinct) {
  Sparrow sparrow(job_of(5), cluster(100));
  sparrow.rig().arrive(0s, 0);
  EXPECT_EQ(sparrow.rig().plan(0s), NodeList{}) << "nothing is placed before the replies";
  const NodeList asked = sparrow.asked(Question::probe);
  EXPECT_EQ(asked.size(), 10U);
  EXPECT_EQ(std::set<std::uint32_t>(asked.begin(), asked.end()).size(), 10U);
}

TEST(BatchSampling, RoundsItsRatioUp) {
  Sparrow sparrow(job_of(3), cluster(100), {{"ratio", 1.05}});
  sparrow.rig().arrive(0s, 0);
  sparrow.rig().plan(0s);
  EXPECT_EQ(sparrow.asked(Question::probe).size(), 4U);
}

TEST(BatchSampling, ProbesEveryNodeOnceWhereThereAreTooFew) {
  Sparrow sparrow(job_of(5), cluster(4));
  sparrow.rig().arrive(0s, 0);
  sparrow.rig().plan(0s);
  EXPECT_EQ(sorted(sparrow.asked(Question::probe)), (NodeList{0, 1, 2, 3}));
}

TEST(BatchSampling, ProbesAllNodesEquallyOften) {
  WorkloadBuilder jobs;
  for (int job = 0; job < 2000; ++job) jobs.job(fmt::format("j{}", job), {.tasks = {1}});
  Sparrow sparrow(jobs, cluster(20));
  for (std::uint32_t job = 0; job < 2000; ++job) sparrow.rig().arrive(0s, job);
  sparrow.rig().plan(0s);
  const NodeList asked = sparrow.asked(Question::probe);
  ASSERT_EQ(asked.size(), 4000U);
  EXPECT_LT(chi_square(counts(asked, 20)), chi_square_19_999);
}

TEST(BatchSampling, PlacesOnTheLeastLoadedWhenTheLastReplyIsThere) {
  Sparrow sparrow(job_of(2), cluster(4, 2));
  sparrow.rig().arrive(0s, 0);
  sparrow.rig().plan(0s);
  for (std::uint32_t node = 0; node < 3; ++node) {
    sparrow.answer(1s, node, {.stage = StageId(0U), .running = 2, .queued = node});
  }
  EXPECT_EQ(sparrow.rig().plan(1s), NodeList{});
  sparrow.answer(2s, 3, {.stage = StageId(0U), .running = 2, .queued = 4});
  EXPECT_EQ(sparrow.rig().plan(2s), (NodeList{0, 0})) << "1.0 and 1.5, the tie to the first";
}

TEST(BatchSampling, EachTaskPlacedCountsForTheNextOne) {
  Sparrow sparrow(job_of(5), cluster(3));
  sparrow.rig().arrive(0s, 0);
  sparrow.rig().plan(0s);
  for (std::uint32_t node = 0; node < 3; ++node) {
    sparrow.answer(1s, node, {.stage = StageId(0U), .running = 1, .queued = 2 * node});
  }
  EXPECT_EQ(sparrow.rig().plan(1s), (NodeList{0, 0, 0, 1, 0})) << "1, 2, 3 | 3 | 4, 4, 5";
}

TEST(BatchSampling, AsksNoLostNodeAndPlacesOnNoneThatIsGone) {
  Sparrow sparrow(job_of(4), cluster(4));
  sparrow.rig().handle(0s, NodeLost{NodeId(2U)});
  sparrow.rig().arrive(0s, 0);
  sparrow.rig().plan(0s);
  EXPECT_EQ(sorted(sparrow.asked(Question::probe)), (NodeList{0, 1, 3}));
  sparrow.answer(1s, 0, {.stage = StageId(0U), .running = 9});
  sparrow.answer(1s, 1, {.stage = StageId(0U), .running = 0});
  sparrow.answer(1s, 3, {.stage = StageId(0U), .reply = Reply::gone});
  sparrow.rig().handle(1s, NodeLost{NodeId(1U)});
  EXPECT_EQ(sparrow.rig().plan(1s), (NodeList{0, 0, 0, 0}));
}

TEST(BatchSampling, AsksAgainWhenAllItsNodesAreGone) {
  Sparrow sparrow(job_of(1), cluster(2));
  sparrow.rig().arrive(0s, 0);
  sparrow.rig().plan(0s);
  sparrow.answer(1s, 0, {.stage = StageId(0U), .reply = Reply::gone});
  sparrow.answer(1s, 1, {.stage = StageId(0U), .reply = Reply::gone});
  EXPECT_EQ(sparrow.rig().plan(1s), NodeList{});
  EXPECT_EQ(sorted(sparrow.asked(Question::probe)), (NodeList{0, 1}));
}

TEST(BatchSampling, AsksWhenANodeReturnsIfAllWereLost) {
  Sparrow sparrow(job_of(1), cluster(1));
  sparrow.rig().handle(0s, NodeLost{NodeId(0U)});
  sparrow.rig().arrive(0s, 0);
  sparrow.rig().plan(0s);
  EXPECT_EQ(sparrow.asked(Question::probe), NodeList{});
  sparrow.rig().handle(5s, NodeReturned{NodeId(0U)});
  sparrow.rig().plan(5s);
  EXPECT_EQ(sparrow.asked(Question::probe), NodeList{0});
}

const Parameters late_binding = {{"late_binding", true}};

TEST(LateBinding, GivesTheNextTaskToEachNodeWhoseTurnHasComeAndDeclinesTheRest) {
  Sparrow sparrow(job_of(2), cluster(4), late_binding);
  sparrow.rig().arrive(0s, 0);
  sparrow.rig().plan(0s);
  EXPECT_EQ(sorted(sparrow.asked(Question::reserve)), (NodeList{0, 1, 2, 3}));
  sparrow.answer(1s, 2, {.stage = StageId(0U), .reply = Reply::ready});
  EXPECT_EQ(sparrow.rig().plan(1s), NodeList{2});
  EXPECT_EQ(sparrow.rig().launches()[0].into, Into::held_slot);
  sparrow.answer(2s, 0, {.stage = StageId(0U), .reply = Reply::ready});
  sparrow.answer(2s, 1, {.stage = StageId(0U), .reply = Reply::ready});
  EXPECT_EQ(sparrow.rig().plan(2s).size(), 1U);
  EXPECT_EQ(sparrow.asked(Question::decline).size(), 1U);
  sparrow.rig().end(3s, 0);
  sparrow.rig().end(3s, 1);
  sparrow.answer(4s, 3, {.stage = StageId(0U), .reply = Reply::ready});
  EXPECT_EQ(sparrow.rig().plan(4s), NodeList{}) << "the job has ended";
  EXPECT_EQ(sparrow.asked(Question::decline), NodeList{3});
}

TEST(LateBinding, ReservesEvenlyWhereThereAreTooFewNodes) {
  Sparrow sparrow(job_of(5), cluster(4), late_binding);
  sparrow.rig().arrive(0s, 0);
  sparrow.rig().plan(0s);
  const std::vector<double> on = counts(sparrow.asked(Question::reserve), 4);
  EXPECT_EQ(on[0] + on[1] + on[2] + on[3], 10);
  for (const double count : on) EXPECT_TRUE(count == 2 || count == 3);
}

TEST(LateBinding, ReservesAnewForATaskThatIsLeftWhenReservationsAreUsedUp) {
  Sparrow sparrow(job_of(1), cluster(2), late_binding);
  sparrow.rig().arrive(0s, 0);
  sparrow.rig().plan(0s);
  sparrow.answer(1s, 0, {.stage = StageId(0U), .reply = Reply::ready});
  EXPECT_EQ(sparrow.rig().plan(1s), NodeList{0});
  sparrow.answer(2s, 1, {.stage = StageId(0U), .reply = Reply::ready});
  sparrow.rig().plan(2s);
  EXPECT_EQ(sparrow.asked(Question::decline), NodeList{1});
  sparrow.rig().end(3s, 0, Outcome::failed);
  sparrow.rig().plan(3s);
  EXPECT_EQ(sorted(sparrow.asked(Question::reserve)), (NodeList{0, 1}));
}

TEST(LateBinding, MakesNoNewReservationsForATaskThatTheLastOneTakes) {
  Sparrow sparrow(job_of(1), cluster(2), late_binding);
  sparrow.rig().arrive(0s, 0);
  sparrow.rig().plan(0s);
  sparrow.answer(1s, 0, {.stage = StageId(0U), .reply = Reply::gone});
  sparrow.answer(2s, 1, {.stage = StageId(0U), .reply = Reply::ready});
  EXPECT_EQ(sparrow.rig().plan(2s), NodeList{1});
  EXPECT_EQ(sparrow.asked(Question::reserve), NodeList{});
}

}  // namespace
}  // namespace somnus::harness
