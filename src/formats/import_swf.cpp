// The Standard Workload Format of the Parallel Workloads Archive: 18 columns of numbers a line, -1
// for what is not known; ';' begins a comment. A line is a job of one stage, with a task for each
// processor that it was allocated, or where that is -1 requested, and each of its run time. The
// stage is a gang, and the requested time is the job's limit, unless rigid = false. Users, queues
// and executables (apps) are named by their numbers: user_3, queue_1, app_7; -1 is "default", or an
// app of the job's own. Lines with a status of 2, 3 or 4 are parts of a run that another line has
// whole, and not looked at. How long a job waited, what memory it used and which job it followed is
// not looked at either. Where a comment says MaxProcs, so does the workload's name. Logs are often
// longer than a workload can be, 8,300,000 s: from_day and until_day cut them.
#include <algorithm>
#include <array>

#include "formats/formats.hpp"
#include "formats/line_jobs.hpp"
#include "model/limits.hpp"
#include "text/mistake_collector.hpp"
#include "text/parse_number.hpp"
#include "text/text_window.hpp"
#include "text/words.hpp"
#include "workload/check.hpp"

namespace somnus::import_swf {
namespace {

struct SwfOptions {
  bool skip_broken = false;
  bool estimates = true;
  bool rigid = true;
  double from_day = 0;
  double until_day = 0;
  std::uint32_t jobs = 0;

  static constexpr auto fields() {
    using O = SwfOptions;
    constexpr Range of_a_log{.low = 0, .high = 1e5};
    return in_order(
        field("skip_broken", &O::skip_broken, "",
              "true: jobs without a run time or processors, which never ran, are left out; false: "
              "each is a mistake"),
        field("estimates", &O::estimates, "",
              "true: a job's estimate is its requested time x its processors, where it has one"),
        field("rigid", &O::rigid, "",
              "true: a job's tasks start together, hold their slots until all have ended, and are "
              "killed when the job has run for the requested time; false: they start one by one, "
              "as slots come free"),
        field("from_day", &O::from_day, "d",
              "leaves out jobs submitted before that day of the log, which begins with day 0",
              of_a_log),
        field("until_day", &O::until_day, "d",
              "leaves out jobs submitted from that day on; 0: none", of_a_log),
        field("jobs", &O::jobs, "1", "the first so many of those by submit; 0: all",
              Range{.low = 0, .high = 1e9}));
  }
};

enum SwfColumn : std::size_t {
  swf_job,
  swf_submit,
  swf_wait,
  swf_run,
  swf_processors,
  swf_cpu_time,
  swf_memory,
  swf_requested_processors,
  swf_requested_time,
  swf_requested_memory,
  swf_status,
  swf_user,
  swf_group,
  swf_executable,
  swf_queue,
  swf_partition,
  swf_preceding,
  swf_think,
  swf_columns
};
constexpr std::array<std::string_view, swf_columns> swf_names = {"job",
                                                                 "submit",
                                                                 "wait",
                                                                 "run_time",
                                                                 "processors",
                                                                 "cpu_time",
                                                                 "memory",
                                                                 "requested_processors",
                                                                 "requested_time",
                                                                 "requested_memory",
                                                                 "status",
                                                                 "user",
                                                                 "group",
                                                                 "executable",
                                                                 "queue",
                                                                 "partition",
                                                                 "preceding_job",
                                                                 "think_time"};

constexpr double day_s = 86400;

/// A checkpointed job has a line for all of it, which counts, and one for each part of its run.
bool is_part_of_a_run(double status) { return status >= 2 && status <= 4; }

class SwfReader {
 public:
  SwfReader(const TextFile& file, const SwfOptions& options)
      : file_(file), options_(options), mistakes_(file.name()) {}

  Checked<WorkloadSpec> operator()() {
    for_each_line(file_, [&](std::string_view line, int number) {
      Words words(line);
      const std::string_view first = words.next();
      if (first.empty()) return;
      any_line_ = true;
      if (first.starts_with(';')) {
        read_comment(first.substr(1), words);
      } else {
        read_job(line, number);
      }
    });
    keep_first(jobs_, options_.jobs);
    report_doubles(jobs_, "job", mistakes_);
    if (jobs_.empty() && !mistakes_.any()) mistakes_.add(0, 0, "", why_empty());
    return workload_of(std::move(jobs_),
                       {.name = workload_name(file_.name(), notes()), .rigid = true},
                       std::move(mistakes_),
                       "from_day and until_day, or jobs, of format swf keep a part of the log");
  }

 private:
  // "; MaxProcs: 128", also with blanks elsewhere.
  void read_comment(std::string_view rest, Words& words) {
    const std::string_view label = rest.empty() ? words.next() : rest;
    if (label == "MaxProcs:") processors_ = parse_number<std::uint64_t>(words.next()).value_or(0);
  }

  void read_job(std::string_view line, int number) {
    std::array<double, swf_columns> value{};
    std::array<std::string_view, swf_columns> text;
    std::array<int, swf_columns> place{};
    Words words(line);
    std::size_t found = 0;
    bool all_numbers = true;
    for (std::string_view word = words.next(); !word.empty(); word = words.next(), ++found) {
      if (found >= swf_columns) continue;
      const auto read = parse_number<double>(word);
      value[found] = read.value_or(-1);
      text[found] = word;
      place[found] = words.column();
      if (read) continue;
      all_numbers = false;
      mistakes_.add(number, place[found], std::string(swf_names[found]),
                    fmt::format("expected a number, found '{}'", word));
    }
    if (found != swf_columns) {
      mistakes_.add(number, 0, "", fmt::format("expected 18 columns, found {}", found));
      return;
    }
    if (!all_numbers || is_part_of_a_run(value[swf_status])) return;
    const double submit = value[swf_submit];
    const double day = submit / day_s;
    const bool is_cut_off =
        day < options_.from_day || (options_.until_day > 0 && day >= options_.until_day);
    if (is_cut_off && submit >= 0) return;

    bool is_whole = true;
    const auto refuse = [&](SwfColumn column, std::string_view what) {
      is_whole = false;
      if (options_.skip_broken) return;
      mistakes_.add(number, place[column], std::string(swf_names[column]),
                    fmt::format("expected {}, found '{}'", what, text[column]),
                    "skip_broken = true leaves the job out");
    };
    if (submit < 0) refuse(swf_submit, "0 s or more");
    constexpr double cancelled = 5;
    if (value[swf_run] == 0 && value[swf_status] == cancelled) {
      refuse(swf_run, "more than 0 s, as the job was cancelled");
    } else if (!is_workload_time(value[swf_run])) {
      refuse(swf_run, a_time(value[swf_run]));
    }
    const auto processors_column =
        value[swf_processors] == -1 ? swf_requested_processors : swf_processors;
    const auto processors = parse_number<std::uint64_t>(text[processors_column]);
    if (!processors || *processors < 1 || *processors > most_tasks) {
      refuse(processors_column, fmt::format("a whole number from 1 to {}", most_tasks));
    }
    if (!is_whole) {
      ++broken_;
      return;
    }
    add_job(value, text,
            {.line = number,
             .column = place[swf_submit],
             .name_column = place[swf_job],
             .job = {},
             .tasks = processors.value_or(0),
             .duration_s = value[swf_run],
             .gang = options_.rigid});
  }

  void add_job(const std::array<double, swf_columns>& value,
               const std::array<std::string_view, swf_columns>& text, LineJob line) {
    const auto named = [&](SwfColumn column, std::string_view prefix, std::string_view unknown) {
      return value[column] < 0 ? std::string(unknown) : fmt::format("{}{}", prefix, text[column]);
    };
    line.job = {.job = std::string(text[swf_job]),
                .user = named(swf_user, "user_", "default"),
                .queue = named(swf_queue, "queue_", "default"),
                .app = named(swf_executable, "app_", ""),
                .submit = value[swf_submit]};
    if (options_.estimates) {
      line.job.estimate = estimate_from(value[swf_requested_time], line.tasks);
    }
    if (options_.rigid) line.job.limit = given_limit(value[swf_requested_time], cut_limits_);
    jobs_.push_back(std::move(line));
    keep_first_soon(jobs_, options_.jobs);
  }

  [[nodiscard]] std::string why_empty() const {
    if (!any_line_) return "expected a workload, found an empty file";
    if (broken_ > 0) return "expected at least one whole job, found broken ones only";
    if (options_.from_day > 0 || options_.until_day > 0) {
      return "expected at least one job from from_day to until_day, found none";
    }
    return "expected at least one job, found none";
  }

  [[nodiscard]] std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    if (processors_ > 0) notes.push_back(fmt::format("{} processors", processors_));
    if (broken_ > 0) notes.push_back(fmt::format("broken jobs left out: {}", broken_));
    note_cut_limits(cut_limits_, notes);
    return notes;
  }

  const TextFile& file_;
  SwfOptions options_;
  MistakeCollector mistakes_;
  bool any_line_ = false;
  std::uint64_t processors_ = 0;  // of the machine, as a comment says; 0: none does
  std::size_t broken_ = 0;
  std::size_t cut_limits_ = 0;
  LineJobs jobs_;
};

bool looks_like(std::string_view text) {
  bool commented = false;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    Words words(line);
    const std::string_view first = words.next();
    if (first.empty()) continue;
    if (first.starts_with(';')) {
      commented = true;
      continue;
    }
    std::size_t numbers = 0;
    std::size_t count = 0;
    bool any_unknown = false;  // a line of .tr has 18 words, too, if it begins with "SUBMIT 15"
    Words all(line);
    for (std::string_view word = all.next(); !word.empty(); word = all.next(), ++count) {
      numbers += parse_number<double>(word) ? 1 : 0;
      any_unknown = any_unknown || word == "-1";
    }
    return numbers == count && (commented || (count == swf_columns && any_unknown));
  }
  return commented;
}

const Registered<Format> row =
    format<SwfReader, SwfOptions>("swf",
                                  "the Standard Workload Format of the Parallel Workloads Archive: "
                                  "one job of so many processors a line",
                                  ".swf", looks_like);

}  // namespace
}  // namespace somnus::import_swf
