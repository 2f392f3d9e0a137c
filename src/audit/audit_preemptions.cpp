// Preemption: who gives up its slots runs until then, and all of it is killed; and no gang or
// single task is killed, or suspended, for nothing.
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "audit/audit.hpp"
#include "audit/in_order.hpp"

namespace somnus::audit {
namespace {

using UnitAttempt = std::pair<std::uint32_t, std::uint32_t>;  // stage, attempt

/// By task, as the scheduler knew it: the attempt that runs.
class Running {
 public:
  explicit Running(const Facts& facts) : in_order_(facts) {}

  void advance(const Stamp& decision) {
    in_order_.up_to(
        decision,
        [this](const Stamped<Launch>& launch) { attempts_[launch.task] = launch.attempt; },
        [this](const Stamped<TaskEnded>& end) {
          const auto found = attempts_.find(end.task);
          const bool runs = found != attempts_.end() && found->second == end.attempt;
          if (runs) attempts_.erase(found);
        });
  }
  /// Of all tasks of the stage; none: some do not run, or attempts of different numbers.
  [[nodiscard]] std::optional<std::uint32_t> attempt_of(const Stage& stage) const {
    std::optional<std::uint32_t> of_all;
    for (std::uint32_t at = 0; at < stage.tasks; ++at) {
      const auto found = attempts_.find(TaskId(stage.first_task.value() + at));
      if (found == attempts_.end() || of_all.value_or(found->second) != found->second) return {};
      of_all = found->second;
    }
    return of_all;
  }

 private:
  InOrder in_order_;
  std::unordered_map<TaskId, std::uint32_t> attempts_;
};

}  // namespace

Finding who_is_preempted_ran(const Facts& facts) {
  FindingBuilder finding("who gives up its slots runs, as one, and all of it is killed");
  std::set<std::pair<TaskId, std::uint32_t>> killed;
  for (const Stamped<Kill>& kill : facts.log.decisions.get<Stamped<Kill>>()) {
    killed.insert({kill.task, kill.attempt});
  }
  Running running(facts);
  const auto& rows = facts.log.decisions.get<Stamped<Preemption>>();
  for (std::size_t at = 0; at < rows.size(); ++at) {
    running.advance(rows[at]);
    const Stage& stage = facts.catalogue[rows[at].stage];
    const auto attempt = running.attempt_of(stage);
    bool all_killed = attempt.has_value();
    for (std::uint32_t task = 0; all_killed && task < stage.tasks; ++task) {
      all_killed = killed.contains({TaskId(stage.first_task.value() + task), *attempt});
    }
    const bool for_another = rows[at].by != rows[at].stage;
    finding.expect(stage.is_one_unit() && for_another && all_killed, [&] {
      const char* const what = !stage.is_one_unit() ? "does not start and end as one"
                               : !for_another       ? "makes room for itself"
                               : !attempt           ? "does not run"
                                                    : "has a task without a kill";
      return fmt::format("{} row {}: stage {} {} at {} s", path_of<Stamped<Preemption>>(), at,
                         rows[at].stage.value(), what, rows[at].time);
    });
  }
  return std::move(finding).finding();
}

Finding units_are_killed_for_a_reason(const Facts& facts) {
  FindingBuilder finding(
      "a gang or single task is killed as its job or another of its tasks fails, or for its slots");
  std::set<UnitAttempt> reasons;
  Running running(facts);
  for (const Stamped<Preemption>& one : facts.log.decisions.get<Stamped<Preemption>>()) {
    running.advance(one);
    const auto attempt = running.attempt_of(facts.catalogue[one.stage]);
    if (attempt) reasons.insert({one.stage.value(), *attempt});
  }
  const std::set<UnitAttempt> preempted = reasons;
  const auto killed = static_cast<std::uint8_t>(Outcome::killed);
  const auto suspended = static_cast<std::uint8_t>(Outcome::suspended);
  for (const TaskRow& row : facts.log.tasks) {
    const bool broke_it = row.outcome != killed && row.outcome != suspended && !ran_to_its_end(row);
    if (broke_it) reasons.insert({row.stage, row.attempt});
  }
  for (std::uint32_t at = 0; at < facts.log.tasks.size(); ++at) {
    const TaskRow& row = facts.log.tasks[at];
    const UnitAttempt attempt{row.stage, row.attempt};
    if (row.outcome == suspended) {
      finding.expect(facts.suspends && preempted.contains(attempt), [&] {
        return fmt::format(
            "{}: suspended, but {}", text(at, row),
            facts.suspends ? "nobody took its slots" : "this scheduler suspends nobody");
      });
    }
    if (row.outcome != killed || !facts.catalogue.stages[row.stage].is_one_unit()) continue;
    const bool job_failed = is_failure(facts.log.tables.jobs[row.job].state);
    const bool has_reason = facts.suspends
                                ? reasons.contains(attempt) && !preempted.contains(attempt)
                                : reasons.contains(attempt);
    finding.expect(job_failed || has_reason, [&] {
      return fmt::format(
          "{}: killed for no reason{}", text(at, row),
          facts.suspends && preempted.contains(attempt) ? ", and not suspended" : "");
    });
  }
  return std::move(finding).finding();
}

}  // namespace somnus::audit
