#include "emulator/fidelity/movement.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace somnus {
namespace {

/// Of an empty workload nothing moves.
double or_none(double share) { return std::isfinite(share) ? share : 0; }

}  // namespace

Movement movement(JobRows exact, std::span<const std::vector<JobRow>> late) {
  SOMNUS_CHECK(!late.empty(), "nothing that could have moved");
  const auto count = static_cast<double>(late.size());
  const Figures from = figures_of(exact);
  Figures to{.response_mean_s = 0, .response_p50_s = 0, .response_p95_s = 0};
  Movement moved;
  for (const std::vector<JobRow>& one : late) {
    const Figures figures = figures_of(one);
    to.response_mean_s += figures.response_mean_s / count;
    to.response_p50_s += figures.response_p50_s / count;
    to.response_p95_s += figures.response_p95_s / count;
    moved.jobs_p95 += or_none(job_deviation_p95(one, exact)) / count;
  }
  const auto share = [](double a, double b) { return or_none(std::abs(a - b) / b); };
  moved.response_mean = share(to.response_mean_s, from.response_mean_s);
  moved.response_p50 = share(to.response_p50_s, from.response_p50_s);
  moved.response_p95 = share(to.response_p95_s, from.response_p95_s);
  return moved;
}

Movement sensitivity(JobRows exact, std::span<const std::vector<JobRow>> disturbed) {
  std::vector<std::vector<JobRow>> all(disturbed.begin(), disturbed.end());
  all.emplace_back(exact.begin(), exact.end());
  Movement most;
  for (const std::vector<JobRow>& one : all) {
    for (const std::vector<JobRow>& other : all) {
      const Movement moved = movement(one, {&other, 1});
      for_each_field<Movement>([&](const auto& field) {
        most.*field.member = std::max(most.*field.member, moved.*field.member);
      });
    }
  }
  return most;
}

bool is_within(const Movement& movement, const Movement& sensitivity) {
  bool within = true;
  for_each_field<Movement>([&](const auto& field) {
    const double allowed = std::max(negligible_difference, sensitivity.*field.member);
    within = within && movement.*field.member <= allowed;
  });
  return within;
}

}  // namespace somnus
