// The comparisons of one figure: pairs of points at one place of the axis, run by run of the same
// seed, with what is decided of their ratio.
//
// Three hypotheses a comparison: the mean is 1 - margin, 1, or 1 + margin times the reference's.
// Each is the hypothesis that a contrast of the two has mean 0, ours - (1 + share) theirs, and so
// it counts that the reference's mean is not known either (Fieller). Verdicts are those of Holm's
// procedure over all hypotheses of the figure; of the three at most one is true, which it makes use
// of.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "experiment/campaign.hpp"
#include "experiment/comparing.hpp"
#include "experiment/mean_test.hpp"
#include "experiment/results.hpp"
#include "experiment/statistics.hpp"

namespace somnus {

/// Of a single verdict that stands alone.
inline constexpr double error_level = 0.05;

struct Hypothesis {
  double share = 0;             // that the mean is 1 + share of the reference's
  double p = 1;                 // adjusted by Holm
  int decided = 0;              // -1: it is less than that; 1: more; 0: not decided
  std::size_t runs_needed = 0;  // where it is not decided, as runs_to_decide()
};

struct Comparison {
  std::size_t point = 0;
  std::size_t reference = 0;
  std::size_t pairs = 0;
  MeanInterval difference;  // share of the reference's mean, with a 95 % interval of its own
  bool is_exact = false;    // neither draws anything at random
  bool is_same = false;     // equal in all pairs
  std::array<Hypothesis, 3> hypotheses;  // at -margin, 0 and margin; all alike where that is 0

  [[nodiscard]] const Hypothesis& at(double share) const;
  [[nodiscard]] int decided() const { return hypotheses[1].decided; }
  /// Sure to be nearer than the margin, and not decided to differ.
  [[nodiscard]] bool is_tie() const {
    return decided() == 0 && hypotheses.front().decided > 0 && hypotheses.back().decided < 0;
  }
};

/// A figure's values by point and run, over which a point that draws nothing is constant; or by
/// batch of a run, over which none is.
class PairedValues {
 public:
  PairedValues(const ExperimentPlan& plan, const Results& results, const Campaign& campaign,
               std::size_t figure);

  [[nodiscard]] const std::vector<double>& of(std::size_t point) const { return values_[point]; }
  [[nodiscard]] bool draws(std::size_t point) const { return draws_[point]; }
  /// ours - (1 + share) theirs, of each run that both have.
  [[nodiscard]] std::vector<double> contrast(std::size_t point, std::size_t reference,
                                             double share) const;
  /// Mean over runs; NaN: it has none.
  [[nodiscard]] double mean(std::size_t point) const;
  [[nodiscard]] MeanInterval difference(std::size_t point, std::size_t reference) const;

 private:
  [[nodiscard]] std::pair<std::vector<double>, std::vector<double>> pairs(
      std::size_t point, std::size_t reference) const;

  std::vector<std::vector<double>> values_;
  std::vector<bool> draws_;
};

class Comparisons {
 public:
  /// All pairs of what is compared at each place; the baseline is the reference of its own.
  Comparisons(const Comparing& comparing, const PairedValues& values, double margin, MeanTest test);
  Comparisons(Comparisons&&) = default;  // which leaves each comparison where it is
  Comparisons& operator=(Comparisons&&) = default;
  Comparisons(const Comparisons&) = delete;
  Comparisons& operator=(const Comparisons&) = delete;
  ~Comparisons() = default;

  [[nodiscard]] std::span<const Comparison> all() const { return all_; }
  /// Which has to be one of them, either way round; -1: `point` is the reference there.
  [[nodiscard]] std::pair<const Comparison*, int> find(std::size_t point,
                                                       std::size_t reference) const;

 private:
  void compare(std::size_t point, std::size_t reference, const PairedValues& values, double margin);
  void decide(double margin, MeanTest test);

  std::vector<Comparison> all_;
  std::vector<std::array<SampleMean, 3>> contrasts_;  // by comparison
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> index_;
};

}  // namespace somnus
