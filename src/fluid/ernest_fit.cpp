#include "fluid/ernest_fit.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/error.hpp"

namespace somnus {

// With four coefficients the least squares with none below 0 are those without any bound over some
// of the columns, the others being 0: all fifteen choices are tried.
std::array<double, 4> fit_ernest(std::span<const TimeOnSlots> times) {
  SOMNUS_CHECK(!times.empty(), "a curve through no times");
  const double least = std::ranges::min_element(times, {}, &TimeOnSlots::seconds)->seconds;
  SOMNUS_CHECK(least > 0, "a curve through a time of {} s", least);
  const auto rows = static_cast<Eigen::Index>(times.size());
  Eigen::MatrixXd terms(rows, 4);
  for (Eigen::Index row = 0; row < rows; ++row) {
    const TimeOnSlots& time = times[static_cast<std::size_t>(row)];
    const double slots = time.slots;
    terms.row(row) << 1, slots, 1 / slots, std::log(slots);
    terms.row(row) *= least / time.seconds;
  }
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(rows);

  std::array<double, 4> best{};
  double least_error = std::numeric_limits<double>::infinity();
  for (unsigned choice = 1; choice < 16; ++choice) {
    std::vector<Eigen::Index> columns;
    for (Eigen::Index column = 0; column < 4; ++column) {
      if ((choice >> column & 1U) != 0) columns.push_back(column);
    }
    const Eigen::MatrixXd chosen = terms(Eigen::all, columns);
    const Eigen::VectorXd found = chosen.colPivHouseholderQr().solve(ones);
    if (!found.allFinite() || found.minCoeff() < 0) continue;
    const double error = (chosen * found - ones).squaredNorm();
    if (error >= least_error) continue;
    least_error = error;
    best = {};
    for (std::size_t at = 0; at < columns.size(); ++at) {
      best[static_cast<std::size_t>(columns[at])] = found[static_cast<Eigen::Index>(at)];
    }
  }
  return best;
}

}  // namespace somnus
