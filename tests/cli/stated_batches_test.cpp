// What intervals over batches of one run promise, on M/M/1, whose mean is known: 1 / (1 - load), in
// units of a service. Service first come, first served and last come, first served have it in
// common, so that no difference of theirs is true.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/random/exponential_distribution.hpp>
#include <cmath>
#include <deque>
#include <vector>

#include "base/random.hpp"
#include "experiment/comparisons.hpp"
#include "experiment/serial_correlation.hpp"
#include "experiment/statistics.hpp"
#include "metrics/batches.hpp"

namespace somnus::test {
namespace {

enum class Discipline { first_come, last_come };

/// One server, of a run that begins empty.
class SingleServer {
 public:
  SingleServer(double load, std::size_t jobs, std::uint64_t seed) {
    RandomStream draws(seed, "M/M/1");
    boost::random::exponential_distribution<double> gap(load);
    boost::random::exponential_distribution<double> service(1);
    double now = 0;
    for (std::size_t job = 0; job < jobs; ++job) {
      now += gap(draws.engine());
      submits_.push_back(now);
      services_.push_back(service(draws.engine()));
    }
  }

  [[nodiscard]] Log served(Discipline discipline) const {
    Log log;
    log.tables.jobs.resize(submits_.size());
    std::deque<std::size_t> waiting;
    double now = 0;
    for (std::size_t next = 0; next < submits_.size() || !waiting.empty();) {
      if (waiting.empty()) now = std::max(now, submits_[next]);
      while (next < submits_.size() && submits_[next] <= now) waiting.push_back(next++);
      const bool first = discipline == Discipline::first_come;
      const std::size_t job = first ? waiting.front() : waiting.back();
      if (first) {
        waiting.pop_front();
      } else {
        waiting.pop_back();
      }
      JobRow& row = log.tables.jobs[job];
      row.tasks = 1;
      row.submit = submits_[job];
      row.first_start = now;
      now += services_[job];
      row.finish = now;
      row.state = static_cast<std::uint8_t>(JobState::finished);
    }
    return log;
  }

 private:
  std::vector<double> submits_;
  std::vector<double> services_;
};

struct BatchStudy {
  int runs;
  double load;
  std::uint32_t batches;
  std::uint32_t jobs_of_batch;
};

struct StudyResult {
  double held = 0;     // shares of all runs: the interval holds the mean
  double claimed = 0;  // a difference of the two disciplines, which there is none of
  double warned = 0;   // batches are said to be not independent
};

std::vector<double> batch_means(const Log& log, const Truncation& truncation,
                                std::uint32_t batches) {
  std::vector<double> means;
  for (const Summary& each : value_or_throw(batches_of(log, truncation, batches))) {
    means.push_back(each.response_mean_s);
  }
  return means;
}

StudyResult result_of(const BatchStudy& study) {
  const Truncation truncation{.jobs = study.jobs_of_batch};  // as many as a batch
  const std::size_t jobs = std::size_t{study.jobs_of_batch} * (study.batches + 1);
  StudyResult result;
  for (int run = 0; run < study.runs; ++run) {
    const SingleServer server(study.load, jobs, static_cast<std::uint64_t>(run) + 1);
    const auto ours = batch_means(server.served(Discipline::first_come), truncation, study.batches);
    const auto theirs =
        batch_means(server.served(Discipline::last_come), truncation, study.batches);
    const MeanInterval interval = mean_interval(ours);
    const double distance = std::abs(interval.mean - 1 / (1 - study.load));
    if (distance <= interval.half_width) result.held += 1.0 / study.runs;
    if (paired_difference(ours, theirs).differs_from_zero()) result.claimed += 1.0 / study.runs;
    if (serial_correlation(ours).p <= error_level) result.warned += 1.0 / study.runs;
  }
  printf(
      "load %.1f, %u batches of %u jobs: the mean held in %.1f %% of %d runs, a difference of "
      "equals claimed in %.1f %%, batches found not independent in %.1f %%\n",
      study.load, study.batches, study.jobs_of_batch, 100 * result.held, study.runs,
      100 * result.claimed, 100 * result.warned);
  return result;
}

TEST(BatchIntervals, OfLongBatchesHoldTheMeanOfMm1) {
  for (const double load : {0.5, 0.8}) {
    const StudyResult result =
        result_of({.runs = 500, .load = load, .batches = 20, .jobs_of_batch = 1000});
    EXPECT_GT(result.held, 0.92) << load;
    EXPECT_LT(result.held, 0.97) << load;
    EXPECT_LT(result.claimed, 0.07) << load;
    EXPECT_LT(result.warned, 0.2) << load;
  }
}

TEST(BatchIntervals, OfShortBatchesAreTooNarrowAndAreOftenWarnedOf) {
  const StudyResult at_half =
      result_of({.runs = 1000, .load = 0.5, .batches = 20, .jobs_of_batch = 100});
  const StudyResult high =
      result_of({.runs = 1000, .load = 0.8, .batches = 20, .jobs_of_batch = 100});
  EXPECT_LT(high.held, at_half.held);
  EXPECT_GT(high.warned, at_half.warned);
  // The same jobs in more and shorter batches hold less, and are found out more often.
  const StudyResult many =
      result_of({.runs = 1000, .load = 0.8, .batches = 100, .jobs_of_batch = 20});
  EXPECT_LT(many.held, high.held);
  EXPECT_GT(many.warned, 0.9);
}

}  // namespace
}  // namespace somnus::test
