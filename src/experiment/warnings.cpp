#include "experiment/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/wrapped.hpp"
#include "experiment/answers.hpp"
#include "experiment/batch_warnings.hpp"
#include "experiment/holm.hpp"
#include "experiment/mean_test.hpp"
#include "model/offered_load.hpp"
#include "model/rigid_jobs.hpp"
#include "print/printable.hpp"

namespace somnus {
namespace {

// A growth that is sure, and less than that share of the jobs in the system, is no news.
constexpr double growth_that_matters = 0.1;

class Warnings {
 public:
  Warnings(const ExperimentPlan& plan, const Results& results, const Campaign& campaign)
      : plan_(plan), results_(results), campaign_(campaign) {}

  std::vector<std::string> operator()() {
    add(of_rigid_jobs());
    add(of_loads());
    add(of_growth());
    add(of_pace());
    if (plan_.file.keys.batches > 0) {
      add(warning_of_batches(plan_, results_, campaign_));
      add(warning_of_differences_of_batches(plan_, results_, campaign_));
    }
    return std::move(all_);
  }

 private:
  void add(std::string sentence) {
    if (!sentence.empty()) all_.push_back(std::move(sentence));
  }

  [[nodiscard]] std::vector<SampleMean> means(const char* figure) const {
    std::vector<SampleMean> all;
    const std::size_t index = figure_index(figure);
    for (std::size_t point = 0; point < plan_.points.size(); ++point) {
      all.push_back(sample_mean(results_.values(point, index, campaign_.seeds[point])));
    }
    return all;
  }

  static double largest(const std::vector<SampleMean>& means) {
    double largest = 0;
    for (const SampleMean& each : means) largest = std::fmax(largest, each.mean);  // also of NaN
    return largest;
  }

  [[nodiscard]] std::string of_rigid_jobs() const {
    const double rigid = largest(means("rigid_jobs"));
    const double jobs = std::max(rigid, largest(means("jobs_submitted")));
    return note_on_rigid_jobs(static_cast<std::uint64_t>(rigid), static_cast<std::uint64_t>(jobs));
  }

  [[nodiscard]] std::string of_loads() const {
    const std::vector<SampleMean> loads = means("offered_load");
    const auto too_much = std::ranges::count_if(loads, [](const SampleMean& each) {
      return !note_on_load({.share = each.mean, .kind = {}}).empty();
    });
    if (too_much == 0) return "";
    return fmt::format(
        "OFFERED LOAD up to {:.3g}, above 1 in {} of {} points: jobs wait longer there the later "
        "they come",
        largest(loads), too_much, loads.size());
  }

  /// Jobs in the system grow from the second third of the arrivals to the last: a one-sided t test
  /// over the runs of each point, and Holm's procedure over the points.
  [[nodiscard]] std::string of_growth() const {
    const std::vector<SampleMean> growth = means("jobs_in_system_growth");
    const std::vector<SampleMean> in_system = means("jobs_in_system");
    std::vector<double> p;
    for (const SampleMean& each : growth) {
      const double both = p_value(MeanTest::student, each);
      p.push_back(each.mean > 0 ? both / 2 : 1 - both / 2);
    }
    const std::vector<double> adjusted = adjusted_by_holm(p, p.size());
    std::size_t points = 0;
    std::size_t worst = 0;
    double most = 0;
    for (std::size_t point = 0; point < growth.size(); ++point) {
      const double share = growth[point].mean / in_system[point].mean;
      if (adjusted[point] > error_level || !(share > growth_that_matters)) continue;
      ++points;
      if (share <= most) continue;
      most = share;
      worst = point;
    }
    if (points == 0) return "";
    return fmt::format(
        "JOBS PILE UP in {} of {} points, most at {}: from the second third of the arrivals to the "
        "last, jobs in the system grow by {:.0f} % of their mean. There is no steady state: means "
        "depend on how many jobs there are",
        points, growth.size(), printable(plan_.points[worst].label(), 40), 100 * most);
  }

  /// As the closing table of each run says.
  [[nodiscard]] std::string of_pace() const {
    const auto runs_with = [&](const char* figure) {
      std::ptrdiff_t count = 0;
      for (std::size_t point = 0; point < plan_.points.size(); ++point) {
        for (const double value :
             results_.values(point, figure_index(figure), campaign_.seeds[point])) {
          count += std::isnan(value) ? 0 : 1;
        }
      }
      return count;
    };
    const auto outran = runs_with("safe_speed");
    const auto stalled = runs_with("silent_max_s");
    if (outran + stalled == 0) return "";
    return fmt::format(
        "{} runs OUTRAN THEIR MACHINE and {} STALLED, as a rank was silent: `somnus "
        "compare` shows by how much their times mislead",
        outran, stalled);
  }

  const ExperimentPlan& plan_;
  const Results& results_;
  const Campaign& campaign_;
  std::vector<std::string> all_;
};

}  // namespace

std::vector<std::string> warnings_of(const ExperimentPlan& plan, const Results& results,
                                     const Campaign& campaign) {
  return Warnings(plan, results, campaign)();
}

std::string to_text(const std::vector<std::string>& warnings) {
  std::string text;
  for (const std::string& one : warnings) text += fmt::format("WARNING: {}\n", wrapped(one, 9));
  return text;
}

}  // namespace somnus
