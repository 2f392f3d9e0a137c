#include "fluid/queue_length.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>

namespace somnus {
namespace {

namespace math = boost::math;

// P_n, n > 0.
double ends_in_time(const RefilledNode& node, double n) {
  return math::gamma_p(n, node.ends_per_heartbeat());
}

// G_b for b > 0. The powers in its definition overflow for long queues, and 1/(r-1) for one slot.
// P(b, z) is z^b e^{-z} / b! times a series; with that
//
//     G_b = e^{-a} a^b / b! * (1 + z/(b+1) + z^2/((b+1)(b+2)) + ...),   z = (r-1) mu tau,
//
// whose first factor is a Poisson probability, and whose terms only fall if b >= z. If b < z, the
// definition's own factors are at most 1 together.
double survival_at_heartbeat(const RefilledNode& node, double b) {
  const double others = static_cast<double>(node.slots - 1);
  const double z = others * node.ends_per_slot();
  if (b < z) {
    return std::exp(b * std::log1p(1 / others) - node.ends_per_slot()) * math::gamma_p(b, z);
  }
  double sum = 0;
  double term = 1;
  for (double k = b + 1; term > sum * std::numeric_limits<double>::epsilon(); ++k) {
    sum += term;
    term *= z / k;
  }
  return math::gamma_p_derivative(b + 1, node.ends_per_heartbeat()) * sum;
}

// The smallest b from `low` on that `holds`, which holds for all above it.
template <class Holds>
std::uint64_t smallest(std::uint64_t low, Holds&& holds) {
  if (holds(low)) return low;
  std::uint64_t step = 1;
  while (!holds(low + step)) {
    low += step;
    step *= 2;
  }
  std::uint64_t high = low + step;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (holds(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

double utilisation(const RefilledNode& node, std::uint64_t queue) {
  const double ends = node.ends_per_slot();
  if (queue == 0) return -std::expm1(-ends) / ends;
  const auto b = static_cast<double>(queue);
  const double emptied = ends_in_time(node, b);
  const double until_empty = b / node.ends_per_heartbeat() * ends_in_time(node, b + 1);
  const double last_tasks = (emptied - survival_at_heartbeat(node, b)) / ends;
  return std::clamp(1 - emptied + until_empty + last_tasks, 0.0, 1.0);
}

double idling_share(const RefilledNode& node, std::uint64_t queue) {
  return ends_in_time(node, static_cast<double>(queue) + 1);
}

double chernoff_exponent(const RefilledNode& node, std::uint64_t queue) {
  const double a = node.ends_per_heartbeat();
  const double x = (static_cast<double>(queue) + 1) / a;
  return a * (1 + x * (std::log(x) - 1));
}

std::uint64_t fixed_duration_queue(const RefilledNode& node) {
  const double bound = node.ends_per_heartbeat() - static_cast<double>(node.slots);
  const double rounding = 1e-9 * node.ends_per_heartbeat();
  return static_cast<std::uint64_t>(std::max(0.0, std::ceil(bound - rounding)));
}

std::uint64_t chernoff_queue(const RefilledNode& node, double target) {
  const double least = std::max(0.0, std::ceil(node.ends_per_heartbeat()) - 1);
  return smallest(static_cast<std::uint64_t>(least), [&](std::uint64_t queue) {
    return chernoff_exponent(node, queue) >= -std::log1p(-target);
  });
}

std::uint64_t erlang_queue(const RefilledNode& node, double target) {
  return smallest(0, [&](std::uint64_t queue) { return idling_share(node, queue) <= 1 - target; });
}

std::uint64_t utilised_queue(const RefilledNode& node, double target) {
  return smallest(0, [&](std::uint64_t queue) { return utilisation(node, queue) >= target; });
}

}  // namespace somnus
