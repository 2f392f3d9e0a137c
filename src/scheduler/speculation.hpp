// Speculative execution: when an attempt that takes long gets a backup (Spark's
// spark.speculation; LATE, Zaharia et al., OSDI 2008; Mantri, Ananthanarayanan et al., OSDI 2010,
// restarts stragglers too).
//
// The scheduler knows of each stage when attempts were launched and how long the finished ones
// took, by its own stamps: from the launch to the report of the end, with the wait in a node's
// queue, as no message reports starts. Once
//
//     max(1, floor(quantile * tasks of the stage))
//
// of the stage's tasks have finished, an attempt is due for a backup
//
//     max(least, slowdown * median of what finished attempts of the stage took)      [s]
//
// after its launch. The median of an even number is the mean of the two in the middle. An attempt
// is due once. A backup is never due itself; an attempt that follows a failed one may be.
#pragma once

#include <cstdint>
#include <deque>
#include <queue>
#include <unordered_map>
#include <vector>

#include "base/ids.hpp"
#include "base/indexed_heap.hpp"
#include "base/time.hpp"
#include "model/catalogue.hpp"

namespace somnus {

struct SpeculationRules {
  double slowdown = 0;  // 0: no backups
  double quantile = 0.75;
  Duration least{};
};

/// The median of spans that come one by one. Adding is O(log n).
class RunningMedian {
 public:
  void add(Duration span);
  [[nodiscard]] std::uint32_t count() const {
    return static_cast<std::uint32_t>(below_.size() + above_.size());
  }
  /// Exact. There must be a span.
  [[nodiscard]] Duration twice_the_median() const;

 private:
  std::priority_queue<Duration> below_;  // as many as above, or one more
  std::priority_queue<Duration, std::vector<Duration>, std::greater<>> above_;
};

class Speculation {
 public:
  /// The catalogue must outlive it.
  Speculation(const SpeculationRules& rules, const Catalogue& catalogue)
      : rules_(rules), catalogue_(catalogue) {}

  /// Where it is not, no other function need be called.
  [[nodiscard]] bool on() const { return rules_.slowdown > 0; }

  enum class Kind : std::uint8_t { original, backup };
  void launched(Time now, TaskId task, std::uint16_t attempt, Kind kind);
  /// An attempt that was launched is over, by whatever end.
  void ended(Time now, TaskId task, std::uint16_t attempt, bool finished);

  /// When the next attempt is due; never: none is, at present.
  [[nodiscard]] Time wakes_at() const { return due_.empty() ? never : due_.top().key; }
  /// Those that are due by then, the earliest first. They are not due again.
  [[nodiscard]] std::vector<TaskId> take_due(Time now);

 private:
  struct Attempt {
    TaskId task;
    std::uint16_t number;
  };
  struct StageState {
    RunningMedian took;             // those that finished
    std::deque<Attempt> originals;  // in order of launches; some are over
  };
  static std::uint64_t key(TaskId task, std::uint16_t attempt) {
    return (std::uint64_t{task.value()} << 16) | attempt;
  }
  void look_at(StageId stage);

  SpeculationRules rules_;
  const Catalogue& catalogue_;
  std::unordered_map<std::uint64_t, Time> launched_;  // by attempt that is not over
  std::unordered_map<StageId, StageState> stages_;    // that have not finished
  IndexedHeap<Time> due_;                             // by stage: its first attempt's time
};

}  // namespace somnus
