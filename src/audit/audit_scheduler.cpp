#include <algorithm>
#include <limits>
#include <vector>

#include "audit/audit.hpp"
#include "base/time.hpp"
#include "log/held_columns.hpp"
#include "log/log_tables.hpp"

namespace somnus::audit {
namespace {

using LaunchRow = Stamped<Launch>;

std::uint64_t key(const LaunchRow& row) {
  return (std::uint64_t{row.task.value()} << 32) | row.attempt;
}
std::uint64_t key(const Facts& facts, const TaskRow& row) {
  return (std::uint64_t{facts.task_of(row).value()} << 32) | row.attempt;
}

bool agree(const LaunchRow& decision, const TaskRow& row) {
  return decision.node.value() == row.node && at_seconds(decision.time) == at_seconds(row.placed);
}

}  // namespace

Finding decisions_are_launched(const Facts& facts) {
  FindingBuilder finding("every decision became one attempt, on its node and at its time");
  std::size_t next = 0;  // in by_task
  std::uint64_t last = ~std::uint64_t{0};
  for (const std::uint32_t at : facts.launched_by_task) {
    const LaunchRow& decision = facts.launches[at];
    const auto row = [&]() -> const TaskRow& { return facts.log.tasks[facts.by_task[next]]; };
    while (next < facts.by_task.size() && key(facts, row()) < key(decision)) ++next;
    const bool attempted =
        next < facts.by_task.size() && key(facts, row()) == key(decision) && agree(decision, row());
    const bool first_of_its_kind = key(decision) != last;
    last = key(decision);
    finding.expect(attempted && first_of_its_kind, [&] {
      return fmt::format("{} row {}: task {}, attempt {} on node {} at {} s {}",
                         path_of<LaunchRow>(), at, decision.task.value(), decision.attempt,
                         decision.node.value(), decision.time,
                         first_of_its_kind ? "has no such row in /tasks" : "was decided before");
    });
  }
  return std::move(finding).finding();
}

Finding attempts_were_decided(const Facts& facts) {
  FindingBuilder finding("every attempt was decided");
  const Time last = facts.launches.empty() ? start_of_time : at_seconds(facts.launches.back().time);
  const Time known_until = facts.complete ? never : last;
  if (!facts.complete) {
    finding.note(fmt::format("before {} s, where the log's launches end", in_seconds(known_until)));
  }
  auto decided_row = facts.launched_by_task.begin();
  const auto end = facts.launched_by_task.end();
  for (const std::uint32_t at : facts.by_task) {
    const TaskRow& row = facts.log.tasks[at];
    if (at_seconds(row.placed) >= known_until) continue;
    while (decided_row != end && key(facts.launches[*decided_row]) < key(facts, row)) ++decided_row;
    const bool decided = decided_row != end &&
                         key(facts.launches[*decided_row]) == key(facts, row) &&
                         agree(facts.launches[*decided_row], row);
    finding.expect(decided, [&] {
      return fmt::format("{}, placed at {} s, is not in {}", text(at, row), row.placed,
                         path_of<LaunchRow>());
    });
  }
  return std::move(finding).finding();
}

namespace {

// What every bound against a fluid rests on: the scheduler learns at once, the truth, and nodes are
// all alike.
bool fluid_is_near(const Facts& facts) {
  if (!facts.settings || facts.faults || facts.vectors || !facts.complete) return false;
  const Settings& settings = *facts.settings;
  return facts.knows_at_once() && settings.estimate.model == EstimateModel::exact &&
         !warmup_of(settings).looks_back() &&
         std::ranges::all_of(facts.log.tables.nodes,
                             [](const NodeRow& node) { return node.slowdown == 1; });
}

double finish_in(Fluid fluid, const JobRow& job) {
  switch (fluid) {
    case Fluid::gps:
      return job.gps_finish;
    case Fluid::ujf:
      return job.ujf_finish;
  }
  return nan_time;
}

BoundTerms terms_of(const Log& log) {
  BoundTerms terms{
      .longest_task_s = 0, .largest_job_s = 0, .slots = static_cast<double>(slot_count(log))};
  for (const TaskRow& row : log.tasks) {
    terms.longest_task_s = std::max(terms.longest_task_s, row.nominal);
  }
  for (const JobRow& job : log.tables.jobs) {
    terms.largest_job_s = std::max(terms.largest_job_s, job.slot_time);
  }
  return terms;
}

}  // namespace

bool promises_a_bound(const Facts& facts) {
  if (!fluid_is_near(facts) || !facts.order.bound || !facts.placement.by_order) return false;
  return std::ranges::all_of(facts.log.tables.jobs, [&](const JobRow& job) {
    return job.stages == 1 && (job.weight == 1 || facts.order.bound->any_weights);
  });
}

Finding bound_is_kept(const Facts& facts) {
  const FluidBound& promised = *facts.order.bound;
  const char* const fluid = name_of(promised.fluid);
  FindingBuilder finding(fmt::format("no job finishes later than in {} by more than {} ({})", fluid,
                                     promised.formula, promised.source));
  finding.asserted(promised.always_kept && facts.acts_at_once());
  const double bound = promised.allowed_s(terms_of(facts.log));
  const double rounding = 1e-9 * (1 + bound);  // of the fluid's sums
  double most = -std::numeric_limits<double>::infinity();
  std::uint32_t latest = 0;
  for (const JobRow& job : facts.log.tables.jobs) {
    const double reference = finish_in(promised.fluid, job);
    if (!is(job.finish) || !is(reference)) continue;
    const double late = job.finish - reference - in_seconds(float64_dust(job.finish));
    if (late > most) {
      most = late;
      latest = job.job;
    }
    finding.expect(late <= bound + rounding, [&] {
      return fmt::format("/jobs row {}: finish {} s, in {} {} s, late by {} s, allowed {} s",
                         job.job, job.finish, fluid, reference, late, bound);
    });
  }
  if (bound > 0 && most > -std::numeric_limits<double>::infinity()) {
    finding.note(fmt::format("largest: job {}, {:.3g} of the bound", latest, most / bound));
  }
  return std::move(finding).finding();
}

// Carbyne's Theorem 3.1, which needs preemption or tasks of one length (policies.md 6.5).
Finding promises_are_kept(const Facts& facts) {
  FindingBuilder finding("no job ends later than it was last promised");
  finding.asserted(false);
  const auto& promises = facts.log.decisions.get<Stamped<Promise>>();
  const std::size_t none = promises.size();
  std::vector<std::size_t> last(facts.log.tables.jobs.size(), none);  // by job
  for (std::size_t at = 0; at < promises.size(); ++at) last[promises[at].job.index()] = at;
  Duration most{};
  std::uint32_t latest = 0;
  for (const JobRow& job : facts.log.tables.jobs) {
    const std::size_t row = last[job.job];
    if (!is(job.finish) || row == none) continue;
    const Time end = promises[row].end;
    const Duration late = at_seconds(job.finish) - end;
    if (late > most) {
      most = late;
      latest = job.job;
    }
    constexpr Duration rounding{1};
    finding.expect(late <= rounding, [&] {
      return fmt::format("/jobs row {}: finish {} s, promised for {} s in {} row {}", job.job,
                         job.finish, in_seconds(end), path_of<Stamped<Promise>>(), row);
    });
  }
  if (most > Duration::zero()) {
    finding.note(fmt::format("worst: job {}, late by {:.6g} s", latest, in_seconds(most)));
  }
  return std::move(finding).finding();
}

namespace {

const HeldColumns held_by_scheduler[] = {
    {"/tasks", "job stage index attempt node placed", Held::recomputed, "check: /decisions"},
    {"/events/*", "number", Held::recomputed, "check: dense over the tables of /events"},
    {"/decisions/*", "number", Held::recomputed, "check: dense over the tables of /decisions"},
};

}  // namespace

}  // namespace somnus::audit
