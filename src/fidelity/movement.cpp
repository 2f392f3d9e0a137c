#include "fidelity/movement.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace somnus {
namespace {

/// Where there is no figure nothing moves.
double or_none(double share) { return std::isfinite(share) ? share : 0; }

}  // namespace

Movement movement(JobRows exact, std::span<const std::vector<JobRow>> late) {
  SOMNUS_CHECK(!late.empty(), "nothing that could have moved");
  const auto count = static_cast<double>(late.size());
  const Figures from = figures_of(exact);
  std::vector<Figures> to;
  Movement moved;
  for (const std::vector<JobRow>& one : late) {
    to.push_back(figures_of(one));
    moved.jobs_p95 += or_none(job_deviation_p95(one, exact)) / count;
  }
  for_each_field<Figures>([&](const auto& field) {
    double mean = 0;
    for (const Figures& one : to) mean += one.*field.member / count;
    moved.of.*field.member = or_none(std::abs(mean / from.*field.member - 1));
  });
  return moved;
}

Movement sensitivity(JobRows exact, std::span<const std::vector<JobRow>> disturbed) {
  std::vector<std::vector<JobRow>> all(disturbed.begin(), disturbed.end());
  all.emplace_back(exact.begin(), exact.end());
  Movement most;
  for_each_field<Figures>([&](const auto& field) { most.of.*field.member = 0; });
  for (const std::vector<JobRow>& one : all) {
    for (const std::vector<JobRow>& other : all) {
      const Movement moved = movement(one, {&other, 1});
      for_each_field<Figures>([&](const auto& field) {
        most.of.*field.member = std::max(most.of.*field.member, moved.of.*field.member);
      });
      most.jobs_p95 = std::max(most.jobs_p95, moved.jobs_p95);
    }
  }
  return most;
}

bool is_within(const Movement& movement, const Movement& sensitivity) {
  const auto allowed = [](double share) { return std::max(negligible_difference, share); };
  bool within = movement.jobs_p95 <= allowed(sensitivity.jobs_p95);
  for_each_field<Figures>([&](const auto& field) {
    within = within && movement.of.*field.member <= allowed(sensitivity.of.*field.member);
  });
  return within;
}

}  // namespace somnus
