// Weighted max-min fair shares of slots, in whole slots (PAF, section 3.2; policies.md 5.1).
//
// Shares grow in proportion to weights until a job has all that it can use; what it leaves goes to
// the others. A share that is no whole number is rounded down, and what remains goes, one slot
// each, to those that lost the most by that; ties to the earlier. So shares add up to all slots, or
// to all that jobs can use.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace somnus {

struct Claim {
  double weight = 1;
  std::uint32_t most = 0;  // slots that it can use
};

/// By claim, in slots. O(n log n).
[[nodiscard]] std::vector<std::uint32_t> max_min_shares(std::uint64_t slots,
                                                        std::span<const Claim> claims);

}  // namespace somnus
