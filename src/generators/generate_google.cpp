// Jobs like those of Google's 2011 cluster trace, as the CFQ paper samples them (IV-A, Fig. 4):
// most jobs have at most five tasks, a few have thousands; narrow or wide, a task may take seconds
// or many minutes; arrivals are uniform.
//
// Distributions, fitted to quantiles of 10,000 jobs of the trace (Hawk's GOOG subtrace):
//
// * width (tasks of a job): in which of these ranges, then log-uniform within the range
//       1      2     3-5   6-10  11-22  23-50  51-200  201-500  501-1000  1001-2000  2001-5000
//     66.51  5.17   3.70   5.51  10.81   2.93    2.68     0.78      1.45       0.33       0.13 %
// * mean task duration of a job: log-linear between these quantiles
//        0     5    10    25     50    75    85    90     95    99    99.9      100 %
//     11.4  22.3  30.0  62.0   98.6   249   502   981   1658  8530   47038   326131 s
//   all multiplied by median_task_s / 98.6 s. It does not depend on the width. (In the trace jobs
//   of more than 50 tasks take about four times as long; this generator leaves that out, so that
//   width and duration can be studied apart.)
// * a task takes its job's mean times U[0.8, 1.2]: a coefficient of variation of 0.12, in the trace
//   0.02 for narrow jobs to 0.16 for the widest
// * submits: U[0, span_s); users: each job's by an even draw
//
// Both tails are cut at max_width and max_task_s: what lies beyond is drawn again, so nothing piles
// up at the limit. The cut at 1000 s lowers the median of the durations to about 88 s. The load
// follows from the parameters; it is not steered.
#include <boost/random/piecewise_constant_distribution.hpp>
#include <cmath>
#include <ranges>

#include "base/random.hpp"
#include "generators/generators.hpp"
#include "workload/rounding.hpp"

namespace somnus::generate_google {
namespace {

struct Bin {
  double low;  // up to the next bin's
  double weight;
};

constexpr double table_median_s = 98.6;
constexpr double widest = 5000;
constexpr double longest_s = 326131;
constexpr Bin widths[] = {{1, 66.51},  {2, 5.17},    {3, 3.70},    {6, 5.51},
                          {11, 10.81}, {23, 2.93},   {51, 2.68},   {201, 0.78},
                          {501, 1.45}, {1001, 0.33}, {2001, 0.13}, {widest + 1, 0}};
constexpr Bin durations_s[] = {{11.4, 5},  {22.3, 5},   {30.0, 15},   {62.0, 25},
                               {98.6, 25}, {249, 10},   {502, 5},     {981, 5},
                               {1658, 4},  {8530, 0.9}, {47038, 0.1}, {longest_s, 0}};

// Log-uniform within each bin, cut above `most`.
class LogBins {
 public:
  template <std::size_t count>
  explicit LogBins(const Bin (&bins)[count]) : distribution_(make(bins)) {}

  double operator()(RandomStream& stream) { return std::exp(distribution_(stream.engine())); }

 private:
  using Distribution = boost::random::piecewise_constant_distribution<double>;

  static Distribution make(std::span<const Bin> bins) {
    std::vector<double> edges;
    std::vector<double> weights;
    for (const Bin& bin : bins) edges.push_back(std::log(bin.low));
    for (const Bin& bin : bins.first(bins.size() - 1)) weights.push_back(bin.weight);
    return {edges, weights};
  }

  Distribution distribution_;
};

struct GoogleJobs {
  std::uint32_t jobs = 500;
  double span_s = 3600;
  std::uint32_t max_width = 1000;
  double median_task_s = table_median_s;
  double max_task_s = 1000;
  std::uint32_t users = 1;

  static constexpr auto fields() {
    using P = GoogleJobs;
    return in_order(
        field("jobs", &P::jobs, "1", "how many", Range{.low = 1, .high = 1e7}),
        field("span_s", &P::span_s, "s", "arrivals are uniform over that time", not_negative),
        field("max_width", &P::max_width, "1", "tasks of a job at most",
              Range{.low = 1, .high = widest}),
        field("median_task_s", &P::median_task_s, "s",
              "median over jobs of the mean task duration, before the cut",
              Range{.low = 0.001, .high = 1000}),
        field("max_task_s", &P::max_task_s, "s", "mean task duration of a job at most",
              Range{.low = 0.001, .high = 3.5e6}),
        field("users", &P::users, "1", "how many submit jobs", Range{.low = 1, .high = 1e6}));
  }
};

Checked<WorkloadSpec> make(const GoogleJobs& with, std::uint64_t seed) {
  const double scale = with.median_task_s / table_median_s;
  if (with.max_task_s < with.median_task_s) {
    return refuse("max_task_s", fmt::format("expected at least median_task_s = {}, found {}",
                                            with.median_task_s, with.max_task_s));
  }

  RandomStream arrival_stream(seed, "google arrivals");
  std::vector<double> submits(with.jobs);
  for (double& submit : submits) submit = to_milliseconds(arrival_stream.uniform(0, with.span_s));
  std::ranges::sort(submits);

  RandomStream width_stream(seed, "google widths");
  RandomStream duration_stream(seed, "google durations");
  RandomStream task_stream(seed, "google tasks");
  RandomStream user_stream(seed, "google users");
  LogBins draw_width(widths);
  LogBins draw_duration(durations_s);

  WorkloadSpec workload{.name = "google"};
  workload.jobs.reserve(with.jobs);
  for (std::size_t index = 0; index < with.jobs; ++index) {
    double width = std::floor(draw_width(width_stream));
    while (width > with.max_width) width = std::floor(draw_width(width_stream));
    double mean_s = scale * draw_duration(duration_stream);
    while (mean_s > with.max_task_s) mean_s = scale * draw_duration(duration_stream);
    StageSpec stage;
    stage.durations.resize(static_cast<std::size_t>(width));
    for (double& duration : stage.durations) {
      const double factor = task_stream.uniform(0.8, 1.2);
      duration = to_milliseconds_of_work(mean_s * factor);
    }
    const std::int64_t user = user_stream.integer(1, with.users);
    workload.jobs.push_back({.job = std::to_string(index),
                             .user = fmt::format("user{}", user),
                             .submit = submits[index],
                             .stages = {std::move(stage)}});
  }
  return workload;
}

const Registered<Generator> row = generator<GoogleJobs>(
    "google", "mostly narrow jobs, heavy tails of width and duration, uniform arrivals",
    "CFQ, IV-A and Fig. 4; Google 2011 trace", make);

}  // namespace
}  // namespace somnus::generate_google
