#include "audit/audit.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "config/config.hpp"
#include "log/held_columns.hpp"
#include "log/in_order.hpp"
#include "log/log_tables.hpp"
#include "log/references.hpp"
#include "session/compose.hpp"

namespace somnus::audit {
namespace {

constexpr double unknown_clock_s = 0.004;  // Facts::uncertainty

Time end_of_events(const Log& log) {
  const InOrder<EventRows> events(log.events);
  Time end = start_of_time;
  if (events.size() == 0) return end;
  events.visit(events.size() - 1,
               [&](const auto& row, std::size_t) { end = at_seconds(row.time); });
  return end;
}

std::uint64_t key_of(TaskId task, std::uint32_t attempt) {
  return (std::uint64_t{task.value()} << 32) | attempt;
}

struct AttemptKey {
  std::uint64_t attempt;  // task and attempt
  std::uint32_t row;
};

std::vector<std::uint32_t> sorted(std::vector<AttemptKey> keys) {
  std::ranges::sort(keys, {},
                    [](const AttemptKey& key) { return std::tuple(key.attempt, key.row); });
  std::vector<std::uint32_t> rows(keys.size());
  std::ranges::transform(keys, rows.begin(), &AttemptKey::row);
  return rows;
}

std::vector<std::uint32_t> attempts_by_task(const Facts& facts) {
  std::vector<AttemptKey> keys;
  keys.reserve(facts.log.tasks.size());
  for (std::uint32_t row = 0; row < facts.log.tasks.size(); ++row) {
    const TaskRow& task = facts.log.tasks[row];
    keys.push_back({key_of(facts.task_of(task), task.attempt), row});
  }
  return sorted(std::move(keys));
}

std::vector<std::uint32_t> launches_by_task(const Facts& facts) {
  std::vector<AttemptKey> keys;
  keys.reserve(facts.launches.size());
  for (std::uint32_t row = 0; row < facts.launches.size(); ++row) {
    const Launch& launch = facts.launches[row];
    keys.push_back({key_of(launch.task, launch.attempt), row});
  }
  return sorted(std::move(keys));
}

// At equal times an attempt without length comes first: it fits before another's start.
std::vector<std::uint32_t> attempts_by_slot(const Facts& facts) {
  struct Key {
    std::uint64_t slot;  // node and slot
    double start;
    double finish;
    std::uint32_t row;
  };
  std::vector<Key> keys;
  keys.reserve(facts.log.tasks.size());
  for (std::uint32_t row = 0; row < facts.log.tasks.size(); ++row) {
    const TaskRow& task = facts.log.tasks[row];
    if (!is(task.start)) continue;
    const double finish = is(task.finish) ? task.finish : INFINITY;
    keys.push_back({(std::uint64_t{task.node} << 32) | task.slot, task.start, finish, row});
  }
  std::ranges::sort(keys, {}, [](const Key& key) {
    return std::tuple(key.slot, key.start, key.finish, key.row);
  });
  std::vector<std::uint32_t> rows(keys.size());
  std::ranges::transform(keys, rows.begin(), &Key::row);
  return rows;
}

void check_tasks(const Log& log, FindingBuilder& finding) {
  for (std::size_t at = 0; at < log.tasks.size(); ++at) {
    const TaskRow& row = log.tasks[at];
    const bool known = row.stage < log.tables.stages.size() && row.node < log.tables.nodes.size() &&
                       log.tables.stages[row.stage].job == row.job &&
                       row.index < log.tables.stages[row.stage].tasks &&
                       row.outcome <= static_cast<std::uint8_t>(Outcome::killed);
    finding.expect(known, [&] {
      return fmt::format("/tasks row {}: job {}, stage {}, index {}, node {}, outcome {}", at,
                         row.job, row.stage, row.index, row.node, row.outcome);
    });
    finding.expect(row.warm <= 1,
                   [&] { return fmt::format("/tasks row {}: warm {}", at, row.warm); });
  }
}

void check_values(const auto& tables, const Population& population, FindingBuilder& finding) {
  tables.for_each([&]<class Row>(const std::vector<Row>& rows) {
    for (std::size_t at = 0; at < rows.size(); ++at) {
      const std::string error = impossible_value(rows[at], population);
      finding.expect(error.empty(),
                     [&] { return fmt::format("{} row {}: {}", path_of<Row>(), at, error); });
    }
  });
}

template <class Rows>
void check_numbers(const Facts& facts, const Batches<Rows>& tables, FindingBuilder& finding) {
  const InOrder<Rows> rows(tables);
  const bool may_have_gap = !facts.complete && rows.has_gap();
  finding.expect(rows.error().empty() || may_have_gap, [&] { return rows.error(); });
}

}  // namespace

Finding seals_hold(const SealAudit& seals) {
  return {.invariant = "every row, name and attribute is as the run wrote it",
          .checked = seals.checked,
          .offences = seals.broken,
          .first = seals.sentences.empty() ? "" : seals.sentences.front()};
}

Finding references(const Log& log) {
  FindingBuilder finding("every row points at rows that exist");
  const std::string error = table_error(log);
  finding.expect(error.empty(), [&] { return error; });
  check_tasks(log, finding);
  for (std::size_t at = 0; at < log.targets.size(); ++at) {
    const std::uint32_t job = log.targets[at].job;
    finding.expect(job < log.tables.jobs.size(),
                   [&] { return fmt::format("/targets row {}: job {}", at, job); });
  }
  const Population population(log.tables);
  check_values(log.events, population, finding);
  check_values(log.decisions, population, finding);
  return std::move(finding).finding();
}

Finding rows_are_numbered(const Facts& facts) {
  FindingBuilder finding(
      "events are numbered from 0 without a gap over all kinds, and so are decisions");
  check_numbers(facts, facts.log.events, finding);
  check_numbers(facts, facts.log.decisions, finding);
  return std::move(finding).finding();
}

Facts::Facts(const Log& whole)
    : log(whole),
      launches(whole.decisions.get<Stamped<Launch>>()),
      catalogue(catalogue_of(whole)),
      complete(whole.header.complete),
      simulated(whole.header.mode == "simulate"),
      vectors(!whole.header.resources.empty()),
      slots(slot_count(whole) > 0),
      backups(whole),
      heard_until(complete && !whole.events.empty() ? never : end_of_events(whole)) {
  if (auto parsed = parse_settings(log.header.config, "the log's config", {})) {
    settings = *parsed;
    const Composition composition = composition_of(*settings);
    order = order_traits(composition);
    placement = placement_traits(composition);
    feedback = feedback_traits(composition.feedback);
  }
  for (const Amounts& amounts : log.tables.stage_demands) {
    const Resources demand(amounts);
    demands.push_back(settings ? estimated_demand(demand, *settings) : demand);
  }
  faults = !settings || settings->faults.any() || settings->speculation.slowdown > 0 ||
           !log.tables.resumes.empty();
  if (!simulated) {
    double most = 0;
    for (const RankRow& rank : log.tables.ranks) most = std::max(most, rank.clock_uncertainty);
    if (!complete && most == 0) most = unknown_clock_s;  // killed before clocks were compared
    for (const ResumeRow& row : log.tables.resumes) {
      most = std::max(most, row.clock_uncertainty > 0 ? row.clock_uncertainty : unknown_clock_s);
    }
    uncertainty = seconds(std::min(6 * most * log.header.speed, estimable.high));
  }
  double latest_s = 0;
  for (const TaskRow& row : log.tasks)
    latest_s = std::fmax(latest_s, std::fmax(row.placed, row.finish));
  uncertainty += float64_dust(latest_s);
  by_task = attempts_by_task(*this);
  by_slot = attempts_by_slot(*this);
  launched_by_task = launches_by_task(*this);
}

const TaskRow* Facts::row_of(TaskId task, std::uint32_t attempt) const {
  const auto key = [&](std::uint32_t row) {
    return key_of(task_of(log.tasks[row]), log.tasks[row].attempt);
  };
  const auto found = std::ranges::lower_bound(by_task, key_of(task, attempt), {}, key);
  if (found == by_task.end() || key(*found) != key_of(task, attempt)) return nullptr;
  return &log.tasks[*found];
}

bool Facts::may_be_backup(TaskId task, std::uint32_t attempt) const {
  if (!speculates(*this)) return false;
  if (log.decisions.empty() || backups.contains(task, attempt)) return true;
  if (complete) return false;
  const auto key = [&](std::uint32_t row) {
    return key_of(launches[row].task, launches[row].attempt);
  };
  const auto launch = std::ranges::lower_bound(launched_by_task, key_of(task, attempt), {}, key);
  const bool is_known = launch != launched_by_task.end() && key(*launch) == key_of(task, attempt);
  return !is_known || at_seconds(launches[*launch].time) >= heard_until;
}

bool Facts::may_lack(TaskId task, std::uint32_t attempt) const {
  if (complete) return false;
  const bool may_be_given_up = !settings || settings->faults.missed_heartbeats > 0;
  return may_be_given_up || may_be_backup(task, attempt + 1);
}

bool Facts::knows_at_once() const {
  return settings && !feedback.heartbeats && !has_worker_queues(*settings);
}

Time Facts::resumed_after(double seconds) const {
  for (const ResumeRow& row : log.tables.resumes) {
    if (row.time > seconds) return at_seconds(row.time);
  }
  return never;
}

std::string Facts::tolerance() const {
  if (simulated && uncertainty == Duration::zero()) return {};
  if (simulated) {
    return fmt::format("a float64 holds times as late as these to {} ns", uncertainty.count());
  }
  return fmt::format("clocks are uncertain, up to {:.3g} emulated s are forgiven",
                     in_seconds(uncertainty));
}

std::string text(std::uint32_t row_number, const TaskRow& row) {
  return fmt::format("/tasks row {}: job {}, stage {}, index {}, attempt {} on node {}, slot {}",
                     row_number, row.job, row.stage, row.index, row.attempt, row.node, row.slot);
}

namespace {

const HeldColumns held_by_nobody[] = {
    {"", "format format_version somnus_version commit complete config salt seals", Held::sealed,
     "what the others are held against"},
    {"", "config_path", Held::sealed, "chosen by the user"},
    {"/seals", "*", Held::sealed, "the root attribute `seals`"},
};

}  // namespace

}  // namespace somnus::audit
