// The Workflow Trace Archive's table of tasks, as Parquet: one file, or a folder with several
// parts, which may be that of a whole trace. A workflow is a job, submitted with its first task; a
// task is a stage of one task, 0, 1, ... in the order of rows, that takes `runtime` milliseconds
// and waits for its `parents`. In messages a row is a line.
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <system_error>
#include <unordered_map>

#include "formats/formats.hpp"
#include "formats/line_jobs.hpp"
#include "formats/parquet_rows.hpp"
#include "model/limits.hpp"
#include "parquet/file.hpp"
#include "text/mistake_collector.hpp"
#include "workload/check.hpp"

namespace somnus::import_wta {
namespace {

struct WtaOptions {
  bool skip_broken = false;
  bool demands = false;
  std::uint32_t jobs = 0;

  static constexpr auto fields() {
    using O = WtaOptions;
    return in_order(
        field("skip_broken", &O::skip_broken, "",
              "true: workflows with a row that can't be used are left out; false: each is a "
              "mistake"),
        field("demands", &O::demands, "",
              "true: a task demands its resource_amount_requested of cpu; false: a slot"),
        field("jobs", &O::jobs, "1", "the first so many workflows by submit; 0: all",
              Range{.low = 0, .high = 1e9}));
  }
};

// Beyond these a time is a typing error; below, milliseconds can be added as they are.
constexpr std::int64_t most_milliseconds = 9'000'000'000'000'000;

class WtaReader {
 public:
  explicit WtaReader(const WtaOptions& options) : options_(options) {}

  /// One of the table's files.
  void read(const TextFile& file) {
    reports_.emplace_back(file.name());
    const auto opened = parquet::File::open(file.name(), file.text());
    if (!opened) return other_.append(opened.error());
    const bool is_possible = has_possible_rows(*opened, file.text(), reports_.back());
    if (is_possible && has_columns(*opened)) read_rows(*opened);
  }

  /// `name`: of the file or folder.
  Checked<WorkloadSpec> finish(const std::string& name) {
    for (Draft& job : jobs_) {
      find_parents(job);
      check_graph(job);
    }
    const std::size_t broken =
        options_.skip_broken ? std::erase_if(jobs_, [](const Draft& job) { return job.is_broken; })
                             : 0;
    for (MistakeCollector& report : reports_) other_.append(std::move(report).take());
    if (other_.any()) return tl::unexpected(std::move(other_));
    MistakeCollector report(name);
    if (jobs_.empty()) {
      report.add(0, 0, "", "expected at least one whole workflow, found none");
      return tl::unexpected(std::move(report).take());
    }
    keep_first_jobs();
    std::vector<std::string> notes;
    if (broken > 0) notes.push_back(fmt::format("broken jobs left out: {}", broken));
    WorkloadSpec header{.name = workload_name(name, notes)};
    if (options_.demands) header.resources = resources_;
    LineJobs jobs;
    for (Draft& job : jobs_) {
      jobs.push_back(
          {.line = static_cast<int>(job.rows.front().line), .column = 0, .job = spec_of(job)});
      jobs.back().job.submit = static_cast<double>(job.submit_ms - jobs_.front().submit_ms) / 1e3;
    }
    return workload_of(std::move(jobs), std::move(header), std::move(report));
  }

 private:
  enum Name : std::size_t { id, workflow, submit, runtime, parents, user, amount, columns };
  static constexpr std::array<const char*, columns> names = {"id",
                                                             "workflow_id",
                                                             "ts_submit",
                                                             "runtime",
                                                             "parents",
                                                             "user_id",
                                                             "resource_amount_requested"};
  static constexpr std::size_t needed = user;  // so many of them

  struct Row {
    std::size_t line = 0;  // of its file, from 1
    std::size_t part = 0;
    std::int64_t id = 0;
    double runtime_s = 0;
    double amount = 1;
    std::vector<std::int64_t> parents;
    std::vector<std::uint32_t> parent_stages;
  };
  struct Draft {
    std::int64_t workflow = 0;
    std::string user;
    std::int64_t submit_ms = 0;
    std::vector<Row> rows;
    bool is_broken = false;
  };
  using Columns = std::array<std::optional<parquet::Column>, columns>;

  bool has_columns(const parquet::File& file) {
    std::vector<std::string> absent;
    for (std::size_t at = 0; at < needed; ++at) {
      if (!file.has(names[at])) absent.emplace_back(names[at]);
    }
    if (absent.empty()) return true;
    const bool are_workflows = file.has("task_count");
    reports_.back().add(0, 0, "",
                        fmt::format("this is a Parquet file without the Workflow Trace Archive's "
                                    "columns: expected also {}",
                                    fmt::join(absent, ", ")),
                        are_workflows ? "these are workflows; name the file with their tasks" : "");
    return false;
  }

  void read_rows(const parquet::File& file) {
    Columns read;
    for (std::size_t at = 0; at < columns; ++at) {
      const bool is_wanted = at < needed || at == user || options_.demands;
      if (!is_wanted || !file.has(names[at])) continue;
      auto column = file.read(names[at]);
      if (!column) {
        other_.append(std::move(column.error()));
      } else {
        read[at] = std::move(*column);
      }
    }
    const auto leaf = std::ranges::find(file.columns(), names[submit], &parquet::Leaf::name);
    submit_per_ms_ = leaf->timestamp ? leaf->timestamp->per_second / 1'000 : 1;
    const bool all = std::ranges::all_of(std::span(read).first<needed>(),
                                         [](const auto& one) { return one.has_value(); });
    for (std::size_t row = 0; all && row < file.rows(); ++row) read_row(read, row);
  }

  void read_row(const Columns& read, std::size_t at) {
    const std::size_t line = at + 1;
    std::vector<std::pair<Name, std::string>> wrong;
    const auto number = [&](Name name) -> std::int64_t {
      const auto [begin, end] = read[name]->range(at);
      const auto found = end == begin + 1 ? whole(read[name]->values, begin) : std::nullopt;
      if (!found) wrong.emplace_back(name, "expected a whole number, found none");
      return found.value_or(0);
    };
    const auto milliseconds = [&](Name name, std::int64_t least) {
      const std::size_t before = wrong.size();
      const std::int64_t found = number(name) / (name == submit ? submit_per_ms_ : 1);
      const bool is_fine = found >= least && found <= most_milliseconds;
      if (!is_fine && wrong.size() == before) {
        wrong.emplace_back(name, fmt::format("expected milliseconds from {} to {}, found {}", least,
                                             most_milliseconds, found));
      }
      return is_fine ? found : 0;
    };
    Row row{.line = line, .part = reports_.size() - 1, .id = number(id)};
    Draft& job = job_of(number(workflow));
    const std::int64_t submit_ms = milliseconds(submit, -most_milliseconds);
    row.runtime_s = static_cast<double>(milliseconds(runtime, 0)) / 1e3;
    for (auto [value, end] = read[parents]->range(at); value < end; ++value) {
      const auto parent = whole(read[parents]->values, value);
      if (parent) {
        row.parents.push_back(*parent);
      } else {
        wrong.emplace_back(parents, "expected ids, which are whole numbers");
      }
    }
    if (read[amount]) {
      const auto [begin, end] = read[amount]->range(at);
      const auto found = end == begin + 1 ? real(read[amount]->values, begin) : std::nullopt;
      if (!found || !(*found >= 0)) wrong.emplace_back(amount, "expected a number, 0 or more");
      row.amount = found.value_or(0);
    }
    for (const auto& [name, what] : wrong) broken(job, row, names[name], what);
    if (job.rows.empty() || submit_ms < job.submit_ms) job.submit_ms = submit_ms;
    if (job.rows.empty() && read[user]) job.user = user_of(*read[user], at);
    job.rows.push_back(std::move(row));
  }

  Draft& job_of(std::int64_t number) {
    const auto [known, is_new] = index_of_.try_emplace(number, jobs_.size());
    if (is_new) jobs_.push_back({.workflow = number, .user = "", .rows = {}});
    return jobs_[known->second];
  }

  /// -1: not known.
  static std::string user_of(const parquet::Column& column, std::size_t at) {
    const auto [begin, end] = column.range(at);
    const auto found = end == begin + 1 ? whole(column.values, begin) : std::nullopt;
    return found && *found >= 0 ? fmt::format("user_{}", *found) : "";
  }

  void broken(Draft& job, const Row& row, const char* key, std::string what) {
    job.is_broken = true;
    if (options_.skip_broken) return;
    reports_[row.part].add(static_cast<int>(row.line), 0, key, std::move(what),
                           "skip_broken = true leaves the workflow out");
  }

  void find_parents(Draft& job) {
    std::unordered_map<std::int64_t, std::uint32_t> stage_of;
    for (std::uint32_t stage = 0; stage < job.rows.size(); ++stage) {
      const Row& row = job.rows[stage];
      if (stage_of.try_emplace(row.id, stage).second) continue;
      broken(job, row, names[id], fmt::format("expected a task's own id, found {} again", row.id));
    }
    for (Row& row : job.rows) {
      for (const std::int64_t parent : row.parents) {
        const auto found = stage_of.find(parent);
        if (found != stage_of.end()) {
          row.parent_stages.push_back(found->second);
        } else {
          broken(job, row, names[parents],
                 fmt::format("expected tasks of workflow {}, found {}", job.workflow, parent));
        }
      }
    }
  }

  /// What remains, such as tasks that wait for each other.
  void check_graph(Draft& job) {
    if (job.is_broken) return;
    JobCheck check(options_.demands ? resources_ : no_resources_);
    check(spec_of(job), [&](const std::string& key, const std::string& what, const std::string&) {
      broken(job, job.rows.front(), names[workflow],
             fmt::format("{} of workflow {}: {}", key, job.workflow, what));
    });
  }

  void keep_first_jobs() {
    std::ranges::stable_sort(jobs_, {}, &Draft::submit_ms);
    if (options_.jobs > 0 && jobs_.size() > options_.jobs) jobs_.resize(options_.jobs);
  }

  JobSpec spec_of(const Draft& job) const {
    JobSpec spec{.job = std::to_string(job.workflow)};
    if (!job.user.empty()) spec.user = job.user;
    for (std::uint32_t stage = 0; stage < job.rows.size(); ++stage) {
      const Row& row = job.rows[stage];
      spec.stages.push_back(
          {.stage = stage, .parents = row.parent_stages, .durations = {row.runtime_s}});
      if (options_.demands) spec.stages.back().demand = {row.amount};
    }
    return spec;
  }

  WtaOptions options_;
  const std::vector<std::string> resources_ = {"cpu"};
  const std::vector<std::string> no_resources_;
  std::vector<MistakeCollector> reports_;  // one a part
  std::int64_t submit_per_ms_ = 1;         // of that part: some writers have instants
  Mistakes other_;
  std::vector<Draft> jobs_;                                 // by first row
  std::unordered_map<std::int64_t, std::size_t> index_of_;  // by workflow
};

namespace fs = std::filesystem;

bool is_parquet(const fs::path& path) { return path.extension() == ".parquet"; }

/// By number, where names have one: part.2 before part.10.
void sort_parts(std::vector<fs::path>& parts) {
  std::ranges::sort(parts, {}, [](const fs::path& path) {
    return std::pair(path.native().size(), path.native());
  });
}

/// Of tasks/, with what is below; else those called tasks...; else all.
std::vector<fs::path> parts_in(const fs::path& folder) {
  std::vector<fs::path> parts;
  std::error_code ignored;
  const fs::path tasks = folder / "tasks";
  if (fs::is_directory(tasks, ignored)) {
    for (const auto& entry : fs::recursive_directory_iterator(tasks, ignored)) {
      if (is_parquet(entry.path())) parts.push_back(entry.path());
    }
  } else {
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
      if (is_parquet(entry.path())) parts.push_back(entry.path());
    }
    const auto is_of_tasks = [](const fs::path& path) {
      return path.filename().native().starts_with("tasks");
    };
    if (std::ranges::any_of(parts, is_of_tasks)) std::erase_if(parts, std::not_fn(is_of_tasks));
  }
  sort_parts(parts);
  return parts;
}

bool is_folder_of(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) && !parts_in(path).empty();
}

Checked<WorkloadSpec> read_folder(const fs::path& folder, const Parameters& given) {
  WtaReader reader(options_of<WtaOptions>(given));
  Mistakes mistakes;
  for (const fs::path& part : parts_in(folder)) {
    const auto file = TextFile::load(part);
    if (file) {
      reader.read(*file);
    } else {
      mistakes.append(file.error());
    }
  }
  if (mistakes.any()) return tl::unexpected(std::move(mistakes));
  fs::path name = folder;
  if (name.filename().empty()) name = name.parent_path();  // "shell/"
  return reader.finish(name.string());
}

/// Its tasks, or its workflows: named by mistake, they are known for what they are.
bool looks_like(std::string_view bytes) {
  return somnus::has_columns(bytes, "ts_submit", "workflow_id") ||
         somnus::has_columns(bytes, "ts_submit", "task_count");
}

const Registered<Format> row =
    Format{.name = "wta",
           .summary = "the Workflow Trace Archive: Parquet, one task a row; a file, or a folder",
           .looks_like = looks_like,
           .is_parquet = true,
           .parameters = parameters_of(WtaOptions()),
           .parse =
               [](const TextFile& file, const Parameters& given) {
                 WtaReader reader(options_of<WtaOptions>(given));
                 reader.read(file);
                 return reader.finish(file.name());
               },
           .is_folder_of = is_folder_of,
           .read_folder = read_folder};
}  // namespace
}  // namespace somnus::import_wta
