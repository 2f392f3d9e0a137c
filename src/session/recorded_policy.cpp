#include "session/recorded_policy.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "log/instants.hpp"

namespace somnus {
namespace {

// Each run has one way: its policy's, or its composition's.
WorkDone work_done(const Log& log) {
  const auto& ends = log.events.get<Stamped<TaskEnded>>();
  const bool any = std::ranges::find(ends, Outcome::suspended, &TaskEnded::outcome) != ends.end();
  return any ? WorkDone::kept : WorkDone::lost;
}

}  // namespace

RecordedPolicy::RecordedPolicy(const Log& log, const InOrder<EventRows>& events,
                               const InOrder<DecisionRows>& decisions, const Catalogue& catalogue)
    : decisions_(decisions), catalogue_(catalogue), done_(work_done(log)) {
  const Instants instants(log);
  for (std::size_t number = 0; number < events.size(); ++number) {
    events.visit(number, [&]<class Row>(const Row& row, std::size_t) {
      if constexpr (std::is_same_v<Row, Stamped<Woken>>) {
        const std::optional<Time> at = instants.of(row.round, row.time);
        if (at) wakenings_.push_back({.round = row.round, .at = *at});
      }
    });
  }
}

void RecordedPolicy::round_begins(std::uint32_t number) {
  round_ = number;
  while (next_wakening_ < wakenings_.size() && wakenings_[next_wakening_].round < number) {
    ++next_wakening_;
  }
}

Time RecordedPolicy::wakes_at() const {
  return next_wakening_ < wakenings_.size() ? wakenings_[next_wakening_].at : never;
}

void RecordedPolicy::plan(Time /*now*/, SchedulerContext& context) {
  promises_.clear();
  const auto round_of = [&](std::size_t number) {
    std::uint32_t round = 0;
    decisions_.visit(number, [&](const auto& row, std::size_t) { round = row.round; });
    return round;
  };
  while (next_decision_ < decisions_.size() && round_of(next_decision_) < round_) ++next_decision_;
  std::size_t end = next_decision_;
  while (end < decisions_.size() && round_of(end) == round_) ++end;
  preempt(next_decision_, end, context);
  decide(next_decision_, end, context);
  for (const Preemption& one : waiting_) context.preempt(one.stage, one.by, done_);
  next_decision_ = end;
}

// A log has a round's decisions by kind, not in the order in which they were made. A stage that
// gives up its slots nearly always has run before.
void RecordedPolicy::preempt(std::size_t from, std::size_t end, SchedulerContext& context) {
  waiting_.clear();
  for (; from < end; ++from) {
    decisions_.visit(from, [&]<class Row>(const Row& row, std::size_t) {
      if constexpr (std::is_same_v<Row, Stamped<Preemption>>) {
        const bool runs = context.scheduler_view().jobs.running(row.stage) > 0;
        if (runs) context.preempt(row.stage, row.by, done_);
        if (!runs) waiting_.push_back(row);
      }
    });
  }
}

void RecordedPolicy::decide(std::size_t from, std::size_t end, SchedulerContext& context) {
  while (from < end) {
    std::size_t next = from + 1;
    decisions_.visit(from, [&]<class Row>(const Row& row, std::size_t) {
      if constexpr (std::is_same_v<Row, Stamped<Launch>>) {
        next = launch(row, from, end, context);
      } else if constexpr (std::is_same_v<Row, Stamped<Ask>>) {
        context.request(static_cast<const Ask&>(row));
      } else if constexpr (std::is_same_v<Row, Stamped<Revoke>>) {
        context.request(static_cast<const Revoke&>(row));
      } else if constexpr (std::is_same_v<Row, Stamped<Reservation>>) {
        context.note(row);
      } else if constexpr (std::is_same_v<Row, Stamped<Promise>>) {
        promises_.push_back(row);
      }  // all others are the engine's own
    });
    from = next;
  }
}

std::size_t RecordedPolicy::launch(const Launch& first, std::size_t from, std::size_t end,
                                   SchedulerContext& context) {
  const Stage& stage = catalogue_[first.stage];
  if (!context.managers_see_the_same()) context.use_view_of(stage.job);
  if (first.into == Into::held_slot) {
    context.place_reserved(first.stage, first.node);
    return from + 1;
  }
  if (!stage.gang) {
    context.place(first.stage, first.node);
    return from + 1;
  }
  std::vector<NodeId> nodes;
  for (bool same = true; same && from < end && nodes.size() < stage.tasks;) {
    decisions_.visit(from, [&]<class Row>(const Row& row, std::size_t) {
      same = false;
      if constexpr (std::is_same_v<Row, Stamped<Launch>>) {
        same = row.stage == first.stage;
        if (same) nodes.push_back(row.node);
      }
    });
    if (same) ++from;
  }
  context.place_gang(first.stage, nodes);
  return from;
}

}  // namespace somnus
