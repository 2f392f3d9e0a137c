#include "formats/table_jobs.hpp"

#include <algorithm>

#include "workload/check.hpp"

namespace somnus {

bool TableJobs::begin(TableColumns columns, int line) {
  return rows_.begin(std::move(columns), line);
}

void TableJobs::read(const TableRecord& record) {
  std::optional<TableRow> row = rows_.read(record);
  if (!row) return;
  const auto [known, is_new] = index_of_.try_emplace(row->job.job, jobs_.size());
  const std::size_t index = known->second;
  if (is_new) {
    jobs_.push_back({.line = {.line = row->line, .column = row->column, .job = std::move(row->job)},
                     .stages = {},
                     .is_broken = row->is_broken});
  } else if (options_.rows == TableRows::job) {
    rows_.wrong(rows_.mapping().job,
                fmt::format("expected a name of its own, found '{}', as in line {}", row->job.job,
                            jobs_[index].line.line),
                TableRowReader::Skip::refused, "rows = \"task\" gathers the rows of a job");
    return;
  } else {
    join(jobs_[index], *row);
  }
  if (!jobs_[index].is_broken) add_tasks(index, std::move(*row));
}

void TableJobs::join(Draft& job, const TableRow& row) {
  job.is_broken = job.is_broken || row.is_broken;
  if (job.is_broken) return;
  JobSpec& first = job.line.job;
  const auto hold = [&](const auto& column, bool is_same) {
    if (is_same) return;
    job.is_broken = true;
    rows_.wrong(column, fmt::format("expected what line {} says of the same job", job.line.line));
  };
  const TableMapping& columns = rows_.mapping();
  hold(columns.user, first.user == row.job.user);
  hold(columns.queue, first.queue == row.job.queue);
  hold(columns.account, first.account == row.job.account);
  hold(columns.qos, first.qos == row.job.qos);
  hold(columns.nice, first.nice == row.job.nice);
  hold(columns.app, first.app == row.job.app);
  hold(columns.weight, first.weight == row.job.weight);
  hold(columns.estimate, first.estimate == row.job.estimate);
  hold(columns.limit, first.limit == row.job.limit);
  first.submit = std::min(first.submit, row.job.submit);
}

void TableJobs::add_tasks(std::size_t index, TableRow row) {
  Draft& job = jobs_[index];
  tasks_ += row.tasks;
  if (options_.rows == TableRows::job) {
    job.stages.push_back({.demand = std::move(row.demand), .tasks = {{row.tasks, row.duration_s}}});
    return;
  }
  const bool is_labelled = rows_.mapping().stage.meant.has_value();
  StageKey key{index, is_labelled ? std::vector<double>{double(row.stage)} : row.demand};
  const auto [known, is_new] = stage_of_.try_emplace(std::move(key), job.stages.size());
  if (is_new) {
    const auto place = static_cast<std::uint32_t>(job.stages.size());
    job.stages.push_back({.label = is_labelled ? row.stage : place,
                          .parents = std::move(row.parents),
                          .demand = std::move(row.demand),
                          .tasks = {},
                          .line = row.line});
  }
  Stage& stage = job.stages[known->second];
  const bool same = is_new || (stage.parents == row.parents && stage.demand == row.demand);
  if (!same) {
    job.is_broken = true;
    rows_.wrong(
        rows_.mapping().stage,
        fmt::format("expected parents and demands as line {} has them for the stage", stage.line));
  }
  stage.tasks.emplace_back(row.tasks, row.duration_s);
}

void TableJobs::check_stages(Draft& job) {
  if (job.is_broken || !rows_.mapping().stage.meant) return;
  JobSpec spec{.job = job.line.job.job};
  for (const Stage& stage : job.stages) {
    spec.stages.push_back({.stage = stage.label, .parents = stage.parents, .durations = {0}});
  }
  const std::vector<std::string> no_kinds;
  JobCheck check(no_kinds);
  check(spec, [&](const std::string& key, const std::string& what, const std::string&) {
    job.is_broken = true;
    if (options_.skip_broken) return;
    mistakes_.add(job.line.line, 0, key, what, "skip_broken = true leaves the job out");
  });
}

LineJobs TableJobs::drafted() {
  LineJobs lines;
  for (Draft& job : jobs_) {
    for (Stage& stage : job.stages) {
      StageSpec spec{.stage = stage.label,
                     .parents = std::move(stage.parents),
                     .demand = std::move(stage.demand),
                     .gang = options_.gangs};
      for (const auto& [tasks, duration_s] : stage.tasks) {
        spec.durations.insert(spec.durations.end(), tasks, duration_s);
      }
      job.line.job.stages.push_back(std::move(spec));
    }
    lines.push_back(std::move(job.line));
  }
  return lines;
}

Checked<WorkloadSpec> TableJobs::finish() {
  for (Draft& job : jobs_) check_stages(job);
  const std::size_t broken = std::erase_if(jobs_, [](const Draft& job) { return job.is_broken; });
  if (!rows_.has_begun()) mistakes_.add(0, 0, "", "expected a workload, found an empty file");
  if (jobs_.empty() && rows_.unfinished() > 0 && !mistakes_.any()) {
    mistakes_.add(0, 0, "",
                  fmt::format("expected at least one row that ran to its end, found {} others",
                              rows_.unfinished()));
  } else if (jobs_.empty() && !mistakes_.any()) {
    mistakes_.add(0, 0, "",
                  broken > 0 ? "expected at least one whole job, found broken ones only"
                             : "expected at least one row, found only the columns' names");
  }
  if (!check_task_count(tasks_, mistakes_) || mistakes_.any()) {
    return tl::unexpected(std::move(mistakes_).take());
  }
  std::vector<std::string> notes;
  if (rows_.unfinished() > 0) {
    notes.push_back(fmt::format("rows without an end left out: {}", rows_.unfinished()));
  }
  if (broken > 0) notes.push_back(fmt::format("broken jobs left out: {}", broken));
  WorkloadSpec header{.name = workload_name(mistakes_.file(), notes),
                      .resources = rows_.kinds(),
                      .rigid = options_.rigid};
  return workload_of(drafted(), std::move(header), std::move(mistakes_));
}

}  // namespace somnus
