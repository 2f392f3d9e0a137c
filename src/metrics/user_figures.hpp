// What a run was like for each of its users.
#pragma once

#include <cmath>
#include <map>
#include <string>

#include "base/describe.hpp"
#include "config/truncation.hpp"
#include "log/log.hpp"

namespace somnus {

/// Of one user's jobs that have ended, as the summary has them of all jobs. NaN: it has none.
struct UserFigures {
  double response_mean_s = NAN;
  double slowdown_mean = NAN;

  static constexpr auto fields() {
    using F = UserFigures;
    return in_order(
        field("response_mean_s", &F::response_mean_s, "s",
              "response time of the user's jobs, mean"),
        field("slowdown_mean", &F::slowdown_mean, "x", "their slowdown against alone, mean"));
  }
};

/// By name, in UTF-8; users without a job that has ended are not there.
using FiguresByUser = std::map<std::string, UserFigures>;

/// Without the jobs of the transient.
[[nodiscard]] FiguresByUser figures_by_user(const Log& log, const Truncation& truncation);

}  // namespace somnus
