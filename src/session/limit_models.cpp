#include "session/limit_models.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "fluid/standalone.hpp"

namespace somnus {
namespace {

double rounded_up(double limit_s) {
  const auto popular = std::ranges::lower_bound(popular_limits_s, limit_s);
  if (popular != std::end(popular_limits_s)) return *popular;
  constexpr double day_s = 86400;
  return std::ceil(limit_s / day_s) * day_s;
}

}  // namespace

void set_limits(Workload& workload, const LimitSettings& settings) {
  if (settings.model == LimitModel::given) return;
  Catalogue& catalogue = workload.catalogue;
  catalogue.limits.clear();
  if (settings.model == LimitModel::none) return;
  for (std::uint32_t at = 0; at < catalogue.jobs.size(); ++at) {
    const double takes_s = in_seconds(critical_path(catalogue, workload.truth, JobId(at)));
    const double limit_s = std::max(1.0, settings.factor * takes_s);
    const double asked_s = settings.model == LimitModel::rounded ? rounded_up(limit_s) : limit_s;
    catalogue.limits.push_back(seconds(std::min(asked_s, longest_exact_seconds)));
  }
}

}  // namespace somnus
