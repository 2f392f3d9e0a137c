// Capacity sharing between named queues: Hadoop's capacity scheduler as Yaq-c has it (Rasley et
// al., EuroSys 2016, sections 4.2, 5 and 6.4; policies.md 4.5).
//
// Each queue q of the workload has a capacity c_q, its relative share of the cluster. The next task
// is of the queue that has the least
//
//     placed_q / c_q        placed_q: its tasks running or queued at nodes, not reported as ended
//
// among those that have runnable tasks; ties go to the queue whose first job comes first. So under
// saturation placed tasks are in proportion to capacities, to within one task, and what one queue
// does not use the others borrow; it gets it back as their tasks end, as no task is preempted.
//
// max_capacity bounds borrowing: a queue has at most that share of all slots in placed tasks, or
// what is its own share of them if that is more, rounded up; a queue that has it is passed over,
// and slots may stay free. At 1 nothing is bounded, not even by what is queued at nodes.
//
// Where resources count and not slots (policies.md 6.4), placed_q is the largest share of the
// cluster, over resources, that the queue's running tasks hold, compared on the grid
// (base/share_grid.hpp), and max_capacity bounds that share: the last task may go beyond it.
//
// Inside a queue jobs are in the order of job_order.hpp. Where worker queues reorder, slots follow
// the shares only after their starvation threshold (section 4.2).
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "policies/job_order.hpp"
#include "scheduler/dimensions.hpp"

namespace somnus {

struct Capacity : JobQueue {
  std::map<std::string, double> capacities;
  double max_capacity = 1;

  static constexpr auto fields() {
    return together(
        in_order(
            field("capacities", &Capacity::capacities, "",
                  "of all the workload's queues, such as { A = 70, B = 30 }; {}: all alike",
                  positive),
            field(
                "max_capacity", &Capacity::max_capacity, "1",
                "of all slots, or of the resource of which it has most, what a queue may have when "
                "it borrows",
                probability)),
        JobQueue::fields());
  }

  [[nodiscard]] std::vector<ConfigError> config_errors(const Environment& environment) const;
  /// There must be no config_errors.
  void on(const Configured& settled);
  using JobQueue::on;
  /// A queue that has its most is passed over, though slots may be free.
  [[nodiscard]] OrderTraits traits() const {
    return {.work_conserving = max_capacity >= 1, .by_single_tasks = max_capacity < 1};
  }

  static constexpr bool resort_per_task = true;
  using PoolKey = Ratio<std::int64_t>;
  static constexpr PoolKey closed{.over = std::int64_t{1} << 62, .under = 1};
  static constexpr KeyMoves moves = KeyMoves::when_tasks_start_or_end;
  [[nodiscard]] static std::uint32_t pool(const Unit& job) { return job.queue().value(); }
  [[nodiscard]] PoolKey pool_key(const Unit& job) const;
  /// Its queue's capacity, in equal parts for the queue's active jobs.
  [[nodiscard]] std::optional<Target> target_of(const Unit& job) const;

 private:
  struct Queue {
    double capacity;
    double part;         // of all queues' capacities
    double most;         // placed tasks, or its share of the cluster
    std::int64_t share;  // the capacity in billionths, so that ties are ties
  };
  std::vector<Queue> queues_;
  std::optional<Dimensions> resources_;  // where they count
};

}  // namespace somnus
