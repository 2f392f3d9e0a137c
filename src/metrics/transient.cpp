#include "metrics/transient.hpp"

#include <algorithm>
#include <cmath>

#include "base/describe.hpp"

namespace somnus {
namespace {

constexpr std::size_t batch_size = 5;

bool has_come(const JobRow& job) { return !std::isnan(job.submit); }

bool has_failed(const JobRow& job) {
  const auto state = static_cast<JobState>(job.state);
  return state == JobState::failed || state == JobState::timed_out;
}

}  // namespace

std::size_t mser_5(std::span<const double> series) {
  std::vector<double> batches;
  for (std::size_t at = 0; at + batch_size <= series.size(); at += batch_size) {
    double sum = 0;
    for (const double value : series.subspan(at, batch_size)) sum += value;
    batches.push_back(sum / batch_size);
  }
  // From the end on, so that each sum needs the one before only (Welford).
  std::size_t best = 0;
  double least = infinity;
  double mean = 0;
  double squares = 0;
  for (std::size_t left = 1; left <= batches.size(); ++left) {
    const std::size_t cut = batches.size() - left;
    const double away = batches[cut] - mean;
    mean += away / static_cast<double>(left);
    squares += away * (batches[cut] - mean);
    if (cut > batches.size() / 2) continue;
    const double error = squares / static_cast<double>(left) / static_cast<double>(left);
    if (error > least) continue;
    least = error;
    best = cut;
  }
  return best * batch_size;
}

std::vector<std::size_t> places_without_transient(const std::vector<JobRow>& jobs,
                                                  const Truncation& truncation) {
  std::vector<std::size_t> counted;
  for (std::size_t at = 0; at < jobs.size(); ++at) {
    if (has_come(jobs[at])) counted.push_back(at);
  }
  std::ranges::stable_sort(counted, {}, [&](std::size_t at) { return jobs[at].submit; });
  std::size_t cut = std::min<std::size_t>(truncation.jobs, counted.size());
  if (truncation.rule == TruncationRule::mser_5) {
    std::vector<double> series;
    std::vector<std::size_t> places;  // of counted
    for (std::size_t at = 0; at < counted.size(); ++at) {
      const JobRow& job = jobs[counted[at]];
      if (std::isnan(job.finish)) continue;
      series.push_back(job.finish - job.submit);
      places.push_back(at);
    }
    const std::size_t of_series = mser_5(series);
    cut = of_series == 0 ? 0 : places[of_series];
  }
  counted.erase(counted.begin(), counted.begin() + static_cast<std::ptrdiff_t>(cut));
  return counted;
}

std::vector<JobRow> without_transient(const std::vector<JobRow>& jobs,
                                      const Truncation& truncation) {
  std::vector<JobRow> counted;
  for (const std::size_t at : places_without_transient(jobs, truncation)) {
    counted.push_back(jobs[at]);
  }
  return counted;
}

JobsInSystem jobs_in_system(const std::vector<JobRow>& jobs) {
  double first = infinity;
  double last = -infinity;
  for (const JobRow& job : jobs) {
    if (!has_come(job)) continue;
    first = std::min(first, job.submit);
    last = std::max(last, job.submit);
  }
  if (!(first < last)) return {.mean = NAN, .growth = NAN};
  const double third = (last - first) / 3;
  const auto mean_from = [&](double begin, double end) {
    double job_seconds = 0;
    for (const JobRow& job : jobs) {
      if (!has_come(job) || has_failed(job)) continue;
      const double until = std::isnan(job.finish) ? end : std::min(job.finish, end);
      job_seconds += std::max(0.0, until - std::max(job.submit, begin));
    }
    return job_seconds / (end - begin);
  };
  return {.mean = mean_from(first, last),
          .growth = mean_from(last - third, last) - mean_from(first + third, last - third)};
}

}  // namespace somnus
