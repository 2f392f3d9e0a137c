// Alibaba's cluster-trace-v2018, batch_task.csv: one row a task of so many instances, its columns
//     task_name,instance_num,job_name,task_type,status,start_time,end_time,plan_cpu,plan_mem
// without a first line that names them, or with one, which may then have them in any order and
// others beside. A job's rows may stand anywhere. A row becomes a stage of instance_num equal
// tasks, each of mean_instance_duration_s where such a column says so, else of end - start; a task
// demands plan_cpu / 100 of cpu, in cores, and plan_mem of mem, which the trace gives on a scale
// of its own from 0 to 100. A job is submitted when its first task starts: the trace says nothing
// else.
//
// The name has the DAG: R4_2_3 is task 4, after 2 and 3; the letters are its kind and not looked
// at, nor are pieces that begin with a letter, such as the Stg8 of M1_Stg8. A task whose name does
// not begin with letters and a number, such as MergeTask or task_Nzg3, stands alone. A parent that
// is named twice is one parent.
//
// The trace has rows that can't be used: tasks that failed or still run, without plan_cpu, parents
// that are not in the job, numbers twice, cycles, and names of 50 characters, at which the trace
// cuts names off. Each is a mistake, or with `skip_broken` leaves out its job, since the rest of a
// DAG is another DAG; the workload's name then says how many.
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <optional>
#include <unordered_map>

#include "formats/formats.hpp"
#include "text/cells.hpp"
#include "text/mistake_collector.hpp"
#include "text/parse_number.hpp"
#include "text/text_window.hpp"
#include "workload/check.hpp"

namespace somnus::import_alibaba2018 {
namespace {

struct Alibaba2018Options {
  bool demands = true;
  bool skip_broken = false;
  std::uint32_t jobs = 0;

  static constexpr auto fields() {
    using O = Alibaba2018Options;
    return in_order(
        field(
            "demands", &O::demands, "",
            "true: a task demands what plan_cpu and plan_mem say; false: it takes a slot, and both "
            "may be empty"),
        field("skip_broken", &O::skip_broken, "",
              "true: jobs with a row that can't be used are left out; false: each is a mistake"),
        field("jobs", &O::jobs, "1", "the first so many by submit; 0: all",
              Range{.low = 0, .high = 1e9}));
  }
};

// Beyond these a number is a typing error, which should not fill the memory, or an id.
constexpr std::uint64_t most_instances = 10'000'000;
constexpr std::uint32_t most_task_number = 1'000'000'000;
constexpr std::size_t longest_name = 50;

class AlibabaReader {
 public:
  AlibabaReader(const TextFile& file, const Alibaba2018Options& options)
      : file_(file), options_(options), mistakes_(file.name()) {}

  Checked<WorkloadSpec> operator()() {
    for_each_line(file_, [&](std::string_view line, int number) {
      if (line.empty()) return;
      const auto cells = cells_of(line);
      const bool is_first = width_ == 0;
      if (is_first && std::ranges::find(cells, names[task_name], &Cell::text) != cells.end()) {
        read_header(cells, number);
        return;
      }
      if (is_first) assume_all_columns();
      if (header_is_fine_) read_row(cells, number);
    });
    for (Draft& job : jobs_) {
      check_names(job);
      check_graph(job);
    }
    const auto cut = std::ranges::count_if(jobs_, &Draft::is_cut);
    const std::size_t broken =
        options_.skip_broken ? std::erase_if(jobs_, [](const Draft& job) { return job.is_broken; })
                             : 0;
    if (width_ == 0) mistakes_.add(0, 0, "", "expected a workload, found an empty file");
    if (header_is_fine_ && jobs_.empty() && !mistakes_.any()) {
      mistakes_.add(0, 0, "",
                    broken > 0 ? "expected at least one whole job, found broken ones only"
                               : "expected at least one task, found only the first line");
    }
    if (mistakes_.any()) return tl::unexpected(std::move(mistakes_).take());
    return finish(broken, cut);
  }

 private:
  enum Column : std::size_t {
    task_name,
    instance_num,
    job_name,
    task_type,
    status,
    start_time,
    end_time,
    plan_cpu,
    plan_mem,
    mean_duration,
    columns
  };
  static constexpr std::size_t official = mean_duration;  // so many has the trace itself
  static constexpr std::array<std::string_view, columns> names = {
      "task_name",  "instance_num", "job_name", "task_type", "status",
      "start_time", "end_time",     "plan_cpu", "plan_mem",  "mean_instance_duration_s"};

  struct Row {
    int line = 0;
    int column = 1;                       // of the task's name
    std::optional<std::uint32_t> number;  // in the job's DAG; none: an independent task
    std::vector<std::uint32_t> parents;
    std::uint64_t instances = 0;
    double start_s = 0;
    double duration_s = 0;
    std::vector<double> demand;  // by kind
  };
  struct Draft {
    std::string name;
    std::vector<Row> rows;
    bool is_broken = false;
    bool is_cut = false;  // one of its names
    double submit_s = 0;
  };

  void assume_all_columns() {
    width_ = official;
    header_is_fine_ = true;
    for (std::size_t column = 0; column < columns; ++column) {
      place_[column] = column < official ? column : absent_column;
    }
  }

  void read_header(const std::vector<Cell>& cells, int number) {
    width_ = cells.size();
    header_is_fine_ = find_columns(
        cells, number, names,
        [](std::size_t column) { return column == task_type || column == mean_duration; }, place_,
        mistakes_);
  }

  void read_row(const std::vector<Cell>& cells, int number) {
    if (cells.size() != width_) {
      mistakes_.add(number, 0, "",
                    fmt::format("expected {} cells, found {}", width_, cells.size()));
      return;
    }
    const auto text = [&](Column column) {
      return place_[column] == absent_column ? std::string_view() : cells[place_[column]].text;
    };
    if (text(job_name).empty()) {
      mistakes_.add(number, cells[place_[job_name]].column, "job_name",
                    "expected a name, found an empty one");
      return;
    }
    const auto [known, is_new] = index_of_.try_emplace(std::string(text(job_name)), jobs_.size());
    if (is_new) jobs_.push_back({.name = known->first, .rows = {}});
    Draft& job = jobs_[known->second];
    const auto refuse = [&](Column column, std::string_view what) {
      broken(job, number, cells[place_[column]].column, names[column],
             fmt::format("expected {}, found '{}'", what, text(column)));
    };
    const auto amount = [&](Column column) {
      const auto found = parse_number<double>(text(column));
      if (!found || *found < 0) refuse(column, "a number, 0 or more");
      return found.value_or(0);
    };
    const auto time = [&](Column column) {
      const auto found = parse_number<double>(text(column));
      const bool is_fine = found && is_workload_time(*found);
      if (!is_fine) refuse(column, "a time of the workload in seconds");
      return is_fine ? *found : 0;
    };

    Row row{.line = number, .column = cells[place_[task_name]].column};
    if (!read_name(text(task_name), row)) refuse(task_name, "parents' numbers, as in R4_2_3");
    if (!row.parents.empty() && text(task_name).size() == longest_name) {
      job.is_cut = true;
      row.parents.clear();
      broken(
          job, number, row.column, names[task_name],
          fmt::format("expected a whole name, found {} characters, at which the trace cuts names "
                      "off: the last parent may be another one",
                      longest_name));
    }
    if (text(status) == "Terminated") {
      const auto instances = parse_number<std::uint64_t>(text(instance_num));
      if (!instances || *instances < 1 || *instances > most_instances) {
        refuse(instance_num, fmt::format("a whole number from 1 to {}", most_instances));
      }
      row.instances = instances.value_or(0);
      row.start_s = time(start_time);
      const double end_s = time(end_time);
      row.duration_s = text(mean_duration).empty() ? end_s - row.start_s : time(mean_duration);
      if (end_s < row.start_s) refuse(end_time, "an end that is not before the start");
      if (options_.demands) {
        const double cpu = amount(plan_cpu) / 100;
        row.demand = {cpu, amount(plan_mem)};
      }
    } else {  // what else such a row says is of a task that never ended
      refuse(status, "Terminated");
    }
    job.rows.push_back(std::move(row));
  }

  // False where parents can't be read.
  static bool read_name(std::string_view name, Row& row) {
    const auto underline = std::min(name.find('_'), name.size());
    const std::string_view head = name.substr(0, underline);
    const auto letters = std::ranges::find_if_not(head, is_letter) - head.begin();
    const auto number = number_in(head.substr(static_cast<std::size_t>(letters)));
    if (letters == 0 || !number) return true;
    row.number = number;
    for (std::string_view rest = name.substr(underline); !rest.empty();) {
      rest.remove_prefix(1);
      const std::string_view piece = rest.substr(0, rest.find('_'));
      rest.remove_prefix(piece.size());
      if (piece.empty() || is_letter(piece[0])) continue;
      const auto parent = number_in(piece);
      if (!parent) return false;
      if (std::ranges::find(row.parents, *parent) == row.parents.end())
        row.parents.push_back(*parent);
    }
    return true;
  }

  static bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

  static std::optional<std::uint32_t> number_in(std::string_view text) {
    const auto found = parse_number<std::uint32_t>(text);
    return found && *found <= most_task_number ? found : std::nullopt;
  }

  void check_names(Draft& job) {
    std::unordered_map<std::uint32_t, int> line_of;
    for (const Row& row : job.rows) {
      if (!row.number) continue;
      const auto [known, is_new] = line_of.try_emplace(*row.number, row.line);
      if (is_new) continue;
      broken(job, row.line, row.column, names[task_name],
             fmt::format("expected a task number of its own, found {} again, as in line {}",
                         *row.number, known->second));
    }
    for (const Row& row : job.rows) {
      for (const std::uint32_t parent : row.parents) {
        if (line_of.contains(parent)) continue;
        broken(job, row.line, row.column, names[task_name],
               fmt::format("expected tasks of the job as parents, found {}", parent));
      }
    }
  }

  // What remains, such as tasks that wait for each other.
  void check_graph(Draft& job) {
    if (job.is_broken) return;
    JobCheck check(kinds_);
    check(spec_of(job), [&](const std::string& key, const std::string& what, const std::string&) {
      broken(job, job.rows.front().line, 0, key, what);
    });
  }

  void broken(Draft& job, int line, int column, std::string_view key, std::string what) {
    job.is_broken = true;
    if (options_.skip_broken) return;
    mistakes_.add(line, column, std::string(key), std::move(what),
                  "skip_broken = true leaves the job out");
  }

  // Stages have one task each: the others come once it is known which jobs stay.
  static JobSpec spec_of(const Draft& job) {
    JobSpec spec{.job = job.name};
    std::uint32_t next = 0;  // above all numbers of the DAG
    for (const Row& row : job.rows) next = std::max(next, row.number ? *row.number + 1 : 0);
    for (const Row& row : job.rows) {
      spec.stages.push_back({.stage = row.number ? *row.number : next++,
                             .parents = row.parents,
                             .durations = {row.duration_s},
                             .demand = row.demand});
    }
    return spec;
  }

  Checked<WorkloadSpec> finish(std::size_t broken_jobs, std::ptrdiff_t cut_jobs) {
    for (Draft& job : jobs_) {
      job.submit_s = std::ranges::min(job.rows, {}, &Row::start_s).start_s;
    }
    std::ranges::stable_sort(jobs_, {}, &Draft::submit_s);
    if (options_.jobs > 0 && jobs_.size() > options_.jobs) jobs_.resize(options_.jobs);
    WorkloadSpec workload{.name = std::filesystem::path(file_.name()).filename().string(),
                          .resources = kinds_};
    if (broken_jobs > 0) {
      workload.name +=
          fmt::format(" (broken jobs left out: {}{})", broken_jobs,
                      cut_jobs > 0 ? fmt::format(", of them with cut names: {}", cut_jobs) : "");
    }
    for (const Draft& job : jobs_) {
      JobSpec spec = spec_of(job);
      spec.submit = in_seconds(seconds(job.submit_s) - seconds(jobs_.front().submit_s));
      for (std::size_t stage = 0; stage < spec.stages.size(); ++stage) {
        spec.stages[stage].durations.assign(job.rows[stage].instances, job.rows[stage].duration_s);
      }
      workload.jobs.push_back(std::move(spec));
    }
    return check_workload(std::move(workload), {.file = file_.name()});
  }

  const TextFile& file_;
  Alibaba2018Options options_;
  MistakeCollector mistakes_;
  const std::vector<std::string> kinds_ =
      options_.demands ? std::vector<std::string>{"cpu", "mem"} : std::vector<std::string>();
  std::size_t width_ = 0;  // columns of the first line
  bool header_is_fine_ = false;
  std::array<std::size_t, columns> place_{};
  std::vector<Draft> jobs_;                                // by first row
  std::unordered_map<std::string, std::size_t> index_of_;  // by name
};

bool looks_like(std::string_view text) {
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  if (line.starts_with("task_name,instance_num,job_name,")) return true;
  const auto cells = cells_of(line);
  const auto is_whole = [&](std::size_t cell) {
    return parse_number<std::uint64_t>(cells[cell].text).has_value();
  };
  return cells.size() == 9 && is_whole(1) && is_whole(5) && is_whole(6);
}

const Registered<Format> row = format<AlibabaReader, Alibaba2018Options>(
    "alibaba2018", "Alibaba's cluster-trace-v2018, batch_task.csv: one task of a DAG a row", "",
    looks_like);

}  // namespace
}  // namespace somnus::import_alibaba2018
