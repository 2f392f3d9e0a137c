#include "model/partition.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace somnus {

std::vector<double> cut(double work, const std::vector<double>& skew, std::uint64_t parts) {
  const std::vector<double> shares = skew.empty() ? std::vector<double>{1} : skew;
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  const auto count = static_cast<double>(shares.size());
  std::vector<double> before(shares.size() + 1, 0.0);  // relative work up to each share
  std::partial_sum(shares.begin(), shares.end(), before.begin() + 1);
  const auto work_before = [&](double input) {
    const double position = input * count;
    const auto whole = std::min(static_cast<std::size_t>(position), shares.size() - 1);
    return work * (before[whole] + (position - static_cast<double>(whole)) * shares[whole]) / total;
  };
  std::vector<double> durations;
  durations.reserve(parts);
  const auto n = static_cast<double>(parts);
  for (std::uint64_t part = 0; part < parts; ++part) {
    const auto p = static_cast<double>(part);
    durations.push_back(work_before((p + 1) / n) - work_before(p / n));
  }
  return durations;
}

std::uint64_t Partitioning::parts(std::size_t job, double work) const {
  const std::uint64_t least = std::max<std::uint64_t>(minimum, 1);
  if (advisory_task_runtime_s <= 0) return least;
  const double factor = estimate_factors.empty() ? 1 : estimate_factors[job];
  // A T that is a whole number of ATRs but for rounding is cut into that number.
  const double parts = std::ceil(work * factor / advisory_task_runtime_s * (1 - 1e-9));
  return std::max(least, static_cast<std::uint64_t>(std::max(parts, 1.0)));
}

}  // namespace somnus
