// Whether tasks leave their nodes' queues in the order that the config says: Algorithm 3 of Yaq,
// with the key of whatever reordering it is.
#include <algorithm>
#include <cmath>
#include <vector>

#include "audit/audit.hpp"
#include "audit/known_state.hpp"
#include "scheduler/registry.hpp"

namespace somnus::audit {
namespace {

/// A task that starts, or that waits meanwhile, as its node may have known it.
struct Candidate {
  std::uint32_t at;  // row of /tasks
  Time queued;
  Time arrival;
  KnownState::Keys keys;
  bool starved;  // for sure
  bool may_starve;
};

class QueueOrder {
 public:
  explicit QueueOrder(const Facts& facts) : facts_(facts), known_state_(facts) {}

  [[nodiscard]] std::optional<Candidate> candidate(std::uint32_t at, Time now,
                                                   const KnownState::LastUpdate& look) const {
    const TaskRow& row = facts_.log.tasks[at];
    const auto keys = known_state_.keys(row, look);
    if (!keys) return {};
    const Duration wait = now - at_seconds(row.queued);
    return Candidate{.at = at,
                     .queued = at_seconds(row.queued),
                     .arrival = known_state_.arrival(row.job).value_or(Time()),
                     .keys = *keys,
                     .starved = starves(row, wait - facts_.uncertainty),
                     .may_starve = starves(row, wait + facts_.uncertainty)};
  }

  /// Whether `one` may not start while `other` waits, however the two stand that the log leaves
  /// open.
  [[nodiscard]] bool overtakes(const Candidate& one, const Candidate& other) const {
    const bool came_later = one.queued > other.queued + facts_.uncertainty;
    if (one.starved && other.starved) {
      return one.arrival > other.arrival || (one.arrival == other.arrival && came_later);
    }
    if (one.may_starve) return false;
    if (other.starved) return true;
    return one.keys.least > other.keys.most || (one.keys.least == other.keys.most && came_later);
  }

  [[nodiscard]] KnownState::LastUpdate last_update(std::uint32_t node, Time now) const {
    return known_state_.last_update(node, now);
  }

 private:
  [[nodiscard]] bool starves(const TaskRow& row, Duration wait) const {
    const QueueRules& rules = facts_.settings->queue;
    if (!rules.reorder->reorders) return false;
    const double relative_s =
        in_seconds(known_state_.estimate(StageId(row.stage))) * rules.starvation_relative;
    const double limit_s =
        std::isnan(relative_s) ? rules.starvation_s : std::min(rules.starvation_s, relative_s);
    return in_seconds(wait) > limit_s;
  }

  const Facts& facts_;
  KnownState known_state_;
};

std::string in_words(const Facts& facts, const Candidate& one, const Candidate& other) {
  const TaskRow& row = facts.log.tasks[one.at];
  const TaskRow& waiting = facts.log.tasks[other.at];
  std::string keys;
  if (facts.settings->queue.reorder->reorders) {
    keys = fmt::format("; its key was at least {}, the other's at most {}", one.keys.least,
                       other.keys.most);
  }
  return fmt::format("{}: queued {} s, start {} s, before row {}: queued {} s, start {} s{}",
                     text(one.at, row), row.queued, row.start, other.at, waiting.queued,
                     waiting.start, keys);
}

}  // namespace

bool queues_have_an_order(const Facts& facts) {
  if (!tasks_queue(facts)) return false;
  if (!queue_part(facts.settings->scheduler.queue).traits.by_key) return false;
  return !facts.settings->queue.reorder->reorders || !facts.log.events.empty();
}

Finding queues_keep_their_order(const Facts& facts) {
  const Reordering reorder = facts.settings->queue.reorder;
  FindingBuilder finding(
      fmt::format("of the tasks in a node's queue the next to start is by {}: {}", reorder.name(),
                  reorder->summary));
  finding.asserted(facts.simulated || !reorder->follows_jobs);
  finding.note(!reorder->follows_jobs ? facts.tolerance()
               : facts.simulated
                   ? "asserted as far as what nodes knew of jobs follows from the events"
                   : "no log of a run says when a node heard of its jobs");
  const QueueOrder order(facts);
  for_each_node(facts, [&](std::uint32_t node, const std::vector<std::uint32_t>& rows) {
    const auto start = [&](std::uint32_t at) { return at_seconds(facts.log.tasks[at].start); };
    const auto queued = [&](std::uint32_t at) { return at_seconds(facts.log.tasks[at].queued); };
    const std::vector<std::uint32_t> by_coming = in_order_of(queued, rows);
    std::vector<std::uint32_t> waiting;
    auto coming = by_coming.begin();
    for (const std::uint32_t at : in_order_of(start, rows)) {
      const Time now = start(at);
      if (reorder->reorders && now >= facts.heard_until) break;
      while (coming != by_coming.end() && queued(*coming) + facts.uncertainty < now) {
        waiting.push_back(*coming++);
      }
      std::erase_if(waiting,
                    [&](std::uint32_t one) { return start(one) <= now + facts.uncertainty; });
      if (waiting.empty()) continue;
      const KnownState::LastUpdate look = order.last_update(node, now);
      const auto one = order.candidate(at, now, look);
      if (!one) continue;
      std::optional<Candidate> first;
      for (const std::uint32_t each : waiting) {
        const auto other = order.candidate(each, now, look);
        if (!other || !order.overtakes(*one, *other)) continue;
        if (!first || other->at < first->at) first = other;
      }
      finding.expect(!first, [&] { return in_words(facts, *one, *first); });
    }
  });
  return std::move(finding).finding();
}

}  // namespace somnus::audit
