#include "formats/line_jobs.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <unordered_map>

#include "model/limits.hpp"
#include "workload/check.hpp"

namespace somnus {
namespace {

double submit_of_line(const LineJob& line) { return line.job.submit; }

/// How many steps of a second a double of that size knows: of seconds since 1970 a million.
double steps_a_second(double seconds) {
  const double apart = std::nextafter(seconds, std::numeric_limits<double>::infinity()) - seconds;
  double steps = 1e9;
  while (steps > 1 && 1 / steps < 2 * apart) steps /= 10;
  return steps;
}

void shift_to_first(LineJobs& jobs, MistakeCollector& report, const std::string& hint) {
  if (jobs.empty()) return;
  const double first = std::ranges::min(jobs, {}, submit_of_line).job.submit;
  for (LineJob& line : jobs) {
    // In whole nanoseconds, else 0.602 - 0.444 is 0.15799999999999997; where seconds count from
    // 1970 on, in microseconds, which 1714032056.773 is exact to.
    const double steps = steps_a_second(line.job.submit);
    const double submit = in_seconds(seconds(line.job.submit) - seconds(first));
    line.job.submit = steps < 1e9 ? std::round(submit * steps) / steps : submit;
  }
  const auto is_late = [](const LineJob& line) { return !is_submit(line.job.submit); };
  const auto late = std::ranges::find_if(jobs, is_late);
  if (late == jobs.end()) return;
  const auto others = std::ranges::count_if(late + 1, jobs.end(), is_late);
  report.add(late->line, late->column, "submit",
             not_a_submit(late->job.submit) + " after the first job's" +
                 (others > 0 ? fmt::format(", and so with {} more", others) : ""),
             hint);
}

}  // namespace

void keep_first(LineJobs& jobs, std::size_t most) {
  if (most == 0 || jobs.size() <= most) return;
  std::ranges::stable_sort(jobs, {}, submit_of_line);
  jobs.erase(jobs.begin() + static_cast<std::ptrdiff_t>(most), jobs.end());
}

void keep_first_soon(LineJobs& jobs, std::size_t most, const std::function<void()>& before) {
  constexpr std::size_t few = 10'000;  // sorting these again and again costs nothing
  if (most == 0 || jobs.size() < 2 * most + few) return;
  if (before) before();
  keep_first(jobs, most);
}

void report_doubles(const LineJobs& jobs, const std::string& key, MistakeCollector& report,
                    const std::string& hint) {
  std::unordered_map<std::string_view, int> line_of;
  for (const LineJob& line : jobs) {
    const auto [known, is_new] = line_of.try_emplace(line.job.job, line.line);
    if (is_new) continue;
    report.add(line.line, line.name_column, key,
               fmt::format("expected a job of its own, not that of line {}, found '{}'",
                           known->second, line.job.job),
               hint);
  }
}

std::string workload_name(const std::string& file, const std::vector<std::string>& notes) {
  const std::string name = std::filesystem::path(file).filename().string();
  return notes.empty() ? name : fmt::format("{} ({})", name, fmt::join(notes, "; "));
}

bool check_task_count(std::uint64_t tasks, MistakeCollector& report) {
  if (tasks <= most_tasks) return true;
  report.add(0, 0, "",
             fmt::format("expected at most {} tasks in a workload, found {}", most_tasks, tasks));
  return false;
}

double estimate_from(double requested_s, std::uint64_t slots) {
  return std::clamp(requested_s * static_cast<double>(slots), 0.0, most_slot_time_s);
}

double given_limit(double requested_s, std::size_t& cut) {
  if (!(requested_s > 0)) return 0;
  if (requested_s > longest_exact_seconds) ++cut;
  return std::min(requested_s, longest_exact_seconds);
}

void note_cut_limits(std::size_t cut, std::vector<std::string>& notes) {
  if (cut > 0) notes.push_back(fmt::format("time limits cut to 96 days: {}", cut));
}

Checked<WorkloadSpec> workload_of(LineJobs jobs, WorkloadSpec header, MistakeCollector report,
                                  const std::string& hint) {
  shift_to_first(jobs, report, hint);
  std::uint64_t tasks = 0;
  for (const LineJob& line : jobs) tasks += line.tasks;
  if (!check_task_count(tasks, report) || report.any())
    return tl::unexpected(std::move(report).take());
  if (!std::ranges::is_sorted(jobs, {}, submit_of_line)) {
    std::ranges::stable_sort(jobs, {}, submit_of_line);
  }
  WorkloadSpec workload = std::move(header);
  workload.jobs.reserve(jobs.size());
  for (; !jobs.empty(); jobs.pop_front()) {
    LineJob& line = jobs.front();
    if (line.tasks > 0) {
      StageSpec& stage = line.job.stages.emplace_back();
      stage.durations.assign(line.tasks, line.duration_s);
      stage.gang = line.gang;
    }
    workload.jobs.push_back(std::move(line.job));
  }
  return check_workload(std::move(workload), {.file = report.file()});
}

}  // namespace somnus
