#include "audit/check.hpp"

#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "audit/audit.hpp"
#include "base/wrapped.hpp"

namespace somnus {
namespace {

/// What is looked at in one log, and then all at once: none needs another's finding.
class Audits {
 public:
  using Audit = std::function<Finding()>;
  explicit Audits(const audit::Facts& facts) : facts_(facts) {}

  void add(Finding (*audit)(const audit::Facts&)) {
    add([this, audit] { return audit(facts_); });
  }
  void add(Audit audit) { audits_.push_back(std::move(audit)); }
  [[nodiscard]] std::size_t size() const { return audits_.size(); }
  /// What each finds, in the order in which they were added.
  [[nodiscard]] audit::Findings run() const {
    audit::Findings findings(audits_.size());
    tbb::parallel_for(std::size_t{0}, audits_.size(),
                      [&](std::size_t at) { findings[at] = audits_[at](); });
    return findings;
  }

 private:
  const audit::Facts& facts_;
  std::vector<Audit> audits_;
};

/// Those that every log must keep, also one that was cut off: its rows are the first of each kind.
void check_rows(const audit::Facts& facts, Audits& audits) {
  audits.add(audit::tasks_finish_once);
  audits.add(audit::attempts_are_numbered);
  audits.add(audit::placed_when_ready);
  audits.add(audit::queued_when_placed);
  audits.add(audit::started_when_queued);
  audits.add(audit::parents_first);
  audits.add(audit::slept_as_intended);
  if (facts.settings) audits.add(audit::intended_by_the_slots_past);
  if (facts.slots) audits.add(audit::slots_exist);
  audits.add(audit::slots_are_not_shared);
  if (!facts.log.tables.resumes.empty()) audits.add(audit::nothing_outlives_a_resumption);
  if (facts.vectors) audits.add(audit::demands_fit);
  if (facts.catalogue.has_gangs()) {
    audits.add(audit::gangs_are_placed_together);
    audits.add(audit::gangs_hold_until_the_last_end);
  }
  if (audit::misjudges_demands(facts)) audits.add(audit::use_fits);
  if (!facts.log.samples.empty()) audits.add(audit::samples_are_possible);
}

/// Those about the queues of nodes, where they have any.
void check_queues(const audit::Facts& facts, Audits& audits) {
  if (!audit::nodes_queue(facts)) return;
  audits.add(audit::returned_never_start);
  if (audit::slots_fill_from_queues(facts)) audits.add(audit::no_slot_idles_beside_a_queue);
  if (audit::queues_have_a_length(facts)) audits.add(audit::queues_keep_their_length);
  if (audit::queues_have_a_wait(facts)) audits.add(audit::queues_keep_their_wait);
  if (audit::queues_have_an_order(facts)) audits.add(audit::queues_keep_their_order);
  if (audit::starved_come_first(facts)) audits.add(audit::starved_are_not_overtaken);
}

/// Those that need each job's, stage's and attempt's last word.
void check_whole(const audit::Facts& facts, Audits& audits) {
  audits.add(audit::jobs_are_conserved);
  audits.add(audit::jobs_span_their_tasks);
  audits.add(audit::stages_span_their_tasks);
  if (audit::some_job_follows(facts)) audits.add(audit::followers_wait);
  if (facts.settings) audits.add(audit::warm_by_the_slots_past);
  if (!facts.catalogue.limits.empty()) audits.add(audit::limits_are_kept);
  audits.add(audit::backups_are_counted);
  if (!audit::can_conserve_work(facts)) return;
  if (!facts.vectors) audits.add(audit::slots_are_not_idle);
  if (!facts.slots) audits.add(audit::resources_are_not_idle);
}

/// Those that compare with what workload, config and seed make, as far as it is known.
audit::Findings check_workload(const audit::Facts& facts) {
  const audit::KnownWorkload known(facts);
  Audits audits(facts);
  if (known.looked()) audits.add([&] { return audit::workload_is_still_there(facts, known); });
  audits.add([&] { return audit::tables_follow(facts, known); });
  if (facts.settings->faults.task_failure_probability > 0) audits.add(audit::failures_are_drawn);
  if (!facts.log.events.empty()) {
    audits.add([&] { return audit::estimates_are_the_models(facts, known); });
    if (audit::heartbeats_come_when_due(facts)) audits.add(audit::heartbeats_are_due);
  }
  return audits.run();
}

/// Those about events and decisions, where they were kept.
void check_decisions(const audit::Facts& facts, Audits& audits) {
  if (facts.log.decisions.empty()) return;
  audits.add(audit::rows_are_numbered);
  if (facts.complete) audits.add(audit::decisions_are_launched);
  audits.add(audit::attempts_were_decided);
  if (audit::speculates(facts) && !facts.log.events.empty()) audits.add(audit::backups_are_due);
  if (!facts.log.decisions.get<Stamped<Promise>>().empty()) audits.add(audit::promises_are_kept);
  const bool preempts = !facts.log.decisions.get<Stamped<Preemption>>().empty();
  if (!facts.log.events.empty() && preempts) audits.add(audit::who_is_preempted_ran);
  const bool kills = !facts.log.decisions.get<Stamped<Kill>>().empty();
  if (!facts.log.events.empty() && kills && facts.complete && !audit::speculates(facts)) {
    audits.add(audit::units_are_killed_for_a_reason);
  }
  const bool reserves =
      facts.backfill.keeps_word && !facts.log.decisions.get<Stamped<Reservation>>().empty();
  if (reserves && !facts.log.events.empty()) audits.add(audit::reservations_are_kept);
}

/// Noted, not asserted: the log may be sound, and a plug-in may be missing on this machine.
Finding config_is_read(const audit::Facts& facts) {
  audit::FindingBuilder finding("its config can be read; else what follows from it is not checked");
  finding.asserted(false).expect(false, [&] { return facts.config_mistakes; });
  return std::move(finding).finding();
}

}  // namespace

std::vector<Finding> check_log(const Log& log) {
  std::vector<Finding> findings;
  if (log.seals) findings.push_back(audit::seals_hold(*log.seals));
  findings.push_back(audit::references(log));
  if (findings.back().offences > 0) return findings;
  const audit::Facts facts(log);
  if (!facts.settings) findings.push_back(config_is_read(facts));
  Audits audits(facts);
  if (facts.complete) check_whole(facts, audits);
  if (facts.complete) audits.add(audit::ranks_have_their_nodes);
  if (!log.tables.lateness.empty()) audits.add(audit::looks_are_as_late_as_ranks);
  if (facts.settings) audits.add(audit::header_is_the_configs);
  audits.add(audit::clock_is_the_modes);
  const std::size_t before_workload = audits.size();
  check_rows(facts, audits);
  check_queues(facts, audits);
  check_decisions(facts, audits);
  if (audit::promises_a_bound(facts)) audits.add(audit::bound_is_kept);

  // The workload is made again beside all that can do without it.
  audit::Findings found;
  audit::Findings about_workload;
  tbb::parallel_invoke([&] { found = audits.run(); },
                       [&] {
                         if (facts.settings) about_workload = check_workload(facts);
                       });
  const auto place = found.begin() + static_cast<std::ptrdiff_t>(before_workload);
  found.insert(place, about_workload.begin(), about_workload.end());
  findings.insert(findings.end(), found.begin(), found.end());
  return findings;
}

bool passed(std::span<const Finding> findings) {
  return std::ranges::none_of(findings,
                              [](const Finding& one) { return one.asserted && one.offences > 0; });
}

std::string to_text(std::span<const Finding> findings) {
  constexpr std::size_t invariant_column = 20;
  std::string lines = fmt::format("{:<7} {:>10}  invariant\n", "verdict", "checked");
  for (const Finding& one : findings) {
    const bool holds = one.offences == 0;
    const char* const verdict = holds ? "holds" : one.asserted ? "BROKEN" : "noted";
    std::string words = one.invariant;
    if (!holds) words += fmt::format(": {} offend, first {}", one.offences, one.first);
    if (!one.note.empty()) words += fmt::format(" ({})", one.note);
    lines +=
        fmt::format("{:<7} {:>10}  {}\n", verdict, one.checked, wrapped(words, invariant_column));
  }
  return lines;
}

std::string verdict(std::span<const Finding> findings) {
  const auto broken = std::ranges::count_if(
      findings, [](const Finding& one) { return one.asserted && one.offences > 0; });
  return broken == 0 ? "sound: no invariant is broken\n"
                     : fmt::format("BROKEN: {} of {} invariants\n", broken, findings.size());
}

nlohmann::json to_json(std::span<const Finding> findings) {
  auto list = nlohmann::json::array();
  for (const Finding& one : findings) {
    list.push_back({{"invariant", one.invariant},
                    {"checked", one.checked},
                    {"offences", one.offences},
                    {"first", one.first},
                    {"asserted", one.asserted},
                    {"note", one.note}});
  }
  return list;
}

}  // namespace somnus
