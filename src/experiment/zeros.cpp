#include "experiment/zeros.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace somnus {
namespace {

/// Of the way from one step to the next, from 0 to 1.
using Span = std::pair<double, double>;

/// The seeds that two neighbouring steps have in common.
struct Between {
  std::size_t runs = 0;
  double mean = 0;  // at the first
  double next_mean = 0;
  double variance = 0;
  double next_variance = 0;
  double covariance = 0;
};

Between between(std::span<const double> here, std::span<const double> next) {
  Between both;
  const std::size_t pairs = std::min(here.size(), next.size());
  const auto visit = [&](auto&& take) {
    for (std::size_t at = 0; at < pairs; ++at) {
      if (!std::isnan(here[at]) && !std::isnan(next[at])) take(here[at], next[at]);
    }
  };
  visit([&](double a, double b) {
    ++both.runs;
    both.mean += a;
    both.next_mean += b;
  });
  if (both.runs == 0) return both;
  both.mean /= static_cast<double>(both.runs);
  both.next_mean /= static_cast<double>(both.runs);
  if (both.runs == 1) return both;
  const auto freedom = static_cast<double>(both.runs - 1);
  visit([&](double a, double b) {
    both.variance += (a - both.mean) * (a - both.mean) / freedom;
    both.next_variance += (b - both.next_mean) * (b - both.next_mean) / freedom;
    both.covariance += (a - both.mean) * (b - both.next_mean) / freedom;
  });
  return both;
}

/// Where a u^2 + b u + c <= 0, in [0, 1].
std::vector<Span> not_above_zero(double a, double b, double c) {
  std::vector<double> ends = {0};
  const double under_root = b * b - 4 * a * c;
  if (a == 0 && b != 0) ends.push_back(-c / b);
  if (a != 0 && under_root >= 0) {
    const double q = -0.5 * (b + std::copysign(std::sqrt(under_root), b));
    ends.push_back(q / a);
    if (q != 0) ends.push_back(c / q);
  }
  std::erase_if(ends, [](double u) { return !(u >= 0 && u < 1); });
  ends.push_back(1);
  std::ranges::sort(ends);
  std::vector<Span> spans;
  for (std::size_t at = 0; at + 1 < ends.size(); ++at) {
    const double middle = (ends[at] + ends[at + 1]) / 2;
    if ((a * middle + b) * middle + c > 0) continue;
    if (!spans.empty() && spans.back().second == ends[at]) {
      spans.back().second = ends[at + 1];
    } else {
      spans.emplace_back(ends[at], ends[at + 1]);
    }
  }
  return spans;
}

std::vector<Span> undecided(const Between& both, MeanTest test, double level) {
  const double t = critical_t(test, both.runs, level);
  if (std::isinf(t)) return {{0, 1}};
  const double times = t * t / static_cast<double>(both.runs);
  const double slope = both.next_mean - both.mean;
  return not_above_zero(
      slope * slope - times * (both.variance - 2 * both.covariance + both.next_variance),
      2 * (both.mean * slope - times * (both.covariance - both.variance)),
      both.mean * both.mean - times * both.variance);
}

}  // namespace

std::vector<ZeroRegion> zeros_of(std::span<const double> steps,
                                 std::span<const std::vector<double>> values, MeanTest test,
                                 double level) {
  std::vector<ZeroRegion> regions;
  for (std::size_t step = 0; step + 1 < steps.size(); ++step) {
    const double width = steps[step + 1] - steps[step];
    const Between both = between(values[step], values[step + 1]);
    const bool changes_sign = (both.mean < 0) != (both.next_mean < 0);
    const double zero = changes_sign ? both.mean / (both.mean - both.next_mean) : NAN;
    for (const auto& [from, to] : undecided(both, test, level)) {
      const bool goes_on = from == 0 && !regions.empty() && regions.back().high == steps[step];
      if (!goes_on) regions.push_back({.low = steps[step] + from * width, .high = 0, .at = {}});
      regions.back().high = to == 1 ? steps[step + 1] : steps[step] + to * width;
      if (zero >= from && zero <= to) regions.back().at.push_back(steps[step] + zero * width);
    }
  }
  return regions;
}

}  // namespace somnus
