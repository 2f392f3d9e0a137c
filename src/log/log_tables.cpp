#include "log/log_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "log/possible.hpp"
#include "log/references.hpp"
#include "model/limits.hpp"

namespace somnus {
namespace {

std::string error_of_jobs(const Log& log) {
  const auto& stages = log.tables.stages;
  std::size_t next = 0;
  for (std::size_t row = 0; row < log.tables.jobs.size(); ++row) {
    const JobRow& job = log.tables.jobs[row];
    const auto add_error = [&](const std::string& what) {
      return fmt::format("/jobs row {}: {}", row, what);
    };
    if (job.job != row) return add_error(fmt::format("job {} is out of place", job.job));
    if (job.stages == 0 || job.stages > stages.size() - next) {
      return add_error(
          fmt::format("{} stages, but {} are left in /stages", job.stages, stages.size() - next));
    }
    std::uint64_t tasks = 0;
    for (std::size_t end = next + job.stages; next < end; ++next) {
      if (stages[next].job != row) {
        return fmt::format("/stages row {}: of job {}, expected job {}", next, stages[next].job,
                           row);
      }
      tasks += stages[next].tasks;
    }
    if (tasks != job.tasks) {
      return add_error(fmt::format("{} tasks, but its stages have {}", job.tasks, tasks));
    }
    if (job.user >= log.tables.users.size()) return add_error(fmt::format("no user {}", job.user));
    // There are no more queues and apps than jobs that name them.
    if (job.queue >= log.tables.jobs.size())
      return add_error(fmt::format("no queue {}", job.queue));
    if (job.app >= log.tables.jobs.size()) return add_error(fmt::format("no app {}", job.app));
    if (job.after != no_job && job.after >= row)
      return add_error(fmt::format("it follows job {}, which is not before it", job.after));
  }
  if (next == stages.size()) return {};
  return fmt::format("/stages row {}: of job {}, which is not in /jobs", next, stages[next].job);
}

std::string error_of_parents(const Log& log) {
  const auto& stages = log.tables.stages;
  for (std::size_t row = 0; row < log.tables.stage_parents.size(); ++row) {
    const auto& [job, stage, parent] = log.tables.stage_parents[row];
    const bool known = stage < stages.size() && parent < stages.size();
    if (known && stage != parent && stages[stage].job == job && stages[parent].job == job) continue;
    return fmt::format("/stage_parents row {}: stage {} with parent {} of job {}", row, stage,
                       parent, job);
  }
  return {};
}

std::string error_of_nodes(const Log& log) {
  for (std::size_t row = 0; row < log.tables.nodes.size(); ++row) {
    if (log.tables.nodes[row].node == row) continue;
    return fmt::format("/nodes row {}: node {} is out of place", row, log.tables.nodes[row].node);
  }
  for (std::size_t row = 0; row < log.tables.nodes.size(); ++row) {
    if (std::ranges::all_of(log.tables.nodes[row].resources, possible_amount)) continue;
    return fmt::format("/nodes row {}: no node has such resources", row);
  }
  for (std::size_t row = 0; row < log.tables.stage_demands.size(); ++row) {
    if (std::ranges::all_of(log.tables.stage_demands[row], possible_amount)) continue;
    return fmt::format("/stage_demands row {}: no task asks for that", row);
  }
  const std::size_t stages = log.header.resources.empty() ? 0 : log.tables.stages.size();
  const std::size_t demands = log.tables.stage_demands.size();
  if (demands == stages) return {};
  return fmt::format("/stage_demands has {} rows for {} stages", demands, stages);
}

std::string error_of_affinity(const Log& log) {
  const auto& rows = log.tables.stage_affinity;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto& [stage, node] = rows[row];
    if (stage >= log.tables.stages.size() || node >= log.tables.nodes.size()) {
      return fmt::format("/stage_affinity row {}: stage {} prefers node {}, one of them unknown",
                         row, stage, node);
    }
    if (row == 0 || rows[row - 1].stage <= stage) continue;
    return fmt::format("/stage_affinity row {}: stage {} comes after stage {}", row, stage,
                       rows[row - 1].stage);
  }
  return {};
}

ProgressCurve::Progress gain_of(const CurveRow& row) {
  return std::llround(row.gain * static_cast<double>(ProgressCurve::whole));
}

std::string error_of_curves(const Log& log) {
  const auto& rows = log.tables.curves;
  double progress = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const CurveRow& one = rows[row];
    if (one.job >= log.tables.jobs.size()) {
      return fmt::format("/curves row {}: job {} is unknown", row, one.job);
    }
    const bool follows = row > 0 && rows[row - 1].job == one.job;
    if (row > 0 && rows[row - 1].job > one.job) {
      return fmt::format("/curves row {}: job {} comes after job {}", row, one.job,
                         rows[row - 1].job);
    }
    const std::uint32_t before = follows ? rows[row - 1].slots : 0;
    if (one.slots <= before || one.slots > log.tables.jobs[one.job].tasks) {
      return fmt::format("/curves row {}: up to {} slots, where {} to {} can be", row, one.slots,
                         before + 1, log.tables.jobs[one.job].tasks);
    }
    const double most = follows ? rows[row - 1].gain : 1;
    const bool possible = one.gain >= 0 && one.gain <= most;
    if (!possible) {
      return fmt::format("/curves row {}: a gain of {}, where 0 to {} can be", row, one.gain, most);
    }
    progress = (follows ? progress : 0) + one.gain * (one.slots - before);
    if (progress <= 1 + 1e-9) continue;  // sums of doubles may be off
    return fmt::format("/curves row {}: a progress of {:.6g}, where 1 is the most", row, progress);
  }
  return {};
}

std::string error_of_cold_tasks(const Log& log) {
  const auto& rows = log.tables.cold_tasks;
  if (rows.empty()) return {};
  std::size_t tasks = 0;
  for (const StageRow& stage : log.tables.stages) tasks += stage.tasks;
  if (rows.size() != tasks) return fmt::format("{} cold tasks for {} tasks", rows.size(), tasks);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const bool possible = rows[row].fresh >= 0 && rows[row].fresh <= longest_exact_seconds &&
                          rows[row].first >= 0 && rows[row].first <= longest_exact_seconds;
    if (!possible) return fmt::format("/cold_tasks row {}: no task takes that long", row);
  }
  return {};
}

std::string error_of_gangs(const Log& log) {
  const auto& rows = log.tables.gangs;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const bool in_order = row == 0 || rows[row - 1].stage < rows[row].stage;
    if (!in_order || rows[row].stage >= log.tables.stages.size()) {
      return fmt::format("/gangs row {}: stage {}", row, rows[row].stage);
    }
    const std::uint32_t tasks = log.tables.stages[rows[row].stage].tasks;
    if (tasks < 2 && rows[row].exclusive == 0) {
      return fmt::format("/gangs row {}: a gang of {} tasks", row, tasks);
    }
  }
  return {};
}

std::string error_of_accounting(const Log& log) {
  const auto& rows = log.tables.accounting;
  const LogNames& names = log.tables.names;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const AccountingRow& one = rows[row];
    const bool in_order = row == 0 || rows[row - 1].job < one.job;
    if (!in_order || one.job >= log.tables.jobs.size()) {
      return fmt::format("/accounting row {}: job {}", row, one.job);
    }
    if (one.account != no_id && one.account >= names.accounts.size()) {
      return fmt::format("/accounting row {}: no account {}", row, one.account);
    }
    if (one.qos != no_id && one.qos >= names.qos.size()) {
      return fmt::format("/accounting row {}: no QOS {}", row, one.qos);
    }
    if (!is_nice(one.nice)) return fmt::format("/accounting row {}: nice {}", row, one.nice);
  }
  return {};
}

std::string error_of_limits(const Log& log) {
  const auto& rows = log.tables.limits;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const bool in_order = row == 0 || rows[row - 1].job < rows[row].job;
    if (!in_order || rows[row].job >= log.tables.jobs.size()) {
      return fmt::format("/limits row {}: job {}", row, rows[row].job);
    }
    const bool possible = rows[row].limit > 0 && rows[row].limit <= longest_exact_seconds;
    if (!possible) return fmt::format("/limits row {}: a limit of {} s", row, rows[row].limit);
  }
  return {};
}

void add_curves(const Log& log, Catalogue& catalogue) {
  if (log.tables.curves.empty()) return;
  catalogue.curves.resize(std::size_t{log.tables.curves.back().job} + 1);
  std::vector<ProgressCurve::Progress> gains;
  for (std::size_t row = 0; row < log.tables.curves.size(); ++row) {
    const CurveRow& one = log.tables.curves[row];
    gains.resize(one.slots, gain_of(one));
    const bool more =
        row + 1 < log.tables.curves.size() && log.tables.curves[row + 1].job == one.job;
    if (more) continue;
    catalogue.curves[one.job] = ProgressCurve::of_gains(gains);
    gains.clear();
  }
}

template <class Row>
std::uint32_t ids(const std::vector<Row>& jobs, std::uint32_t Row::* column) {
  std::uint32_t most = 0;
  for (const Row& job : jobs) most = std::max(most, job.*column + 1);
  return most;
}

void link_parents(const Log& log, Catalogue& catalogue) {
  const auto& edges = log.tables.stage_parents;
  for (const StageParentRow& edge : edges) {
    ++catalogue.stages[edge.stage].parents;
    ++catalogue.stages[edge.parent].children;
  }
  std::uint32_t first_parent = 0;
  std::uint32_t first_child = 0;
  for (Stage& stage : catalogue.stages) {
    stage.first_parent = first_parent;
    stage.first_child = first_child;
    first_parent += std::exchange(stage.parents, 0);
    first_child += std::exchange(stage.children, 0);
  }
  catalogue.parents.resize(edges.size());
  for (const StageParentRow& edge : edges) {
    Stage& stage = catalogue.stages[edge.stage];
    catalogue.parents[stage.first_parent + stage.parents++] = StageId(edge.parent);
  }
  // Children in order of their ids, as the workload has them: the engine emits them in turn.
  catalogue.children.resize(edges.size());
  for (std::size_t child = 0; child < catalogue.stages.size(); ++child) {
    for (const StageId id : catalogue.parents_of(catalogue.stages[child])) {
      Stage& parent = catalogue.stages[id.index()];
      catalogue.children[parent.first_child + parent.children++] = StageId(child);
    }
  }
}

void add_affinity(const Log& log, Catalogue& catalogue) {
  for (const StageAffinityRow& row : log.tables.stage_affinity) {
    ++catalogue.stages[row.stage].affinity;
    catalogue.affinity.emplace_back(row.node);
  }
  std::uint32_t first = 0;
  for (Stage& stage : catalogue.stages) {
    stage.first_affinity = first;
    first += stage.affinity;
  }
}

}  // namespace

std::string table_error(const Log& log) {
  for (const auto find : {number_error, error_of_jobs, error_of_parents, error_of_nodes,
                          error_of_affinity, error_of_curves, error_of_cold_tasks, error_of_gangs,
                          error_of_accounting, error_of_limits}) {
    if (std::string error = find(log); !error.empty()) return error;
  }
  return {};
}

Catalogue catalogue_of(const Log& log) {
  Catalogue catalogue;
  catalogue.jobs.reserve(log.tables.jobs.size());
  catalogue.stages.reserve(log.tables.stages.size());
  for (const JobRow& row : log.tables.jobs) {
    const StageId first_stage(catalogue.stages.size());
    const TaskId first_task(catalogue.stage_of.size());
    for (std::uint32_t at = 0; at < row.stages; ++at) {
      const StageId id(catalogue.stages.size());
      const StageRow& stage = log.tables.stages[id.index()];
      catalogue.stages.push_back({.job = JobId(row.job),
                                  .label = stage.stage,
                                  .divisible = stage.partitions > 0,
                                  .first_task = TaskId(catalogue.stage_of.size()),
                                  .tasks = stage.tasks});
      catalogue.stage_of.insert(catalogue.stage_of.end(), stage.tasks, id);
    }
    catalogue.jobs.push_back({.submit = std::isnan(row.submit) ? never : at_seconds(row.submit),
                              .after = row.after == no_job ? JobId() : JobId(row.after),
                              .think = seconds(row.think),
                              .weight = row.weight,
                              .user = UserId(row.user),
                              .queue = QueueId(row.queue),
                              .app = AppId(row.app),
                              .first_stage = first_stage,
                              .stages = row.stages,
                              .first_task = first_task,
                              .tasks = row.tasks});
  }
  link_parents(log, catalogue);
  add_affinity(log, catalogue);
  add_curves(log, catalogue);
  for (const GangRow& row : log.tables.gangs) {
    catalogue.stages[row.stage].gang = true;
    catalogue.stages[row.stage].exclusive = row.exclusive != 0;
  }
  if (!log.tables.limits.empty()) catalogue.limits.resize(log.tables.limits.back().job + 1);
  for (const LimitRow& row : log.tables.limits) catalogue.limits[row.job] = seconds(row.limit);
  if (!log.tables.accounting.empty()) {
    catalogue.accounting.resize(log.tables.accounting.back().job + 1);
  }
  for (const AccountingRow& row : log.tables.accounting) {
    catalogue.accounting[row.job] = {.account = AccountId(row.account),
                                     .qos = QosId(row.qos),
                                     .nice = static_cast<std::int32_t>(row.nice)};
  }
  catalogue.tasks = static_cast<std::uint32_t>(catalogue.stage_of.size());
  for (const UserRow& row : log.tables.users) catalogue.users.push_back({.weight = row.weight});
  catalogue.queues = ids(log.tables.jobs, &JobRow::queue);
  catalogue.apps = ids(log.tables.jobs, &JobRow::app);
  return catalogue;
}

std::vector<ColdDurations> cold_durations_of(const Log& log) {
  std::vector<ColdDurations> cold;
  cold.reserve(log.tables.cold_tasks.size());
  for (const ColdTaskRow& row : log.tables.cold_tasks) {
    cold.push_back({.first = seconds(row.first), .fresh = seconds(row.fresh)});
  }
  return cold;
}

std::uint64_t slot_count(const Log& log) {
  std::uint64_t slots = 0;
  for (const NodeRow& node : log.tables.nodes) slots += node.slots;
  return slots;
}

}  // namespace somnus
