#include "policies/exchange.hpp"

#include <algorithm>
#include <ranges>

#include "base/grid.hpp"
#include "base/indexed_heap.hpp"

namespace somnus {

std::uint32_t least_share(const ProgressCurve& curve, std::uint32_t fair, double alpha) {
  const Wide least = Wide{billionths(alpha)} * curve.at(fair);
  const auto slots = std::views::iota(std::uint32_t{0}, fair);
  return *std::ranges::partition_point(
      slots, [&](std::uint32_t few) { return Wide{curve.at(few)} * billionths(1) < least; });
}

std::vector<std::uint32_t> exchange_slots(std::span<const Trader> traders, double alpha) {
  std::vector<std::uint32_t> slots;
  std::vector<std::uint32_t> least;
  IndexedHeap<ProgressCurve::Progress> givers;  // by what one slot fewer costs
  IndexedHeap<ProgressCurve::Progress> takers;  // by what one more brings, the most first
  const auto rank = [&](std::uint32_t job) {
    const ProgressCurve& curve = *traders[job].curve;
    const bool may_give = slots[job] > least[job];
    if (may_give) {
      givers.put(job, curve.gain_after(slots[job] - 1));
    } else {
      givers.erase(job);
    }
    takers.put(job, -curve.gain_after(slots[job]));
  };
  for (std::uint32_t job = 0; job < traders.size(); ++job) {
    const Trader& trader = traders[job];
    slots.push_back(trader.fair);
    least.push_back(trader.curve->is_known() ? least_share(*trader.curve, trader.fair, alpha) : 0);
    if (trader.curve->is_known()) rank(job);
  }
  while (!givers.empty() && givers.top().key < -takers.top().key) {
    const std::uint32_t giver = givers.top().index;
    const std::uint32_t taker = takers.top().index;
    --slots[giver];
    ++slots[taker];
    rank(giver);
    rank(taker);
  }
  return slots;
}

}  // namespace somnus
