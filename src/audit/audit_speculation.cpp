// Backups of attempts that take long, by the rule of scheduler/speculation.hpp, worked out anew
// from the launches and the reported ends.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "audit/audit.hpp"
#include "log/held_columns.hpp"
#include "session/compose.hpp"

namespace somnus::audit {
namespace {

using Attempt = std::pair<TaskId, std::uint16_t>;

/// What the scheduler knew of stages' attempts.
class Watched {
 public:
  Watched(const Facts& facts, SpeculationRules rules)
      : rules_(rules), catalogue_(facts.catalogue), took_(facts.catalogue.stages.size()) {}

  void launched(Time now, Attempt attempt) { running_[attempt] = now; }
  void ended(Time now, Attempt attempt, Outcome outcome) {
    const auto launched = running_.find(attempt);
    if (launched == running_.end()) return;
    if (outcome == Outcome::finished) {
      std::vector<Duration>& took = took_[stage_of(attempt).index()];
      const Duration one = now - launched->second;
      took.insert(std::ranges::upper_bound(took, one), one);
    }
    running_.erase(launched);
  }
  /// Whether the rule allows the attempt a backup at that time.
  [[nodiscard]] bool may_have_backup(Time now, Attempt attempt) const {
    const auto launched = running_.find(attempt);
    const std::vector<Duration>& took = took_[stage_of(attempt).index()];
    const double tasks = catalogue_[stage_of(attempt)].tasks;
    if (launched == running_.end() || took.empty()) return false;
    const bool enough =
        static_cast<double>(took.size()) + 1e-9 * tasks + 1 > rules_.quantile * tasks;
    const double median = in_seconds(took[(took.size() - 1) / 2] + took[took.size() / 2]) / 2;
    const double span = std::max(in_seconds(rules_.least), rules_.slowdown * median);
    const double rounding =
        1e-9 + (1 + rules_.slowdown) * in_seconds(float64_dust(in_seconds(now)));
    return enough && in_seconds(now - launched->second) >= span * (1 - 1e-12) - rounding;
  }

 private:
  [[nodiscard]] StageId stage_of(Attempt attempt) const {
    return catalogue_.stage_of[attempt.first.index()];
  }

  SpeculationRules rules_;
  const Catalogue& catalogue_;
  std::map<Attempt, Time> running_;
  std::vector<std::vector<Duration>> took_;  // by stage, of finished attempts, the shortest first
};

}  // namespace

bool speculates(const Facts& facts) {
  return facts.settings && facts.settings->speculation.slowdown > 0;
}

Finding backups_are_due(const Facts& facts) {
  FindingBuilder finding(
      "an attempt gets one backup at most, and only when it takes as long as the rule says");
  Watched watched(facts, speculation_rules_of(*facts.settings));
  const auto& backups = facts.log.decisions.get<Stamped<Backup>>();
  const auto& ends = facts.log.events.get<Stamped<TaskEnded>>();
  std::set<Attempt> due;
  std::size_t launch = 0;
  std::size_t end = 0;
  for (std::uint32_t at = 0; at < backups.size(); ++at) {
    const auto& row = backups[at];
    // Of a log that was cut off, what it follows from may not have been flushed.
    const bool may_lack_why =
        row.round >= facts.decided_until || at_seconds(row.time) >= facts.heard_until;
    if (!facts.complete && may_lack_why) break;
    // Of the same round only ends come before.
    for (;;) {
      const bool more_ends = end < ends.size() && ends[end].round <= row.round;
      const bool more_launches =
          launch < facts.launches.size() && facts.launches[launch].round < row.round;
      if (!more_ends && !more_launches) break;
      if (more_ends && (!more_launches || ends[end].round <= facts.launches[launch].round)) {
        const auto& one = ends[end++];
        watched.ended(at_seconds(one.time), {one.task, one.attempt}, one.outcome);
      } else {
        const auto& one = facts.launches[launch++];
        watched.launched(at_seconds(one.time), {one.task, one.attempt});
      }
    }
    const Attempt attempt(row.task, row.attempt);
    const bool first = due.insert(attempt).second;
    const bool is_original = !facts.backups.contains(row.task, row.attempt);
    const bool allowed = watched.may_have_backup(at_seconds(row.time), attempt);
    finding.expect(first && is_original && allowed, [&] {
      return fmt::format("{} row {}: task {}, attempt {} at {} s{}", path_of<Stamped<Backup>>(), at,
                         row.task.value(), row.attempt, row.time,
                         !first         ? " has had one"
                         : !is_original ? " is one itself"
                                        : " does not take that long, or not enough have finished");
    });
  }
  return std::move(finding).finding();
}

// A log without decisions does not say which attempts were backups.
Finding backups_are_counted(const Facts& facts) {
  FindingBuilder finding(
      "/scheduler counts the backups, those that won, and what the others wasted");
  std::vector<bool> finished(facts.catalogue.tasks);
  std::uint64_t won = 0;
  double wasted = 0;
  // In the order in which their ends were heard: one that was killed before another attempt
  // finished was killed with its job.
  for (const TaskRow& row : facts.log.tasks) {
    const TaskId task = facts.task_of(row);
    if (ran_to_its_end(row)) {
      finished[task.index()] = true;
      if (facts.backups.contains(task, row.attempt)) ++won;
      continue;
    }
    const bool killed = row.outcome == static_cast<std::uint8_t>(Outcome::killed);
    if (killed && row.start < row.finish && finished[task.index()]) {
      wasted += row.finish - row.start;
    }
  }
  const SchedulerRow& counted_by_scheduler = facts.log.tables.scheduler;
  const bool backups_are_known = !speculates(facts) || !facts.log.decisions.empty();
  const bool counted =
      !backups_are_known || (counted_by_scheduler.backups == facts.backups.size() &&
                             counted_by_scheduler.backups_won == won);
  const bool summed = std::abs(counted_by_scheduler.wasted - wasted) <= 1e-9 * (1 + wasted);
  finding.expect(counted && summed, [&] {
    return fmt::format("/scheduler row 0: {} backups, {} won, {} s wasted; attempts: {}, {}, {} s",
                       counted_by_scheduler.backups, counted_by_scheduler.backups_won,
                       counted_by_scheduler.wasted, facts.backups.size(), won, wasted);
  });
  return std::move(finding).finding();
}

namespace {

const HeldColumns held_by_speculation[] = {
    {"/scheduler", "backups backups_won wasted", Held::recomputed,
     "check: the attempts and /decisions"},
};

}  // namespace

}  // namespace somnus::audit
