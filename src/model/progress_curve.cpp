#include "model/progress_curve.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/grid.hpp"

namespace somnus {
namespace {

struct Point {
  std::int64_t slots;
  ProgressCurve::Progress progress;
};

// Whether b is not above the line from a to c.
bool below(const Point& a, const Point& b, const Point& c) {
  return Wide{b.progress - a.progress} * (c.slots - a.slots) <=
         Wide{c.progress - a.progress} * (b.slots - a.slots);
}

}  // namespace

ProgressCurve ProgressCurve::above(std::span<const double> progress) {
  std::vector<Point> corners = {{0, 0}};
  Progress most = 0;
  for (std::size_t at = 0; at < progress.size(); ++at) {
    SOMNUS_CHECK(progress[at] > 0, "progress of {} on {} slots", progress[at], at + 1);
    const double counted = std::min(progress[at], 1.0) * static_cast<double>(whole);
    most = std::max(most, Progress{std::llround(counted)});
    const Point next{static_cast<std::int64_t>(at) + 1, most};
    while (corners.size() > 1 && below(corners[corners.size() - 2], corners.back(), next)) {
      corners.pop_back();
    }
    corners.push_back(next);
  }
  std::vector<Progress> gains;
  gains.reserve(progress.size());
  for (std::size_t corner = 1; corner < corners.size(); ++corner) {
    const std::int64_t slots = corners[corner].slots - corners[corner - 1].slots;
    const Progress gain = (corners[corner].progress - corners[corner - 1].progress) / slots;
    gains.insert(gains.end(), static_cast<std::size_t>(slots), gain);
  }
  return of_gains(gains);
}

ProgressCurve ProgressCurve::of_gains(std::span<const Progress> gains) {
  ProgressCurve made;
  made.at_.reserve(gains.size() + 1);
  made.at_.push_back(0);
  for (const Progress gain : gains) made.at_.push_back(made.at_.back() + gain);
  return made;
}

double ernest_progress(const std::array<double, 4>& coefficients, double slots) {
  const auto& [fixed, by_slots, by_share, by_log] = coefficients;
  return 1 / (fixed + by_slots * slots + by_share / slots + by_log * std::log(slots));
}

}  // namespace somnus
