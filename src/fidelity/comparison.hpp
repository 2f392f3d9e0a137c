// A run beside its simulation, and beside simulations with late ranks (base/lateness.hpp), each by
// other draws: late ones, whose ranks look as late as the run's did, and disturbed ones, whose
// ranks are late by next to nothing. How far the disturbed ones differ is the scheduler's
// sensitivity to any disturbance, which no emulator can be better than. How far the late ones lie
// from the simulation is the effect of the machine's lateness. So of each figure,
//
//     difference   (run - simulation) / simulation
//     lateness     (mean of the late simulations - simulation) / simulation
//     spread       (largest - least of the late simulations) / simulation
//     sensitivity  (largest - least of the disturbed ones and the simulation) / simulation
//
//     faithful     |difference| <= max(1 %, sensitivity)
//     late         else |difference - lateness| <= max(1 %, sensitivity, spread); or a rank was
//                  stalled, as late simulations do not repeat a single stall at its place
//     error        else: not even the machine's lateness explains it
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/describe.hpp"
#include "fidelity/figures.hpp"
#include "metrics/summary.hpp"

namespace somnus {

/// Below this share a difference is none.
inline constexpr double negligible_difference = 0.01;

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
  double spread = 0;
  double sensitivity = 0;
  bool stalled = false;  // a rank of the run was

  [[nodiscard]] double allowed() const;
  /// faithful, late or error
  [[nodiscard]] std::string_view verdict() const;
};

using JobRows = std::span<const JobRow>;

/// What a run is compared with: one at least of each.
struct Simulations {
  JobRows exact;
  std::span<const std::vector<JobRow>> late;
  std::span<const std::vector<JobRow>> disturbed;
};

/// One line a figure. Figures that the run or the simulation does not have are left out.
[[nodiscard]] std::vector<FigureCompared> compare_figures(JobRows run, Pace pace,
                                                          const Simulations& simulations);

/// Of the whole run: faithful, late, stalled, error or "not comparable"; why, and what to do.
struct RunVerdict {
  std::string word;
  std::string why;
};
/// figures: none of a run that cannot be compared.
[[nodiscard]] RunVerdict verdict_of(const Summary& run, std::span<const FigureCompared> figures);

/// A table, one line a figure.
[[nodiscard]] std::string to_text(std::span<const FigureCompared> figures);
[[nodiscard]] nlohmann::json to_json(std::span<const FigureCompared> figures);

}  // namespace somnus
