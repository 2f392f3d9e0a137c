#include "metrics/responses.hpp"

#include <cmath>

#include "metrics/response_samples.hpp"
#include "metrics/sample.hpp"

namespace somnus {
namespace {

/// What the job would take alone over what it took; 1 where that is nothing.
double progress_rate(const JobRow& job, double since) {
  const double took = job.finish - since;
  return took > 0 ? job.alone / took : 1;
}

}  // namespace

void measure_responses(const std::vector<JobRow>& jobs, Summary& summary) {
  ResponseSamples all;
  ResponseSamples narrow;
  ResponseSamples medium;
  ResponseSamples wide;
  Sample completion;
  Sample progress;
  Sample progress_from_start;
  for (const JobRow& job : jobs) {
    if (std::isnan(job.finish)) continue;
    all.add(job);
    completion.add(job.finish - job.first_start);
    if (!std::isnan(job.alone)) {
      progress.add(progress_rate(job, job.submit));
      progress_from_start.add(progress_rate(job, job.first_start));
    }
    ResponseSamples& wider = job.tasks <= 50 ? medium : wide;
    (job.tasks <= 10 ? narrow : wider).add(job);
  }
  all.sort();
  summary.response_mean_s = all.response.mean();
  summary.response_p50_s = all.response.quantile(0.5);
  summary.response_p95_s = all.response.quantile(0.95);
  summary.response_p99_s = all.response.quantile(0.99);
  summary.response_worst_tenth_s = all.response.worst_tenth();
  summary.response_0_80_mean_s = all.response.mean_between(0, 80);
  summary.response_80_95_mean_s = all.response.mean_between(80, 95);
  summary.response_95_100_mean_s = all.response.mean_between(95, 100);
  completion.sort();
  summary.jct_mean_s = completion.mean();
  summary.jct_p50_s = completion.quantile(0.5);
  summary.jct_p95_s = completion.quantile(0.95);
  summary.slowdown_mean = all.slowdown.mean();
  summary.slowdown_p50 = all.slowdown.quantile(0.5);
  summary.slowdown_p95 = all.slowdown.quantile(0.95);
  summary.slowdown_p99 = all.slowdown.quantile(0.99);
  summary.slowdown_worst_tenth = all.slowdown.worst_tenth();
  summary.progress_mean = progress.mean();
  summary.progress_from_start_mean = progress_from_start.mean();
  summary.narrow_jobs = narrow.response.count();
  summary.narrow_response_mean_s = narrow.response.mean();
  summary.narrow_slowdown_mean = narrow.slowdown.mean();
  summary.medium_jobs = medium.response.count();
  summary.medium_response_mean_s = medium.response.mean();
  summary.medium_slowdown_mean = medium.slowdown.mean();
  summary.wide_jobs = wide.response.count();
  summary.wide_response_mean_s = wide.response.mean();
  summary.wide_slowdown_mean = wide.slowdown.mean();
}

}  // namespace somnus
