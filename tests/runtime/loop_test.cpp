// The event loop under the virtual clock: what happens within an instant, and when it ends.
#include "runtime/loop.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>

#include "base/error.hpp"
#include "harness/node_sets.hpp"
#include "harness/waking.hpp"
#include "harness/world.hpp"
#include "runtime/virtual_clock.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;
using Words = std::vector<std::string>;

/// The scheduler's events at that instant, in order.
Words events_at(const World& world, Duration instant) {
  struct Name {
    std::string operator()(const JobArrived& event) const {
      return fmt::format("job {}", event.job.value());
    }
    std::string operator()(const StageEstimated& event) const {
      return fmt::format("estimate {}", event.stage.value());
    }
    std::string operator()(const TaskEnded& event) const {
      return fmt::format("task {} {}", event.task.value(), name_of(event.outcome));
    }
    std::string operator()(const NodeOffered& event) const {
      return fmt::format("offer {}", event.node.value());
    }
    std::string operator()(const NodeLost& event) const {
      return fmt::format("lost {}", event.node.value());
    }
    std::string operator()(const NodeReturned& event) const {
      return fmt::format("returned {}", event.node.value());
    }
    std::string operator()(const NodeAnswered& event) const {
      return fmt::format("answer {}", event.node.value());
    }
    std::string operator()(const Woken&) const { return "woken"; }
  };
  Words words;
  for (const Heard& heard : world.events) {
    if (heard.at == at(instant)) words.push_back(std::visit(Name(), heard.event));
  }
  return words;
}

TEST(Loop, TellsEndsFirstThenArrivalsInOrderOfJobsEachAfterItsEstimates) {
  auto jobs = cfq_figure_2();
  jobs.job("job4", {.at = 4s}).stage(0, {.tasks = {1}}).stage(1, {.parents = {0}, .tasks = {1}});
  const World world = simulate(jobs, cluster(3), {.order = "cfq"});
  EXPECT_EQ(events_at(world, 0s), (Words{"estimate 0", "job 0", "estimate 1", "job 1"}));
  EXPECT_EQ(events_at(world, 4s), (Words{"task 1 finished", "task 2 finished", "estimate 2",
                                         "job 2", "estimate 3", "estimate 4", "job 3"}));
}

TEST(Loop, AsksTheSchedulerOnceAnInstant) {
  const World world = simulate(cfq_figure_2(), cluster(3), {.order = "cfq"});
  EXPECT_EQ(world.rounds, (std::vector{at(0s), at(4s), at(8s), at(9s), at(12s)}));
  for (std::size_t each = 1; each < world.decisions.size(); ++each) {
    const Decision& before = world.decisions[each - 1];
    const Decision& now = world.decisions[each];
    EXPECT_EQ(before.at == now.at, before.round == now.round);
  }
}

TEST(Loop, TellsTheEndsOnALostNodeBeforeTheLossAndBothBeforeArrivals) {
  const auto jobs = workload().job("a", {.tasks = {9}}).job("b", {.at = 2s, .tasks = {1}});
  const World world = simulate(jobs, cluster(1),
                               {.order = "fifo",
                                .nodes = {.faults = {{at(2s), NodeId(0U), NodeChange::lost},
                                                     {at(5s), NodeId(0U), NodeChange::returned}}}});
  EXPECT_EQ(events_at(world, 2s), (Words{"task 0 lost", "lost 0", "estimate 1", "job 1"}));
  EXPECT_EQ(events_at(world, 5s), (Words{"returned 0"}));
  expect_finish(world, {{"a", 14}, {"b", 15}});
}

TEST(Loop, TellsWhatNodesSayInOneInstantInOrderOfNodesHoweverTheyAreDividedOverRanks) {
  const auto jobs = workload().job("a", {.tasks = {9}}).job("b", {.tasks = {2}});
  for (const std::vector<std::uint32_t>& cuts : {std::vector<std::uint32_t>(), {1}}) {
    const World world = simulate(jobs, cluster(2),
                                 {.order = "fifo",
                                  .nodes = {.faults = {{at(2s), NodeId(0U), NodeChange::lost},
                                                       {at(5s), NodeId(0U), NodeChange::returned}}},
                                  .cuts = cuts});
    EXPECT_EQ(events_at(world, 2s), (Words{"task 0 lost", "task 1 finished", "lost 0"}));
  }
}

TEST(Loop, TellsHeartbeatOffersLastAndOnlyWhileSomethingCouldRun) {
  const auto jobs = workload().job("a", {.at = 3s, .tasks = {1, 1}});
  const World world =
      simulate(jobs, cluster(1),
               {.order = "fifo",
                .feedback = "heartbeat",
                .nodes = {.heartbeats = true, .random_phase = false, .heartbeat_interval = 3s}});
  EXPECT_EQ(events_at(world, 3s), (Words{"estimate 0", "job 0", "offer 0"}));
  EXPECT_EQ(events_at(world, 6s), (Words{"task 0 finished", "offer 0"}));
  EXPECT_EQ(events_at(world, 9s), (Words{"task 1 finished"})) << "nobody has a use for the offer";
  EXPECT_DOUBLE_EQ(world.finish_of("a"), 7);
}

/// A clock that goes on, and a look at what has come that takes 5 ms.
struct Going {
  static constexpr bool foresees = true;
  Time time = start_of_time;

  [[nodiscard]] Time now() const { return time; }
  template <class AnyTransport>
  Time wait(Time until, AnyTransport& transport) {
    return time = std::max(time, std::min(until, transport.next()));
  }
};
struct SlowLook : NodeSets {
  SlowLook(const Cluster& cluster, const NodeModel& model, Going& going)
      : NodeSets(cluster, {}, model), clock(going) {}

  void receive(Time, Reports& reports) {
    clock.time += 5ms;
    NodeSets::receive(clock.time, reports);
  }
  Going& clock;
};
/// When the scheduler heard of each end, and when it was.
struct Ends {
  Time heard;
  std::vector<std::pair<Time, Time>> heard_and_finished;

  void happened(Time now, std::uint32_t, const Event&) { heard = now; }
  void ended(const CompletionMessage& end) { heard_and_finished.emplace_back(heard, end.finished); }
  void round_begins() {}
  void submitted(JobId, Time) {}
  void given_up(Time, TaskId, std::uint16_t, NodeId) {}
  void handled(Duration) {}
  void sample(Time) {}
  void instant(Time) {}
  void decided(Time, std::uint32_t, const auto&) {}
};

TEST(Loop, TellsNothingBeforeItHappenedHoweverLongItLooksAtWhatHasCome) {
  const Workload work = workload().job("a", {.tasks = {0.001, 0.002, 0.003, 0.004}}).build(2);
  const Cluster two = cluster(2);
  const Conditions conditions{.order = "fifo"};
  const std::unique_ptr<Engine> engine = engine_of(work, two, conditions);
  const auto estimator = conditions.estimator(work);
  Going clock;
  SlowLook transport(two, node_model(conditions), clock);
  Ends ends;
  Loop loop(work, *engine, *estimator, clock, transport, ends, {});
  EXPECT_EQ(loop.run(), Ending::all_jobs_ended);
  EXPECT_EQ(ends.heard_and_finished.size(), 4U);
  for (const auto& [heard, finished] : ends.heard_and_finished) EXPECT_GE(heard, finished);
}

TEST(Loop, WakesThePolicyWhenItWantsToBeAsked) {
  Conditions conditions{.order = "fifo"};
  conditions.wrap = [](std::unique_ptr<Policy> policy) {
    return std::make_unique<Periodic>(std::move(policy), 4s);
  };
  const auto jobs =
      workload().job("a", {.at = 1s, .tasks = {2, 2, 2}}).job("b", {.at = 4s, .tasks = {1}});
  const World world = simulate(jobs, cluster(2), conditions);
  EXPECT_EQ(world.rounds, (std::vector{at(1s), at(4s), at(6s), at(8s), at(9s), at(10s)}));
  EXPECT_EQ(events_at(world, 1s), (Words{"estimate 0", "job 0"}));
  EXPECT_EQ(events_at(world, 4s), (Words{"estimate 1", "job 1", "woken"})) << "last in its instant";
  EXPECT_EQ(events_at(world, 6s), (Words{"task 0 finished", "task 1 finished"}));
  EXPECT_EQ(events_at(world, 8s), (Words{"woken"})) << "nothing else happens then";
  EXPECT_EQ(world.served_at(4s), (Words{"a", "a"}));
  EXPECT_EQ(world.served_at(8s), (Words{"a", "b"}));
}

TEST(Loop, WakesThePolicyOnceAnInstantWhateverItSaysAfterwards) {
  Conditions conditions{.order = "fifo"};
  conditions.wrap = [](std::unique_ptr<Policy> policy) {
    return std::make_unique<Stubborn>(std::move(policy), at(3s));
  };
  const World world = simulate(workload().job("a", {.tasks = {5}}), cluster(1), conditions);
  EXPECT_EQ(events_at(world, 3s), (Words{"woken"}));
  EXPECT_EQ(world.rounds, (std::vector{at(0s), at(3s), at(5s)}));
}

TEST(Loop, TellsTheObserverOfPromisesAndNobodyElse) {
  Conditions conditions{.order = "fifo"};
  conditions.wrap = [](std::unique_ptr<Policy> policy) {
    return std::make_unique<Promising>(std::move(policy), 5s);
  };
  const World world =
      simulate(workload().job("a", {.at = 1s, .tasks = {2}}), cluster(1), conditions);
  ASSERT_EQ(world.promises.size(), 1U);
  EXPECT_EQ(world.promises[0].at, at(1s));
  EXPECT_EQ(world.promises[0].promise.end, at(6s));
  EXPECT_DOUBLE_EQ(world.finish_of("a"), 3);
}

TEST(Loop, EndsWhenAllJobsHaveEnded) {
  const World world = simulate(cfq_figure_2(), cluster(3), {.order = "cfq"});
  EXPECT_EQ(world.ending, Ending::all_jobs_ended);
  EXPECT_EQ(world.attempts.size(), 7U);
}

TEST(Loop, StopsAtTheTimeLimitWithTasksUnfinished) {
  const World world =
      simulate(cfq_figure_2(), cluster(3), {.order = "cfq", .loop = {.until = at(8500ms)}});
  EXPECT_EQ(world.ending, Ending::until_reached);
  EXPECT_EQ(world.attempts.size(), 4U);
  EXPECT_EQ(world.finish[0], never);
  EXPECT_DOUBLE_EQ(world.finish_of("job3"), 8);
}

TEST(Loop, EndsWhenNothingCanHappenAnyMore) {
  const auto jobs = workload().job("a", {.tasks = {9}});
  const World world =
      simulate(jobs, cluster(1),
               {.order = "fifo",
                .nodes = {.faults = {{at(2s), NodeId(0U), NodeChange::lost}}},
                .loop = {.sample_interval = 1s}});  // samples alone would go on for ever
  EXPECT_EQ(world.ending, Ending::nothing_left);
  EXPECT_EQ(world.finish[0], never);
}

TEST(Loop, StopsOnRequest) {
  std::atomic<int> stop = 0;
  Conditions conditions{.order = "cfq", .loop = {.stop = &stop}};
  conditions.rounds = [&](Time now, const Engine&) { stop = now >= at(4s) ? 15 : 0; };
  const World world = simulate(cfq_figure_2(), cluster(3), conditions);
  EXPECT_EQ(world.ending, Ending::stopped);
  EXPECT_EQ(world.rounds.back(), at(4s));
}

TEST(Loop, SamplesAtEachMultipleOfTheInterval) {
  const World world =
      simulate(cfq_figure_2(), cluster(3), {.order = "cfq", .loop = {.sample_interval = 5s}});
  EXPECT_EQ(world.samples, (std::vector<Sampled>{{at(0s), 1}, {at(5s), 2}, {at(10s), 4}}));
}

TEST(Loop, SamplesWhenAllRoundsOfTheInstantAreOver) {
  const auto jobs = workload().job("a", {.at = 5s, .tasks = {0, 0, 5}});
  const World world =
      simulate(jobs, cluster(1), {.order = "fifo", .loop = {.sample_interval = 5s}});
  EXPECT_EQ(world.rounds, (std::vector{at(5s), at(5s), at(5s), at(10s)}));
  EXPECT_EQ(world.samples, (std::vector<Sampled>{{at(0s), 0}, {at(5s), 3}, {at(10s), 4}}));
}

TEST(Loop, LetsTheEstimatorLearnFromWhatNodesMeasured) {
  // The first task is cold and takes 6 s instead of 2; the second job is estimated at 6 s a task.
  const auto jobs = workload().job("a", {.tasks = {2}}).job("b", {.at = 10s, .tasks = {1, 1}});
  const World world = simulate(
      jobs, cluster(1),
      {.order = "fifo", .nodes = {.warmup = reuse_warmup(3)}, .estimator = [](const Workload& all) {
         return naive_estimator(all, 1.0);
       }});
  std::vector<double> estimates;
  for (const Heard& heard : world.events) {
    const auto* event = std::get_if<StageEstimated>(&heard.event);
    if (event != nullptr) estimates.push_back(event->slot_time.seconds);
  }
  EXPECT_EQ(estimates, (std::vector<double>{1, 12}));
}

TEST(Loop, WithoutJobsIsOverAtOnce) {
  const World world = simulate(workload(), cluster(1), {.order = "fifo"});
  EXPECT_EQ(world.ending, Ending::all_jobs_ended);
  EXPECT_TRUE(world.rounds.empty());
}

/// Of nodes that do nothing by themselves.
struct Resting {
  static Time go_on(Time until) { return until; }
};

TEST(VirtualClock, StandsUntilTheNextThingIsDue) {
  VirtualClock clock;
  Resting transport;
  EXPECT_EQ(clock.now(), start_of_time);
  EXPECT_EQ(clock.wait(at(4s), transport), at(4s));
  EXPECT_EQ(clock.wait(at(3s), transport), at(4s)) << "it never goes back";
  EXPECT_EQ(clock.now(), at(4s));
}

TEST(VirtualClock, RefusesToWaitForEver) {
  VirtualClock clock;
  Resting transport;
  EXPECT_THROW(clock.wait(never, transport), Bug);
}

}  // namespace
}  // namespace somnus::harness
