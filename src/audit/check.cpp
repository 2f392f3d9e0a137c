#include "audit/check.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "audit/audit.hpp"
#include "base/wrapped.hpp"

namespace somnus {
namespace {

/// Those that every log must keep, also one that was cut off: its rows are the first of each kind.
void check_rows(const audit::Facts& facts, audit::Findings& findings) {
  findings.push_back(audit::tasks_finish_once(facts));
  findings.push_back(audit::attempts_are_numbered(facts));
  findings.push_back(audit::placed_when_ready(facts));
  findings.push_back(audit::queued_when_placed(facts));
  findings.push_back(audit::started_when_queued(facts));
  findings.push_back(audit::parents_first(facts));
  findings.push_back(audit::slept_as_intended(facts));
  if (facts.settings) findings.push_back(audit::intended_by_the_slots_past(facts));
  if (facts.slots) findings.push_back(audit::slots_exist(facts));
  findings.push_back(audit::slots_are_not_shared(facts));
  if (!facts.log.tables.resumes.empty()) {
    findings.push_back(audit::nothing_outlives_a_resumption(facts));
  }
  if (facts.vectors) findings.push_back(audit::demands_fit(facts));
  if (audit::misjudges_demands(facts)) findings.push_back(audit::use_fits(facts));
  if (!facts.log.samples.empty()) findings.push_back(audit::samples_are_possible(facts));
}

/// Those about the queues of nodes, where they have any.
void check_queues(const audit::Facts& facts, audit::Findings& findings) {
  if (!audit::nodes_queue(facts)) return;
  findings.push_back(audit::returned_never_start(facts));
  if (audit::slots_fill_from_queues(facts)) {
    findings.push_back(audit::no_slot_idles_beside_a_queue(facts));
  }
  if (audit::queues_have_a_length(facts)) {
    findings.push_back(audit::queues_keep_their_length(facts));
  }
  if (audit::queues_have_a_wait(facts)) findings.push_back(audit::queues_keep_their_wait(facts));
  if (audit::queues_have_an_order(facts)) findings.push_back(audit::queues_keep_their_order(facts));
  if (audit::starved_come_first(facts)) {
    findings.push_back(audit::starved_are_not_overtaken(facts));
  }
}

/// Those that need each job's, stage's and attempt's last word.
void check_whole(const audit::Facts& facts, audit::Findings& findings) {
  findings.push_back(audit::jobs_are_conserved(facts));
  findings.push_back(audit::jobs_span_their_tasks(facts));
  findings.push_back(audit::stages_span_their_tasks(facts));
  if (audit::some_job_follows(facts)) findings.push_back(audit::followers_wait(facts));
  if (facts.settings) findings.push_back(audit::warm_by_the_slots_past(facts));
  findings.push_back(audit::backups_are_counted(facts));
  if (!audit::can_conserve_work(facts)) return;
  if (!facts.vectors) findings.push_back(audit::slots_are_not_idle(facts));
  if (!facts.slots) findings.push_back(audit::resources_are_not_idle(facts));
}

/// Those that compare with what workload, config and seed make, as far as it is known.
void check_workload(const audit::Facts& facts, audit::Findings& findings) {
  const audit::KnownWorkload known(facts);
  if (known.looked()) findings.push_back(audit::workload_is_still_there(facts, known));
  findings.push_back(audit::tables_follow(facts, known));
  if (facts.settings->faults.task_failure_probability > 0) {
    findings.push_back(audit::failures_are_drawn(facts));
  }
  if (facts.log.events.empty()) return;
  findings.push_back(audit::estimates_are_the_models(facts, known));
  if (audit::heartbeats_come_when_due(facts)) findings.push_back(audit::heartbeats_are_due(facts));
}

/// Those about events and decisions, where they were kept.
void check_decisions(const audit::Facts& facts, audit::Findings& findings) {
  if (facts.log.decisions.empty()) return;
  findings.push_back(audit::rows_are_numbered(facts));
  if (facts.complete) findings.push_back(audit::decisions_are_launched(facts));
  findings.push_back(audit::attempts_were_decided(facts));
  if (audit::speculates(facts) && !facts.log.events.empty()) {
    findings.push_back(audit::backups_are_due(facts));
  }
  if (!facts.log.decisions.get<Stamped<Promise>>().empty()) {
    findings.push_back(audit::promises_are_kept(facts));
  }
}

}  // namespace

std::vector<Finding> check_log(const Log& log) {
  std::vector<Finding> findings;
  if (log.seals) findings.push_back(audit::seals_hold(*log.seals));
  findings.push_back(audit::references(log));
  if (findings.back().offences > 0) return findings;
  const audit::Facts facts(log);
  if (facts.complete) check_whole(facts, findings);
  if (facts.complete) findings.push_back(audit::ranks_have_their_nodes(facts));
  if (!log.tables.lateness.empty()) findings.push_back(audit::looks_are_as_late_as_ranks(facts));
  if (facts.settings) findings.push_back(audit::header_is_the_configs(facts));
  findings.push_back(audit::clock_is_the_modes(facts));
  if (facts.settings) check_workload(facts, findings);
  check_rows(facts, findings);
  check_queues(facts, findings);
  check_decisions(facts, findings);
  if (audit::promises_a_bound(facts)) findings.push_back(audit::bound_is_kept(facts));
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
