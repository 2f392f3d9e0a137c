#include "emulator/run/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "config/config.hpp"
#include "emulator/compose/compose.hpp"
#include "emulator/log/rows.hpp"
#include "emulator/run/retelling.hpp"
#include "engine/engine.hpp"

namespace somnus {
namespace {

// Beyond any estimate [s] or count that a run could have told; sums of a few still fit a Duration.
constexpr double most_value = 2e9;

constexpr auto launch_kind = static_cast<std::uint8_t>(DecisionKind::launch);

tl::unexpected<Mistakes> refuse(std::string what, std::string hint = {}) {
  return mistake({.what = std::move(what), .hint = std::move(hint)});
}

/// Where `time` and `round` go back or an id points nowhere, in words; empty if all is well.
class RowCheck {
 public:
  RowCheck(const Catalogue& catalogue, std::size_t nodes) : catalogue_(catalogue), nodes_(nodes) {}

  std::string fault_of(std::span<const EventRow> rows) {
    for (std::size_t at = 0; at < rows.size(); ++at) {
      const EventRow& row = rows[at];
      if (row.kind >= event_kinds) return fmt::format("/events row {}: kind {}", at, row.kind);
      if (row.outcome > static_cast<std::uint8_t>(Outcome::returned)) {
        return fmt::format("/events row {}: outcome {}", at, row.outcome);
      }
      const bool tells_nothing =
          row.value != row.value && !std::holds_alternative<StageEstimated>(event_of(row));
      if (!tells_nothing && !(row.value >= 0 && row.value <= most_value)) {
        return fmt::format("/events row {}: value {}", at, row.value);
      }
      if (const auto fault = order_fault(row); !fault.empty()) {
        return fmt::format("/events row {}: {}", at, fault);
      }
      const Event event = event_of(row);
      const bool known = std::visit([&](const auto& one) { return exists(one); }, event);
      if (!known)
        return fmt::format("/events row {}: there is no {} {}", at, noun(event), row.what);
    }
    return {};
  }

  std::string fault_of(std::span<const DecisionRow> rows) {
    time_ = start_of_time;
    round_ = 0;
    for (std::size_t at = 0; at < rows.size(); ++at) {
      if (const auto fault = order_fault(rows[at]); !fault.empty()) {
        return fmt::format("/decisions row {}: {}", at, fault);
      }
      if (rows[at].kind == launch_kind && rows[at].task >= catalogue_.tasks) {
        return fmt::format("/decisions row {}: there is no task {}", at, rows[at].task);
      }
    }
    return {};
  }

 private:
  template <class Row>
  std::string order_fault(const Row& row) {
    if (!(row.time >= 0)) return fmt::format("time {} s", row.time);
    if (at_seconds(row.time) < time_) return "time goes back";
    if (row.round < round_) return "round goes back";
    time_ = at_seconds(row.time);
    round_ = row.round;
    return {};
  }

  [[nodiscard]] bool exists(const JobArrived& event) const {
    return event.job.index() < catalogue_.jobs.size();
  }
  [[nodiscard]] bool exists(const StageEstimated& event) const {
    return event.stage.index() < catalogue_.stages.size();
  }
  [[nodiscard]] bool exists(const TaskEnded& event) const {
    return event.task.index() < catalogue_.tasks && event.node.index() < nodes_;
  }
  [[nodiscard]] bool exists(const NodeAnswered& event) const {
    return event.stage.index() < catalogue_.stages.size() && event.node.index() < nodes_;
  }
  [[nodiscard]] bool exists(const auto& event) const { return event.node.index() < nodes_; }

  static const char* noun(const Event& event) {
    if (std::holds_alternative<JobArrived>(event)) return "job";
    if (std::holds_alternative<StageEstimated>(event)) return "stage";
    return std::holds_alternative<TaskEnded>(event) ? "task" : "node";
  }

  const Catalogue& catalogue_;
  std::size_t nodes_;
  Time time_ = start_of_time;
  std::uint32_t round_ = 0;
};

class Replay {
 public:
  Replay(const Log& log, const Catalogue& catalogue, Engine& engine)
      : log_(log),
        catalogue_(catalogue),
        engine_(engine),
        decisions_(log.decisions),
        retelling_(log, engine) {}

  Replayed run() {
    const std::span<const EventRow> events = log_.events;
    std::size_t from = 0;
    while (from < events.size() && result_.difference.empty() && result_.cut_off.empty()) {
      std::size_t end = from;
      while (end < events.size() && events[end].round == events[from].round) ++end;
      const bool may_lack_events = !log_.header.complete && end == events.size();
      round(events.subspan(from, end - from), from, may_lack_events);
      from = end;
    }
    if (result_.difference.empty() && result_.cut_off.empty() && !decisions_.empty()) {
      left_over(decisions_.front());
    }
    if (result_.difference.empty() && result_.cut_off.empty()) {
      retelling_.ends(result_.events, result_.rounds);
    }
    if (result_.difference.empty()) result_.difference = retelling_.difference();
    return std::move(result_);
  }

 private:
  void round(std::span<const EventRow> events, std::size_t row, bool may_lack_events) {
    const Time now = at_seconds(events.front().time);
    const std::uint32_t number = events.front().round;
    retelling_.round_begins(now);
    for (const EventRow& event : events) {
      if (!handle(event)) {
        result_.difference = fmt::format(
            "round {} at {} s: /events row {} can't be: what it tells of has already happened, or "
            "could not happen then",
            number, event.time, row);
        return;
      }
      retelling_.happened(now, event_of(event));
      ++row;
      ++result_.events;
    }
    if (may_lack_events) {
      result_.cut_off = fmt::format("the log ends in round {} at {} s, which is not compared",
                                    number, in_seconds(now));
      return;
    }
    again_.clear();
    engine_.plan(now).for_each([&](const auto& commands) {
      for (const auto& one : commands) again_.push_back(to_row(now, number, one));
    });
    ++result_.rounds;
    retelling_.planned(now);
    compare(now, number);
  }

  bool handle(const EventRow& row) {
    const Event event = event_of(row);
    const auto* const arrived = std::get_if<JobArrived>(&event);
    if (arrived != nullptr && engine_.jobs().arrived(arrived->job)) return false;
    return engine_.handle(at_seconds(row.time), event);
  }

  void compare(Time now, std::uint32_t number) {
    std::size_t then = 0;
    while (then < decisions_.size() && decisions_[then].round <= number) ++then;
    const auto decided = decisions_.first(then);
    const bool may_lack_decisions = !log_.header.complete && then == decisions_.size();
    for (std::size_t at = 0; at < std::max(decided.size(), again_.size()); ++at) {
      if (at == decided.size() && may_lack_decisions) {
        result_.cut_off = fmt::format(
            "the log's decisions end in round {} at {} s, later rounds are not compared", number,
            in_seconds(now));
        break;
      }
      const auto* const before = at < decided.size() ? &decided[at] : nullptr;
      const auto* const again = at < again_.size() ? &again_[at] : nullptr;
      const bool equal = before != nullptr && again != nullptr && same(*before, *again);
      if (!equal) {
        result_.difference = fmt::format(
            "round {} at {} s, decision {} of the round: then {}, now {}", number, in_seconds(now),
            at, before == nullptr ? "none" : text(*before, now, number),
            again == nullptr ? "none" : text(*again, now, number));
        return;
      }
      ++result_.decisions;
    }
    decisions_ = decisions_.subspan(then);
  }

  void left_over(const DecisionRow& decision) {
    if (!log_.header.complete) return;  // the events were cut off before
    result_.difference = fmt::format(
        "round {} at {} s: then {}, now none, as the log has no event of that round",
        decision.round, decision.time, text(decision, at_seconds(decision.time), decision.round));
  }

  static bool same(const DecisionRow& a, const DecisionRow& b) {
    const auto all = [](const DecisionRow& row) {
      return std::tuple(at_seconds(row.time), row.round, row.kind, row.task, row.node, row.attempt);
    };
    return all(a) == all(b);
  }

  [[nodiscard]] std::string what(const DecisionRow& row) const {
    switch (static_cast<DecisionKind>(row.kind)) {
      case DecisionKind::launch: {
        const TaskId task(row.task);
        const Stage& stage = catalogue_[catalogue_.stage_of[task.index()]];
        return fmt::format("task {} (job {}, stage {}, index {}) on node {}, attempt {}", row.task,
                           stage.job.value(), stage.label, row.task - stage.first_task.value(),
                           row.node, row.attempt);
      }
      case DecisionKind::probe:
        return fmt::format("a probe of node {} for stage {}", row.node, row.task);
      case DecisionKind::reserve:
        return fmt::format("a reservation on node {} for stage {}", row.node, row.task);
      case DecisionKind::decline:
        return fmt::format("nothing left for stage {}'s reservation on node {}", row.task,
                           row.node);
      case DecisionKind::revoke:
        return fmt::format("node {} to give back what is queued beyond {}", row.node,
                           row.task / 1000.0);
    }
    return fmt::format("a decision of kind {}", row.kind);
  }

  [[nodiscard]] std::string text(const DecisionRow& row, Time now, std::uint32_t number) const {
    std::string decision = what(row);
    if (row.round != number) decision += fmt::format(", in round {}", row.round);
    if (at_seconds(row.time) != now) decision += fmt::format(", at {} s", row.time);
    return decision;
  }

  const Log& log_;
  const Catalogue& catalogue_;
  Engine& engine_;
  std::span<const DecisionRow> decisions_;  // not yet compared
  std::vector<DecisionRow> again_;          // of this round
  Retelling retelling_;
  Replayed result_;
};

}  // namespace

Checked<Replayed> replay_log(const Log& log) {
  if (log.events.empty() && !log.tables.jobs.empty()) {
    return refuse("the log has no events to decide from",
                  "a run keeps them with log.replay = true, which is the default");
  }
  const auto settings = parse_settings(log.header.config, "the log's config", {});
  if (!settings) return tl::unexpected(settings.error());
  if (std::string fault = table_fault(log); !fault.empty()) return refuse(std::move(fault));
  const Catalogue catalogue = catalogue_of(log);
  const std::uint32_t nodes = settings->cluster.node_count();
  if (nodes != log.tables.nodes.size()) {
    return refuse(
        fmt::format("the config has {} nodes, /nodes has {}", nodes, log.tables.nodes.size()));
  }
  RowCheck rows(catalogue, nodes);
  if (std::string fault = rows.fault_of(log.events); !fault.empty())
    return refuse(std::move(fault));
  if (std::string fault = rows.fault_of(log.decisions); !fault.empty()) {
    return refuse(std::move(fault));
  }
  const std::vector<std::string>& queues = log.tables.names.queues;
  if (catalogue.queues > queues.size()) {
    return refuse(
        fmt::format("/jobs has {} queues, /names has {}", catalogue.queues, queues.size()));
  }
  if (Mistakes misfits = misfits_of(*settings, queues); misfits.any()) {
    return tl::unexpected(std::move(misfits));
  }
  const std::unique_ptr<Engine> engine = engine_of(*settings, catalogue, queues);
  return Replay(log, catalogue, *engine).run();
}

}  // namespace somnus
