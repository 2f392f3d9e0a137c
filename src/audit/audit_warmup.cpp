// What each slot had run before each attempt, made again from the log, and what the warm-up model
// makes of it.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "audit/audit.hpp"
#include "base/time.hpp"
#include "log/held_columns.hpp"
#include "log/log_tables.hpp"
#include "session/compose.hpp"
#include "warmup/warmup.hpp"

namespace somnus::audit {
namespace {

/// Between the starts of two attempts in a slot: whether its node was lost, and with it its past.
enum class Loss { none, possible, sure };

/// When each node was lost, in order.
class Losses {
 public:
  explicit Losses(const Facts& facts)
      : facts_(facts),
        known_state_(facts.settings->faults.missed_heartbeats == 0),
        times_(facts.log.tables.nodes.size()) {
    if (facts.faults) known_state_ ? add_emulated() : add_heard();
    const bool all_heard = known_state_ || facts.heard_until == never;
    none_ = all_heard && facts.log.tables.resumes.empty() &&
            std::ranges::all_of(times_, [](const auto& times) { return times.empty(); });
  }

  [[nodiscard]] Loss between(const TaskRow& before, const TaskRow& row) const {
    const bool lost = before.outcome == static_cast<std::uint8_t>(Outcome::lost);
    if (known_state_ && lost) return Loss::sure;
    if (none_) return Loss::none;
    if (facts_.resumed_after(before.placed) <= at_seconds(row.placed)) return Loss::sure;
    // A node that is given up begins with the next launch to it; any other, with its loss.
    const Time from = at_seconds(known_state_ ? before.start : before.placed);
    const Time to =
        known_state_ ? at_seconds(row.start) + facts_.uncertainty : at_seconds(row.placed);
    const std::vector<Time>& times = times_[row.node];
    const bool is_heard = known_state_ || to < facts_.heard_until;
    Loss loss = is_heard ? Loss::none : Loss::possible;
    const bool may_be_late = known_state_ && !facts_.simulated;
    // What comes first in one instant is not logged.
    for (auto at = std::ranges::lower_bound(times, may_be_late ? start_of_time : from);
         at != times.end() && *at <= to; ++at) {
      const bool open = may_be_late || *at == from || (known_state_ && *at == to);
      loss = std::max(loss, open ? Loss::possible : Loss::sure);
    }
    return loss;
  }

 private:
  void add_emulated() {
    double end = 0;
    for (const TaskRow& row : facts_.log.tasks) end = std::fmax(end, row.start);
    NodeFaults faults(listed_faults_of(*facts_.settings), fault_model_of(*facts_.settings),
                      NodeId(0U), static_cast<std::uint32_t>(times_.size()));
    while (faults.next() <= at_seconds(end) + facts_.uncertainty) {
      const NodeFault fault = faults.take();
      if (fault.change == NodeChange::lost) times_[fault.node.index()].push_back(fault.at);
    }
  }
  void add_heard() {
    for (const auto& row : facts_.log.events.get<Stamped<NodeLost>>()) {
      times_[row.node.index()].push_back(at_seconds(row.time));
    }
  }

  const Facts& facts_;
  bool known_state_;  // by nodes, in the instant
  bool none_;         // no node was lost, or may have been
  std::vector<std::vector<Time>> times_;
};

/// A past that a slot may have had before an attempt, and what follows from it.
struct PossibleHistory {
  History history;
  Intended expected = {};
};

bool as_intended(const TaskRow& row, const Intended& expected) {
  if (!is(row.intended) || !is(row.nominal)) return false;
  const Duration dust = Duration(1) + float64_dust(in_seconds(expected.time));
  return std::chrono::abs(seconds(row.intended) - expected.time) <= dust;
}
bool as_warm(const TaskRow& row, const Intended& expected) {
  return (row.warm != 0) == expected.warm;
}

/// Of attempts that were cut short it may never have been recorded.
bool records_intended(const TaskRow& row) {
  const bool was_suspended = row.outcome == static_cast<std::uint8_t>(Outcome::suspended);
  return ran_to_its_end(row) || row.outcome == static_cast<std::uint8_t>(Outcome::failed) ||
         (was_suspended && is(row.start));
}

/// All slots' histories in turn.
class SlotHistories {
 public:
  explicit SlotHistories(const Facts& facts)
      : facts_(facts),
        warmup_(warmup_of(*facts.settings)),
        fault_model_(fault_model_of(*facts.settings)),
        losses_(facts),
        cold_(cold_durations_of(facts.log)) {
    jobs_.reserve(facts.log.tables.jobs.size());
    for (const JobRow& row : facts.log.tables.jobs) {
      jobs_.push_back({.warmup = row.warmup, .app = AppId(row.app)});
    }
    if (facts.suspends) note_suspended();
  }

  /// Calls visit(row number, row, the histories that its slot may have) for each attempt that
  /// started.
  template <class Visit>
  void for_each_attempt(Visit&& visit) {
    const TaskRow* before = nullptr;
    for_each_row(facts_.log, facts_.by_slot, [&](std::uint32_t at, const TaskRow& row) {
      const bool follows = before != nullptr && same_slot(*before, row);
      pass(follows ? losses_.between(*before, row) : Loss::sure);
      for (PossibleHistory& past : pasts_) past.expected = expected(row, past.history);
      visit(at, row, pasts_);
      go_on(row);
      before = &row;
    });
  }

  [[nodiscard]] const Warmup& warmup() const { return warmup_; }
  [[nodiscard]] AppId app(const TaskRow& row) const { return jobs_[row.job].app; }

 private:
  void pass(Loss loss) {
    if (loss == Loss::sure) pasts_.clear();
    if (loss != Loss::none) pasts_.push_back({});
  }

  [[nodiscard]] Intended expected(const TaskRow& row, const History& history) const {
    const auto left = left_.find({facts_.task_of(row), row.attempt});
    const TaskTimes times = left == left_.end() ? from_the_beginning(row) : left->second;
    Intended meant = warmup_.intended(times, history.found(app(row), StageId(row.stage)),
                                      facts_.log.tables.nodes[row.node].slowdown);
    meant.time = fault_model_.straggle(meant.time, facts_.task_of(row), row.attempt);
    return meant;
  }

  [[nodiscard]] TaskTimes from_the_beginning(const TaskRow& row) const {
    TaskTimes times = TaskTimes::alike(is(row.nominal) ? seconds(row.nominal) : Duration{},
                                       jobs_[row.job].warmup);
    if (cold_.empty()) return times;
    const ColdDurations& cold = cold_[facts_.task_of(row).index()];
    times.first = cold.first;
    times.fresh = cold.fresh;
    return times;
  }

  void note_suspended() {
    for_each_task(facts_, [&](TaskId task, std::span<const std::uint32_t> rows) {
      std::optional<TaskTimes> left;
      for (const std::uint32_t at : rows) {
        const TaskRow& row = facts_.log.tasks[at];
        if (left) left_[{task, row.attempt}] = *left;
        const bool stopped = row.outcome == static_cast<std::uint8_t>(Outcome::suspended);
        if (!stopped || !is(row.start)) continue;
        const Duration ran = at_seconds(row.finish) - at_seconds(row.start);
        left = left.value_or(from_the_beginning(row)).after(ran, seconds(row.intended));
      }
    });
  }

  /// What the attempt denies was not the past; if it denies all, the first is as good as any.
  void go_on(const TaskRow& row) {
    const auto denied = [&](const PossibleHistory& past) {
      return !as_warm(row, past.expected) ||
             (records_intended(row) && !as_intended(row, past.expected));
    };
    if (pasts_.size() > 1) {
      const PossibleHistory first = pasts_.front();
      std::erase_if(pasts_, denied);
      if (pasts_.empty()) pasts_.push_back(first);
    }
    for (PossibleHistory& past : pasts_) {
      past.history.add(app(row), StageId(row.stage), warmup_.row().looks_at);
    }
  }

  struct FactsOfJob {
    double warmup;
    AppId app;
  };

  const Facts& facts_;
  std::vector<FactsOfJob> jobs_;
  Warmup warmup_;
  FaultModel fault_model_;
  Losses losses_;
  std::vector<ColdDurations> cold_;
  std::vector<PossibleHistory> pasts_;
  std::map<std::pair<TaskId, std::uint32_t>, TaskTimes> left_;  // of attempts after a suspended one
};

std::string text(const SlotHistories& histories, const TaskRow& row, const PossibleHistory& past) {
  const auto named = [](auto id) {
    return id.valid() ? fmt::format("{}", id.value()) : std::string("none");
  };
  const Found found = past.history.found(histories.app(row), StageId(row.stage));
  std::string words = fmt::format("app {}, the slot's last app {}", histories.app(row).value(),
                                  named(past.history.last_app()));
  if (histories.warmup().row().looks_at == LooksAt::last_stage) {
    words +=
        fmt::format(", stage {}, its last stage {}", row.stage, named(past.history.last_stage()));
  }
  if (histories.warmup().row().looks_at == LooksAt::counts) {
    words += fmt::format(", {} tasks of the app before", found.ran);
  }
  return words;
}

FindingBuilder& note_losses(FindingBuilder& finding, const Facts& facts) {
  const bool may_be_late = facts.faults && !facts.simulated;
  return may_be_late ? finding.note("whether a node was lost already may be open") : finding;
}

}  // namespace

Finding warm_by_the_slots_past(const Facts& facts) {
  SlotHistories histories(facts);
  FindingBuilder finding(histories.warmup().looks_back()
                             ? "a slot is warm exactly when " + histories.warmup().row().warm_when
                             : "no slot is warm without a JVM model");
  note_losses(finding, facts);
  histories.for_each_attempt(
      [&](std::uint32_t at, const TaskRow& row, const std::vector<PossibleHistory>& may) {
        const bool holds = std::ranges::any_of(
            may, [&](const PossibleHistory& past) { return as_warm(row, past.expected); });
        finding.expect(holds, [&] {
          return fmt::format("{}: warm {}, {}", text(at, row), row.warm,
                             text(histories, row, may.front()));
        });
      });
  return std::move(finding).finding();
}

Finding intended_by_the_slots_past(const Facts& facts) {
  SlotHistories histories(facts);
  FindingBuilder finding(
      "intended time = what the task takes after those before it in its slot x slowdown");
  note_losses(finding, facts);
  histories.for_each_attempt(
      [&](std::uint32_t at, const TaskRow& row, const std::vector<PossibleHistory>& may) {
        if (!records_intended(row)) return;
        const bool holds = std::ranges::any_of(
            may, [&](const PossibleHistory& past) { return as_intended(row, past.expected); });
        finding.expect(holds, [&] {
          return fmt::format("{}: intended {} s, expected {} s: nominal {} s, slowdown {}, {}",
                             text(at, row), row.intended, in_seconds(may.front().expected.time),
                             row.nominal, facts.log.tables.nodes[row.node].slowdown,
                             text(histories, row, may.front()));
        });
      });
  return std::move(finding).finding();
}

namespace {

const HeldColumns held_by_warmup[] = {
    {"/tasks", "warm", Held::recomputed, "check: the slot's tasks before"},
    {"/tasks", "finish intended", Held::recomputed,
     "check: simulated, from start, nominal, slowdown and the slot's tasks before"},
    {"/tasks", "nominal", Held::recomputed, "check: intended; the workload, if it is there"},
};

}  // namespace

}  // namespace somnus::audit
