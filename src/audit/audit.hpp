// What the invariants of check.hpp share: the log, what is derived from it once, and how a
// violation is noted. The invariants are in
//   audit_attempts.cpp                       each attempt and task by itself
//   audit_cluster.cpp, audit_resources.cpp   slots and resources that attempts hold
//   audit_warmup.cpp                         what slots ran before attempts
//   audit_gangs.cpp                          tasks that start together
//   audit_limits.cpp                         time limits and reservations
//   audit_queue.cpp, audit_queue_order.cpp   tasks that wait on nodes
//   audit_queue_wait.cpp                     tasks that the scheduler sends into queues
//   audit_scheduler.cpp, audit_speculation.cpp, audit_resumes.cpp
//   audit_drawn.cpp                          what estimator and seed give
//   audit_tables.cpp                         jobs, stages and nodes
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "audit/check.hpp"
#include "base/time.hpp"
#include "config/settings.hpp"
#include "log/backups.hpp"
#include "model/event.hpp"
#include "model/workload.hpp"

namespace somnus::audit {

/// Counts what is checked and keeps the first offence; its text is made only then.
class FindingBuilder {
 public:
  explicit FindingBuilder(std::string invariant) { finding_.invariant = std::move(invariant); }

  FindingBuilder& asserted(bool yes) {
    finding_.asserted = yes;
    return *this;
  }
  FindingBuilder& note(std::string note) {
    finding_.note = std::move(note);
    return *this;
  }
  template <class Text>
  void expect(bool holds, Text&& text) {
    ++finding_.checked;
    if (holds) [[likely]]
      return;
    if (finding_.offences++ == 0) finding_.first = text();
  }
  [[nodiscard]] Finding finding() && { return std::move(finding_); }

 private:
  Finding finding_;
};

using Findings = std::vector<Finding>;

/// Of a log from a file.
[[nodiscard]] Finding seals_hold(const SealAudit& seals);

/// Every row points at rows that exist. Nothing else may be asked of a log that breaks this.
[[nodiscard]] Finding references(const Log& log);

struct Facts {
  explicit Facts(const Log& whole);  // that keeps references()

  const Log& log;
  const std::vector<Stamped<Launch>>& launches;
  Catalogue catalogue;
  std::optional<Settings> settings;  // none: the config can't be parsed
  std::string config_mistakes;       // then, why
  OrderTraits order;                 // of the settings' parts, if there are settings
  PlacementTraits placement;
  FeedbackTraits feedback;
  BackfillTraits backfill;
  bool preempts = false;  // who runs may lose its slots
  bool suspends = false;  // and keeps what it has done
  bool complete;
  bool simulated;
  bool vectors;  // more than slots counts
  bool slots;    // nodes have slots
  bool faults;   // nodes or attempts may be lost, fail or be killed, if only as
                 // the run was resumed
  Backups backups;
  /// All events before that are in the log: never, unless it was cut off or keeps none.
  Time heard_until;
  /// All decisions of rounds before that are in the log: of all, unless it was cut off.
  std::uint32_t decided_until;
  std::vector<Resources> demands;  // of a task, by stage, as the scheduler got it
  /// How far two stamps may contradict each other, emulated time: 6 times the ranks' largest clock
  /// uncertainty, before it was resumed too, since a worker's stamps are only corrected once its
  /// clock seems to have moved by two uncertainties, and that is known to one. What was killed may
  /// not have recorded it: then as if the first pings of a busy machine had taken two of its time
  /// slices. 0 in simulate, where there is one clock; and what a float64 of seconds does not hold.
  Duration uncertainty{};
  std::vector<std::uint32_t> by_task;  // rows of /tasks, in order of task and attempt
  std::vector<std::uint32_t> by_slot;  // those that started, in order of node, slot and time
  std::vector<std::uint32_t> launched_by_task;  // rows of /decisions/launch, as by_task

  [[nodiscard]] TaskId task_of(const TaskRow& row) const {
    return TaskId(catalogue.stages[row.stage].first_task.value() + row.index);
  }
  [[nodiscard]] std::string tolerance() const;
  /// When the run was first resumed after that; never: it was not.
  [[nodiscard]] Time resumed_after(double seconds) const;
  /// Of that attempt; nullptr: there is none.
  [[nodiscard]] const TaskRow* row_of(TaskId task, std::uint32_t attempt) const;
  /// Whether that attempt may have been launched beside the one before it, as its backup, as far as
  /// the log shows.
  [[nodiscard]] bool may_be_backup(TaskId task, std::uint32_t attempt) const;
  /// Whether the row of an attempt that was launched may be missing, though later ones of its task
  /// have theirs: the log was cut off before its end was heard, as it had been given up with its
  /// node or runs beside its backup.
  [[nodiscard]] bool may_lack(TaskId task, std::uint32_t attempt) const;
  /// Whether an attempt may be given up with its node before it has really ended.
  [[nodiscard]] bool gives_up_nodes() const {
    return !settings || settings->faults.missed_heartbeats > 0;
  }
  /// Each end is reported to the scheduler when it happens, and nodes hold nothing that cannot
  /// start.
  [[nodiscard]] bool knows_at_once() const;
  /// No time passes from an event to the starts that answer it.
  [[nodiscard]] bool acts_at_once() const;
};

[[nodiscard]] inline bool ran_to_its_end(const TaskRow& row) {
  return row.outcome == static_cast<std::uint8_t>(Outcome::finished);
}
/// How far spans may be apart that were equal before instants up to `seconds` became a float64 of
/// seconds: two roundings; nothing up to longest_exact_seconds.
[[nodiscard]] constexpr Duration float64_dust(double seconds) {
  return seconds > longest_exact_seconds
             ? Duration(static_cast<std::int64_t>(seconds * 1e9 * 4.5e-16) + 1)
             : Duration::zero();
}
[[nodiscard]] inline bool is(double time) { return time == time; }
[[nodiscard]] inline bool same_slot(const TaskRow& a, const TaskRow& b) {
  return a.node == b.node && a.slot == b.slot;
}
[[nodiscard]] std::string text(std::uint32_t row_number, const TaskRow& row);

/// Asks for a row that will soon be looked at.
template <class Row>
void fetch(const Row& row) {
  const char* const begin = reinterpret_cast<const char*>(&row);
  __builtin_prefetch(begin);
  __builtin_prefetch(begin + sizeof row - 1);
}

/// Calls visit(task, its rows in order of attempt) for each task that has any.
template <class Visit>
void for_each_task(const Facts& facts, Visit&& visit) {
  const std::span<const std::uint32_t> rows = facts.by_task;
  for (std::size_t from = 0; from < rows.size();) {
    const TaskId task = facts.task_of(facts.log.tasks[rows[from]]);
    std::size_t end = from;
    while (end < rows.size() && facts.task_of(facts.log.tasks[rows[end]]) == task) ++end;
    visit(task, rows.subspan(from, end - from));
    from = end;
  }
}

/// Calls visit(row number, row) for each of these rows of /tasks in turn, which lie far apart.
template <class Visit>
void for_each_row(const Log& log, std::span<const std::uint32_t> order, Visit&& visit) {
  constexpr std::size_t ahead = 16;
  for (std::size_t at = 0; at < order.size(); ++at) {
    if (at + ahead < order.size()) fetch(log.tasks[order[at + ahead]]);
    visit(order[at], log.tasks[order[at]]);
  }
}

/// The rows in order of key(row), the earlier one first of equal ones. Each is asked for once.
template <class Key>
[[nodiscard]] std::vector<std::uint32_t> in_order_of(const Key& key,
                                                     std::span<const std::uint32_t> rows) {
  std::vector<std::pair<std::invoke_result_t<Key, std::uint32_t>, std::uint32_t>> keys;
  keys.reserve(rows.size());
  for (const std::uint32_t row : rows) keys.emplace_back(key(row), row);
  std::ranges::sort(keys);
  std::vector<std::uint32_t> order;
  order.reserve(rows.size());
  for (const auto& [of_row, row] : keys) order.push_back(row);
  return order;
}

/// Calls visit(node, rows of the attempts that started there) for each node that started any.
template <class Visit>
void for_each_node(const Facts& facts, Visit&& visit) {
  const auto& rows = facts.by_slot;
  for (std::size_t from = 0; from < rows.size();) {
    const std::uint32_t node = facts.log.tasks[rows[from]].node;
    std::size_t end = from;
    while (end < rows.size() && facts.log.tasks[rows[end]].node == node) ++end;
    visit(node, std::vector(rows.begin() + static_cast<std::ptrdiff_t>(from),
                            rows.begin() + static_cast<std::ptrdiff_t>(end)));
    from = end;
  }
}

/// The workload: itself, where the config names a generator or a file that is there and has not
/// changed, else what follows from the attempts.
class KnownWorkload {
 public:
  explicit KnownWorkload(const Facts& facts);

  /// Whether there was one to compare the log with.
  [[nodiscard]] bool looked() const { return is_whole_ || is_other(); }
  /// It is not the one that the log was written of.
  [[nodiscard]] bool is_other() const { return !digest_of_other_.empty(); }
  [[nodiscard]] const std::string& digest_of_other() const { return digest_of_other_; }
  /// All of it is known.
  [[nodiscard]] bool is_whole() const { return is_whole_; }
  /// What all tasks of the job, or stage, take.
  [[nodiscard]] bool knows(JobId job) const { return is_whole_ || jobs_[job.index()]; }
  [[nodiscard]] bool knows(StageId stage) const { return is_whole_ || stages_[stage.index()]; }
  [[nodiscard]] bool knows_all_times() const { return is_whole_ || all_times_; }
  /// It has the jobs, stages and tasks of the log; else the log's tables are not what it makes.
  [[nodiscard]] bool fits(const Facts& facts) const;
  /// Where nothing is known of a task, it takes no time.
  [[nodiscard]] const Workload& operator*() const { return workload_; }

 private:
  void recall(const Facts& facts);

  Workload workload_;
  bool is_whole_ = false;
  std::string digest_of_other_;
  std::vector<bool> jobs_;
  std::vector<bool> stages_;
  bool all_times_ = true;
};

// By task.
[[nodiscard]] Finding jobs_are_conserved(const Facts& facts);
[[nodiscard]] Finding tasks_finish_once(const Facts& facts);
[[nodiscard]] Finding attempts_are_numbered(const Facts& facts);
// By attempt.
[[nodiscard]] Finding placed_when_ready(const Facts& facts);
[[nodiscard]] Finding followers_wait(const Facts& facts);
[[nodiscard]] Finding queued_when_placed(const Facts& facts);
[[nodiscard]] Finding started_when_queued(const Facts& facts);
[[nodiscard]] Finding parents_first(const Facts& facts);
[[nodiscard]] Finding slept_as_intended(const Facts& facts);
// By job and stage.
[[nodiscard]] Finding jobs_span_their_tasks(const Facts& facts);
[[nodiscard]] Finding stages_span_their_tasks(const Facts& facts);

// Where there are gangs.
[[nodiscard]] Finding gangs_are_placed_together(const Facts& facts);
[[nodiscard]] Finding gangs_hold_until_the_last_end(const Facts& facts);
/// The next two: of a log with events and decisions.
[[nodiscard]] Finding who_is_preempted_ran(const Facts& facts);
[[nodiscard]] Finding units_are_killed_for_a_reason(const Facts& facts);
// Where jobs have time limits, and where reservations rest on them.
[[nodiscard]] Finding limits_are_kept(const Facts& facts);
[[nodiscard]] Finding reservations_are_kept(const Facts& facts);

// By slot, what the warm-up model makes of its past. The config must be readable.
[[nodiscard]] Finding warm_by_the_slots_past(const Facts& facts);
[[nodiscard]] Finding intended_by_the_slots_past(const Facts& facts);

// By slot, by node, over time.
[[nodiscard]] Finding slots_exist(const Facts& facts);
[[nodiscard]] Finding slots_are_not_shared(const Facts& facts);
[[nodiscard]] Finding samples_are_possible(const Facts& facts);
/// Where only slots count.
[[nodiscard]] Finding slots_are_not_idle(const Facts& facts);

// Where resources count.
[[nodiscard]] Finding demands_fit(const Facts& facts);
/// Not asserted: where demands are misjudged a node may be overfull.
[[nodiscard]] Finding use_fits(const Facts& facts);
/// Where nodes have no slots beside them.
[[nodiscard]] Finding resources_are_not_idle(const Facts& facts);

// In the queues of nodes.
[[nodiscard]] Finding returned_never_start(const Facts& facts);
[[nodiscard]] Finding no_slot_idles_beside_a_queue(const Facts& facts);
[[nodiscard]] Finding queues_keep_their_length(const Facts& facts);
[[nodiscard]] Finding queues_keep_their_wait(const Facts& facts);
[[nodiscard]] Finding queues_keep_their_order(const Facts& facts);
[[nodiscard]] Finding starved_are_not_overtaken(const Facts& facts);

// Against the scheduler.
[[nodiscard]] Finding rows_are_numbered(const Facts& facts);
[[nodiscard]] Finding decisions_are_launched(const Facts& facts);
[[nodiscard]] Finding attempts_were_decided(const Facts& facts);
/// Where attempts may have backups.
[[nodiscard]] Finding backups_are_due(const Facts& facts);
/// Of complete logs.
[[nodiscard]] Finding backups_are_counted(const Facts& facts);
[[nodiscard]] Finding bound_is_kept(const Facts& facts);
/// Where the run was resumed.
[[nodiscard]] Finding nothing_outlives_a_resumption(const Facts& facts);
/// Not asserted: a policy that lends to tasks that are not preempted can't keep every promise.
[[nodiscard]] Finding promises_are_kept(const Facts& facts);

// Against the config and the workload. The config must be readable.
[[nodiscard]] Finding header_is_the_configs(const Facts& facts);
/// Of complete logs.
[[nodiscard]] Finding ranks_have_their_nodes(const Facts& facts);
/// Where /lateness has rows.
[[nodiscard]] Finding looks_are_as_late_as_ranks(const Facts& facts);
[[nodiscard]] Finding tables_follow(const Facts& facts, const KnownWorkload& known);
/// Not asserted, unless a generator makes another one: a file may have changed since.
[[nodiscard]] Finding workload_is_still_there(const Facts& facts, const KnownWorkload& known);
[[nodiscard]] Finding clock_is_the_modes(const Facts& facts);

// Against what estimator, seed and nodes make of it. The config must be readable.
[[nodiscard]] Finding estimates_are_the_models(const Facts& facts, const KnownWorkload& known);
[[nodiscard]] Finding failures_are_drawn(const Facts& facts);
/// In simulate, where nothing is drawn on their way.
[[nodiscard]] Finding heartbeats_are_due(const Facts& facts);

// When the optional ones mean something.
[[nodiscard]] bool speculates(const Facts& facts);
[[nodiscard]] bool some_job_follows(const Facts& facts);
[[nodiscard]] bool can_conserve_work(const Facts& facts);
[[nodiscard]] bool heartbeats_come_when_due(const Facts& facts);
[[nodiscard]] bool misjudges_demands(const Facts& facts);
[[nodiscard]] bool nodes_queue(const Facts& facts);
/// Tasks wait in the queues themselves; with late binding a place there, and the slot that it gets,
/// are reserved for a task that comes later.
[[nodiscard]] bool tasks_queue(const Facts& facts);
[[nodiscard]] bool slots_fill_from_queues(const Facts& facts);
[[nodiscard]] bool queues_have_a_length(const Facts& facts);
[[nodiscard]] bool queues_have_an_order(const Facts& facts);
[[nodiscard]] bool queues_have_a_wait(const Facts& facts);
[[nodiscard]] bool starved_come_first(const Facts& facts);
[[nodiscard]] bool promises_a_bound(const Facts& facts);

}  // namespace somnus::audit
