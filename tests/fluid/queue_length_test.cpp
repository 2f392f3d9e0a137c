// The bounds of Yaq's queues against the paper's numbers, numbers worked out elsewhere and a
// quadrature of the definition. Simulated nodes are held to them in queue_utilisation_test.cpp.
#include "fluid/queue_length.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "harness/property.hpp"

namespace somnus {
namespace {

using harness::check_law;

RefilledNode ten_slots(double task_duration_s) {
  return {.slots = 10, .heartbeat_s = 3, .task_duration_s = task_duration_s};
}

// One slot for a tasks in a heartbeat of 1 s.
RefilledNode ends(double a) { return {.slots = 1, .heartbeat_s = 1, .task_duration_s = 1 / a}; }

TEST(QueueLength, UtilisationOfTenSlotsIsThatOfTheTable) {
  const struct {
    double task_duration_s;
    std::vector<double> by_queue;
  } rows[] = {{5, {.7520, .8171, .8712, .9139, .9457, .9678, .9821}},
              {10, {.8639, .9247, .9626, .9834, .9934, .9976, .9992}},
              {30, {.9516, .9871, .9972, .9995, .9999, 1, 1}},
              {50, {.9706, .9949, .9993, .9999, 1, 1, 1}}};
  for (const auto& [task_duration_s, by_queue] : rows) {
    for (std::size_t queue = 0; queue < by_queue.size(); ++queue) {
      EXPECT_NEAR(utilisation(ten_slots(task_duration_s), queue), by_queue[queue], 0.5001e-4)
          << task_duration_s << " s, queue of " << queue;
    }
  }
}

TEST(QueueLength, BoundsOfTenSlotsAreThoseOfTheTable) {
  const struct {
    double task_duration_s;
    std::uint64_t chernoff, erlang;
  } rows[] = {{5, 12, 10}, {10, 8, 6}, {22.9, 4, 3}, {30, 4, 3}, {50, 3, 2}};
  for (const auto& row : rows) {
    const RefilledNode node = ten_slots(row.task_duration_s);
    EXPECT_EQ(fixed_duration_queue(node), 0U) << row.task_duration_s;
    EXPECT_EQ(chernoff_queue(node, 0.95), row.chernoff) << row.task_duration_s;
    EXPECT_EQ(erlang_queue(node, 0.95), row.erlang) << row.task_duration_s;
  }
}

TEST(QueueLength, TheShortestUtilisedQueueIsThatOfTheTable) {
  const struct {
    double task_duration_s;
    std::uint64_t at_95, at_99;
  } rows[] = {{5, 5, 7}, {10, 2, 4}, {30, 0, 2}, {50, 0, 1}};
  for (const auto& row : rows) {
    EXPECT_EQ(utilised_queue(ten_slots(row.task_duration_s), 0.95), row.at_95);
    EXPECT_EQ(utilised_queue(ten_slots(row.task_duration_s), 0.99), row.at_99);
  }
}

TEST(QueueLength, ChernoffsExponentReachesTheLogarithmOfTwentyAtAQueueOfEight) {
  EXPECT_NEAR(chernoff_exponent(ten_slots(10), 6), 1.931, 5e-4);
  EXPECT_NEAR(chernoff_exponent(ten_slots(10), 7), 2.847, 5e-4);
  EXPECT_GE(chernoff_exponent(ten_slots(10), 8), std::log(20));
}

TEST(QueueLength, HeartbeatsWithAnIdleSlotAreAsRareAsTheTableSays) {
  EXPECT_NEAR(idling_share(ten_slots(10), 5), 0.0839, 0.5e-4);
  EXPECT_NEAR(idling_share(ten_slots(10), 6), 0.0335, 0.5e-4);
  EXPECT_NEAR(idling_share(ten_slots(30), 2), 0.0803, 0.5e-4);
  EXPECT_NEAR(idling_share(ten_slots(30), 3), 0.0190, 0.5e-4);
}

TEST(QueueLength, ChernoffsQueuesAreThoseOfThePapersFigure5) {
  const double tasks[] = {1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30};
  const struct {
    double target;
    std::vector<std::uint64_t> queues;
  } rows[] = {{0.9, {3, 5, 7, 9, 10, 11, 14, 17, 24, 30, 42}},
              {0.95, {4, 6, 8, 9, 11, 12, 15, 18, 25, 31, 44}},
              {0.99, {5, 7, 9, 11, 13, 14, 18, 21, 28, 35, 48}}};
  for (const auto& [target, queues] : rows) {
    for (std::size_t at = 0; at < queues.size(); ++at) {
      EXPECT_EQ(chernoff_queue(ends(tasks[at]), target), queues[at])
          << tasks[at] << " tasks, target " << target;
    }
  }
}

TEST(QueueLength, TasksOfOneDurationNeedTheWorkThatTheSlotsDoNotHaveYet) {
  EXPECT_EQ(fixed_duration_queue(ten_slots(1)), 20U);
  EXPECT_EQ(fixed_duration_queue(ten_slots(2)), 5U);
  EXPECT_EQ(fixed_duration_queue({.slots = 1, .heartbeat_s = 3, .task_duration_s = 3}), 0U);
  EXPECT_EQ(fixed_duration_queue({.slots = 7, .heartbeat_s = 3, .task_duration_s = 0.1}), 203U);
  EXPECT_EQ(fixed_duration_queue({.slots = 10, .heartbeat_s = 0.7, .task_duration_s = 0.1}), 60U);
}

// One slot, where 1/(r-1) has no value: a queue of one keeps it busy for an Erlang time of two
// ends. With mu tau = 1, E[min(X_2, 1)] = int_0^1 (1 + t) e^{-t} dt = 2 - 3/e.
TEST(QueueLength, OneSlotIsBusyUntilItHasEndedAllThatItWasGiven) {
  EXPECT_NEAR(utilisation(ends(1), 0), 1 - std::exp(-1), 1e-15);
  EXPECT_NEAR(utilisation(ends(1), 1), 2 - 3 * std::exp(-1), 1e-15);
}

// E[max(0, tau - X_b - Y)] / tau by Simpson's rule over the Erlang density of X_b.
double utilisation_by_quadrature(const RefilledNode& node, double b) {
  const double a = node.ends_per_heartbeat();
  const double mu_tau = node.ends_per_slot();
  const auto lost = [&](double x) {  // x: the share of the heartbeat when the queue is empty
    const double density =
        x == 0 ? (b == 1 ? a : 0)
               : std::exp(std::log(a) + (b - 1) * std::log(a * x) - a * x - std::lgamma(b));
    return density * ((1 - x) + std::expm1(-mu_tau * (1 - x)) / mu_tau);
  };
  constexpr int steps = 400000;
  double sum = lost(0) + lost(1);
  for (int at = 1; at < steps; ++at) sum += (at % 2 == 1 ? 4 : 2) * lost(double(at) / steps);
  return 1 - sum / (3.0 * steps);
}

TEST(QueueLength, ManySlotsAndLongQueuesAgreeWithTheIntegralThatDefinesTheUtilisation) {
  const struct {
    std::uint64_t slots;
    double task_duration_s;
    std::uint64_t queue;
  } cases[] = {{1, 0.01, 250},     {1, 0.001, 3000},     {1000, 0.1, 100},    {1000, 0.1, 29000},
               {1000, 0.1, 30100}, {100000, 30, 9900},   {100000, 30, 10100}, {1000000, 3e6, 1},
               {1000000, 3e6, 3},  {1000000, 10, 290000}};
  for (const auto& [slots, task_duration_s, queue] : cases) {
    const RefilledNode node{.slots = slots, .heartbeat_s = 3, .task_duration_s = task_duration_s};
    EXPECT_NEAR(utilisation(node, queue),
                utilisation_by_quadrature(node, static_cast<double>(queue)), 1e-9)
        << slots << " slots, queue of " << queue << ", tasks of " << task_duration_s << " s";
  }
}

struct AnyNode {
  RefilledNode node;
  std::uint64_t queue;
};

std::ostream& operator<<(std::ostream& out, const AnyNode& any) {
  return out << any.node.slots << " slots, heartbeat " << any.node.heartbeat_s << " s, tasks of "
             << any.node.task_duration_s << " s, queue of " << any.queue;
}

rc::Gen<AnyNode> any_node() {
  return rc::gen::exec([] {
    AnyNode any;
    any.node.slots = *rc::gen::oneOf(rc::gen::inRange<std::uint64_t>(1, 40),
                                     rc::gen::inRange<std::uint64_t>(1, 5000));
    any.node.heartbeat_s = *rc::gen::inRange(1, 1000) / 10.0;
    any.node.task_duration_s = std::pow(10, *rc::gen::inRange(-200, 400) / 100.0);
    const auto around = static_cast<std::uint64_t>(1.5 * any.node.ends_per_heartbeat()) + 20;
    any.queue = *rc::gen::inRange<std::uint64_t>(0, around);
    return any;
  });
}

TEST(QueueLength, UtilisationIsAShareThatNeverFallsAsTheQueueGrows) {
  check_law({.cases = 3000}, [] {
    const AnyNode any = *any_node();
    const double here = utilisation(any.node, any.queue);
    const double longer = utilisation(any.node, any.queue + 1);
    RC_ASSERT(here >= 0);
    RC_ASSERT(longer <= 1);
    RC_ASSERT(longer >= here - 1e-11);
  });
}

TEST(QueueLength, UtilisationIsAtLeastTheShareOfHeartbeatsWithoutAnIdleSlot) {
  check_law({.cases = 2000}, [] {
    const AnyNode any = *any_node();
    RC_ASSERT(1 - idling_share(any.node, any.queue) <= utilisation(any.node, any.queue) + 1e-11);
  });
}

TEST(QueueLength, NoSlotIdlesMoreOftenThanChernoffAllowsWhereTheQueueHoldsAHeartbeatsTasks) {
  check_law({.cases = 2000}, [] {
    AnyNode any = *any_node();
    any.queue += static_cast<std::uint64_t>(any.node.ends_per_heartbeat());
    const double bound = std::exp(-chernoff_exponent(any.node, any.queue));
    RC_ASSERT(idling_share(any.node, any.queue) <= bound * (1 + 1e-9));
  });
}

TEST(QueueLength, EachQueueIsTheShortestThatItsRuleAllowsAndTheRulesAreOrdered) {
  check_law({.cases = 500}, [] {
    const RefilledNode node = (*any_node()).node;
    const double target = *rc::gen::inRange(1, 1000) / 1000.0;
    const std::uint64_t utilised = utilised_queue(node, target);
    const std::uint64_t erlang = erlang_queue(node, target);
    const std::uint64_t chernoff = chernoff_queue(node, target);
    RC_ASSERT(utilised <= erlang);
    RC_ASSERT(erlang <= chernoff);
    RC_ASSERT(utilisation(node, utilised) >= target);
    RC_ASSERT(utilised == 0 || utilisation(node, utilised - 1) < target);
    RC_ASSERT(erlang == 0 || idling_share(node, erlang - 1) > 1 - target);
    const bool shorter_is_bounded =
        chernoff > 0 && static_cast<double>(chernoff) >= node.ends_per_heartbeat();
    RC_ASSERT(!shorter_is_bounded ||
              chernoff_exponent(node, chernoff - 1) < std::log(1 / (1 - target)) + 1e-9);
  });
}

}  // namespace
}  // namespace somnus
