// Jobs of one task each, at independent times.
#include "base/random.hpp"
#include "generators/generators.hpp"

namespace somnus::generate_singles {
namespace {

struct Singles {
  std::uint32_t jobs = 10;
  double interval_s = 2;

  static constexpr auto fields() {
    using P = Singles;
    return in_order(field("jobs", &P::jobs, "1", "how many", Range{.low = 1, .high = 1e6}),
                    field("interval_s", &P::interval_s, "s", "between two submits, on average",
                          Range{.low = 0.001, .high = 1e6}));
  }
};

Checked<WorkloadSpec> make(const Singles& with, std::uint64_t seed) {
  WorkloadSpec workload{.name = "singles"};
  RandomStream waits(seed, "singles-waits");
  double submit = 0;
  for (std::uint32_t job = 0; job < with.jobs; ++job) {
    StageSpec stage;
    stage.durations = {1};
    workload.jobs.push_back({.job = std::to_string(job), .submit = submit, .stages = {stage}});
    submit += waits.exponential(with.interval_s);
  }
  return workload;
}

const Registered<Generator> row =
    generator<Singles>("singles", "jobs of one task each, at independent times", "", make);

}  // namespace
}  // namespace somnus::generate_singles
