// The jobs of PAF's simulations (section 5.B; policies.md 5.2): one stage each, whose tasks run
// faster on a slot that the job itself has just left.
//
//     parallelism   number of tasks, evenly 1 to max_parallelism
//     weight        evenly 1 to max_weight, whole
//     delta         U[1, max_delta]: on a cold slot a task takes that many times as long (`warmup`)
//     task times    Pareto of shape U[least_shape, most_shape], whose mean is the job's; these are
//                   of cold slots, and durations, which are of warm ones, are a delta-th of them
//     the job's     mean task time: lognormal of the Google trace's median (98.6 s) and 95th
//     mean          percentile (1,658 s), cut at max_mean_s
//
// The paper takes mean task times and times between jobs from the Google trace and gives neither:
// these here are ours. like = "released" has the attributes of the workload that its authors
// released (tasks 10, 20 ... 200 and a few values of all others), best with arrivals = "at-once";
// its first job, which only held the cluster until all others were there, is left out.
#include <algorithm>
#include <array>
#include <boost/random/lognormal_distribution.hpp>
#include <cmath>
#include <span>

#include "generators/arrivals.hpp"
#include "generators/generators.hpp"
#include "generators/submissions.hpp"
#include "workload/rounding.hpp"

namespace somnus {

enum class LikeJobs { paper, released };

template <>
struct EnumNames<LikeJobs> {
  static constexpr std::pair<LikeJobs, const char*> names[] = {{LikeJobs::paper, "paper"},
                                                               {LikeJobs::released, "released"}};
};

}  // namespace somnus

namespace somnus::generate_paf {
namespace {

struct PafJobs : DagArrivals {
  LikeJobs like = LikeJobs::paper;
  std::uint32_t max_parallelism = 200;
  std::uint32_t max_weight = 20;
  double max_delta = 8;
  double least_shape = 1.6;
  double most_shape = 16;
  double max_mean_s = 1000;

  PafJobs() {
    jobs = 200;
    interarrival_s = 2.5;
  }

  static constexpr auto fields() {
    using P = PafJobs;
    return together(
        DagArrivals::fields(),
        in_order(
            field("like", &P::like, "",
                  "paper: the keys below; released: the few values that its authors' workload has"),
            field("max_parallelism", &P::max_parallelism, "1", "most tasks of a job",
                  Range{.low = 1, .high = 1e6}),
            field("max_weight", &P::max_weight, "1", "largest weight",
                  Range{.low = 1, .high = 1000}),
            field("max_delta", &P::max_delta, "1", "largest cold / warm factor",
                  Range{.low = 1, .high = 1000}),
            field("least_shape", &P::least_shape, "1", "the most uneven task times",
                  Range{.low = 1.01, .high = 1000}),
            field("most_shape", &P::most_shape, "1", "the most even ones",
                  Range{.low = 1.01, .high = 1000}),
            field("max_mean_s", &P::max_mean_s, "s", "longest mean of a job's task times",
                  Range{.low = 0.001, .high = 1e5})));
  }
};

struct Attributes {
  std::int64_t parallelism;
  double weight;
  double delta;
  double shape;
};

double any_of(std::span<const double> values, RandomStream& draws) {
  return values[static_cast<std::size_t>(draws.integer(0, std::ssize(values) - 1))];
}

Attributes attributes(const PafJobs& with, RandomStream& draws) {
  if (with.like == LikeJobs::released) {
    constexpr std::array weights{1.0, 1.5, 2.0, 3.0, 9.0, 11.0};
    constexpr std::array deltas{1.3, 1.6, 1.8, 5.0, 6.0};
    constexpr std::array shapes{1.6, 2.6, 10.4, 11.4, 12.9, 13.4};
    Attributes drawn{};
    drawn.parallelism = 10 * draws.integer(1, 20);
    drawn.weight = any_of(weights, draws);
    drawn.delta = any_of(deltas, draws);
    drawn.shape = any_of(shapes, draws);
    return drawn;
  }
  Attributes drawn{};
  drawn.parallelism = draws.integer(1, with.max_parallelism);
  drawn.weight = static_cast<double>(draws.integer(1, with.max_weight));
  drawn.delta = to_millionths(draws.uniform(1, with.max_delta));
  drawn.shape = draws.uniform(with.least_shape, with.most_shape);
  return drawn;
}

Checked<WorkloadSpec> make(const PafJobs& with, std::uint64_t seed) {
  if (with.most_shape < with.least_shape) {
    return refuse("most_shape", fmt::format("expected at least least_shape, {}, found {}",
                                            with.least_shape, with.most_shape));
  }
  const double most_tasks = with.like == LikeJobs::released ? 200 : with.max_parallelism;
  if (auto what = too_many_tasks(with.jobs * most_tasks)) return refuse("jobs", std::move(*what));

  constexpr double median_s = 98.6;
  constexpr double p95_s = 1658;
  constexpr double z95 = 1.6448536269514722;  // of the normal distribution
  boost::random::lognormal_distribution<double> means(std::log(median_s),
                                                      std::log(p95_s / median_s) / z95);
  RandomStream drawn_attributes(seed, "paf attributes");
  RandomStream drawn_means(seed, "paf means");
  const auto submits = submit_times(with, {seed, "paf times"});
  WorkloadSpec workload{.name = "paf"};
  for (std::size_t index = 0; index < submits.size(); ++index) {
    const Attributes has = attributes(with, drawn_attributes);
    const double mean_s = std::min(means(drawn_means.engine()), with.max_mean_s);
    const double least_s = mean_s * (has.shape - 1) / has.shape;
    RandomStream tasks(seed, "paf tasks", index);
    JobSpec& job = workload.jobs.emplace_back();
    job.job = std::to_string(index);
    job.submit = submits[index];
    job.weight = has.weight;
    job.warmup = has.delta;
    auto& durations = job.stages.emplace_back().durations;
    for (std::int64_t task = 0; task < has.parallelism; ++task) {
      const double cold_s = least_s * std::pow(1 - tasks.uniform(), -1 / has.shape);
      durations.push_back(to_milliseconds_of_work(cold_s / has.delta));
    }
  }
  return workload;
}

const Registered<Generator> row =
    generator<PafJobs>("paf", "jobs of one stage with weights, uneven tasks and slots that warm up",
                       "PAF, section 5.B", make);

}  // namespace
}  // namespace somnus::generate_paf
