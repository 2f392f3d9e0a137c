// Shared by the tests of what generators and importers make.
#pragma once

#include <numeric>
#include <string>

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

}  // namespace somnus::test
