#include "experiment/holm.hpp"

#include <algorithm>
#include <numeric>

namespace somnus {

std::vector<double> adjusted_by_holm(std::span<const double> p, std::size_t most_true) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t at) { return p[at]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t step = 0; step < order.size(); ++step) {
    const std::size_t left = std::min(most_true, p.size() - step);
    largest = std::max(largest, std::min(1.0, static_cast<double>(left) * p[order[step]]));
    adjusted[order[step]] = largest;
  }
  return adjusted;
}

}  // namespace somnus
