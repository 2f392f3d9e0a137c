#include "fidelity/figures.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "metrics/sample.hpp"

namespace somnus {

Figures figures_of(std::span<const JobRow> jobs, std::span<const JobRow> simulation) {
  Sample responses;
  Sample slowdowns;
  double first_submit = NAN;
  double last_finish = NAN;
  for (const JobRow& job : jobs) {
    const double response = job.finish - job.submit;  // NaN is left out
    responses.add(response);
    if (job.alone > 0) slowdowns.add(response / job.alone);
    first_submit = std::fmin(first_submit, job.submit);
    last_finish = std::fmax(last_finish, job.finish);
  }
  responses.sort();
  slowdowns.sort();
  return {.response_mean_s = responses.mean(),
          .response_p50_s = responses.quantile(0.5),
          .response_p90_s = responses.quantile(0.9),
          .response_p95_s = responses.quantile(0.95),
          .response_p99_s = responses.quantile(0.99),
          .slowdown_mean = slowdowns.mean(),
          .slowdown_p50 = slowdowns.quantile(0.5),
          .slowdown_p90 = slowdowns.quantile(0.9),
          .slowdown_p95 = slowdowns.quantile(0.95),
          .slowdown_p99 = slowdowns.quantile(0.99),
          .makespan_s = last_finish - first_submit,
          .job_deviation_p95 = job_deviation_p95(jobs, simulation)};
}

double job_deviation_p95(std::span<const JobRow> jobs, std::span<const JobRow> there) {
  SOMNUS_CHECK(jobs.size() == there.size(), "{} jobs are compared with {}", jobs.size(),
               there.size());
  Sample deviations;
  for (std::size_t at = 0; at < jobs.size(); ++at) {
    const double response = there[at].finish - there[at].submit;
    if (response > 0) {
      deviations.add(std::abs(jobs[at].finish - jobs[at].submit - response) / response);
    }
  }
  deviations.sort();
  return deviations.quantile(0.95);
}

}  // namespace somnus
