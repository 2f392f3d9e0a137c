// When the jobs of a workload of DAGs come, in one of three ways:
//
// * poisson: at independent times, interarrival_s apart on average (Carbyne, section 5.1: 20 s)
// * at-once: all at 0 (its offline case)
// * ceil-normal: max(2, ceil(Normal(m, m / 4))) s apart with m = interarrival_s, 0.5 s more than m
//   on average; in the simulator that was Carbyne's m is 20 s (policies.md 6.8)
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/describe.hpp"
#include "base/random.hpp"

namespace somnus {

enum class ArrivalKind { poisson, at_once, ceil_normal };
template <>
struct EnumNames<ArrivalKind> {
  static constexpr std::pair<ArrivalKind, const char*> names[] = {
      {ArrivalKind::poisson, "poisson"},
      {ArrivalKind::at_once, "at-once"},
      {ArrivalKind::ceil_normal, "ceil-normal"}};
};

/// A generator's struct begins with these.
struct DagArrivals {
  std::uint32_t jobs = 250;
  ArrivalKind arrivals = ArrivalKind::poisson;
  double interarrival_s = 20;

  static constexpr auto fields() {
    using P = DagArrivals;
    return in_order(
        field("jobs", &P::jobs, "1", "how many", Range{.low = 1, .high = 1e6}),
        field("arrivals", &P::arrivals, "",
              "poisson: at independent times; at-once: all at 0; ceil-normal: whole seconds apart"),
        field("interarrival_s", &P::interarrival_s, "s", "between two jobs, on average",
              Range{.low = 0.001, .high = 1e6}));
  }
};

/// Of each job, in order.
[[nodiscard]] std::vector<double> submit_times(const DagArrivals& with, RandomStream stream);

}  // namespace somnus
