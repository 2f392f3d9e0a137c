#include "experiment/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "base/describe.hpp"
#include "base/hash.hpp"
#include "base/parameters.hpp"
#include "base/suggest.hpp"
#include "experiment/randomness.hpp"
#include "experiment/results.hpp"
#include "metrics/summary.hpp"
#include "session/workload_source.hpp"
#include "text/contents.hpp"
#include "version/version.hpp"

namespace somnus {
namespace {

constexpr std::size_t most_points = 100'000;

/// One step of each axis.
using Steps = std::vector<std::size_t>;

/// No more than most_points + 1 are counted.
std::size_t count_points(const std::vector<Axis>& axes) {
  std::size_t points = 1;
  for (const Axis& axis : axes) points = std::min(points, most_points + 1) * axis.size();
  return points;
}

std::vector<Steps> all_steps(const std::vector<Axis>& axes) {
  std::vector<Steps> all = {{}};
  for (const Axis& axis : axes) {
    std::vector<Steps> longer;
    for (const Steps& steps : all) {
      for (std::size_t step = 0; step < axis.size(); ++step) {
        longer.push_back(steps);
        longer.back().push_back(step);
      }
    }
    all = std::move(longer);
  }
  return all;
}

/// A value as people write it in a list: a text without its quotes.
std::string shown(const std::string& toml) {
  const bool quoted = toml.size() >= 2 && toml.front() == '"' && toml.back() == '"';
  return quoted && toml.find('\\') == std::string::npos ? toml.substr(1, toml.size() - 2) : toml;
}

bool is_part_of(const std::string& key, const std::string& path) {
  return key == path || key.starts_with(path + ".");
}

class Planning {
 public:
  Planning(ExperimentPlan& plan, const std::vector<Override>& overrides) : plan_(plan) {
    common_ = plan.file.set;
    common_.insert(common_.end(), overrides.begin(), overrides.end());
    for (const Axis& axis : plan.file.axes) {
      plan.keys.insert(plan.keys.end(), axis.keys.begin(), axis.keys.end());
    }
  }

  Mistakes operator()() {
    if (count_points(plan_.file.axes) > most_points) {
      mistakes_.add(
          {.location = {.file = plan_.file.origin},
           .key = "axes",
           .what = fmt::format("expected at most {} combinations of their values, found more",
                               most_points),
           .hint = "[[zip]] turns keys together; or make several experiments of it"});
      return mistakes_;
    }
    for (const Steps& steps : all_steps(plan_.file.axes)) add_point(steps);
    if (!mistakes_.any()) refuse_what_no_point_reads();
    check_figures();
    std::vector<Mistake> all = mistakes_.list();
    std::ranges::stable_sort(all, {}, [](const Mistake& one) {
      return std::tie(one.location.file, one.location.line, one.location.column);
    });
    Mistakes sorted;
    for (Mistake& one : all) sorted.add(std::move(one));
    return sorted;
  }

 private:
  void add_point(const Steps& steps) {
    std::vector<Override> overrides = common_;
    Point point;
    for (std::size_t at = 0; at < steps.size(); ++at) {
      const Axis& axis = plan_.file.axes[at];
      for (std::size_t key = 0; key < axis.keys.size(); ++key) {
        const std::string& value = axis.values[steps[at]][key];
        const SourceLocation& location = axis.locations[steps[at]][key];
        point.values.push_back(shown(value));
        add_overrides(axis.keys[key], value, location, overrides);
      }
    }
    std::vector<std::string> unread;
    Checked<Settings> settings = load_settings(plan_.file.config(), overrides, &unread);
    if (!settings) {
      mistakes_.append(at_their_places(settings.error()));
      return;
    }
    for (std::size_t key = 0; key < plan_.keys.size(); ++key) {
      const bool is_unread = std::ranges::any_of(
          unread, [&](const std::string& path) { return is_part_of(plan_.keys[key], path); });
      if (is_unread) point.values[key] = unread_value;
    }
    unread_.emplace_back(unread.begin(), unread.end());
    if (!known_.insert(point.values).second) return;
    point.settings = std::move(*settings);
    const bool emulated = plan_.file.keys.mode == ExperimentMode::run;  // which no two are alike
    point.random = emulated || !drawn_at_random(point.settings).empty();
    plan_.points.push_back(std::move(point));
  }

  void add_overrides(const std::string& key, const std::string& value,
                     const SourceLocation& location, std::vector<Override>& overrides) {
    std::vector<Override> added = {{key, value}};
    if (key == "policy") {
      auto of_label = overrides_of_label(value);
      if (!of_label) {
        Mistakes placed;
        for (Mistake one : of_label.error().list()) {
          one.location = location;
          one.key = key;
          placed.add(std::move(one));
        }
        mistakes_.append(std::move(placed));
        return;
      }
      added = std::move(*of_label);
    }
    for (Override& one : added) {
      locations_[one.text()] = location;
      overrides.push_back(std::move(one));
    }
  }

  /// Of values in the experiment's file, not of the --set that they became.
  [[nodiscard]] Mistakes at_their_places(const Mistakes& mistakes) const {
    Mistakes placed;
    for (Mistake one : mistakes.list()) {
      const auto found = locations_.find(one.location.file);
      if (found != locations_.end()) one.location = found->second;
      placed.add(std::move(one));
    }
    return placed;
  }

  void refuse_what_no_point_reads() {
    std::set<std::string> never = unread_.front();
    for (const std::set<std::string>& here : unread_) {
      std::erase_if(never, [&](const std::string& path) { return !here.contains(path); });
    }
    for (const std::string& path : never) {
      mistakes_.add({.location = {.file = plan_.file.origin},
                     .key = path,
                     .what = "no point of this experiment reads it",
                     .hint = "somnus config " + path + " shows what it needs"});
    }
  }

  void require_over_jobs(const NamedFigure& figure) {
    if (figure_infos()[figure_index(figure.name)].over == Over::jobs) return;
    mistakes_.add({.location = figure.location,
                   .key = figure.key,
                   .what = fmt::format("{} is of the whole run, and no batch of its jobs has it",
                                       figure.name),
                   .hint = "leave it out; results.csv has it all the same"});
  }

  void check_figures() {
    const std::vector<std::string> known = names_of<Summary>();
    for (const NamedFigure& figure : plan_.file.figures) {
      if (std::ranges::find(known, figure.name) != known.end()) {
        if (plan_.file.keys.batches > 0) require_over_jobs(figure);
        continue;
      }
      mistakes_.add(
          {.location = figure.location,
           .key = figure.key,
           .what = fmt::format("expected a figure of somnus summary, found '{}'", figure.name),
           .hint = suggest(figure.name, known)});
    }
    if (!plan_.file.keys.metrics.empty()) return;
    mistakes_.add({.location = {.file = plan_.file.origin},
                   .key = "experiment.metrics",
                   .what = "expected some, found none"});
  }

  ExperimentPlan& plan_;
  std::vector<Override> common_;
  std::map<std::string, SourceLocation> locations_;  // by Override::text()
  std::set<std::vector<std::string>> known_;
  std::vector<std::set<std::string>> unread_;  // paths, by combination of steps
  Mistakes mistakes_;
};

/// The same point, but for the baseline's values. Where a part does not read a key, any value will
/// do.
void find_baselines(ExperimentPlan& plan) {
  if (plan.file.baseline.empty()) return;
  for (Point& point : plan.points) {
    const auto fits = [&](const Point& other) {
      for (std::size_t key = 0; key < plan.keys.size(); ++key) {
        const auto given = plan.file.baseline.find(plan.keys[key]);
        const std::string wanted =
            given == plan.file.baseline.end() ? point.values[key] : shown(given->second);
        const std::string& found = other.values[key];
        if (found != wanted && found != unread_value && wanted != unread_value) return false;
      }
      return true;
    };
    const auto found = std::ranges::find_if(plan.points, fits);
    if (found == plan.points.end() || &*found == &point) continue;
    point.baseline = static_cast<std::size_t>(found - plan.points.begin());
  }
}

/// A pipe gives its content once, and an experiment reads it for its digest and for each run. What
/// is not there at all the runs say.
Mistakes objections_to_workloads(const ExperimentPlan& plan) {
  Mistakes mistakes;
  std::set<std::filesystem::path> seen;
  for (const Point& point : plan.points) {
    if (point.settings.workload.file.empty()) continue;
    const std::filesystem::path file = workload_path(point.settings);
    std::error_code error;
    const bool is_other = std::filesystem::is_other(file, error);
    if (!is_other || !seen.insert(file).second) continue;
    mistakes.add({.location = {.file = plan.file.origin},
                  .key = "workload.file",
                  .what = fmt::format("expected a file, which is read more than once; {} is none",
                                      file.string())});
  }
  return mistakes;
}

/// Of the contents of workload files, too, each of which is read once.
void digest_points(ExperimentPlan& plan) {
  std::map<std::filesystem::path, std::uint64_t> files;
  for (Point& point : plan.points) {
    std::string all =
        fmt::format("{} {} {}\n{}\n{}", somnus_version, somnus_commit, name_of(plan.file.keys.mode),
                    point.label(), to_toml(point.settings));
    if (const Truncation cut = plan.file.keys.truncation(); cut.any()) {
      all += fmt::format("\n{} {}", name_of(cut.rule), cut.jobs);
    }
    if (!point.settings.workload.file.empty()) {
      const auto [file, is_new] = files.try_emplace(workload_path(point.settings));
      if (is_new) file->second = hash64(contents_of(file->first).value_or(""));
      all += fmt::format("\n{:016x}", file->second);
    }
    point.digest = fmt::format("{:016x}", hash64(all));
  }
}

}  // namespace

std::string Point::label() const { return fmt::format("{}", fmt::join(values, " ")); }

Checked<ExperimentPlan> plan_of(ExperimentFile file, const std::vector<Override>& overrides) {
  ExperimentPlan plan{.file = std::move(file)};
  Mistakes mistakes = Planning(plan, overrides)();
  if (!mistakes.any()) mistakes = objections_to_workloads(plan);
  if (mistakes.any()) return tl::unexpected(std::move(mistakes));
  find_baselines(plan);
  digest_points(plan);
  return plan;
}

}  // namespace somnus
