// The table of workload generators. Same name, parameters and seed: same workload, on every
// machine.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/describe.hpp"
#include "base/error.hpp"
#include "model/workload.hpp"

namespace somnus {

struct GeneratorParameter {
  std::string name;
  std::string unit;  // "s", "1" for a plain number
  std::string meaning;
  std::string default_text;
  Range range;
  bool is_integer = false;
};

struct Generator {
  using Values = std::map<std::string, double>;

  std::string name;
  std::string summary;  // one sentence without a full stop
  std::string source;   // the paper's section
  std::vector<GeneratorParameter> parameters;
  /// Of every parameter's value, each in its range.
  std::function<Checked<WorkloadSpec>(const Values&, std::uint64_t seed)> make;
};

[[nodiscard]] std::span<const Generator> generators();

/// Unnamed parameters have their defaults. The user's mistakes, at `where`: an unknown generator or
/// parameter, one given twice, not a number, out of range, a workload beyond check_workload().
[[nodiscard]] Checked<WorkloadSpec> generate(
    const std::string& name, const std::vector<std::pair<std::string, std::string>>& parameters,
    std::uint64_t seed, const Place& where = {});

/// What make() gives for parameters that do not go together.
[[nodiscard]] tl::unexpected<Mistakes> refuse(std::string parameter, std::string what);

// The rows of the table, each in a file of its own.
[[nodiscard]] Generator google_generator();
[[nodiscard]] Generator fixed_generator();
[[nodiscard]] Generator elephant_and_mice_generator();

}  // namespace somnus
