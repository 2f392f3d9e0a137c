#include <algorithm>
#include <limits>
#include <span>

#include "base/time.hpp"
#include "emulator/audit/audit.hpp"
#include "emulator/log/log_tables.hpp"

namespace somnus::audit {
namespace {

std::uint64_t key(const DecisionRow& row) { return (std::uint64_t{row.task} << 32) | row.attempt; }
std::uint64_t key(const Facts& facts, const TaskRow& row) {
  return (std::uint64_t{facts.task_of(row).value()} << 32) | row.attempt;
}

bool agree(const DecisionRow& decision, const TaskRow& row) {
  return decision.node == row.node && at_seconds(decision.time) == at_seconds(row.placed);
}

}  // namespace

Finding decisions_are_launched(const Facts& facts) {
  Ledger ledger("every decision became one attempt, on its node and at its time");
  std::size_t next = 0;  // in by_task
  std::uint64_t last = ~std::uint64_t{0};
  for (const std::uint32_t at : facts.decisions_by_task) {
    const DecisionRow& decision = facts.log.decisions[at];
    const auto row = [&]() -> const TaskRow& { return facts.log.tasks[facts.by_task[next]]; };
    while (next < facts.by_task.size() && key(facts, row()) < key(decision)) ++next;
    const bool attempted =
        next < facts.by_task.size() && key(facts, row()) == key(decision) && agree(decision, row());
    const bool first_of_its_kind = key(decision) != last;
    last = key(decision);
    ledger.expect(attempted && first_of_its_kind, [&] {
      return fmt::format("/decisions row {}: task {}, attempt {} on node {} at {} s {}", at,
                         decision.task, decision.attempt, decision.node, decision.time,
                         first_of_its_kind ? "has no such row in /tasks" : "was decided before");
    });
  }
  return std::move(ledger).finding();
}

Finding attempts_were_decided(const Facts& facts) {
  Ledger ledger("every attempt was decided");
  const Time known_until = facts.complete ? never : at_seconds(facts.log.decisions.back().time);
  if (!facts.complete) {
    ledger.note(fmt::format("before {} s, where the log's decisions end", in_seconds(known_until)));
  }
  const std::span<const std::uint32_t> decisions = facts.decisions_by_task;
  auto decision = decisions.begin();
  for (const std::uint32_t at : facts.by_task) {
    const TaskRow& row = facts.log.tasks[at];
    if (at_seconds(row.placed) >= known_until) continue;
    while (decision != decisions.end() && key(facts.log.decisions[*decision]) < key(facts, row)) {
      ++decision;
    }
    const bool decided = decision != decisions.end() &&
                         key(facts.log.decisions[*decision]) == key(facts, row) &&
                         agree(facts.log.decisions[*decision], row);
    ledger.expect(decided, [&] {
      return fmt::format("{}, placed at {} s, is not in /decisions", text(at, row), row.placed);
    });
  }
  return std::move(ledger).finding();
}

namespace {

// What every bound against a fluid rests on: the scheduler learns at once, the truth, and nodes are
// all alike.
bool fluid_is_near(const Facts& facts) {
  if (!facts.settings || facts.faults || facts.vectors || !facts.complete) return false;
  const Settings& settings = *facts.settings;
  return facts.knows_at_once() && settings.estimate.model == EstimateModel::exact &&
         settings.jvm.model == JvmModel::none &&
         std::ranges::all_of(facts.log.tables.nodes,
                             [](const NodeRow& node) { return node.slowdown == 1; });
}

bool all_jobs(const Facts& facts, bool (*hold)(const JobRow&)) {
  return std::ranges::all_of(facts.log.tables.jobs, hold);
}

// No job later than in the fluid by more than 2 l_max + L_max / M.
Finding within_bound(const Facts& facts, Ledger ledger, const char* fluid,
                     double JobRow::* finish_in_fluid) {
  const auto& jobs = facts.log.tables.jobs;
  double longest_task = 0;
  for (const TaskRow& row : facts.log.tasks) longest_task = std::max(longest_task, row.nominal);
  double largest_job = 0;
  for (const JobRow& job : jobs) largest_job = std::max(largest_job, job.slot_time);
  const double bound = 2 * longest_task + largest_job / static_cast<double>(slot_count(facts.log));
  const double rounding = 1e-9 * (1 + bound);  // of the fluid's sums
  double most = -std::numeric_limits<double>::infinity();
  std::uint32_t latest = 0;
  for (const JobRow& job : jobs) {
    const double reference = job.*finish_in_fluid;
    if (!is(job.finish) || !is(reference)) continue;
    const double late = job.finish - reference;
    if (late > most) {
      most = late;
      latest = job.job;
    }
    ledger.expect(late <= bound + rounding, [&] {
      return fmt::format("/jobs row {}: finish {} s, in {} {} s, late by {} s, allowed {} s",
                         job.job, job.finish, fluid, reference, late, bound);
    });
  }
  if (bound > 0 && most > -std::numeric_limits<double>::infinity()) {
    ledger.note(fmt::format("largest: job {}, {:.3g} of the bound", latest, most / bound));
  }
  return std::move(ledger).finding();
}

}  // namespace

bool theorem_1_applies(const Facts& facts) {
  return fluid_is_near(facts) && facts.order.bound == FluidBound::gps &&
         all_jobs(facts, [](const JobRow& job) { return job.stages == 1 && job.weight == 1; });
}

Finding theorem_1(const Facts& facts) {
  Ledger ledger("no job finishes later than in GPS by more than 2 l_max + L_max / M (Theorem 1)");
  ledger.asserted(facts.simulated && facts.settings->network.delay_ms == 0);
  return within_bound(facts, std::move(ledger), "GPS", &JobRow::gps_finish);
}

bool bound_of_uwfq_applies(const Facts& facts) {
  return fluid_is_near(facts) && facts.order.bound == FluidBound::ujf_noted &&
         all_jobs(facts, [](const JobRow& job) { return job.stages == 1; });
}

Finding bound_of_uwfq(const Facts& facts) {
  // Never asserted: as published, UWFQ breaks it (src/policy/uwfq.hpp).
  Ledger ledger("no job finishes later than in UJF by more than 2 l_max + L_max / M (UWFQ, A.5)");
  ledger.asserted(false);
  return within_bound(facts, std::move(ledger), "UJF", &JobRow::ujf_finish);
}

}  // namespace somnus::audit
