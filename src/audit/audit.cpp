#include "audit/audit.hpp"

#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "config/config.hpp"
#include "log/held_columns.hpp"
#include "log/in_order.hpp"
#include "log/log_tables.hpp"
#include "log/references.hpp"
#include "session/compose.hpp"

namespace somnus::audit {
namespace {

constexpr double unknown_clock_s = 0.004;  // Facts::uncertainty
constexpr std::uint32_t most_groups_of_node = 1000;

Time end_of_events(const Log& log) {
  const InOrder<EventRows> events(log.events);
  Time end = start_of_time;
  if (events.size() == 0) return end;
  events.visit(events.size() - 1,
               [&](const auto& row, std::size_t) { end = at_seconds(row.time); });
  return end;
}

std::uint32_t round_of_last_decision(const Log& log) {
  if (log.header.complete) return std::numeric_limits<std::uint32_t>::max();
  const InOrder<DecisionRows> decisions(log.decisions);
  std::uint32_t round = 0;
  if (decisions.size() == 0) return round;
  decisions.visit(decisions.size() - 1, [&](const auto& row, std::size_t) { round = row.round; });
  return round;
}

std::uint64_t key_of(TaskId task, std::uint32_t attempt) {
  return (std::uint64_t{task.value()} << 32) | attempt;
}

constexpr std::size_t in_no_group = ~std::size_t{0};

/// The numbers of rows by their groups, in each in order of less(a, b), the earlier row first of
/// equal ones. Rows of a log are nearly in order already, so that is found out in passing.
std::vector<std::uint32_t> by_group(std::size_t rows, std::size_t groups, const auto& group_of,
                                    const auto& less) {
  struct Group {
    std::uint32_t end = 0;  // at first how many it has, then where its next one goes
    std::uint32_t last = 0;
    bool in_order = true;
  };
  std::vector<Group> all(groups + 1);  // the last takes those that are in none
  const auto group = [&](std::size_t row) -> Group& {
    return all[std::min(group_of(row), groups)];
  };
  for (std::uint32_t row = 0; row < rows; ++row) {
    Group& own = group(row);
    if (own.end++ > 0 && less(row, own.last)) own.in_order = false;
    own.last = row;
  }
  std::uint32_t before = 0;
  for (Group& one : all) before += std::exchange(one.end, before);
  std::vector<std::uint32_t> order(rows);
  for (std::uint32_t row = 0; row < rows; ++row) order[group(row).end++] = row;
  const auto begin = order.begin();
  for (std::size_t at = 0; at < groups; ++at) {
    if (all[at].in_order) continue;
    std::sort(
        begin + (at == 0 ? 0U : all[at - 1].end), begin + all[at].end,
        [&](std::uint32_t a, std::uint32_t b) { return less(a, b) || (!less(b, a) && a < b); });
  }
  order.resize(groups == 0 ? 0 : all[groups - 1].end);
  return order;
}

std::vector<std::uint32_t> attempts_by_task(const Facts& facts) {
  const std::vector<TaskRow>& rows = facts.log.tasks;
  return by_group(
      rows.size(), facts.catalogue.tasks,
      [&](std::size_t row) { return facts.task_of(rows[row]).index(); },
      [&](std::uint32_t a, std::uint32_t b) { return rows[a].attempt < rows[b].attempt; });
}

std::vector<std::uint32_t> launches_by_task(const Facts& facts) {
  return by_group(
      facts.launches.size(), facts.catalogue.tasks,
      [&](std::size_t row) { return facts.launches[row].task.index(); },
      [&](std::uint32_t a, std::uint32_t b) {
        return facts.launches[a].attempt < facts.launches[b].attempt;
      });
}

/// Its launch's, by launches_by_task(); that of the first behind where no launch is known.
std::size_t place_of_launch(const Facts& facts, std::span<const std::uint32_t> by_task,
                            const TaskRow& row) {
  const std::uint64_t own = key_of(facts.task_of(row), row.attempt);
  const auto key = [&](std::uint32_t at) {
    return key_of(facts.launches[at].task, facts.launches[at].attempt);
  };
  const auto found = std::ranges::lower_bound(by_task, own, {}, key);
  const bool is_it = found != by_task.end() && key(*found) == own;
  if (is_it && facts.launches[*found].time == row.placed) return *found;
  const auto time = [](const Stamped<Launch>& launch) { return launch.time; };
  const auto behind = std::ranges::upper_bound(facts.launches, row.placed, {}, time);
  return static_cast<std::size_t>(behind - facts.launches.begin());
}

// At equal times an attempt without length comes first: it fits before another's start; of several
// without the one that was launched first. The slots of a node beyond those that it has share a
// group.
std::vector<std::uint32_t> attempts_by_slot(const Facts& facts) {
  const std::vector<TaskRow>& rows = facts.log.tasks;
  const std::vector<NodeRow>& nodes = facts.log.tables.nodes;
  std::vector<std::size_t> first(nodes.size());
  std::size_t groups = 0;
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    first[node] = groups;
    groups += std::size_t{std::min(nodes[node].slots, most_groups_of_node)} + 1;
  }
  std::vector<std::uint32_t> launched;  // by task
  const auto key = [&](std::uint32_t row) {
    const TaskRow& task = rows[row];
    return std::tuple(task.slot, task.start, is(task.finish) ? task.finish : INFINITY);
  };
  return by_group(
      rows.size(), groups,
      [&](std::size_t row) {
        const TaskRow& task = rows[row];
        if (!is(task.start)) return in_no_group;
        return first[task.node] +
               std::min({task.slot, nodes[task.node].slots, most_groups_of_node});
      },
      [&](std::uint32_t a, std::uint32_t b) {
        if (key(a) != key(b) || facts.launches.empty()) return key(a) < key(b);
        if (launched.empty()) launched = launches_by_task(facts);  // few logs need it
        return place_of_launch(facts, launched, rows[a]) <
               place_of_launch(facts, launched, rows[b]);
      });
}

void check_tasks(const Log& log, FindingBuilder& finding) {
  for (std::size_t at = 0; at < log.tasks.size(); ++at) {
    const TaskRow& row = log.tasks[at];
    const bool known = row.stage < log.tables.stages.size() && row.node < log.tables.nodes.size() &&
                       log.tables.stages[row.stage].job == row.job &&
                       row.index < log.tables.stages[row.stage].tasks &&
                       row.outcome <= static_cast<std::uint8_t>(Outcome::suspended);
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
      heard_until(complete && !whole.events.empty() ? never : end_of_events(whole)),
      decided_until(round_of_last_decision(whole)) {
  auto parsed = parse_settings(log.header.config, "the log's config", {});
  if (!parsed) config_mistakes = parsed.error().text();
  if (parsed) {
    settings = *parsed;
    const Composition composition = composition_of(*settings);
    order = order_traits(composition);
    placement = placement_traits(composition);
    feedback = feedback_traits(composition.feedback);
    backfill = backfill_traits(composition.backfill);
    preempts = somnus::preempts(*settings) || order.preempts;
    suspends = somnus::suspends(*settings);
    if (preempts) backfill.keeps_word = false;
  }
  for (const Amounts& amounts : log.tables.stage_demands) {
    const Resources demand(amounts);
    demands.push_back(settings ? estimated_demand(demand, *settings) : demand);
  }
  faults = !settings || settings->faults.any() || settings->speculation.slowdown > 0 ||
           !log.tables.resumes.empty() || !catalogue.limits.empty();
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
  tbb::parallel_invoke([&] { by_task = attempts_by_task(*this); },
                       [&] { by_slot = attempts_by_slot(*this); },
                       [&] { launched_by_task = launches_by_task(*this); });
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
  return !is_known || launches[*launch].round >= decided_until ||
         at_seconds(launches[*launch].time) >= heard_until;
}

bool Facts::may_lack(TaskId task, std::uint32_t attempt) const {
  if (complete) return false;
  return gives_up_nodes() || may_be_backup(task, attempt + 1);
}

bool Facts::knows_at_once() const {
  return settings && !feedback.heartbeats && !has_worker_queues(*settings);
}

bool Facts::acts_at_once() const {
  return simulated && settings && settings->network.delay_ms == 0 &&
         settings->scheduler.cycle_s == 0 && settings->job_manager.poll_s == 0 &&
         settings->job_manager.launch_s == 0;
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
