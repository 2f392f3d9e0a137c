#include "experiment/batch_warnings.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <set>
#include <span>
#include <vector>

#include "experiment/comparisons.hpp"
#include "experiment/holm.hpp"
#include "experiment/serial_correlation.hpp"
#include "print/printable.hpp"

namespace somnus {
namespace {

struct BatchSeries {
  std::size_t of = 0;  // the point or comparison
  std::string words;
  SerialCorrelation correlation;
};

struct AlikeBatches {
  std::size_t series = 0;  // points or comparisons that have them
  std::size_t of = 0;
  const BatchSeries* worst = nullptr;  // none: there are no such
};

AlikeBatches alike_among(std::span<const BatchSeries> all) {
  std::vector<double> p;
  std::set<std::size_t> tested;
  for (const BatchSeries& each : all) {
    p.push_back(each.correlation.p);
    tested.insert(each.of);
  }
  const std::vector<double> adjusted = adjusted_by_holm(p, p.size());
  AlikeBatches found{.of = tested.size()};
  std::set<std::size_t> alike;
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (adjusted[at] > error_level) continue;
    alike.insert(all[at].of);
    const double most = found.worst == nullptr ? 0 : found.worst->correlation.lag_1;
    if (all[at].correlation.lag_1 > most) found.worst = &all[at];
  }
  found.series = alike.size();
  return found;
}

std::string label_of(const ExperimentPlan& plan, std::size_t point) {
  return printable(plan.points[point].label(), 40);
}

}  // namespace

std::string warning_of_batches(const ExperimentPlan& plan, const Results& results,
                               const Campaign& campaign) {
  std::vector<BatchSeries> all;
  for (const std::string& metric : plan.file.keys.metrics) {
    const PairedValues values(plan, results, campaign, figure_index(metric));
    for (std::size_t point = 0; point < plan.points.size(); ++point) {
      all.push_back({.of = point,
                     .words = fmt::format("{} at {}", metric, label_of(plan, point)),
                     .correlation = serial_correlation(values.of(point))});
    }
  }
  const AlikeBatches found = alike_among(all);
  if (found.worst == nullptr) return "";
  return fmt::format(
      "BATCHES ARE NOT INDEPENDENT in {} of {} points, most in {}: the correlation of a batch with "
      "the next is {:.2f}, and intervals of means are too narrow there. Take fewer batches, or a "
      "longer workload",
      found.series, found.of, found.worst->words, found.worst->correlation.lag_1);
}

std::string warning_of_differences_of_batches(const ExperimentPlan& plan, const Results& results,
                                              const Campaign& campaign) {
  std::vector<BatchSeries> all;
  const Comparing comparing = comparing_of(plan);
  for (const std::string& metric : plan.file.keys.metrics) {
    const PairedValues values(plan, results, campaign, figure_index(metric));
    const Comparisons comparisons(comparing, values, 0, MeanTest::student);
    for (std::size_t at = 0; at < comparisons.all().size(); ++at) {
      const Comparison& one = comparisons.all()[at];
      const std::vector<double> differences = values.contrast(one.point, one.reference, 0);
      all.push_back({.of = at,
                     .words = fmt::format("{} of {} to {}", metric, label_of(plan, one.point),
                                          label_of(plan, one.reference)),
                     .correlation = serial_correlation(differences)});
    }
  }
  const AlikeBatches found = alike_among(all);
  if (found.worst == nullptr) return "";
  return fmt::format(
      "DIFFERENCES OF BATCHES ARE NOT INDEPENDENT in {} of {} comparisons, most in {}: the "
      "correlation of a batch with the next is {:.2f}, and verdicts are too sure there. Take fewer "
      "batches, or a longer workload",
      found.series, found.of, found.worst->words, found.worst->correlation.lag_1);
}

}  // namespace somnus
