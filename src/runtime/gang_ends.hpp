// The ends of tasks that belong to a gang. What its tasks hold comes back together, so the
// scheduler gets their ends when the last of them has come. If one does not finish, the gang starts
// again as one: those that had finished by then did so in vain and count as killed.
#pragma once

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/catalogue.hpp"
#include "model/job_table.hpp"
#include "model/message.hpp"

namespace somnus {

class GangEnds {
 public:
  /// The catalogue must outlive it.
  explicit GangEnds(const Catalogue& catalogue)
      : catalogue_(catalogue), any_(catalogue.has_gangs()) {}

  /// Whether the workload has any gang.
  [[nodiscard]] bool any() const { return any_; }

  /// Calls deliver(end) for each end that the scheduler gets now: none, that one, or more. An end
  /// for which it does not wait, of an attempt that is over, is delivered at once.
  template <class Deliver>
  void add(const CompletionMessage& end, const JobTable& jobs, Deliver&& deliver) {
    const StageId id = catalogue_.stage_of[end.task.index()];
    const Stage& stage = catalogue_[id];
    if (!stage.gang || !jobs.is_on_node(end.task, end.attempt, end.node)) return deliver(end);
    const Gang& gang = gang_of(id, end.attempt);
    if (end.outcome != Outcome::finished || gang.is_broken) {
      deliver(gang.is_broken ? in_vain(end, end.due) : end);
      return break_up(end.task, end.attempt, end.due, deliver);
    }
    gangs_[id].finished.push_back(end);
    if (gang.finished.size() < stage.tasks) return;
    for (CompletionMessage& each : take(id)) {
      each.due = end.due;
      deliver(each);
    }
  }
  /// That attempt does not finish: its gang is broken, and the ends that wait are delivered.
  template <class Deliver>
  void break_up(TaskId task, std::uint16_t attempt, Time now, Deliver&& deliver) {
    const StageId id = catalogue_.stage_of[task.index()];
    if (!catalogue_[id].gang) return;
    gang_of(id, attempt).is_broken = true;
    for (const CompletionMessage& each : take(id)) deliver(in_vain(each, now));
  }
  /// The task's end, if it waits, as one that is lost with its node; it waits no longer.
  [[nodiscard]] std::optional<CompletionMessage> lose(TaskId task) {
    const auto gang = gangs_.find(catalogue_.stage_of[task.index()]);
    if (gang == gangs_.end()) return {};
    std::vector<CompletionMessage>& ends = gang->second.finished;
    for (auto end = ends.begin(); end != ends.end(); ++end) {
      if (end->task != task) continue;
      CompletionMessage lost = *end;
      lost.outcome = Outcome::lost;
      ends.erase(end);
      return lost;
    }
    return {};
  }

 private:
  /// All tasks of a gang have attempts of the same number.
  struct Gang {
    std::uint16_t attempt = 0;
    bool is_broken = false;
    std::vector<CompletionMessage> finished;  // in order
  };
  [[nodiscard]] Gang& gang_of(StageId id, std::uint16_t attempt) {
    Gang& gang = gangs_[id];
    if (gang.attempt != attempt) gang = {.attempt = attempt};
    return gang;
  }
  [[nodiscard]] std::vector<CompletionMessage> take(StageId id) {
    return std::exchange(gangs_[id].finished, {});
  }
  [[nodiscard]] static CompletionMessage in_vain(CompletionMessage end, Time now) {
    end.due = now;
    if (end.outcome == Outcome::finished) end.outcome = Outcome::killed;
    return end;
  }

  const Catalogue& catalogue_;
  bool any_;
  std::unordered_map<StageId, Gang> gangs_;
};

}  // namespace somnus
