// What commands have in common. Each returns its exit code (0 fine, 1 a check or replay found a
// difference, 2 the user's mistake, 3 the world failed, 4 our mistake) or throws UserError,
// WorldError or Bug, which main() turns into 2, 3 and 4.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/config.hpp"

namespace somnus {

enum ExitCode {
  exit_fine = 0,
  exit_difference = 1,
  exit_mistake = 2,
  exit_world = 3,
  exit_bug = 4
};

/// What most commands take.
struct CommonOptions {
  std::vector<std::string> set;  // table.key=value
  std::string log;
  std::optional<std::uint64_t> seed;
  std::optional<double> speed;
  bool force = false;  // replace an old log
  bool quiet = false;
  bool json = false;
  bool all_figures = false;  // not only the headlines
};

/// Of --set, --seed, --speed and --log. Throws UserError.
[[nodiscard]] std::vector<Override> overrides_of(const CommonOptions& options);

}  // namespace somnus
