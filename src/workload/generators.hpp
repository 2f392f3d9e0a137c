// The table of workload generators. Same name, parameters and seed: same workload, on every
// machine.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/workload.hpp"
#include "workload/number_parameters.hpp"

namespace somnus {

struct Generator {
  std::string name;
  std::string summary;  // one sentence without a full stop
  std::string source;   // the paper's section
  std::vector<NumberParameter> parameters;
  std::function<Checked<WorkloadSpec>(const NumberValues&, std::uint64_t seed)> make;
};

[[nodiscard]] std::span<const Generator> generators();

/// Unnamed parameters have their defaults. The user's mistakes, at `where`: an unknown generator or
/// parameter, one given twice, not a number, out of range, a workload beyond check_workload().
[[nodiscard]] Checked<WorkloadSpec> generate(const std::string& name,
                                             const GivenParameters& parameters, std::uint64_t seed,
                                             const Place& where = {});

/// What make() gives for parameters that do not go together.
[[nodiscard]] tl::unexpected<Mistakes> refuse(std::string parameter, std::string what);

// The rows of the table, each in a file of its own.
[[nodiscard]] Generator google_generator();
[[nodiscard]] Generator fixed_generator();
[[nodiscard]] Generator elephant_and_mice_generator();
[[nodiscard]] Generator uwfq_scenario_1_generator();
[[nodiscard]] Generator uwfq_scenario_2_generator();
[[nodiscard]] Generator multi_user_generator();
[[nodiscard]] Generator gridmix_fixed_generator();
[[nodiscard]] Generator gridmix_mixed_generator();
[[nodiscard]] Generator gridmix_ms_generator();
[[nodiscard]] Generator hive_ms_generator();

}  // namespace somnus
