// OpenDC's workloads, as Parquet: the table of tasks or virtual machines, `tasks.parquet` or
// `meta.parquet`, or the folder that it is in. Of a row it needs
//     id, submission_time (or submissionTime, start_time, startTime),
//     duration in milliseconds, or stop_time (stopTime, endTime), and cpu_count (or maxCores)
// and takes mem_capacity (or requiredMemory) in megabytes, and `parents`, the ids of the tasks
// before it. A row is a stage of one task, which demands cpu [cores] and mem_gb [1e9 bytes], unless
// `demands` = false. Tasks that are joined by parents are one job, submitted with the first of
// them; any other is a job of its own. How busy a task was from moment to moment stands in the
// other table, `fragments.parquet` or `trace.parquet`, which is not read. In messages a row is a
// line.
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <ranges>
#include <span>
#include <system_error>
#include <unordered_map>

#include "formats/formats.hpp"
#include "formats/line_jobs.hpp"
#include "formats/parquet_rows.hpp"
#include "formats/parquet_table.hpp"
#include "model/limits.hpp"
#include "text/mistake_collector.hpp"
#include "workload/check.hpp"

namespace somnus::import_opendc {
namespace {

struct OpendcOptions {
  bool skip_broken = false;
  bool demands = true;
  std::uint32_t jobs = 0;

  static constexpr auto fields() {
    using O = OpendcOptions;
    return in_order(
        field("skip_broken", &O::skip_broken, "",
              "true: jobs with a row that can't be used are left out; false: each is a mistake"),
        field("demands", &O::demands, "",
              "true: a task demands its cores and its memory; false: a slot"),
        field("jobs", &O::jobs, "1", "the first so many by submit; 0: all",
              Range{.low = 0, .high = 1e9}));
  }
};

constexpr std::int64_t most_milliseconds = 9'000'000'000'000'000;
constexpr double mb_of_opendc_gb = 1e3;

/// Under which a quantity stands, in the versions of the format.
using Names = std::array<const char*, 4>;

std::optional<std::size_t> find_column(const parquet::File& file, const Names& names) {
  const std::vector<parquet::Leaf>& columns = file.columns();
  for (const char* name : names) {
    if (name == nullptr) continue;
    const auto found = std::ranges::find(columns, name, &parquet::Leaf::name);
    if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  }
  return std::nullopt;
}

enum Name : std::size_t { id, submit, duration, stop, cores, memory, parents, columns };
constexpr std::array<Names, columns> names = {
    {{"id"},
     {"submission_time", "submissionTime", "start_time", "startTime"},
     {"duration"},
     {"stop_time", "stopTime", "end_time", "endTime"},
     {"cpu_count", "maxCores"},
     {"mem_capacity", "requiredMemory"},
     {"parents"}}};

class OpendcReader {
 public:
  OpendcReader(const TextFile& file, const OpendcOptions& options)
      : bytes_(file.text()), options_(options), report_(file.name()) {}

  Checked<WorkloadSpec> operator()() {
    const auto opened = parquet::File::open(report_.file(), bytes_);
    if (!opened) return tl::unexpected(opened.error());
    if (has_possible_rows(*opened, bytes_, report_) && find_columns(*opened)) {
      if (auto mistakes = read_rows(*opened)) return tl::unexpected(std::move(*mistakes));
      join_by_parents();
    }
    return finish();
  }

 private:
  struct Row {
    std::string id;
    std::int64_t submit_ms = 0;
    double runtime_s = 0;
    double cores = 1;
    double memory_gb = 0;
    std::vector<std::string> parents;
    std::vector<std::size_t> parent_rows;
    bool is_broken = false;
  };
  using Columns = std::array<std::optional<parquet::Column>, columns>;

  bool find_columns(const parquet::File& file) {
    std::vector<std::string> absent;
    for (std::size_t name = 0; name < columns; ++name)
      place_[name] = find_column(file, names[name]);
    for (const Name name : {id, submit, cores}) {
      if (!place_[name]) absent.emplace_back(names[name][0]);
    }
    if (!place_[duration] && !place_[stop]) absent.emplace_back("duration");
    if (absent.empty()) return true;
    const bool are_samples = file.has("cpu_usage") || file.has("cpuUsage");
    report_.add(
        0, 0, "",
        fmt::format("this is no table of OpenDC's tasks: expected also {}",
                    fmt::join(absent, ", ")),
        are_samples ? "these are samples of usage; name tasks.parquet or meta.parquet" : "");
    return false;
  }

  std::optional<Mistakes> read_rows(const parquet::File& file) {
    Mistakes all;
    Columns read;
    ParquetTable texts(file);  // ids are numbers or texts, by version
    for (std::size_t name = 0; name < columns; ++name) {
      if (!place_[name]) continue;
      const std::size_t at = *place_[name];
      const auto wrong = name == id || name == parents ? texts.read(at) : std::nullopt;
      if (wrong) all.append(*wrong);
      auto column = file.read(file.columns()[at].name);
      if (column) {
        read[name] = std::move(*column);
      } else {
        all.append(std::move(column.error()));
      }
    }
    if (all.any()) return all;
    TableRecord record;
    rows_.reserve(file.rows());
    for (std::size_t row = 0; row < file.rows(); ++row) {
      texts.row(row, record);
      read_row(file, read, record, row);
    }
    return std::nullopt;
  }

  void read_row(const parquet::File& file, const Columns& read, const TableRecord& record,
                std::size_t at) {
    rows_.push_back({.id = std::string(record.cells[*place_[id]].text)});
    Row& row = rows_.back();
    if (row.id.empty()) broken(at, id, "expected a name or number, found none");
    const auto number = [&](Name name, double least, double most, const char* what) {
      const auto [begin, end] = read[name]->range(at);
      const auto found = end == begin + 1 ? real(read[name]->values, begin) : std::nullopt;
      if (found && *found >= least && *found <= most) return *found;
      broken(at, name,
             found ? fmt::format("expected {} from {} to {}, found {}", what, least, most, *found)
                   : fmt::format("expected {}, found none", what));
      return 0.0;
    };
    row.submit_ms = milliseconds(file, read, submit, at);
    if (read[duration]) {
      row.runtime_s = number(duration, 0, last_seconds * 1e3, "milliseconds") / 1e3;
    } else {
      row.runtime_s = static_cast<double>(milliseconds(file, read, stop, at) - row.submit_ms) / 1e3;
    }
    if (!row.is_broken && !is_workload_time(row.runtime_s)) {
      broken(at, read[duration] ? duration : stop, not_a_time(row.runtime_s));
    }
    row.cores = number(cores, 1, Resources::most, "a number of cores");
    if (read[memory])
      row.memory_gb = number(memory, 0, Resources::most, "megabytes") / mb_of_opendc_gb;
    if (!place_[parents]) return;
    std::string_view rest = record.cells[*place_[parents]].text;
    while (!rest.empty()) {
      const auto blank = std::min(rest.find(' '), rest.size());
      row.parents.emplace_back(rest.substr(0, blank));
      rest.remove_prefix(std::min(blank + 1, rest.size()));
    }
  }

  /// Of a number that the file calls an instant, whose unit it says then; else it is milliseconds.
  std::int64_t milliseconds(const parquet::File& file, const Columns& read, Name name,
                            std::size_t at) {
    const auto [begin, end] = read[name]->range(at);
    const auto found = end == begin + 1 ? whole(read[name]->values, begin) : std::nullopt;
    const auto& instant = file.columns()[*place_[name]].timestamp;
    const std::int64_t per_ms = instant ? instant->per_second / 1'000 : 1;
    if (found && *found / per_ms >= -most_milliseconds && *found / per_ms <= most_milliseconds) {
      return *found / per_ms;
    }
    broken(at, name, "expected an instant, found none");
    return 0;
  }

  void broken(std::size_t row, Name name, std::string what) {
    rows_[row].is_broken = true;
    if (options_.skip_broken) return;
    report_.add(static_cast<int>(row) + 1, 0, names[name][0], std::move(what),
                "skip_broken = true leaves the job out");
  }

  void join_by_parents() {
    std::unordered_map<std::string_view, std::size_t> row_of;
    job_of_.resize(rows_.size());
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      job_of_[row] = row;
      if (row_of.try_emplace(rows_[row].id, row).second || rows_[row].is_broken) continue;
      broken(row, id, fmt::format("expected a task's own id, found {} again", rows_[row].id));
    }
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      for (const std::string& parent : rows_[row].parents) {
        const auto found = row_of.find(parent);
        if (found == row_of.end()) {
          broken(row, parents, fmt::format("expected the id of a task, found {}", parent));
          continue;
        }
        rows_[row].parent_rows.push_back(found->second);
        const std::size_t one = job_with(row);
        const std::size_t other = job_with(found->second);
        job_of_[std::max(one, other)] = std::min(one, other);
      }
    }
  }

  /// The first row of a row's job.
  std::size_t job_with(std::size_t row) {
    while (job_of_[row] != row) row = job_of_[row] = job_of_[job_of_[row]];
    return row;
  }

  /// A job's rows become its stages in their order.
  LineJobs drafted(std::size_t& broken_jobs) {
    std::vector<std::vector<std::size_t>> rows_of(rows_.size());  // by first row
    for (std::size_t row = 0; row < rows_.size(); ++row) rows_of[job_with(row)].push_back(row);
    std::vector<std::uint32_t> stage_of(rows_.size());
    LineJobs jobs;
    for (const std::vector<std::size_t>& members : rows_of) {
      if (members.empty()) continue;
      std::uint32_t next = 0;
      for (const std::size_t row : members) stage_of[row] = next++;
      const bool is_whole =
          std::ranges::none_of(members, [&](std::size_t row) { return rows_[row].is_broken; });
      LineJob line = job_of(members, stage_of);
      if (is_whole && is_graph(line.job, members.front())) {
        line.job.submit = submit_of(members);
        jobs.push_back(std::move(line));
      } else {
        ++broken_jobs;
      }
    }
    return jobs;
  }

  /// Without its submit.
  LineJob job_of(std::span<const std::size_t> members, std::span<const std::uint32_t> stage_of) {
    const Row& first = rows_[members.front()];
    LineJob line{.line = static_cast<int>(members.front()) + 1, .job = {.job = first.id}};
    for (const std::size_t at : members) {
      const Row& row = rows_[at];
      StageSpec& stage = line.job.stages.emplace_back();
      stage.stage = stage_of[at];
      stage.durations = {row.runtime_s};
      if (options_.demands) stage.demand = {row.cores, row.memory_gb};
      for (const std::size_t parent : row.parent_rows) stage.parents.push_back(stage_of[parent]);
    }
    return line;
  }

  /// Of the first of them in time [s].
  [[nodiscard]] double submit_of(std::span<const std::size_t> members) const {
    const auto submit_ms = [&](std::size_t row) { return rows_[row].submit_ms; };
    return static_cast<double>(std::ranges::min(members | std::views::transform(submit_ms))) / 1e3;
  }

  /// Tasks that wait for each other are none.
  bool is_graph(const JobSpec& job, std::size_t first_row) {
    JobCheck check(options_.demands ? kinds_ : no_kinds_);
    check(job, [&](const std::string& key, const std::string& what, const std::string&) {
      broken(first_row, parents, fmt::format("{} of job {}: {}", key, job.job, what));
    });
    return !rows_[first_row].is_broken;
  }

  Checked<WorkloadSpec> finish() {
    std::size_t broken_jobs = 0;
    LineJobs jobs = drafted(broken_jobs);
    if (jobs.empty() && !report_.any()) {
      report_.add(0, 0, "", "expected at least one whole task, found none");
    }
    if (report_.any()) return tl::unexpected(std::move(report_).take());
    keep_first(jobs, options_.jobs);
    std::vector<std::string> notes;
    if (broken_jobs > 0) notes.push_back(fmt::format("broken jobs left out: {}", broken_jobs));
    WorkloadSpec header{.name = workload_name(report_.file(), notes)};
    if (options_.demands) header.resources = kinds_;
    return workload_of(std::move(jobs), std::move(header), std::move(report_));
  }

  std::string_view bytes_;
  OpendcOptions options_;
  const std::vector<std::string> kinds_ = {"cpu", "mem_gb"};
  const std::vector<std::string> no_kinds_;
  MistakeCollector report_;
  std::array<std::optional<std::size_t>, columns> place_;
  std::vector<Row> rows_;
  std::vector<std::size_t> job_of_;  // by row: itself, or one nearer to the first of its job
};

bool looks_like(std::string_view bytes) {
  if (!parquet::looks_parquet(bytes)) return false;
  const auto file = parquet::File::open("", bytes);
  if (!file || !find_column(*file, names[id])) return false;
  const bool are_samples =
      (file->has("cpu_usage") || file->has("cpuUsage")) && file->has("duration");
  return are_samples || (find_column(*file, names[submit]) && find_column(*file, names[cores]) &&
                         (file->has("cpu_capacity") || find_column(*file, names[memory])));
}

namespace fs = std::filesystem;

/// Empty if the folder has none. A trace of the Workflow Trace Archive may have a file of that
/// name, too.
fs::path table_in(const fs::path& folder) {
  std::error_code ignored;
  for (const char* name : {"tasks.parquet", "meta.parquet"}) {
    const fs::path path = folder / name;
    if (!fs::is_regular_file(path, ignored)) continue;
    const auto file = TextFile::load(path);
    if (file && looks_like(file->beginning())) return path;
  }
  return {};
}

bool is_folder_of(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) && !table_in(path).empty();
}

Checked<WorkloadSpec> parse(const TextFile& file, const Parameters& given) {
  return OpendcReader(file, options_of<OpendcOptions>(given))();
}

const Registered<Format> row = Format{
    .name = "opendc",
    .summary = "OpenDC's tasks or virtual machines: Parquet, one a row; a file, or its folder",
    .looks_like = looks_like,
    .is_parquet = true,
    .parameters = parameters_of(OpendcOptions()),
    .parse = parse,
    .is_folder_of = is_folder_of,
    .read_folder = [](const fs::path& folder, const Parameters& given) {
      return read_text(table_in(folder), [&](const TextFile& file) { return parse(file, given); });
    }};

}  // namespace
}  // namespace somnus::import_opendc
