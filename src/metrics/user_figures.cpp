#include "metrics/user_figures.hpp"

#include <cmath>

#include "metrics/response_samples.hpp"
#include "metrics/transient.hpp"
#include "print/printable.hpp"

namespace somnus {

FiguresByUser figures_by_user(const Log& log, const Truncation& truncation) {
  std::map<std::string, ResponseSamples> samples;
  for (const JobRow& job : without_transient(log.tables.jobs, truncation)) {
    if (std::isnan(job.finish)) continue;
    samples[as_utf8(log.tables.names.users.at(job.user))].add(job);
  }
  FiguresByUser figures;
  for (auto& [user, of_user] : samples) {
    of_user.sort();
    figures[user] = {.response_mean_s = of_user.response.mean(),
                     .slowdown_mean = of_user.slowdown.mean()};
  }
  return figures;
}

}  // namespace somnus
