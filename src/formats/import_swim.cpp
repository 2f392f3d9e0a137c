// SWIM's samples of Facebook's Hadoop clusters (Chen, Ganapathi, Griffith, Katz: The Case for
// Evaluating MapReduce Performance Using Workload Suites, MASCOTS 2011), a job a line, with tabs
// between:
//     name, submit [s], seconds since the one before, bytes of map input, of shuffle, of output
// and perhaps paths, which are not looked at. What tasks there were and how long they took is not
// in it: that is a model, not measured. Maps handle the input, and where there is no shuffle the
// output; else reduces follow all maps, and handle shuffle and output. There are as few equal
// tasks of each as can be, at least one, that handle no more than map_bytes or reduce_bytes; each
// takes task_s and its bytes at the rate.
#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "formats/formats.hpp"
#include "formats/line_jobs.hpp"
#include "model/limits.hpp"
#include "text/cells.hpp"
#include "text/mistake_collector.hpp"
#include "text/parse_number.hpp"
#include "text/text_window.hpp"
#include "workload/check.hpp"

namespace somnus::import_swim {
namespace {

struct SwimOptions {
  double map_bytes = 67108864;
  double map_bytes_per_s = 5e6;
  double reduce_bytes = 1e9;
  double reduce_bytes_per_s = 2e7;
  double task_s = 1;
  std::uint32_t jobs = 0;

  static constexpr auto fields() {
    using O = SwimOptions;
    constexpr Range bytes{.low = 1, .high = 1e18};
    return in_order(
        field("map_bytes", &O::map_bytes, "bytes", "that a map task handles at most", bytes),
        field("map_bytes_per_s", &O::map_bytes_per_s, "bytes/s", "that a map task handles", bytes),
        field("reduce_bytes", &O::reduce_bytes, "bytes", "that a reduce task handles at most",
              bytes),
        field("reduce_bytes_per_s", &O::reduce_bytes_per_s, "bytes/s", "that a reduce task handles",
              bytes),
        field("task_s", &O::task_s, "s", "what each task takes besides",
              Range{.low = 0, .high = 1e5}),
        field("jobs", &O::jobs, "1", "the first so many by submit; 0: all",
              Range{.low = 0, .high = 1e9}));
  }
};

enum SwimColumn : std::size_t {
  swim_job,
  swim_submit,
  swim_gap,
  swim_input,
  swim_shuffle,
  swim_output,
  swim_columns  // and then perhaps paths
};
constexpr std::array<std::string_view, swim_columns> swim_names = {
    "job", "submit", "gap", "map_input", "shuffle", "reduce_output"};

class SwimReader {
 public:
  SwimReader(const TextFile& file, const SwimOptions& options)
      : file_(file), options_(options), mistakes_(file.name()) {}

  Checked<WorkloadSpec> operator()() {
    for_each_line(file_, [&](std::string_view line, int number) {
      if (!line.empty()) read_job(cells_of(line, '\t'), number);
    });
    if (drafts_.empty() && !mistakes_.any()) {
      mistakes_.add(0, 0, "", "expected a workload, found an empty file");
    }
    // Before there is room made for them.
    if (!check_task_count(tasks_, mistakes_) || mistakes_.any()) {
      return tl::unexpected(std::move(mistakes_).take());
    }
    if (options_.jobs > 0 && drafts_.size() > options_.jobs) {
      std::ranges::stable_sort(drafts_, {}, [](const Draft& draft) { return draft.job.submit; });
      drafts_.resize(options_.jobs);
    }
    LineJobs jobs;
    for (Draft& draft : drafts_) {
      std::vector<StageSpec>& stages = draft.job.stages;
      stages.push_back({.durations = std::vector(draft.maps.tasks, draft.maps.duration_s)});
      if (draft.reduces.tasks > 0) {
        stages.push_back({.stage = 1,
                          .parents = {0},
                          .durations = std::vector(draft.reduces.tasks, draft.reduces.duration_s)});
      }
      jobs.push_back({.line = draft.line, .column = draft.column, .job = std::move(draft.job)});
    }
    return workload_of(std::move(jobs), {.name = workload_name(file_.name(), {"times modelled"})},
                       std::move(mistakes_), "jobs of format swim keeps the first so many");
  }

 private:
  struct Tasks {
    std::uint64_t tasks = 0;
    double duration_s = 0;  // of each
  };
  struct Draft {
    int line = 0;
    int column = 0;  // of the submit
    JobSpec job;
    Tasks maps;
    Tasks reduces;
  };

  void read_job(const std::vector<Cell>& cells, int number) {
    if (cells.size() < swim_columns) {
      mistakes_.add(
          number, 0, "",
          fmt::format("expected 6 cells or more with tabs between, found {}", cells.size()));
      return;
    }
    bool is_whole = true;
    const auto refuse = [&](SwimColumn column, std::string_view what) {
      is_whole = false;
      mistakes_.add(number, cells[column].column, std::string(swim_names[column]),
                    fmt::format("expected {}, found '{}'", what, cells[column].text));
    };
    const auto amount = [&](SwimColumn column, std::string_view what) {
      const auto found = parse_number<double>(cells[column].text);
      if (!found || *found < 0) refuse(column, what);
      return found.value_or(0);
    };
    const double submit_s = amount(swim_submit, "seconds, 0 or more");
    const double input = amount(swim_input, "bytes, 0 or more");
    const double shuffle = amount(swim_shuffle, "bytes, 0 or more");
    const double output = amount(swim_output, "bytes, 0 or more");
    const std::string_view name = cells[swim_job].text;
    if (name.empty()) refuse(swim_job, "a name");
    if (!is_whole) return;
    const auto [known, is_new] = line_of_.try_emplace(std::string(name), number);
    if (!is_new) {
      refuse(swim_job, fmt::format("a name of its own, not that of line {}", known->second));
      return;
    }
    Draft draft{.line = number,
                .column = cells[swim_submit].column,
                .job = {.job = std::string(name), .submit = submit_s}};
    const bool reduces = shuffle > 0;  // else maps write the output
    draft.maps =
        tasks_for(reduces ? input : input + output, options_.map_bytes, options_.map_bytes_per_s);
    if (reduces) {
      draft.reduces =
          tasks_for(shuffle + output, options_.reduce_bytes, options_.reduce_bytes_per_s);
    }
    const auto hold = [&](SwimColumn column, const Tasks& tasks) {
      if (is_workload_time(tasks.duration_s)) return;
      mistakes_.add(number, cells[column].column, std::string(swim_names[column]),
                    not_a_time(tasks.duration_s) + " a task", "by the model's bytes and rates");
    };
    hold(swim_input, draft.maps);
    hold(swim_shuffle, draft.reduces);
    tasks_ += draft.maps.tasks + draft.reduces.tasks;
    drafts_.push_back(std::move(draft));
  }

  // As few as can be that handle so many bytes at most.
  [[nodiscard]] Tasks tasks_for(double bytes, double most, double rate) const {
    const double tasks = std::clamp(std::ceil(bytes / most), 1.0, 2.0 * most_tasks);
    return {.tasks = static_cast<std::uint64_t>(tasks),
            .duration_s = options_.task_s + bytes / tasks / rate};
  }

  const TextFile& file_;
  SwimOptions options_;
  MistakeCollector mistakes_;
  std::vector<Draft> drafts_;
  std::unordered_map<std::string, int> line_of_;  // by name
  std::uint64_t tasks_ = 0;
};

bool looks_like(std::string_view text) {
  const auto cells = cells_of(text.substr(0, text.find_first_of("\r\n")), '\t');
  if (cells.size() < swim_columns || !cells[swim_job].text.starts_with("job")) return false;
  return std::ranges::all_of(
      cells.begin() + swim_submit, cells.begin() + swim_columns,
      [](const Cell& cell) { return parse_number<double>(cell.text).has_value(); });
}

const Registered<Format> row = format<SwimReader, SwimOptions>(
    "swim",
    "SWIM's samples of Facebook's Hadoop clusters: one job's bytes a line, whose tasks are a model",
    "", looks_like);

}  // namespace
}  // namespace somnus::import_swim
