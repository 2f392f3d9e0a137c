#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include "audit/audit.hpp"
#include "base/time.hpp"

namespace somnus::audit {
namespace {

/// When it is unknown how many of a node's slots were free: from when it was sent an attempt of
/// which it reported nothing, until the run ended, or was cut off and resumed. One that was killed
/// before it came took no slot.
class Unknown {
 public:
  explicit Unknown(const Facts& facts) : spans_(facts.log.tables.nodes.size()) {
    for (const TaskRow& row : facts.log.tasks) {
      const bool killed = row.outcome == static_cast<std::uint8_t>(Outcome::killed);
      if (is(row.queued) || killed) continue;
      add(row.node, {at_seconds(row.placed), facts.resumed_after(row.placed)});
    }
  }

  [[nodiscard]] bool at(std::uint32_t node, Time now) const {
    return std::ranges::any_of(
        spans_[node], [&](const Span& span) { return span.from <= now && now < span.end; });
  }

 private:
  struct Span {
    Time from;
    Time end;
  };

  // All that end together are one, from the first on.
  void add(std::uint32_t node, Span span) {
    const auto same = std::ranges::find(spans_[node], span.end, &Span::end);
    if (same == spans_[node].end()) {
      spans_[node].push_back(span);
    } else {
      same->from = std::min(same->from, span.from);
    }
  }

  std::vector<std::vector<Span>> spans_;  // by node
};

/// One node's queue and slots over time, by the attempts that started. Each stamp may be off
/// by half of what two may contradict each other, so slots are taken that much longer and tasks
/// wait that much less.
class NodeHistory {
 public:
  NodeHistory(const Facts& facts, std::span<const std::uint32_t> rows)
      : facts_(facts), rows_(rows) {
    const Duration slack = facts.uncertainty / 2;
    for (const std::uint32_t at : rows) {
      const TaskRow& row = facts.log.tasks[at];
      const Time taken = at_seconds(row.start) - slack;
      const Time came = at_seconds(row.queued) + slack;
      changes_.push_back({taken, 1, 0});
      if (is(row.finish)) changes_.push_back({at_seconds(row.finish) + slack, -1, 0});
      if (came >= taken) continue;
      changes_.push_back({came, 0, 1});
      changes_.push_back({taken, 0, -1});
    }
    std::ranges::sort(changes_, {}, &Change::time);
  }

  /// Calls visit(time, running, waiting) after all changes of each instant.
  template <class Visit>
  void run(Visit&& visit) const {
    std::int64_t running = 0;
    std::int64_t waiting = 0;
    for (std::size_t at = 0; at < changes_.size(); ++at) {
      running += changes_[at].running;
      waiting += changes_[at].waiting;
      const bool last = at + 1 == changes_.size() || changes_[at + 1].time != changes_[at].time;
      if (last) visit(changes_[at].time, running, waiting);
    }
  }

  /// Of those that wait then, the one whose row comes first.
  [[nodiscard]] std::string one_waiting(Time now) const {
    std::uint32_t first = std::numeric_limits<std::uint32_t>::max();
    for (const std::uint32_t at : rows_) {
      const TaskRow& row = facts_.log.tasks[at];
      const bool waits = at_seconds(row.queued) <= now && now < at_seconds(row.start);
      if (waits) first = std::min(first, at);
    }
    const TaskRow& row = facts_.log.tasks[first];
    return fmt::format("{} waits from {} s to {} s", text(first, row), row.queued, row.start);
  }

 private:
  struct Change {
    Time time;
    std::int8_t running;
    std::int8_t waiting;
  };
  const Facts& facts_;
  std::span<const std::uint32_t> rows_;
  std::vector<Change> changes_;
};

}  // namespace

bool nodes_queue(const Facts& facts) {
  return facts.settings && has_worker_queues(*facts.settings);
}

bool tasks_queue(const Facts& facts) { return nodes_queue(facts) && !facts.placement.reserves; }

Finding returned_never_start(const Facts& facts) {
  FindingBuilder finding("no attempt that its node returned from its queue has started");
  for (std::uint32_t at = 0; at < facts.log.tasks.size(); ++at) {
    const TaskRow& row = facts.log.tasks[at];
    if (row.outcome != static_cast<std::uint8_t>(Outcome::returned)) continue;
    finding.expect(is(row.queued) && !is(row.start) && !is(row.finish), [&] {
      return fmt::format("{}: queued {} s, start {} s, finish {} s", text(at, row), row.queued,
                         row.start, row.finish);
    });
  }
  return std::move(finding).finding();
}

bool slots_fill_from_queues(const Facts& facts) { return tasks_queue(facts) && facts.complete; }

Finding no_slot_idles_beside_a_queue(const Facts& facts) {
  FindingBuilder finding("no slot is free while a task waits in its node's queue");
  finding.note(facts.tolerance());
  const Unknown unknown(facts);
  for_each_node(facts, [&](std::uint32_t node, const std::vector<std::uint32_t>& rows) {
    const std::int64_t slots = facts.log.tables.nodes[node].slots;
    const NodeHistory history(facts, rows);
    history.run([&](Time now, std::int64_t running, std::int64_t waiting) {
      if (waiting == 0 || unknown.at(node, now)) return;
      finding.expect(running >= slots, [&] {
        return fmt::format("{}; at {} s {} of {} slots are free", history.one_waiting(now),
                           in_seconds(now), slots - running, slots);
      });
    });
  });
  return std::move(finding).finding();
}

bool queues_have_a_length(const Facts& facts) {
  return nodes_queue(facts) && facts.settings->queue.bound == QueueBound::length;
}

Finding queues_keep_their_length(const Facts& facts) {
  const auto longest = static_cast<std::int64_t>(facts.settings->queue.length);
  FindingBuilder finding(fmt::format("no more than {} tasks wait in a node's queue", longest));
  const bool known_late = facts.feedback.may_overfill;
  finding.asserted(!known_late);
  finding.note(known_late ? "job managers do not see each other's tasks" : facts.tolerance());
  for_each_node(facts, [&](std::uint32_t, const std::vector<std::uint32_t>& rows) {
    const NodeHistory history(facts, rows);
    history.run([&](Time now, std::int64_t, std::int64_t waiting) {
      if (waiting == 0) return;
      finding.expect(waiting <= longest, [&] {
        return fmt::format("{}; at {} s {} tasks wait there", history.one_waiting(now),
                           in_seconds(now), waiting);
      });
    });
  });
  return std::move(finding).finding();
}

bool starved_come_first(const Facts& facts) {
  if (!tasks_queue(facts)) return false;
  const QueueRules& rules = facts.settings->queue;
  // What is relative is so to estimates, of which the log has none for a task.
  return std::isfinite(rules.starvation_s) && !std::isfinite(rules.starvation_relative);
}

Finding starved_are_not_overtaken(const Facts& facts) {
  const Duration threshold = seconds(facts.settings->queue.starvation_s);
  FindingBuilder finding(
      fmt::format("no task overtakes one that has waited more than {} s, unless it has too",
                  facts.settings->queue.starvation_s));
  finding.note(facts.tolerance());
  for_each_node(facts, [&](std::uint32_t, std::vector<std::uint32_t> rows) {
    const auto row_at = [&](std::uint32_t at) -> const TaskRow& { return facts.log.tasks[at]; };
    std::ranges::sort(rows, std::greater(), [&](std::uint32_t at) { return row_at(at).start; });
    const TaskRow* longest = nullptr;  // in the queue, of those that start after this instant
    const TaskRow* longest_of_all = nullptr;
    double instant = std::numeric_limits<double>::infinity();
    for (const std::uint32_t at : rows) {
      const TaskRow& row = row_at(at);
      if (row.start < instant) longest = longest_of_all;
      instant = row.start;
      if (longest_of_all == nullptr || row.queued < longest_of_all->queued) {
        longest_of_all = &row;
      }
      if (longest == nullptr) continue;
      const Time start = at_seconds(row.start);
      const bool starved = start - at_seconds(row.queued) > threshold - facts.uncertainty;
      const bool overtakes =
          !starved && start - at_seconds(longest->queued) > threshold + facts.uncertainty;
      finding.expect(!overtakes, [&] {
        return fmt::format("{}: queued {} s, start {} s, where row {} waits from {} s to {} s",
                           text(at, row), row.queued, row.start, longest - facts.log.tasks.data(),
                           longest->queued, longest->start);
      });
    }
  });
  return std::move(finding).finding();
}

}  // namespace somnus::audit
