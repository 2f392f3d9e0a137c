// The points of an experiment: every combination of its axes' steps, with the settings of a run
// there.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "config/experiment_file.hpp"
#include "config/settings.hpp"

namespace somnus {

inline constexpr const char* unread_value = "-";

struct Point {
  std::vector<std::string>
      values;         // by ExperimentPlan::keys; unread_value: its parts do not read it
  Settings settings;  // of any seed
  std::optional<std::size_t> baseline;  // the point that it is compared with, not itself
  bool random = true;                   // other seeds give other runs
  std::string digest;  // of all that its runs depend on but the seed, 16 hex digits

  [[nodiscard]] std::string label() const;
};

struct ExperimentPlan {
  ExperimentFile file;
  std::vector<std::string> keys;  // of all axes
  std::vector<Point> points;      // the last axis turns fastest; each once
  bool by_user = false;           // of each run its figures by user are kept, too

  /// The seed of a point's run of that number, from 0 on.
  [[nodiscard]] std::uint64_t seed(std::size_t run) const { return file.keys.first_seed + run; }
};

/// `overrides` hold in all runs and win over the file's [set]. All that is wrong with any point is
/// reported; a key that no point reads, too.
[[nodiscard]] Checked<ExperimentPlan> plan_of(ExperimentFile file,
                                              const std::vector<Override>& overrides);

}  // namespace somnus
