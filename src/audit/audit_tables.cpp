// The tables that do not depend on the scheduler, made again by the code that made them: from the
// workload, where it is at hand, and else from the attempts.
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "audit/audit.hpp"
#include "base/error.hpp"
#include "config/config.hpp"
#include "log/held_columns.hpp"
#include "log/log_tables.hpp"
#include "session/tables.hpp"

namespace somnus::audit {
namespace {

/// Equal, but for the rounding of another compiler's sums.
bool agree(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::abs(a - b) <= 1e-9 * (1 + std::abs(b));
}
template <class Number>
  requires std::is_integral_v<Number>
bool agree(Number a, Number b) {
  return a == b;
}

/// Each column of each row that asks(row number, column's name) says yes to.
template <class Row, class Ask>
void compare(FindingBuilder& finding, const char* table, const std::vector<Row>& known_state,
             const std::vector<Row>& again, Ask&& asks) {
  finding.expect(known_state.size() == again.size(), [&] {
    return fmt::format("{} has {} rows, worked out again {}", table, known_state.size(),
                       again.size());
  });
  for (std::size_t at = 0; at < std::min(known_state.size(), again.size()); ++at) {
    for_each_field<Row>([&](const auto& field) {
      if (!asks(at, std::string_view(field.name))) return;
      const auto then = known_state[at].*field.member;
      const auto now = again[at].*field.member;
      finding.expect(agree(then, now), [&] {
        return fmt::format("{} row {}: {} {}, worked out again {}", table, at, field.name, then,
                           now);
      });
    });
  }
}

void compare(FindingBuilder& finding, const char* table,
             const std::vector<std::string>& known_state, const std::vector<std::string>& again) {
  finding.expect(known_state.size() == again.size(), [&] {
    return fmt::format("{} has {} rows, worked out again {}", table, known_state.size(),
                       again.size());
  });
  for (std::size_t at = 0; at < std::min(known_state.size(), again.size()); ++at) {
    finding.expect(known_state[at] == again[at], [&] {
      return fmt::format("{} row {}: {}, worked out again {}", table, at, known_state[at],
                         again[at]);
    });
  }
}

void compare(FindingBuilder& finding, const char* table, std::size_t row,
             const Amounts& known_state, const Amounts& again,
             const std::vector<std::string>& kinds) {
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    finding.expect(known_state[kind] == again[kind], [&] {
      return fmt::format("{} row {}: {} {}, worked out again {}", table, row, kinds[kind],
                         known_state[kind], again[kind]);
    });
  }
}

constexpr auto every_column = [](std::size_t, std::string_view) { return true; };

/// The tables as they were before the run. None, and it is noted, where the workload of the log
/// cannot be worked with.
std::optional<LogTables> worked_out(const Facts& facts, const Workload& workload,
                                    FindingBuilder& finding) {
  const auto workers = static_cast<int>(facts.log.tables.ranks.size()) - 1;
  try {
    return initial_tables(*facts.settings, workload, workers);
  } catch (const Bug& bug) {
    finding.expect(false, [&] {
      return fmt::format("/jobs, /stages and /stage_demands do not fit the config: {}", bug.what());
    });
    return std::nullopt;
  }
}

bool is_of(std::string_view column, std::initializer_list<std::string_view> columns) {
  return std::ranges::find(columns, column) != columns.end();
}

}  // namespace

Finding header_is_the_configs(const Facts& facts) {
  FindingBuilder finding("label, seed, speed, ranks and resources are those of the config");
  const LogHeader& header = facts.log.header;
  const Settings& settings = *facts.settings;
  const auto expect = [&](const char* name, const auto& known_state, const auto& again) {
    finding.expect(known_state == again, [&] {
      return fmt::format("root attribute {} is {}, expected {}", name, known_state, again);
    });
  };
  expect("seed", header.seed, settings.run.seed);
  expect("speed", header.speed, settings.run.speed);
  expect("ranks", std::size_t{header.ranks}, facts.log.tables.ranks.size());
  expect("label", header.label, label_of(settings));
  expect("resources", fmt::format("{}", fmt::join(header.resources, ", ")),
         fmt::format("{}", fmt::join(settings.cluster.resources, ", ")));
  return std::move(finding).finding();
}

Finding ranks_have_their_nodes(const Facts& facts) {
  FindingBuilder finding("each rank has the nodes and slots that /nodes gives it");
  std::vector<RankRow> expected(facts.log.tables.ranks.size());
  for (std::size_t rank = 0; rank < expected.size(); ++rank) {
    expected[rank].rank = facts.simulated ? 0 : static_cast<std::uint32_t>(rank);
  }
  for (const NodeRow& node : facts.log.tables.nodes) {
    if (node.rank == 0 || node.rank >= expected.size()) continue;
    ++expected[node.rank].nodes;
    expected[node.rank].slots += node.slots;
  }
  compare(finding, "/ranks", facts.log.tables.ranks, expected,
          [](std::size_t, std::string_view column) {
            return is_of(column, {"rank", "nodes", "slots"});
          });
  return std::move(finding).finding();
}

Finding tables_follow(const Facts& facts, const KnownWorkload& at_hand) {
  FindingBuilder finding(
      "jobs, stages, nodes and users are what the workload and the config make of them");
  finding.note(at_hand.is_other()   ? "from the attempts; the workload is another one by now"
               : at_hand.is_whole() ? "from the workload itself"
                                    : "from the attempts; the workload itself is not here");
  const bool known = at_hand.is_whole();
  const Workload& workload = *at_hand;
  const LogTables& tables = facts.log.tables;
  std::optional<LogTables> made = worked_out(facts, workload, finding);
  if (!made) return std::move(finding).finding();
  LogTables& again = *made;
  for (std::size_t job = 0; job < std::min(again.jobs.size(), tables.jobs.size()); ++job) {
    if (tables.jobs[job].after != no_job) again.jobs[job].submit = tables.jobs[job].submit;
  }
  if (facts.complete) run_fluids_of_followers(facts.settings->cluster, again);
  // A simulation adds them at its end.
  const bool added = facts.complete || !(facts.simulated || some_job_follows(facts));
  const bool fluids = at_hand.knows_all_times() && added;

  compare(finding, "/jobs", tables.jobs, again.jobs, [&](std::size_t job, std::string_view column) {
    if (is_of(column, {"state", "first_start", "finish", "estimate"})) return false;
    if (is_of(column, {"gps_finish", "ujf_finish"})) return fluids;
    const bool of_truth = is_of(column, {"slot_time", "critical_path", "alone"});
    return !of_truth || at_hand.knows(JobId(static_cast<std::uint32_t>(job)));
  });
  compare(finding, "/stages", tables.stages, again.stages,
          [&](std::size_t stage, std::string_view column) {
            if (is_of(column, {"ready", "first_start", "finish"})) return false;
            return column != "slot_time" ||
                   at_hand.knows(StageId(static_cast<std::uint32_t>(stage)));
          });
  compare(finding, "/stage_parents", tables.stage_parents, again.stage_parents, every_column);
  compare(finding, "/stage_affinity", tables.stage_affinity, again.stage_affinity, every_column);
  compare(finding, "/curves", tables.curves, again.curves, every_column);
  compare(finding, "/gangs", tables.gangs, again.gangs, every_column);
  compare(finding, "/accounting", tables.accounting, again.accounting, every_column);
  compare(finding, "/limits", tables.limits, again.limits, every_column);
  compare(finding, "/cold_tasks", tables.cold_tasks, again.cold_tasks, every_column);
  compare(finding, "/nodes", tables.nodes, again.nodes, every_column);
  compare(finding, "/users", tables.users, again.users, every_column);
  const auto& kinds = facts.log.header.resources;
  for (std::size_t node = 0; node < std::min(tables.nodes.size(), again.nodes.size()); ++node) {
    compare(finding, "/nodes", node, tables.nodes[node].resources, again.nodes[node].resources,
            kinds);
  }
  for (std::size_t stage = 0; stage < tables.stage_demands.size(); ++stage) {
    if (stage >= again.stage_demands.size()) break;
    compare(finding, "/stage_demands", stage, tables.stage_demands[stage],
            again.stage_demands[stage], kinds);
  }
  compare(finding, "/names/jobs", tables.names.jobs, again.names.jobs);
  compare(finding, "/names/users", tables.names.users, again.names.users);
  compare(finding, "/names/queues", tables.names.queues, again.names.queues);
  compare(finding, "/names/accounts", tables.names.accounts, again.names.accounts);
  compare(finding, "/names/qos", tables.names.qos, again.names.qos);
  compare(finding, "/names/apps", tables.names.apps, again.names.apps);
  compare(finding, "/names/groups", tables.names.groups, again.names.groups);
  if (!known || !at_hand.fits(facts)) return std::move(finding).finding();
  for (std::uint32_t at = 0; at < facts.log.tasks.size(); ++at) {
    const TaskRow& row = facts.log.tasks[at];
    const double nominal = in_seconds(workload.truth[facts.task_of(row)]);
    finding.expect(agree(row.nominal, nominal), [&] {
      return fmt::format("{}: nominal {} s, in the workload {} s", text(at, row), row.nominal,
                         nominal);
    });
  }
  return std::move(finding).finding();
}

namespace {

const HeldColumns held_by_tables[] = {
    {"/jobs", "job user queue app after tasks stages think weight warmup", Held::recomputed,
     "check: /stages and /names; the workload, if it is there"},
    {"/jobs", "slot_time critical_path alone", Held::recomputed,
     "check: the attempts' nominal times"},
    {"/jobs", "gps_finish ujf_finish", Held::recomputed,
     "check: the fluids, from submits and slot-times"},
    {"/stages", "job stage tasks partitions", Held::recomputed,
     "check: /jobs and /tasks; the workload, if it is there"},
    {"/stages", "slot_time", Held::recomputed, "check: the attempts' nominal times"},
    {"/stage_parents", "job stage parent", Held::recomputed,
     "check: /stages; replay: the order of decisions"},
    {"/stage_affinity", "stage node", Held::recomputed, "check: /stages; replay: the decisions"},
    {"/curves", "job slots gain", Held::recomputed,
     "check: the workload, if it is there; replay: targets and decisions of paf"},
    {"/stage_demands", "*", Held::recomputed, "replay: the decisions"},
    {"/gangs", "*", Held::recomputed,
     "check: the attempts; the workload, if it is there; replay: the decisions"},
    {"/limits", "*", Held::recomputed,
     "check: ends; the workload, if it is there; replay: the decisions"},
    {"/accounting", "*", Held::recomputed,
     "check: the workload, if it is there; replay: the decisions of priority"},
    {"/cold_tasks", "*", Held::recomputed,
     "check: intended, where the model reads them; the workload, if it is there"},
    {"/nodes", "*", Held::recomputed, "check: the config"},
    {"/users", "user", Held::recomputed, "check: its place"},
    {"/users", "weight", Held::recomputed,
     "check: the workload, if it is there; replay: the decisions"},
    {"/names", "jobs users queues accounts qos apps", Held::sealed,
     "chosen by the user; check: the workload, if it is there"},
    {"/names", "groups", Held::recomputed, "check: the config"},
    {"/ranks", "rank nodes slots", Held::recomputed, "check: /nodes"},
    {"/ranks", "*", Held::sealed, "measured"},
    {"", "seed speed ranks resources label", Held::recomputed, "check: the config"},
};

}  // namespace

}  // namespace somnus::audit
