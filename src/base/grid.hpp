// Numbers that decide which job goes first: what is equal in exact arithmetic is equal here, and
// multiplying all times by 10 or 1/8 changes no decision.
//
// What can be is whole: times and work in nanoseconds, weights in billionths, counts; and quotients
// of them are compared by cross multiplication (Ratio). Virtual times can't be: each arrival and
// each end divides by another sum of weights, and the denominators of exact fractions would grow
// without bound. They are worked out in quadruple precision and compared on a grid:
//
//     error    One operation rounds by 2^-113 of its value. Even a value of 2^83 ns (all of Time on
//              a million slots) is off by 2^-30 ns; a run of 50 days on 8,000 slots, 2^65 ns, by
//              2^-48 ns each, by less than 2^-28 ns after a million operations all to one side.
//     cells    2^-16 ns: thousands of times the error, and yet so fine that two keys which differ
//              in exact arithmetic share one only by a coincidence of one in 10^14 pairs, for keys
//              that are some seconds apart as a rule.
//     borders  Equal keys with errors to both sides of a border would differ. Keys are
//              fractions, most often with small denominators. So borders lie at the golden section
//              between multiples of 2^-16 ns, which is farther from all fractions than any other
//              number: at least 1 / (2.24 q^2) of a cell from each with denominator q.
//
// A cell's number is a whole number of 128 bits, and keys are compared as such: a total order.
#pragma once

#include <algorithm>
#include <cfloat>
#include <compare>
#include <cstdint>

#include "base/time.hpp"

namespace somnus {

#if LDBL_MANT_DIG >= 113
using Quad = long double;
#else
__extension__ typedef __float128 Quad;  // NOLINT(modernize-use-using): no other form is accepted
#endif
__extension__ typedef __int128 Wide;  // NOLINT(modernize-use-using)

/// Rounded as the conversion of all 128 bits would, which is slow.
[[nodiscard]] constexpr double as_double(Wide amount) {
  const auto low = static_cast<std::int64_t>(amount);
  return low == amount ? static_cast<double>(low) : static_cast<double>(amount);
}

namespace grid {

constexpr int bits_below_ns = 16;
constexpr double section = 0.6180339887498949;
constexpr Wide last_cell = Wide{1} << 120;  // what is farther away, stands there

}  // namespace grid

/// The grid's cell of a value in nanoseconds, not below 0.
[[nodiscard]] constexpr Wide on_grid(Quad ns) {
  const Quad cells = ns * Quad{1 << grid::bits_below_ns} + Quad{grid::section};
  return cells < static_cast<Quad>(grid::last_cell) ? static_cast<Wide>(cells) : grid::last_cell;
}

/// Whether `a` is at or before `b` on the grid. Most are so far apart that no cell is needed.
[[nodiscard]] constexpr bool reached_on_grid(Quad a, Quad b) {
  const auto ahead_ns = static_cast<double>(b - a);
  if (ahead_ns > 1 || ahead_ns < -1) return ahead_ns > 0;
  return on_grid(a) <= on_grid(b);
}

/// A weight or share, which users write in decimals, as a whole number.
[[nodiscard]] constexpr std::int64_t billionths(double weight) {
  return static_cast<std::int64_t>(std::clamp(weight * 1e9 + 0.5, 1.0, 9e18));
}
constexpr Quad billion = 1'000'000'000;
/// x / w, for a weight in billionths.
[[nodiscard]] constexpr Quad per_weight(Quad x, Quad weight) {
  return weight == billion ? x : x * billion / weight;  // a division costs as much as all the rest
}

[[nodiscard]] constexpr Quad exactly(Duration span) { return static_cast<Quad>(span.count()); }
[[nodiscard]] constexpr Quad exactly(Time time) { return exactly(time.time_since_epoch()); }

/// The first nanosecond at which a span [ns] is over that began then; never: not in any run. The
/// span may be a product with what users write in decimals, which is off by 1e-16 of itself.
[[nodiscard]] constexpr Time time_after(Time begin, Quad span) {
  constexpr Quad longer_than_any_run = billion * billion;
  if (span >= longer_than_any_run) return never;
  const Quad cut = span * Quad{1 - 4e-16};
  const auto whole = static_cast<std::int64_t>(cut);
  return begin + Duration(static_cast<Quad>(whole) < cut ? whole + 1 : whole);
}
/// For people and logs.
[[nodiscard]] constexpr double in_seconds(Quad ns) { return static_cast<double>(ns / billion); }

/// When that service has been given, at that rate for each nanosecond.
[[nodiscard]] constexpr double in_seconds(Quad service, Quad rate) {
  return static_cast<double>(service) / static_cast<double>(rate) / 1e9;
}

/// over / under, compared without rounding; under > 0. The products with each other's `under` must
/// be within 127 bits.
template <class Over>
struct Ratio {
  Over over;
  std::int64_t under;
  friend constexpr std::weak_ordering operator<=>(const Ratio& a, const Ratio& b) {
    if (a.under == b.under) return a.over <=> b.over;  // as nearly always, and for a fraction
    return static_cast<Wide>(a.over) * b.under <=> static_cast<Wide>(b.over) * a.under;
  }
  friend constexpr bool operator==(const Ratio& a, const Ratio& b) {
    return static_cast<Wide>(a.over) * b.under == static_cast<Wide>(b.over) * a.under;
  }
};

/// Work in parts of 2^-40 ns, so that a mean of a stage's tasks, times their number, is the stage's
/// work on the grid: sums of it are exact, and each mean is off by half a part.
class FineWork {
 public:
  constexpr FineWork() = default;
  /// The mean of that many.
  [[nodiscard]] static constexpr FineWork mean(Duration work, std::uint32_t tasks) {
    FineWork made;
    made.parts_ = ((Wide{work.count()} << bits) + tasks / 2) / tasks;
    return made;
  }
  [[nodiscard]] static constexpr FineWork rounded(Quad ns) {
    FineWork made;
    made.parts_ = static_cast<Wide>(ns * static_cast<Quad>(Wide{1} << bits) + Quad{0.5});
    return made;
  }
  constexpr FineWork& operator+=(FineWork other) {
    parts_ += other.parts_;
    return *this;
  }
  constexpr FineWork& operator-=(FineWork other) {
    parts_ -= other.parts_;
    return *this;
  }
  friend constexpr FineWork operator-(FineWork a, FineWork b) { return a -= b; }
  friend constexpr FineWork operator*(std::uint32_t times, FineWork work) {
    work.parts_ *= times;
    return work;
  }
  /// Its cell of the grid.
  [[nodiscard]] constexpr Wide on_grid() const { return down_to(bits - grid::bits_below_ns); }
  /// For what is not compared.
  [[nodiscard]] constexpr double in_ns() const {
    return static_cast<double>(parts_) / static_cast<double>(Wide{1} << bits);
  }
  /// Rounded; equal works to equal spans.
  [[nodiscard]] constexpr Duration whole_ns() const {
    return Duration(static_cast<std::int64_t>(down_to(bits)));
  }

 private:
  static constexpr int bits = 40;
  [[nodiscard]] constexpr Wide down_to(int shift) const {
    const auto section = static_cast<Wide>(grid::section * static_cast<double>(Wide{1} << shift));
    return (parts_ + section) >> shift;
  }
  Wide parts_ = 0;
};

}  // namespace somnus
