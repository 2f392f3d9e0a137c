// The figures by which a run and its simulation are compared.
#pragma once

#include <cmath>
#include <span>

#include "base/describe.hpp"
#include "log/schema.hpp"

namespace somnus {

/// Of the jobs that finished; NaN: none did. Quantiles are by nearest rank.
struct Figures {
  double response_mean_s = NAN;
  double response_p50_s = NAN;
  double response_p90_s = NAN;
  double response_p95_s = NAN;
  double response_p99_s = NAN;
  double slowdown_mean = NAN;  // against the job alone
  double slowdown_p50 = NAN;
  double slowdown_p90 = NAN;
  double slowdown_p95 = NAN;
  double slowdown_p99 = NAN;
  double makespan_s = NAN;         // from the first submit to the last end
  double job_deviation_p95 = NAN;  // from the same jobs in the simulation

  static constexpr auto fields() {
    using F = Figures;
    return in_order(field("response_mean_s", &F::response_mean_s, "s", "mean response"),
                    field("response_p50_s", &F::response_p50_s, "s", "  median"),
                    field("response_p90_s", &F::response_p90_s, "s", "  p90"),
                    field("response_p95_s", &F::response_p95_s, "s", "  p95"),
                    field("response_p99_s", &F::response_p99_s, "s", "  p99"),
                    field("slowdown_mean", &F::slowdown_mean, "x", "mean slowdown"),
                    field("slowdown_p50", &F::slowdown_p50, "x", "  median"),
                    field("slowdown_p90", &F::slowdown_p90, "x", "  p90"),
                    field("slowdown_p95", &F::slowdown_p95, "x", "  p95"),
                    field("slowdown_p99", &F::slowdown_p99, "x", "  p99"),
                    field("makespan_s", &F::makespan_s, "s", "makespan"),
                    field("job_deviation_p95", &F::job_deviation_p95, "%", "job by job, p95"));
  }
};

[[nodiscard]] Figures figures_of(std::span<const JobRow> jobs, std::span<const JobRow> simulation);

/// How far jobs are from where they are in another run of the same ones: the 95th percentile of
/// |response - response there| / response there, of those that finished in both. NaN: of none.
[[nodiscard]] double job_deviation_p95(std::span<const JobRow> jobs, std::span<const JobRow> there);

}  // namespace somnus
