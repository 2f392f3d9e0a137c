#include "workload/summary.hpp"

#include <fmt/format.h>

#include <fmt/ranges.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <unordered_set>

#include "base/describe.hpp"
#include "base/wrapped.hpp"
#include "model/rigid_jobs.hpp"
#include "workload/drawing.hpp"
#include "workload/offered_load.hpp"

namespace somnus {
namespace {

constexpr std::size_t narrow_width = 5;  // tasks; CFQ calls such jobs narrow
constexpr std::uint32_t load_slots = 1000;

struct Figures {
  std::unordered_set<std::string> users;
  std::vector<double> widths;      // tasks of each job
  std::vector<double> durations;   // of each task
  std::vector<double> slot_times;  // of each job
  std::size_t stages = 0;
  std::size_t divisible = 0;
  std::size_t choosy = 0;  // stages that prefer some nodes
  double divisible_work = 0;
  std::size_t followers = 0;  // jobs that come after another
  std::size_t estimated = 0;  // jobs with an estimate
  std::size_t wide = 0;       // jobs of more than one task at once
};

Figures measure(const WorkloadSpec& workload) {
  Figures figures;
  for (const JobSpec& job : workload.jobs) {
    figures.users.insert(job.user);
    if (!job.after.empty()) ++figures.followers;
    if (job.estimate > 0) ++figures.estimated;
    figures.stages += job.stages.size();
    std::size_t width = 0;
    double slot_time = 0;
    for (const StageSpec& stage : job.stages) {
      if (stage.work > 0) ++figures.divisible;
      if (!stage.affinity.empty()) ++figures.choosy;
      figures.divisible_work += stage.work;
      width += stage.durations.size();
      slot_time += std::accumulate(stage.durations.begin(), stage.durations.end(), stage.work);
      figures.durations.insert(figures.durations.end(), stage.durations.begin(),
                               stage.durations.end());
    }
    const bool wide = std::ranges::any_of(job.stages, [](const StageSpec& stage) {
      return stage.work > 0 || stage.durations.size() > 1;
    });
    if (wide) ++figures.wide;
    figures.widths.push_back(static_cast<double>(width));
    figures.slot_times.push_back(slot_time);
  }
  return figures;
}

struct Weights {
  double least;
  double most;
};

Weights weights_of(const WorkloadSpec& workload, std::size_t users) {
  const bool all_listed = workload.users.size() == users;
  Weights weights =
      all_listed ? Weights{std::numeric_limits<double>::infinity(), 0} : Weights{1, 1};
  for (const UserSpec& user : workload.users) {
    weights.least = std::min(weights.least, user.weight);
    weights.most = std::max(weights.most, user.weight);
  }
  return weights;
}

// Six digits, and no exponent below 1e12.
std::string plain(double value) {
  return value >= 999'999.5 && value < 1e12 ? fmt::format("{:.0f}", value)
                                            : fmt::format("{:.6g}", value);
}

class Text {
 public:
  template <class... Values>
  void line(std::string_view label, fmt::format_string<Values...> format, Values&&... values) {
    put("{:<26}", label);
    put(format, std::forward<Values>(values)...);
    put("\n");
  }

  void percentiles(std::string_view label, std::string_view unit, std::vector<double> values) {
    if (values.empty()) return;
    std::ranges::sort(values);
    put("{:<20}{:<6}", label, unit);
    for (const double share : {0.05, 0.50, 0.95, 0.99, 1.0}) {
      const double rank = std::ceil(share * static_cast<double>(values.size()));
      put("{:>12}", plain(values[static_cast<std::size_t>(rank) - 1]));
    }
    put("\n");
  }

  [[nodiscard]] std::string take() const { return fmt::to_string(text_); }

 private:
  template <class... Values>
  void put(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }

  fmt::memory_buffer text_;
};

std::string load_in_words(const WorkloadSpec& workload, const Cluster* cluster) {
  Cluster some;
  some.groups = {{.count = 1, .slots = load_slots}};
  const OfferedLoad load = offered_load(workload, cluster == nullptr ? some : *cluster);
  if (load.share == infinity) return "(all jobs arrive at once)";
  if (cluster == nullptr || load.kind.empty()) return fmt::format("{:.3g}", load.share);
  return fmt::format("{:.3g} of its {}", load.share, load.kind);
}

}  // namespace

std::string describe_workload(const WorkloadSpec& workload, const Cluster* cluster) {
  const Figures figures = measure(workload);
  const std::size_t jobs = workload.jobs.size();
  const double slot_time =
      std::accumulate(figures.slot_times.begin(), figures.slot_times.end(), 0.0);
  Text text;
  text.line("workload", "{}", workload.name.empty() ? "(no name)" : workload.name);
  text.line("jobs", "{}", jobs);
  if (jobs == 0) return text.take();

  const bool cut_later = figures.divisible > 0;  // then nobody knows yet how many tasks a job has
  text.line("stages", "{}", figures.stages);
  if (figures.choosy > 0) text.line("  of them with affinity", "{}", figures.choosy);
  if (cut_later) {
    text.line("  of them divisible", "{}", figures.divisible);
    text.line("  their work", "{} s", plain(figures.divisible_work));
  }
  text.line(cut_later ? "tasks of the others" : "tasks", "{}", figures.durations.size());
  text.line("users", "{}", figures.users.size());
  const Weights weights = weights_of(workload, figures.users.size());
  if (weights.least != weights.most) {
    text.line("  their weights", "{:.6g} to {:.6g}", weights.least, weights.most);
  }
  if (figures.followers > 0) text.line("jobs after another", "{}", figures.followers);
  if (figures.estimated > 0) text.line("jobs with an estimate", "{}", figures.estimated);
  if (!workload.resources.empty()) {
    text.line("resources", "{}", fmt::join(workload.resources, ", "));
  }
  const double first = workload.jobs.front().submit;
  const double span = workload.jobs.back().submit - first;
  text.line("arrivals", "{} s to {} s", plain(first), plain(first + span));
  text.line("slot-time", "{} s", plain(slot_time));
  text.line(
      cluster == nullptr ? fmt::format("load of {} slots", load_slots) : "load of the cluster",
      "{}", load_in_words(workload, cluster));
  if (!cut_later) {
    const auto narrow =
        std::ranges::count_if(figures.widths, [](double width) { return width <= narrow_width; });
    text.line(fmt::format("jobs of <= {} tasks", narrow_width), "{:.1f} %",
              100 * static_cast<double>(narrow) / static_cast<double>(jobs));
  }

  text.line("", "{:>12}{:>12}{:>12}{:>12}{:>12}", "p5", "p50", "p95", "p99", "max");
  if (!cut_later) text.percentiles("tasks of a job", "", figures.widths);
  text.percentiles(cut_later ? "task of the others" : "task duration", "s", figures.durations);
  text.percentiles("job slot-time", "s", figures.slot_times);
  const std::string note = note_on_rigid_jobs(workload.rigid ? figures.wide : 0, jobs);
  return text.take() + (note.empty() ? "" : fmt::format("WARNING: {}\n", wrapped(note, 9)));
}

std::string draw_workload(const WorkloadSpec& workload) {
  const Figures figures = measure(workload);
  std::vector<double> submits;
  for (const JobSpec& job : workload.jobs) submits.push_back(job.submit);
  std::string text;
  const auto add = [&](std::string_view label, std::string_view unit,
                       const std::vector<double>& all, Scale scale) {
    std::vector<double> values = all;
    if (scale == Scale::logarithmic) std::erase_if(values, [](double each) { return each <= 0; });
    if (values.empty()) return;
    const auto [least, most] = std::ranges::minmax(values);
    text += fmt::format("{:<26}{:>10.4g}{} |{}| {}{}\n", label, least, unit, bars(values, scale),
                        plain(most), unit);
  };
  add("jobs by arrival", " s", submits, Scale::linear);
  add("jobs by tasks (log)", "", figures.widths, Scale::logarithmic);
  add("tasks by duration (log)", " s", figures.durations, Scale::logarithmic);
  add("jobs by slot-time (log)", " s", figures.slot_times, Scale::logarithmic);
  return text;
}

}  // namespace somnus
