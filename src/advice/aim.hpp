// What a scheduler is to be good at, as a user says it: a figure of `somnus summary`, or a word for
// one; and what it must not do for that.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "metrics/figure.hpp"

namespace somnus {

/// A figure, and which way it is better.
struct Aim {
  std::string figure;
  Better better = Better::less;

  /// The least is the best.
  [[nodiscard]] double cost(double value) const { return better == Better::more ? -value : value; }
};

/// `mean`, `median`, `p95`, `p99`, `slowdown`, `fairness`, `makespan`, `throughput`, or a figure
/// that is better one way.
[[nodiscard]] Checked<Aim> parse_aim(std::string_view option, std::string_view text);
/// The words for figures, for help texts.
[[nodiscard]] std::string aims_in_words();
/// What to look at beside it, where nobody says.
[[nodiscard]] Aim beside(const Aim& aim);

/// "wide_slowdown_mean <= 1.05 fair": the figure is at most (or, by >=, at least) so many times
/// that of a scheduler, or a number. "each user response_mean_s <= 1.05 fair": that holds of the
/// jobs of each user, with one of the UserFigures.
struct Limit {
  std::string text;
  bool each_user = false;
  std::string figure;
  bool at_most = true;
  double bound = 0;
  std::string scheduler;  // a label; empty: the bound is a number
};

[[nodiscard]] Checked<Limit> parse_limit(std::string_view text);

}  // namespace somnus
