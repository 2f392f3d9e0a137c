// How fast a job goes by how many slots it has: its performance-allocation curve (PAF, section 2;
// policies.md 5.1).
//
// Progress p(x) is the job's time on as many slots as it can use at all, for its time on x slots:
// p(0) = 0, and 1 at best. Users give Ernest's coefficients or a table; what is known of a job is
// the least concave curve above those, for with a measured curve that dips or goes beyond 1
// exchanging slots one by one would not come to rest.
//
// Progress is a whole number of 10^-12 parts, so that equal gains are equal: each slot's gain is
// rounded down once, and gains never grow.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace somnus {

class ProgressCurve {
 public:
  /// A gain, or a sum of them.
  using Progress = std::int64_t;
  static constexpr Progress whole = 1'000'000'000'000;

  /// None is known.
  ProgressCurve() = default;
  /// The least concave curve above (0, 0) and p(1), p(2), ...; what is above 1 counts as 1, and no
  /// slot slows a job down. Values must be positive.
  [[nodiscard]] static ProgressCurve above(std::span<const double> progress);
  /// From what each slot adds; those must not grow or be negative.
  [[nodiscard]] static ProgressCurve of_gains(std::span<const Progress> gains);

  [[nodiscard]] bool is_known() const { return !at_.empty(); }
  /// The most slots of the curve: more than that add nothing.
  [[nodiscard]] std::uint32_t degree() const {
    return at_.empty() ? 0 : static_cast<std::uint32_t>(at_.size() - 1);
  }
  [[nodiscard]] Progress at(std::uint32_t slots) const {
    return at_[slots < at_.size() ? slots : at_.size() - 1];
  }
  /// What one more slot adds to that many.
  [[nodiscard]] Progress gain_after(std::uint32_t slots) const {
    return slots < degree() ? at_[slots + 1] - at_[slots] : 0;
  }

  friend bool operator==(const ProgressCurve&, const ProgressCurve&) = default;

 private:
  std::vector<Progress> at_;  // by slots, from 0; empty: not known
};

/// Ernest's form (Venkataraman et al., NSDI 2016; PAF, section 3): on x slots a job takes
/// a0 + a1 x + a2 / x + a3 ln x times its least time; its progress is one over that.
[[nodiscard]] double ernest_progress(const std::array<double, 4>& coefficients, double slots);

}  // namespace somnus
