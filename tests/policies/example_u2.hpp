// The example that UJF and UWFQ are worked out on by hand (policies.md 1.3).
#pragma once

#include <string>
#include <vector>

#include "harness/world.hpp"

namespace somnus::harness {

/// Example U2 of policies.md 1.3 in tasks of one second, for four slots.
inline WorkloadBuilder example_u2() {
  using namespace std::chrono_literals;
  return workload()
      .job("A1", {.user = "A", .tasks = alike(8)})
      .job("A2", {.user = "A", .tasks = alike(4)})
      .job("B1", {.at = 1s, .user = "B", .tasks = alike(6)})
      .job("B2", {.at = 3s, .user = "B", .tasks = alike(1)})
      .job("C1", {.at = 5500ms, .user = "C", .tasks = alike(4)});
}

inline void expect_u2(const World& world, double a1, double a2, double b1, double b2) {
  expect_finish(world, {{"A1", a1}, {"A2", a2}, {"B1", b1}, {"B2", b2}, {"C1", 6.5}});
}

}  // namespace somnus::harness
