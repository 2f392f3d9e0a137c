// Any table of separated cells, quoted as in RFC 4180, with what its columns are said in words
// (CsvColumns): `runtime/1000`, `end - start`, `=4`. A row is a job of one stage with so many
// tasks that take as long, or with `rows` = "task" a part of the job of that name, whose submit is
// that of its first row in time. Rows of a job that have other demands are stages of their own,
// side by side, unless `stage` and `parents` say what the job's stages are.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "formats/csv_rows.hpp"
#include "formats/formats.hpp"
#include "formats/line_jobs.hpp"
#include "workload/check.hpp"

namespace somnus::import_csv {
namespace {

class CsvReader {
 public:
  CsvReader(const TextFile& file, const CsvOptions& options)
      : file_(file), options_(options), mistakes_(file.name()), rows_(options, mistakes_) {}

  Checked<WorkloadSpec> operator()() {
    read_all();
    for (Draft& job : jobs_) check_stages(job);
    const std::size_t broken = std::erase_if(jobs_, [](const Draft& job) { return job.is_broken; });
    if (!rows_.has_begun()) mistakes_.add(0, 0, "", "expected a workload, found an empty file");
    if (jobs_.empty() && !mistakes_.any()) {
      mistakes_.add(0, 0, "",
                    broken > 0 ? "expected at least one whole job, found broken ones only"
                               : "expected at least one row, found only the columns' names");
    }
    if (!check_task_count(tasks_, mistakes_) || mistakes_.any()) {
      return tl::unexpected(std::move(mistakes_).take());
    }
    std::vector<std::string> notes;
    if (broken > 0) notes.push_back(fmt::format("broken jobs left out: {}", broken));
    WorkloadSpec header{.name = workload_name(mistakes_.file(), notes),
                        .resources = rows_.kinds(),
                        .rigid = options_.rigid};
    return workload_of(drafted(), std::move(header), std::move(mistakes_));
  }

 private:
  struct Stage {
    std::uint32_t label = 0;
    std::vector<std::uint32_t> parents;
    std::vector<double> demand;
    std::vector<std::pair<std::uint64_t, double>> tasks;  // so many, each so long [s]
    int line = 0;
  };
  struct Draft {
    LineJob line;
    std::vector<Stage> stages;
    bool is_broken = false;
  };

  void read_all() {
    CsvRecords records(TextWindow(file_), separator(), mistakes_);
    CsvRecord record;
    if (!records.next(record) || !rows_.begin(record)) return;
    if (!options_.header) read_row(record);
    while (records.next(record)) read_row(record);
  }

  [[nodiscard]] char separator() const {
    switch (options_.delimiter) {
      case CsvSeparator::comma:
        return ',';
      case CsvSeparator::semicolon:
        return ';';
      case CsvSeparator::tab:
        return '\t';
      case CsvSeparator::bar:
        return '|';
      case CsvSeparator::detected:
        break;
    }
    return detected_separator(file_.beginning());
  }

  void read_row(const CsvRecord& record) {
    std::optional<CsvRow> row = rows_.read(record);
    if (!row) return;
    const auto [known, is_new] = index_of_.try_emplace(row->job.job, jobs_.size());
    const std::size_t index = known->second;
    if (is_new) {
      jobs_.push_back(
          {.line = {.line = row->line, .column = row->column, .job = std::move(row->job)},
           .stages = {},
           .is_broken = row->is_broken});
    } else if (options_.rows == CsvRows::job) {
      rows_.wrong(rows_.mapping().job,
                  fmt::format("expected a name of its own, found '{}', as in line {}", row->job.job,
                              jobs_[index].line.line),
                  CsvRowReader::Skip::refused, "rows = \"task\" gathers the rows of a job");
      return;
    } else {
      join(jobs_[index], *row);
    }
    if (!jobs_[index].is_broken) add_tasks(index, std::move(*row));
  }

  // A further row of a job says of the job what the first did.
  void join(Draft& job, const CsvRow& row) {
    job.is_broken = job.is_broken || row.is_broken;
    if (job.is_broken) return;
    JobSpec& first = job.line.job;
    const auto hold = [&](const auto& column, bool is_same) {
      if (is_same) return;
      job.is_broken = true;
      rows_.wrong(column, fmt::format("expected what line {} says of the same job", job.line.line));
    };
    const CsvMapping& columns = rows_.mapping();
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

  void add_tasks(std::size_t index, CsvRow row) {
    Draft& job = jobs_[index];
    tasks_ += row.tasks;
    if (options_.rows == CsvRows::job) {
      job.stages.push_back(
          {.demand = std::move(row.demand), .tasks = {{row.tasks, row.duration_s}}});
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
      rows_.wrong(rows_.mapping().stage,
                  fmt::format("expected parents and demands as line {} has them for the stage",
                              stage.line));
    }
    stage.tasks.emplace_back(row.tasks, row.duration_s);
  }

  // Parents that are not there, or wait for each other.
  void check_stages(Draft& job) {
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

  LineJobs drafted() {
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

  // A job, and its stage's number, or where stages have none what their tasks demand.
  using StageKey = std::pair<std::size_t, std::vector<double>>;

  const TextFile& file_;
  const CsvOptions& options_;
  MistakeCollector mistakes_;
  CsvRowReader rows_;
  std::vector<Draft> jobs_;
  std::unordered_map<std::string, std::size_t> index_of_;  // by job
  std::map<StageKey, std::size_t> stage_of_;
  std::uint64_t tasks_ = 0;
};

Value number_as_text(const Value& value) {
  const auto number = value.number();
  if (number) return number_text(*number);
  if (value.table() == nullptr) return value;
  Table texts;
  for (const auto& [key, each] : *value.table()) texts[key] = number_as_text(each);
  return texts;
}

/// Columns may be numbers, and constants are, which TOML keeps apart from texts.
Table numbers_as_texts(const Table& given) {
  Table texts;
  for (const auto& [name, value] : given) texts[name] = number_as_text(value);
  return texts;
}

bool looks_like(std::string_view text) {
  if (text.starts_with("; ")) return false;  // a comment of .swf
  MistakeCollector report("");
  CsvRecords records(TextWindow(text), detected_separator(text), report);
  CsvRecord first;
  CsvRecord second;
  if (!records.next(first) || first.cells.size() < 2 || !records.next(second)) return false;
  return !report.any() && first.cells.size() == second.cells.size();
}

/// Whose parameters stay as they were given.
Format csv_format() {
  Format csv = format<CsvReader, CsvOptions>(
      "csv", "any table of separated cells, whose columns are named by parameters", "", looks_like,
      Look::common);
  const ParameterSchema plain = csv.parameters;
  csv.parameters = {{plain.begin(), plain.end()},
                    [plain](ValueReader& reader, const Table& given, const std::string& path) {
                      Table read = plain.read(reader, numbers_as_texts(given), path);
                      for (const auto& [name, value] : given) {
                        if (read.contains(name)) read[name] = value;
                      }
                      return read;
                    }};
  csv.parse = [parse = std::move(csv.parse)](const TextFile& file, const Parameters& given) {
    return parse(file, numbers_as_texts(given));
  };
  return csv;
}

const Registered<Format> row = csv_format();

}  // namespace
}  // namespace somnus::import_csv
