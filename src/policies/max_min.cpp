#include "policies/max_min.hpp"

#include <algorithm>
#include <numeric>

#include "base/grid.hpp"

namespace somnus {

std::vector<std::uint32_t> max_min_shares(std::uint64_t slots, std::span<const Claim> claims) {
  std::vector<std::int64_t> weights;
  weights.reserve(claims.size());
  for (const Claim& claim : claims) weights.push_back(billionths(claim.weight));
  std::vector<std::size_t> order(claims.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto most_for_its_weight = [&](std::size_t at) {
    return Ratio<std::int64_t>{.over = claims[at].most, .under = weights[at]};
  };
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return most_for_its_weight(a) < most_for_its_weight(b);
  });

  std::vector<std::uint32_t> shares(claims.size());
  auto left = static_cast<Wide>(slots);
  Wide weight_left = 0;
  for (const std::int64_t weight : weights) weight_left += weight;
  auto first = order.begin();
  for (; first != order.end(); ++first) {
    const Claim& claim = claims[*first];
    if (claim.most * weight_left > weights[*first] * left) break;
    shares[*first] = claim.most;
    left -= claim.most;
    weight_left -= weights[*first];
  }

  order.erase(order.begin(), first);
  Wide to_hand_out = order.empty() ? 0 : left;
  for (const std::size_t at : order) {
    shares[at] = static_cast<std::uint32_t>(weights[at] * left / weight_left);
    to_hand_out -= shares[at];
  }
  const auto lost = [&](std::size_t at) { return weights[at] * left % weight_left; };
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return lost(a) != lost(b) ? lost(a) > lost(b) : a < b;
  });
  for (Wide at = 0; at < to_hand_out; ++at) ++shares[order[static_cast<std::size_t>(at)]];
  return shares;
}

}  // namespace somnus
