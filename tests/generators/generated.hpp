// Shared by the tests of what generators and importers make.
#pragma once

#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "generators/generators.hpp"
#include "workload/support.hpp"

namespace somnus::test {

inline WorkloadSpec made(const std::string& name, const Parameters& parameters = {},
                         std::uint64_t seed = 1) {
  return value_or_throw(generate(name, parameters, seed));
}

inline std::string mistakes_of(const std::string& name, const Parameters& parameters) {
  return mistakes_in(generate(name, parameters, 1, {.file = "c.toml", .line = 7, .column = 3}));
}

/// What it can't do without: the defaults, but for a file that it draws from.
inline Parameters least_parameters(const Generator& generator, const Folder& folder) {
  if (generator.name != "dag-library") return {};
  const auto path = folder.file("library.tr", "0 1 1 1\n0 2 2 2 2\n");
  return {{"library", path.string()}};
}

inline double slot_time(const JobSpec& job) {
  double sum = 0;
  for (const StageSpec& stage : job.stages) {
    sum += std::accumulate(stage.durations.begin(), stage.durations.end(), stage.work);
  }
  return sum;
}

/// Of all tasks.
inline std::vector<double> durations(const WorkloadSpec& workload) {
  std::vector<double> all;
  for (const JobSpec& job : workload.jobs) {
    for (const StageSpec& stage : job.stages) {
      all.insert(all.end(), stage.durations.begin(), stage.durations.end());
    }
  }
  return all;
}

/// The tasks of each job's stage.
inline std::vector<double> widths(const WorkloadSpec& workload, std::size_t stage = 0) {
  std::vector<double> all;
  for (const JobSpec& job : workload.jobs) {
    all.push_back(static_cast<double>(job.stages[stage].durations.size()));
  }
  return all;
}

/// From each job's submit to the next.
inline std::vector<double> waits(const WorkloadSpec& workload) {
  std::vector<double> all;
  double last = 0;
  for (const JobSpec& job : workload.jobs) {
    all.push_back(job.submit - std::exchange(last, job.submit));
  }
  return all;
}

struct Moments {
  double mean = 0;
  double sd = 0;
};

inline Moments moments(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  Moments result{.mean = std::accumulate(values.begin(), values.end(), 0.0) / count};
  for (const double value : values) result.sd += (value - result.mean) * (value - result.mean);
  result.sd = std::sqrt(result.sd / count);
  return result;
}

}  // namespace somnus::test
