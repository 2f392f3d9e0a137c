// Figure 2 of the Carbyne paper as policies.md 6.6 reconstructs it, and its variant 2b, in
// which policies differ: two jobs on a pool of 1.
#pragma once

#include <string>
#include <vector>

#include "harness/builders.hpp"

namespace somnus::harness {

/// Like machines without slots.
[[nodiscard]] inline Cluster machines(std::uint32_t count, std::initializer_list<double> capacity) {
  static const std::vector<std::string> kinds = {"cpu", "mem_gb", "disk"};
  return {.groups = {{.count = count, .slots = 0, .capacity = amounts(capacity)}},
          .resources = {kinds.begin(), kinds.begin() + std::ptrdiff_t(capacity.size())}};
}

[[nodiscard]] inline WorkloadBuilder carbyne_figure_2() {
  return workload()
      .resources({"cpu"})
      .job("j1")
      .stage(0, {.tasks = {1, 1}, .demand = {0.04}})
      .stage(1, {.tasks = {1, 1, 1}, .demand = {0.21}})
      .stage(2, {.parents = {0, 1}, .tasks = {0.1}, .demand = {0.1}})
      .job("j2", {.tasks = {1, 1}, .demand = {0.29}});
}

[[nodiscard]] inline WorkloadBuilder carbyne_figure_2b() {
  return workload()
      .resources({"cpu"})
      .job("j1")
      .stage(0, {.tasks = {3, 3}, .demand = {0.2}})
      .stage(1, {.tasks = {2}, .demand = {0.2}})
      .job("j2")
      .stage(0, {.tasks = {3}, .demand = {0.3}})
      .stage(1, {.tasks = {2}, .demand = {0.4}})
      .stage(2, {.parents = {1}, .tasks = {3, 3, 3}, .demand = {0.1}});
}

}  // namespace somnus::harness
