// las: least attained service first, in queues (Gu et al., Tiresias: A GPU cluster manager for
// distributed deep learning, NSDI 2019, section 3.2, discretised 2D-LAS; policies.md 9.7).
//
// A job's attained service is the slot-time that its tasks have held so far, whatever became of
// them:
//
//     a(t) = integral of running(s) ds   over s <= t                              [slot-time]
//
// Of n queues, a job is in the first until it has attained threshold_s, in the second until it has
// attained factor threshold_s, then factor^2 threshold_s and so on; in the last for good:
//
//     queue(a) = the number of i < n - 1 with a >= threshold_s factor^i
//
// The first queue goes first; in a queue, and so in a tie, the earlier job. Nothing needs to be
// known of how long jobs take. Queues are tiers: with scheduler.preemption a job takes the slots of
// those that are in a later queue, and while any job waits a round follows when one that runs goes
// on to its next queue.
#pragma once

#include <cstdint>
#include <vector>

#include "base/indexed_heap.hpp"
#include "scheduler/ranking.hpp"

namespace somnus {

class Las {
 public:
  std::uint32_t queues = 2;
  double threshold_s = 3200;
  double factor = 10;

  static constexpr auto fields() {
    return in_order(
        field("queues", &Las::queues, "1", "how many there are", Range{.low = 1, .high = 64}),
        field("threshold_s", &Las::threshold_s, "s",
              "slot-time after which a job leaves the first queue",
              Range{.low = 1e-6, .high = most_slot_time_s}),
        field("factor", &Las::factor, "1", "from one queue's threshold to the next one's",
              Range{.low = 1, .high = 1e6}));
  }

  [[nodiscard]] OrderTraits traits() const {
    return {.has_tiers = queues > 1, .tiers_by = "queues"};
  }

  static constexpr Level level = Level::job;
  using Key = std::uint32_t;
  static constexpr KeyMoves moves = KeyMoves::not_at_all;

  void on(const Started& event) { changed(event.unit); }
  void on(const Ended& event) { changed(event.unit); }
  /// No other key changes than those of jobs that have left a queue.
  bool on(const Passed& passed);

  [[nodiscard]] Key key(const Unit& job) const { return tier(job); }
  [[nodiscard]] std::uint32_t tier(const Unit& job) const {
    return job.index() < jobs_.size() ? jobs_[job.index()].queue : 0;
  }
  /// When the next of those that run goes on to another queue.
  [[nodiscard]] Time wakes_at() const { return leaves_.empty() ? never : leaves_.top().key; }

 private:
  struct Attained {
    Wide service = 0;  // slot-nanoseconds at `as_of`
    Time as_of;
    std::uint32_t running = 0;  // since then
    std::uint32_t queue = 0;
  };
  void changed(const Unit& job);
  void settle(std::uint32_t index, Time now);
  void await(std::uint32_t index);
  /// At which a job leaves that queue; slot-nanoseconds.
  [[nodiscard]] Wide end_of(std::uint32_t queue) const;

  std::vector<Attained> jobs_;
  IndexedHeap<Time> leaves_;  // by job
  std::vector<JobId> moved_;  // have left a queue since the last round
};
static_assert(Ranking<Las>);

}  // namespace somnus
