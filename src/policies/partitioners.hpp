// The two ways to cut a divisible stage (src/model/partition.hpp), with their parameters.
#pragma once

#include <cstdint>

#include "base/describe.hpp"
#include "model/partition.hpp"
#include "scheduler/traits.hpp"

namespace somnus {

/// Spark's default: as many parts of equal input as there are slots.
struct BySize {
  std::uint32_t partitions = 0;
  double launch_overhead_s = 0.005;

  static constexpr auto fields() {
    return in_order(field("partitions", &BySize::partitions, "tasks",
                          "how many a divisible stage is cut into; 0: as many as slots"),
                    field("launch_overhead_s", &BySize::launch_overhead_s, "s",
                          "each task that was cut takes that much longer", not_negative));
  }

  [[nodiscard]] PartitionerTraits traits() const { return {.counts_slots = partitions == 0}; }
  [[nodiscard]] Partitioning partitioning(std::uint64_t slots) const {
    Partitioning result(partitions > 0 ? partitions : slots);
    result.launch_overhead_s = launch_overhead_s;
    return result;
  }
};

/// UWFQ's runtime partitioning (section IV).
struct ByRuntime {
  double advisory_task_runtime_s = 0.5;
  std::uint32_t min_partitions = 1;
  double launch_overhead_s = 0.005;

  static constexpr auto fields() {
    return in_order(
        field("advisory_task_runtime_s", &ByRuntime::advisory_task_runtime_s, "s",
              "a divisible stage is cut into its estimated run time / this, rounded up", positive),
        field("min_partitions", &ByRuntime::min_partitions, "tasks", "but into at least that many",
              at_least_one),
        field("launch_overhead_s", &ByRuntime::launch_overhead_s, "s",
              "each task that was cut takes that much longer", not_negative));
  }

  [[nodiscard]] static PartitionerTraits traits() { return {.needs_estimates = true}; }
  [[nodiscard]] Partitioning partitioning(std::uint64_t) const {
    Partitioning result(min_partitions);
    result.advisory_task_runtime_s = advisory_task_runtime_s;
    result.launch_overhead_s = launch_overhead_s;
    return result;
  }
};

}  // namespace somnus
