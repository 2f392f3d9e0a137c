// How long one more task would wait in a node's queue (Yaq, Algorithm 2).
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "base/time.hpp"

namespace somnus {

/// The estimated wait, if each queued task in order takes the slot of whichever task ends first,
/// and the new one comes after them. `running`: estimated time left of each running task, one a
/// slot of a full node; used up. `queued`: estimated durations in queue order. Calls visit(place,
/// its own wait) for each of those. O((r + q) log r): instead of taking the least off all others,
/// the heap holds when each slot becomes free.
template <class Visit>
Duration queue_wait(std::vector<Duration>& running, std::span<const Duration> queued,
                    Visit&& visit) {
  if (running.empty()) return {};
  std::ranges::make_heap(running, std::greater());
  for (std::size_t place = 0; place < queued.size(); ++place) {
    std::ranges::pop_heap(running, std::greater());
    visit(place, running.back());
    running.back() = capped_sum(running.back(), queued[place]);
    std::ranges::push_heap(running, std::greater());
  }
  return std::min(running.front(), longest_span);
}

inline Duration queue_wait(std::vector<Duration> running, std::span<const Duration> queued) {
  return queue_wait(running, queued, [](std::size_t, Duration) {});
}

}  // namespace somnus
