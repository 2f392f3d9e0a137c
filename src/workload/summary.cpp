#include "workload/summary.hpp"

#include <fmt/format.h>

#include <fmt/ranges.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "base/describe.hpp"
#include "base/wrapped.hpp"
#include "model/rigid_jobs.hpp"
#include "print/printable.hpp"
#include "print/text_table.hpp"
#include "workload/drawing.hpp"
#include "workload/least_time.hpp"
#include "workload/offered_load.hpp"

namespace somnus {
namespace {

constexpr std::size_t narrow_width = 5;  // tasks; CFQ calls such jobs narrow
constexpr std::uint32_t load_slots = 1000;
constexpr double week_s = 7 * 86400;

struct Figures {
  std::unordered_set<std::string> users;
  std::unordered_set<std::string> accounts;
  std::unordered_set<std::string> qos;
  std::vector<double> widths;      // tasks of each job
  std::vector<double> durations;   // of each task
  std::vector<double> slot_times;  // of each job
  std::vector<double> limits;      // of each job that has one
  std::vector<double>
      accuracy;  // of these, but for divisible ones: the job's least time over its limit
  std::size_t stages = 0;
  std::size_t divisible = 0;
  std::size_t choosy = 0;  // stages that prefer some nodes
  double divisible_work = 0;
  std::size_t followers = 0;  // jobs that come after another
  std::size_t estimated = 0;  // jobs with an estimate
  std::size_t gangs = 0;      // jobs with one
  std::size_t splitting = 0;  // jobs of several tasks that start one by one
};

Figures measure(const WorkloadSpec& workload) {
  Figures figures;
  for (const JobSpec& job : workload.jobs) {
    figures.users.insert(job.user);
    if (!job.account.empty()) figures.accounts.insert(job.account);
    if (!job.qos.empty()) figures.qos.insert(job.qos);
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
    const bool splits = std::ranges::any_of(job.stages, [](const StageSpec& stage) {
      return !stage.gang && (stage.work > 0 || stage.durations.size() > 1);
    });
    if (splits) ++figures.splitting;
    const bool has_gang = std::ranges::any_of(job.stages, [](const StageSpec& stage) {
      return stage.gang && stage.durations.size() > 1;
    });
    if (has_gang) ++figures.gangs;
    if (job.limit > 0) {
      figures.limits.push_back(job.limit);
      const bool is_divisible =
          std::ranges::any_of(job.stages, [](const StageSpec& stage) { return stage.work > 0; });
      if (!is_divisible) figures.accuracy.push_back(least_time(job) / job.limit);
    }
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

std::string in_words(double seconds) {
  const Scale scale = scale_for("s", {&seconds, 1});
  return fmt::format("{:.5g} {}", seconds * scale.factor, scale.unit);
}

constexpr std::array<std::pair<const char*, double>, 5> shares = {
    {{"p5", 0.05}, {"p50", 0.5}, {"p95", 0.95}, {"p99", 0.99}, {"max", 1}}};

/// At `shares`, by nearest rank; there is a value.
std::vector<double> quantiles_of(std::vector<double> values) {
  std::ranges::sort(values);
  std::vector<double> quantiles;
  for (const auto& [name, share] : shares) {
    const double rank = std::ceil(share * static_cast<double>(values.size()));
    quantiles.push_back(values[static_cast<std::size_t>(rank) - 1]);
  }
  return quantiles;
}

/// A sample whose quantiles are printed.
struct Sampled {
  const char* name;
  const char* meaning;
  const char* unit;
  const std::vector<double>* values;
};

std::vector<Sampled> samples_of(const Figures& figures) {
  const bool cut_later = figures.divisible > 0;  // then nobody knows yet how many tasks a job has
  std::vector<Sampled> samples;
  if (!cut_later) samples.push_back({"tasks_of_job", "tasks of a job", "1", &figures.widths});
  samples.push_back({"task_duration_s", cut_later ? "task of the others" : "task duration", "s",
                     &figures.durations});
  samples.push_back({"job_slot_time_s", "job slot-time", "s", &figures.slot_times});
  samples.push_back({"limit_s", "time limit of a job", "s", &figures.limits});
  samples.push_back({"limit_used", "least time / limit", "%", &figures.accuracy});
  std::erase_if(samples, [](const Sampled& one) { return one.values->empty(); });
  return samples;
}

class Text {
 public:
  template <class... Values>
  void line(std::string_view label, fmt::format_string<Values...> format, Values&&... values) {
    text_ += fmt::format("{:<26}{}\n", label,
                         wrapped(fmt::format(format, std::forward<Values>(values)...), 26));
  }

  void quantiles(const std::vector<Sampled>& samples) {
    std::vector<TextRow> rows{{.title = fmt::format("{:<20}", "")}};
    for (const auto& [name, share] : shares) rows.front().cells.emplace_back(name);
    for (const Sampled& one : samples) {
      rows.push_back(figure_row(one.meaning, one.unit, quantiles_of(*one.values)));
    }
    text_ += aligned(rows);
  }

  [[nodiscard]] std::string take() && { return std::move(text_); }

 private:
  std::string text_;
};

OfferedLoad load_of(const WorkloadSpec& workload, const Cluster* cluster) {
  Cluster some;
  some.groups = {{.count = 1, .slots = load_slots}};
  return offered_load(workload, cluster == nullptr ? some : *cluster);
}

std::string load_in_words(const OfferedLoad& load, const Cluster* cluster) {
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
  if (jobs == 0) return std::move(text).take();

  const bool cut_later = figures.divisible > 0;  // then nobody knows yet how many tasks a job has
  text.line("stages", "{}", figures.stages);
  if (figures.choosy > 0) text.line("  of them with affinity", "{}", figures.choosy);
  if (cut_later) {
    text.line("  of them divisible", "{}", figures.divisible);
    text.line("  their work", "{}", in_words(figures.divisible_work));
  }
  text.line(cut_later ? "tasks of the others" : "tasks", "{}", figures.durations.size());
  text.line("users", "{}", figures.users.size());
  if (!figures.accounts.empty()) text.line("accounts", "{}", figures.accounts.size());
  if (!figures.qos.empty()) text.line("qualities of service", "{}", figures.qos.size());
  const Weights weights = weights_of(workload, figures.users.size());
  if (weights.least != weights.most) {
    text.line("  their weights", "{:.6g} to {:.6g}", weights.least, weights.most);
  }
  if (figures.followers > 0) text.line("jobs after another", "{}", figures.followers);
  if (figures.estimated > 0) text.line("jobs with an estimate", "{}", figures.estimated);
  if (figures.gangs > 0) text.line("jobs with gangs", "{}", figures.gangs);
  if (!figures.limits.empty()) text.line("jobs with a time limit", "{}", figures.limits.size());
  if (!workload.resources.empty()) {
    text.line("resources", "{}", fmt::join(workload.resources, ", "));
  }
  const double first = workload.jobs.front().submit;
  const double span = workload.jobs.back().submit - first;
  text.line("arrivals", "{} to {}", in_words(first), in_words(first + span));
  text.line("slot-time", "{}", in_words(slot_time));
  text.line(
      cluster == nullptr ? fmt::format("load of {} slots", load_slots) : "load of the cluster",
      "{}", load_in_words(load_of(workload, cluster), cluster));
  if (!cut_later) {
    const auto narrow =
        std::ranges::count_if(figures.widths, [](double width) { return width <= narrow_width; });
    text.line(fmt::format("jobs of <= {} tasks", narrow_width), "{:.1f} %",
              100 * static_cast<double>(narrow) / static_cast<double>(jobs));
  }

  text.quantiles(samples_of(figures));
  const std::string note = note_on_rigid_jobs(workload.rigid ? figures.splitting : 0, jobs);
  return std::move(text).take() +
         (note.empty() ? "" : fmt::format("WARNING: {}\n", wrapped(note, 9)));
}

std::string draw_workload(const WorkloadSpec& workload) {
  const Figures figures = measure(workload);
  if (workload.jobs.empty()) return {};
  std::vector<double> submits;
  for (const JobSpec& job : workload.jobs) submits.push_back(job.submit);
  std::string text;
  const auto add = [&](std::string_view label, std::string_view unit,
                       const std::vector<double>& all, Distribution along) {
    std::vector<double> values = all;
    if (along == Distribution::logarithmic) {
      std::erase_if(values, [](double each) { return each <= 0; });
    }
    if (values.empty()) return;
    const auto words = [&](double value) {
      return unit == "s" ? in_words(value) : fmt::format("{:.5g}", value);
    };
    const auto [least, most] = std::ranges::minmax(values);
    text += fmt::format("{:<24}{:>10} |{}| {}\n", label, words(least), bars(values, along),
                        words(most));
  };
  add("jobs by arrival", "s", submits, Distribution::linear);
  const auto [first, last] = std::ranges::minmax(submits);
  if (last - first >= 2 * week_s) {
    for (double& submit : submits) submit = std::fmod(submit - first, week_s);
    add("jobs by time of week", "s", submits, Distribution::linear);
  }
  add("jobs by tasks (log)", "1", figures.widths, Distribution::logarithmic);
  add("tasks by duration (log)", "s", figures.durations, Distribution::logarithmic);
  add("jobs by slot-time (log)", "s", figures.slot_times, Distribution::logarithmic);
  return text;
}

nlohmann::json workload_to_json(const WorkloadSpec& workload, const Cluster* cluster) {
  const Figures figures = measure(workload);
  const OfferedLoad load = load_of(workload, cluster);
  nlohmann::json all = {{"workload", as_utf8(workload.name)},
                        {"jobs", workload.jobs.size()},
                        {"stages", figures.stages},
                        {"divisible_stages", figures.divisible},
                        {"stages_with_affinity", figures.choosy},
                        {"divisible_work_s", figures.divisible_work},
                        {"tasks", figures.durations.size()},
                        {"users", figures.users.size()},
                        {"accounts", figures.accounts.size()},
                        {"qos", figures.qos.size()},
                        {"jobs_after_another", figures.followers},
                        {"jobs_with_estimate", figures.estimated},
                        {"jobs_with_gangs", figures.gangs},
                        {"jobs_with_limit", figures.limits.size()},
                        {"rigid_jobs", workload.rigid ? figures.splitting : 0},
                        {"offered_load", load.share}};
  for (const std::string& kind : workload.resources) all["resources"].push_back(as_utf8(kind));
  if (!workload.jobs.empty()) {
    all["first_arrival_s"] = workload.jobs.front().submit;
    all["last_arrival_s"] = workload.jobs.back().submit;
  }
  for (const Sampled& one : samples_of(figures)) {
    const std::vector<double> quantiles = quantiles_of(*one.values);
    for (std::size_t at = 0; at < shares.size(); ++at) {
      all[one.name][shares[at].first] = quantiles[at];
    }
  }
  return all;
}

}  // namespace somnus
