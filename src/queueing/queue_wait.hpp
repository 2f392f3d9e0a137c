// How long tasks wait in a node's queue (Yaq, Algorithm 2): each in order takes the slot of
// whichever task ends first. Instead of taking the least off all others, it is kept when each slot
// becomes free.
//
// Tasks in a row that are estimated alike are served as one run, however many they are. Of a run
// of c tasks of d each, slots that become free at f_i serve the c least of all f_i + k d, k = 0, 1,
// ...; so each begins by the least T for which there are c such times up to T, and T is searched
// for. O(r log r) a run of r slots, times the bits of a Duration.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/grid.hpp"
#include "base/time.hpp"

namespace somnus {

/// When each slot of a full node becomes free, from now.
class SlotTimes {
 public:
  /// Estimated time left of each running task, one a slot; used up.
  explicit SlotTimes(std::vector<Duration>& running) : free_(running) {
    std::ranges::make_heap(free_, std::greater());
  }

  [[nodiscard]] bool none() const { return free_.empty(); }
  /// How long the next task waits. There must be a slot.
  [[nodiscard]] Duration next() const { return free_.front(); }

  /// The next `count` tasks take `each`.
  void serve(Duration each, std::uint64_t count) {
    if (each <= Duration::zero()) return;
    if (count > steps_to_try * free_.size()) return serve_many(each, count);
    for (; count > 0; --count) {
      std::ranges::pop_heap(free_, std::greater());
      free_.back() = later(free_.back(), each, 1);
      std::ranges::push_heap(free_, std::greater());
    }
  }

  /// How many of the next `count` tasks, which take `each`, wait no longer than `most`: the first
  /// ones.
  [[nodiscard]] std::uint64_t waiting_up_to(Duration most, Duration each,
                                            std::uint64_t count) const {
    if (each <= Duration::zero()) return next() <= most ? count : 0;
    return begin_by(most, each, count);
  }

 private:
  static constexpr std::uint64_t steps_to_try = 16;

  static Duration later(Duration from, Duration each, std::uint64_t times) {
    const Wide sum = Wide{from.count()} + Wide{each.count()} * times;
    return Duration(static_cast<Duration::rep>(std::min(sum, Wide{Duration::max().count()})));
  }
  /// Times f_i + k each up to `last`, but no more than `most`.
  [[nodiscard]] std::uint64_t begin_by(Duration last, Duration each, std::uint64_t most) const {
    std::uint64_t count = 0;
    for (const Duration free : free_) {
      if (free <= last) count += static_cast<std::uint64_t>((last - free) / each) + 1;
      if (count >= most) return most;
    }
    return count;
  }

  void serve_many(Duration each, std::uint64_t count) {
    Duration low = next();  // the last of them begins by `high` and not before `low`
    Duration high = later(low, each, count);
    while (low < high) {
      const Duration middle = low + (high - low) / 2;
      if (begin_by(middle, each, count) == count) {
        high = middle;
      } else {
        low = middle + Duration(1);
      }
    }
    std::uint64_t left = count;
    for (Duration& free : free_) {
      if (free >= low) continue;
      const auto served = static_cast<std::uint64_t>((low - Duration(1) - free) / each) + 1;
      free = later(free, each, served);
      left -= served;
    }
    // Those that begin at just that time, of which there may be more than are left.
    for (Duration& free : free_) {
      if (left == 0) break;
      if (free != low) continue;
      free = later(free, each, 1);
      --left;
    }
    std::ranges::make_heap(free_, std::greater());
  }

  std::vector<Duration>& free_;  // a heap, the least in front
};

}  // namespace somnus
