// The .tr format of the Sparrow, Hawk and Eagle simulators, one job a line, all in seconds:
// submit, number of tasks n, mean task duration, d_1 ... d_n. The mean is checked to be a number
// and otherwise ignored. Jobs are named "0", "1", ... by line and put in order of submit.
#include <algorithm>

#include "formats/formats.hpp"
#include "formats/line_jobs.hpp"
#include "text/mistake_collector.hpp"
#include "text/parse_number.hpp"
#include "text/text_window.hpp"
#include "text/words.hpp"
#include "workload/check.hpp"

namespace somnus::import_tr {
namespace {

class TrReader {
 public:
  explicit TrReader(const TextFile& file) : file_(file), mistakes_(file.name()) {}

  Checked<WorkloadSpec> operator()() {
    for_each_line(file_, [&](std::string_view line, int number) { read(line, number); });
    if (jobs_.empty() && !mistakes_.any()) {
      mistakes_.add(0, 0, "", "expected a workload, found an empty file");
    }
    return workload_of(std::move(jobs_), {.name = workload_name(file_.name())},
                       std::move(mistakes_));
  }

 private:
  void read(std::string_view line, int number) {
    Words words(line);
    const auto wrong = [&](const char* key, std::string what) {
      mistakes_.add(number, words.column(), key, std::move(what));
    };
    const std::string_view submit_text = words.next();
    if (submit_text.empty()) return;  // a blank line
    JobSpec job{.job = std::to_string(jobs_.size()), .stages = {StageSpec{}}};
    const auto submit = parse_number<double>(submit_text);
    job.submit = submit.value_or(0);
    if (!submit) wrong("submit", expected("a number", submit_text));
    if (job.submit < 0) wrong("submit", expected("0 s or more", submit_text));

    const std::string_view count_text = words.next();
    const auto count = parse_number<std::uint64_t>(count_text);
    const bool count_is_fine = count && *count >= 1 && *count <= most_tasks;
    if (!count_is_fine) {
      wrong("tasks", expected(fmt::format("a whole number from 1 to {}", most_tasks), count_text));
    }
    const std::string_view mean_text = words.next();
    if (!parse_number<double>(mean_text)) wrong("mean", expected("a number", mean_text));

    auto& durations = job.stages[0].durations;
    // No line holds more durations than half its characters, whatever its count claims; those
    // that it does not claim are counted only.
    const std::uint64_t claimed = count_is_fine ? *count : 0;
    durations.reserve(std::min<std::uint64_t>(claimed, line.size() / 2));
    std::uint64_t found = 0;
    for (auto word = words.next(); !word.empty(); word = words.next(), ++found) {
      const auto duration = parse_number<double>(word);
      if (found < claimed) durations.push_back(duration.value_or(0));
      if (!duration) {
        wrong("duration", expected("a number", word));
      } else if (!is_workload_time(*duration)) {
        wrong("duration", not_a_time(*duration));
      }
    }
    if (count_is_fine && found != *count) {
      wrong("tasks", fmt::format("expected {} durations, found {}", *count, found));
    }
    jobs_.push_back({.line = number, .column = 1, .job = std::move(job)});
  }

  static std::string expected(std::string_view what, std::string_view found) {
    if (found.empty()) return fmt::format("expected {}, found the line's end", what);
    return fmt::format("expected {}, found '{}'", what, found);
  }

  const TextFile& file_;
  MistakeCollector mistakes_;
  LineJobs jobs_;
};

/// A line of numbers, as many as the second says.
bool looks_like(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  text.remove_prefix(first);
  const auto end = text.find_first_of("\r\n");
  const bool is_cut = end == std::string_view::npos && text.size() > 100'000;
  Words words(text.substr(0, end));
  if (!parse_number<double>(words.next())) return false;
  const auto tasks = parse_number<std::uint64_t>(words.next()).value_or(0);
  if (tasks == 0 || !parse_number<double>(words.next())) return false;
  std::uint64_t durations = 0;
  for (auto word = words.next(); !word.empty(); word = words.next()) {
    if (parse_number<double>(word)) {
      ++durations;
    } else if (!is_cut) {
      return false;
    }
  }
  return durations == tasks || (is_cut && durations < tasks);
}

const Registered<Format> row = format<TrReader>(
    "tr", "Sparrow, Hawk, Eagle: one job a line, submit n mean d_1 ... d_n in seconds", ".tr",
    looks_like, Look::shared);

}  // namespace
}  // namespace somnus::import_tr
