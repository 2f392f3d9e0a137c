// Faults of nodes, attempts and heartbeats, drawn at random. Each draw comes from a stream of its
// own, named by its node or attempt, so the same seed gives the same faults under both clocks, for
// any division of nodes over ranks, and whatever the scheduler does.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/ids.hpp"
#include "base/random.hpp"
#include "base/time.hpp"

namespace somnus {

struct FaultModel {
  std::uint64_t seed = 1;

  // Of a node.
  Duration up{};       // mean time until it is lost, exponential; 0: it never is
  Duration away{};     // mean time until it is back, exponential
  double cut_off = 0;  // share of its losses in which it lives on and cannot be reached
  double slow = 0;     // probability that it is slow throughout
  double slow_factor = 1;

  // Of an attempt.
  double fails = 0;  // probability; it then ends at a uniform point of its run
  double straggles = 0;
  double straggler_factor = 1;

  // Of a heartbeat.
  double heartbeat_lost = 0;
  double heartbeat_late = 0;
  Duration late_by{};

  /// How many times as long tasks take on that node.
  [[nodiscard]] double slowness(NodeId node) const {
    return occurs(slow, "slow node", node.value()) ? slow_factor : 1;
  }
  [[nodiscard]] Duration straggle(Duration time, TaskId task, std::uint16_t attempt) const {
    return straggles > 0 ? straggle_drawn(time, task, attempt) : time;
  }
  /// When an attempt that is meant to take that `time` fails; later than that if it does not.
  [[nodiscard]] Duration fails_after(Duration time, TaskId task, std::uint16_t attempt) const {
    return fails > 0 ? failure_drawn(time, task, attempt) : Duration::max();
  }

 private:
  // Functions of their own, for whose calls a run without faults saves no registers.
  [[nodiscard, gnu::noinline]] Duration straggle_drawn(Duration time, TaskId task,
                                                       std::uint16_t attempt) const {
    if (!occurs(straggles, "straggler", of(task, attempt))) return time;
    return std::min(seconds(in_seconds(time) * straggler_factor), longest_span);
  }
  [[nodiscard, gnu::noinline]] Duration failure_drawn(Duration time, TaskId task,
                                                      std::uint16_t attempt) const {
    RandomStream failure(seed, "task failure", of(task, attempt));
    if (failure.uniform() >= fails) return Duration::max();
    return seconds(in_seconds(time) * failure.uniform());
  }
  [[nodiscard]] static std::uint64_t of(TaskId task, std::uint16_t attempt) {
    return (std::uint64_t{task.value()} << 16) | attempt;
  }
  [[nodiscard]] bool occurs(double chance, std::string_view what, std::uint64_t index) const {
    return chance > 0 && RandomStream(seed, what, index).uniform() < chance;
  }
};

}  // namespace somnus
