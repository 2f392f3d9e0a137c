// Which job gives slots to which: PAF's Algorithm 1 (policies.md 5.1).
//
// Idea. From fair shares, the job that a slot fewer costs the least progress gives one to the job
// that a slot more brings the most; and so on, until no move would gain more than it costs, or each
// that could give is down to alpha of the progress that it has with its fair share. Curves are
// concave, so a job only gives or only takes, the sum of all progress is the most that alpha
// allows, and it is reached one by one. A job of which no curve is known keeps its share.
//
// Ties: the earlier job gives, the earlier job takes. O(M log N + N) for M slots that move among N
// jobs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/progress_curve.hpp"

namespace somnus {

/// A job with its fair share.
struct Trader {
  const ProgressCurve* curve;
  std::uint32_t fair = 0;  // slots
};

/// The fewest slots that keep alpha (in (0, 1]) of the progress on `fair` ones.
[[nodiscard]] std::uint32_t least_share(const ProgressCurve& curve, std::uint32_t fair,
                                        double alpha);

/// Slots by trader, in all as many as the fair shares.
[[nodiscard]] std::vector<std::uint32_t> exchange_slots(std::span<const Trader> traders,
                                                        double alpha);

}  // namespace somnus
