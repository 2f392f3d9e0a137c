// A run beside its simulation, and beside simulations whose ranks look as late as the run's did
// (runtime/lateness.hpp), each by other draws. How far these differ among themselves is the
// scheduler's sensitivity to any small disturbance, which no emulator can be better than. How far
// their mean lies from the simulation is the effect of the machine's lateness. So of each figure,
//
//     difference   (run - simulation) / simulation
//     lateness     (mean of the late simulations - simulation) / simulation
//     sensitivity  (largest - least of the late simulations) / simulation
//
//     faithful     |difference| <= max(1 %, sensitivity)
//     late         else |difference - lateness| is within that: a slower speed mends it
//     error        else: not even the machine's lateness explains it
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/describe.hpp"
#include "fidelity/figures.hpp"

namespace somnus {

/// Below this share a difference is none.
inline constexpr double negligible_difference = 0.01;

enum class Verdict : std::uint8_t { faithful, late, error };

template <>
struct EnumNames<Verdict> {
  static constexpr std::pair<Verdict, const char*> names[] = {
      {Verdict::faithful, "faithful"}, {Verdict::late, "late"}, {Verdict::error, "error"}};
};

/// Shares of the simulation's figure; of the deviation of jobs, shares of their response times, and
/// `simulation` is 0.
struct FigureCompared {
  std::string name;
  std::string unit;
  std::string meaning;
  double run = 0;
  double simulation = 0;
  double difference = 0;
  double lateness = 0;
  double sensitivity = 0;

  [[nodiscard]] double allowed() const;
  [[nodiscard]] Verdict verdict() const;
};

using JobRows = std::span<const JobRow>;

/// One line a figure, and one of the jobs' deviation at p95. late: at least one. Figures that the
/// run or the simulation does not have are left out.
[[nodiscard]] std::vector<FigureCompared> compare_figures(
    JobRows run, JobRows simulation, std::span<const std::vector<JobRow>> late);

[[nodiscard]] bool all_faithful(std::span<const FigureCompared> figures);

/// A table, one line a figure.
[[nodiscard]] std::string to_text(std::span<const FigureCompared> figures);
[[nodiscard]] nlohmann::json to_json(std::span<const FigureCompared> figures);

}  // namespace somnus
