// "Hive-MS": queries of a data analysis at Microsoft, a map and a reduce stage each (Yaq, section
// 6.1; Workload 2 of its Fig. 1).
//
// The paper gives 185 queries, 57.9 mappers and 1.5 reducers a query on average, and over all tasks
// a mean of 22.9 s and a standard deviation of 27.8 s. The rest is ours:
//
// * mappers and reducers: geometric from 1 on with those means, the distribution of whole numbers
//   that assumes least beside the mean. A query's two numbers are independent. Each is drawn from a
//   stratum of its own out of as many equal ones as there are jobs, in random order, so that the
//   mean of few jobs is right too.
// * task durations: lognormal with mean m and standard deviation s. Of the log-variance
//   ln(1 + (s/m)^2), 0.906 here, the share `within` varies inside a stage, the rest between stages:
//       ln d = mu + N(0, (1 - within) v) per stage + N(0, within v) per task
//       v = ln(1 + (s/m)^2),  mu = ln m - v/2
//   Yaq estimates a task's duration by the mean of its stage and calls that rough. At the default
//   of 0.25 the stage's mean is a good guess for most tasks: they have a standard deviation of half
//   of it. Mean and deviation hold over many workloads; those of 185 jobs differ by some 10 %, for
//   a few long stages weigh much.
// * submits: at independent times, 14 a minute. Yaq-c finished 13.9 a minute and YARN 8.8 (Table
//   3), so the cluster is full. jobs_active > 0 makes it a closed loop.
#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <utility>

#include "base/random.hpp"
#include "generators/generators.hpp"
#include "generators/submissions.hpp"
#include "workload/rounding.hpp"

namespace somnus::generate_hive_ms {
namespace {

// As many as there are jobs, one from each of as many equal strata, in random order.
std::vector<std::size_t> geometric_counts(std::size_t jobs, double mean, RandomStream stream) {
  std::vector<std::size_t> counts(jobs);
  for (std::size_t stratum = 0; stratum < jobs; ++stratum) {
    const double share =
        (static_cast<double>(stratum) + stream.uniform()) / static_cast<double>(jobs);
    const double above_one = mean > 1 ? std::floor(std::log1p(-share) / std::log1p(-1 / mean)) : 0;
    counts[stratum] = 1 + static_cast<std::size_t>(above_one);
  }
  for (std::size_t left = jobs; left > 1; --left) {
    const auto chosen = stream.integer(0, static_cast<std::int64_t>(left) - 1);
    std::swap(counts[left - 1], counts[static_cast<std::size_t>(chosen)]);
  }
  return counts;
}

struct HiveMs : Submissions {
  HiveMs() {
    jobs = 185;
    jobs_active = 0;
    jobs_per_minute = 14;
  }

  double mappers_mean = 57.9;
  double reducers_mean = 1.5;
  double mean_s = 22.9;
  double sd_s = 27.8;
  double within = 0.25;

  static constexpr auto fields() {
    using P = HiveMs;
    return together(
        Submissions::fields(),
        in_order(
            field("mappers_mean", &P::mappers_mean, "1", "tasks of a job's map stage, on average",
                  Range{.low = 1, .high = 1e6}),
            field("reducers_mean", &P::reducers_mean, "1", "tasks of its reduce stage, on average",
                  Range{.low = 1, .high = 1e6}),
            field("mean_s", &P::mean_s, "s", "of task durations", Range{.low = 0.001, .high = 1e5}),
            field("sd_s", &P::sd_s, "s", "standard deviation of task durations",
                  Range{.low = 0, .high = 1e5}),
            field("within", &P::within, "1", "share of the durations' log-variance inside a stage",
                  probability)));
  }
};

class Durations {
 public:
  Durations(const HiveMs& with, std::uint64_t seed)
      : stages_(seed, "hive-ms stages"), tasks_(seed, "hive-ms tasks") {
    const double variance = std::log1p(std::pow(with.sd_s / with.mean_s, 2));
    mean_log_ = std::log(with.mean_s) - variance / 2;
    between_ = std::sqrt((1 - with.within) * variance);
    within_ = std::sqrt(with.within * variance);
  }

  std::vector<double> of_stage(std::size_t tasks) {
    const double stage = mean_log_ + between_ * normal_(stages_.engine());
    std::vector<double> durations(tasks);
    for (double& duration : durations) {
      const double task = within_ * normal_(tasks_.engine());
      duration = to_milliseconds_of_work(std::exp(stage + task));
    }
    return durations;
  }

 private:
  RandomStream stages_;
  RandomStream tasks_;
  boost::random::normal_distribution<double> normal_;
  double mean_log_;
  double between_;
  double within_;
};

Checked<WorkloadSpec> make(const HiveMs& with, std::uint64_t seed) {
  if (auto what = too_many_tasks(with.jobs * (with.mappers_mean + with.reducers_mean))) {
    return refuse("mappers_mean", std::move(*what));
  }
  WorkloadSpec workload = submissions("hive-ms", "hive", with, seed);
  const std::size_t jobs = workload.jobs.size();
  const auto mappers = geometric_counts(jobs, with.mappers_mean, {seed, "hive-ms mappers"});
  const auto reducers = geometric_counts(jobs, with.reducers_mean, {seed, "hive-ms reducers"});
  Durations durations(with, seed);
  for (std::size_t job = 0; job < jobs; ++job) {
    auto& stages = workload.jobs[job].stages;
    stages.push_back({.stage = 0, .durations = durations.of_stage(mappers[job])});
    stages.push_back({.stage = 1, .parents = {0}, .durations = durations.of_stage(reducers[job])});
  }
  return in_order_of_submit(std::move(workload));
}

const Registered<Generator> row = generator<HiveMs>(
    "hive-ms", "queries with a wide map and a narrow reduce stage, lognormal durations",
    "Yaq, 6.1: Hive-MS", make);

}  // namespace
}  // namespace somnus::generate_hive_ms
