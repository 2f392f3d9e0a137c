#include "fluid/job_profile.hpp"

#include <algorithm>
#include <cmath>

#include "fluid/standalone.hpp"

namespace somnus {
namespace {

/// 1, 2, 4, ... and the last.
std::vector<std::uint32_t> doubling_up_to(std::uint32_t last) {
  std::vector<std::uint32_t> all;
  for (std::uint64_t slots = 1; slots < last; slots *= 2) {
    all.push_back(static_cast<std::uint32_t>(slots));
  }
  all.push_back(last);
  return all;
}

double largest_error(const JobProfile& profile) {
  std::vector<double> fitted;
  for (std::uint32_t slots = 1; slots <= profile.times.back().slots; ++slots) {
    fitted.push_back(ernest_progress(profile.curve, slots));
  }
  const ProgressCurve curve = ProgressCurve::above(fitted);
  const double least = std::ranges::min_element(profile.times, {}, &TimeOnSlots::seconds)->seconds;
  double most = 0;
  for (const TimeOnSlots& time : profile.times) {
    const double stored = static_cast<double>(curve.at(time.slots)) / ProgressCurve::whole;
    most = std::max(most, std::abs(stored * time.seconds / least - 1));
  }
  return most;
}

}  // namespace

std::optional<JobProfile> profile_of(const Catalogue& catalogue, const Truth& truth, JobId job,
                                     const Warmup& warmup) {
  JobProfile profile;
  for (const std::uint32_t slots : doubling_up_to(catalogue.parallelism(catalogue[job]))) {
    const Duration time = alone(catalogue, truth, slots, job, warmup);
    profile.times.push_back({.slots = slots, .seconds = in_seconds(time)});
    if (time <= Duration::zero()) return std::nullopt;
  }
  profile.curve = fit_ernest(profile.times);
  profile.error = largest_error(profile);
  return profile;
}

}  // namespace somnus
