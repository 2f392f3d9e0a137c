#include "fluid/ernest_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "harness/property.hpp"
#include "model/progress_curve.hpp"

namespace somnus::harness {
namespace {

using Curve = std::array<double, 4>;

std::vector<TimeOnSlots> times_by(const Curve& curve, double least_s) {
  std::vector<TimeOnSlots> times;
  for (const std::uint32_t slots : {1U, 2U, 4U, 8U, 16U, 32U, 64U, 100U}) {
    times.push_back({slots, least_s / ernest_progress(curve, slots)});
  }
  return times;
}

double error(const std::vector<TimeOnSlots>& times, const Curve& curve) {
  double least = times.front().seconds;
  for (const TimeOnSlots& time : times) least = std::min(least, time.seconds);
  double sum = 0;
  for (const TimeOnSlots& time : times) {
    sum += std::pow(least / ernest_progress(curve, time.slots) / time.seconds - 1, 2);
  }
  return sum;
}

TEST(ErnestFit, FindsTheCurveThatTimesComeFrom) {
  const Curve curve = {.2, .001, 50, .03};
  const double least = ernest_progress(curve, 64) > ernest_progress(curve, 100)
                           ? ernest_progress(curve, 64)
                           : ernest_progress(curve, 100);
  const Curve found = fit_ernest(times_by(curve, 7));
  for (std::size_t at = 0; at < 4; ++at) EXPECT_NEAR(found[at], curve[at] * least, 1e-9) << at;
}

TEST(ErnestFitLaws, NoOtherCoefficientsOfAtLeastZeroAreNearer) {
  check_law({.cases = 500}, [] {
    std::vector<TimeOnSlots> times;
    std::uint32_t slots = 1;
    for (int count = *rc::gen::inRange(1, 8); count > 0; --count) {
      times.push_back({slots, *rc::gen::inRange(1, 200) / 10.0});
      slots += static_cast<std::uint32_t>(*rc::gen::inRange(1, 30));
    }
    const Curve found = fit_ernest(times);
    const double reached = error(times, found);
    for (const double coefficient : found) RC_ASSERT(coefficient >= 0);
    // The error is convex, so a nearer point anywhere is a nearer one along some direction.
    for (std::size_t at = 0; at < 4; ++at) {
      for (const double step : {-1e-4, 1e-4}) {
        Curve other = found;
        other[at] = std::max(0.0, other[at] + step * std::max(other[at], 0.01));
        RC_ASSERT(error(times, other) >= reached - 1e-9);
      }
    }
    const Curve any = {*rc::gen::inRange(0, 100) / 50.0, *rc::gen::inRange(0, 100) / 5000.0,
                       *rc::gen::inRange(1, 100) * 1.0, *rc::gen::inRange(0, 100) / 500.0};
    RC_ASSERT(error(times, any) >= reached - 1e-9);
  });
}

}  // namespace
}  // namespace somnus::harness
