// What a node does with tasks that it cannot start yet, and how long a job's manager takes to send
// them there (Yaq, section 3; policies.md 4.1). Data only: the scheduler goes by the bound, the
// nodes in workers/ by the rest.
#pragma once

#include <cstdint>
#include <limits>

#include "base/describe.hpp"
#include "queueing/reordering.hpp"

namespace somnus {

/// What limits a queue. Not an open set: a bound is one number that a manager sees of a node, its
/// tasks or its wait, against a key of its own, and whoever keeps the view, reads the config or
/// audits a log has to know which. Another bound would begin with another number in NodeView.
enum class QueueBound { none, length, delay };
template <>
struct EnumNames<QueueBound> {
  static constexpr std::pair<QueueBound, const char*> names[] = {
      {QueueBound::none, "none"}, {QueueBound::length, "length"}, {QueueBound::delay, "delay"}};
};

/// What is compared between nodes. Not an open set: these are the two numbers that a heartbeat
/// brings of a queue, and the unit in which a node gets its limit.
enum class Rebalance { none, length, wait };
template <>
struct EnumNames<Rebalance> {
  static constexpr std::pair<Rebalance, const char*> names[] = {
      {Rebalance::none, "none"}, {Rebalance::length, "length"}, {Rebalance::wait, "wait"}};
};

/// [queue]: the queue that each node has.
struct QueueRules {
  QueueBound bound = QueueBound::none;
  std::uint32_t length = 4;
  double max_wait_s = 10;
  Reordering reorder;
  double starvation_s = std::numeric_limits<double>::infinity();
  double starvation_relative = std::numeric_limits<double>::infinity();
  Rebalance rebalance = Rebalance::none;
  double rebalance_interval_s = 1;
  double rebalance_sigma = 1;
  double rebalance_low = 5;  // these two as YARN has them for lengths
  double rebalance_high = 15;

  static constexpr auto fields() {
    using R = QueueRules;
    return in_order(
        field("bound", &R::bound, "",
              "what limits a queue: nothing, its length, or the wait estimated in it"),
        field("length", &R::length, "1", "most tasks queued at a node"),
        field("max_wait_s", &R::max_wait_s, "s",
              "a task is queued only where the estimated wait is less", positive),
        field("reorder", &R::reorder, "", "which queued task starts next (see `somnus policies`)"),
        field("starvation_s", &R::starvation_s, "s",
              "a task that has waited longer goes before all that have not", zero_to_infinity),
        field("starvation_relative", &R::starvation_relative, "1",
              "the same, as a multiple of the task's estimated duration", zero_to_infinity),
        field("rebalance", &R::rebalance, "",
              "what is compared between nodes, to take tasks back from the fullest queues"),
        field("rebalance_interval_s", &R::rebalance_interval_s, "s",
              "time between two comparisons; a task is taken back once in that time at most",
              positive),
        field("rebalance_sigma", &R::rebalance_sigma, "1",
              "limit of a queue: mean over nodes + this many standard deviations", not_negative),
        field("rebalance_low", &R::rebalance_low, "1",
              "the limit is never below that many tasks, or s", not_negative),
        field("rebalance_high", &R::rebalance_high, "1",
              "the limit is never above that many tasks, or s", zero_to_infinity));
  }
};

enum class LaunchModel { constant, exponential };
template <>
struct EnumNames<LaunchModel> {
  static constexpr std::pair<LaunchModel, const char*> names[] = {
      {LaunchModel::constant, "constant"}, {LaunchModel::exponential, "exponential"}};
};

/// [job_manager]: each job's own process, between the scheduler's decision and the node.
struct JobManagerRules {
  double poll_s = 0;
  double launch_s = 0;
  LaunchModel launch = LaunchModel::constant;

  static constexpr auto fields() {
    using R = JobManagerRules;
    return in_order(
        field("poll_s", &R::poll_s, "s",
              "it learns of decisions at its own heartbeats, that far apart; 0: at once",
              not_negative),
        field("launch_s", &R::launch_s, "s",
              "from then until the task is ready to start at its node, on average", not_negative),
        field("launch", &R::launch, "", "how that time is distributed"));
  }
};

}  // namespace somnus
