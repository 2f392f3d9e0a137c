#include "scheduler/rebalanced.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace somnus {

void Rebalanced::node_reported(Time now, const NodeOffered& report, const SchedulerView& view) {
  policy_->node_reported(now, report, view);
  reported_.resize(view.nodes.count());
  double& reported = reported_[report.node.index()];
  reported = rules_.rebalance == Rebalance::length ? report.queued : report.wait.seconds;
  if (now >= next_comparison_) {
    compare(view);
    next_comparison_ = now + seconds(rules_.rebalance_interval_s);
  }
  if (report.queued == 0 || reported <= limit_) return;
  revokes_.push_back(rules_.rebalance == Rebalance::length
                         ? Revoke{.node = report.node, .length = limit_}
                         : Revoke{.node = report.node, .wait = Estimate{limit_}});
}

void Rebalanced::compare(const SchedulerView& view) {
  double nodes = 0;
  double sum = 0;
  double squares = 0;
  for (std::size_t at = 0; at < reported_.size(); ++at) {
    if (!view.nodes.up(NodeId(at))) continue;
    ++nodes;
    sum += reported_[at];
    squares += reported_[at] * reported_[at];
  }
  const double mean = sum / nodes;
  const double deviation = std::sqrt(std::max(0.0, squares / nodes - mean * mean));
  limit_ = std::clamp(mean + rules_.rebalance_sigma * deviation, rules_.rebalance_low,
                      std::max(rules_.rebalance_low, rules_.rebalance_high));
  if (rules_.rebalance == Rebalance::length) limit_ = std::floor(limit_);
}

void Rebalanced::plan(Time now, SchedulerContext& context) {
  for (const Revoke& revoke : std::exchange(revokes_, {})) context.request(revoke);
  policy_->plan(now, context);
}

}  // namespace somnus
