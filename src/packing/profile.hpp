// What is taken of a pool of resources, over time: the space that packers fill (policies.md 6.5,
// 6.7). The pool is a whole cluster, a job's quota of it, or a machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/grid.hpp"
#include "base/time.hpp"

namespace somnus {

/// Amounts by kind, in millionths.
using DemandSpan = std::span<const std::int64_t>;

/// How many that ask for so much fit, where it is known that 32 bits can say it; a division of 128
/// bits is slow.
[[nodiscard]] constexpr std::uint32_t tasks_in(Wide free, Wide asked) {
  const auto low = static_cast<std::uint64_t>(free);
  return static_cast<std::uint32_t>(low == free ? low / static_cast<std::uint64_t>(asked)
                                                : free / asked);
}

class Profile {
 public:
  /// An empty one.
  explicit Profile(std::vector<Wide> pool);

  [[nodiscard]] std::size_t kinds() const { return pool_.size(); }
  [[nodiscard]] Wide pool(std::size_t kind) const { return pool_[kind]; }
  /// Whether a task fits while nothing else is there.
  [[nodiscard]] bool holds(DemandSpan demand) const {
    for (std::size_t kind = 0; kind < demand.size(); ++kind) {
      if (demand[kind] > pool_[kind]) return false;
    }
    return true;
  }
  /// What is taken, at the beginning of a step.
  [[nodiscard]] Wide taken(std::size_t step, std::size_t kind) const {
    return taken_[step * pool_.size() + kind];
  }

  /// That many tasks from `begin` up to `end`, whether there is room for them or not; nothing if it
  /// is not before `end`.
  void take(Duration begin, Duration end, DemandSpan demand, std::uint32_t tasks) {
    change(begin, end, demand, static_cast<std::int32_t>(tasks));
  }
  /// The same back; it must have been taken.
  void give(Duration begin, Duration end, DemandSpan demand, std::uint32_t tasks) {
    change(begin, end, demand, -static_cast<std::int32_t>(tasks));
  }
  /// Empty again.
  void clear();
  /// Empty again, and of another size.
  void clear(std::span<const Wide> pool);

  // Steps: from one to the next nothing changes.

  /// The step that the moment is in.
  [[nodiscard]] std::size_t step_at(Duration moment) const;
  [[nodiscard]] std::size_t steps() const { return steps_.size(); }
  [[nodiscard]] Duration begin(std::size_t step) const { return steps_[step].begin; }
  [[nodiscard]] bool is_empty(std::size_t step) const { return steps_[step].tasks == 0; }
  /// The moments at which something was taken, in order.
  [[nodiscard]] std::span<const Duration> begins() const { return begins_; }
  /// How many tasks, of `most` at once, have room from the beginning of the step up to `end`. One
  /// always has where nothing else is, though it be larger than the pool.
  [[nodiscard]] std::uint32_t room(std::size_t step, Duration end, DemandSpan demand,
                                   std::uint32_t most) const;

 private:
  struct Step {
    Duration begin;
    std::int32_t tasks = 0;  // there
  };
  void change(Duration begin, Duration end, DemandSpan demand, std::int32_t tasks);
  std::size_t split(Duration moment);
  [[nodiscard]] std::uint32_t room_in(std::size_t step, DemandSpan demand,
                                      std::uint32_t most) const;

  std::vector<Wide> pool_;
  std::vector<Step> steps_;       // the first begins before all times
  std::vector<Wide> taken_;       // by step and kind
  std::vector<Duration> begins_;  // of what was taken, in order; between them room only grows
};

}  // namespace somnus
