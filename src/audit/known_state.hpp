// What the scheduler knew of jobs and sent to nodes, and when, from the events in the log; and what
// a node may therefore have known of a task in its queue (queueing/reordering.hpp).
#pragma once

#include <optional>
#include <vector>

#include "audit/audit.hpp"

namespace somnus::audit {

class KnownState {
 public:
  explicit KnownState(const Facts& facts);

  /// Of one task of the stage, from when its job arrived; 0: never estimated.
  [[nodiscard]] Duration estimate(StageId stage) const { return estimates_[stage.index()]; }
  /// When the scheduler heard of the job; none: the log does not say.
  [[nodiscard]] std::optional<Time> arrival(std::uint32_t job) const;

  struct Keys {
    std::int64_t least;
    std::int64_t most;
  };
  /// When a node may last have read what it got of jobs, which is at its heartbeats.
  struct LastUpdate {
    Time earliest;
    Time latest;
  };
  [[nodiscard]] LastUpdate last_update(std::uint32_t node, Time now) const;

  /// Between what bounds the node's key of a task in its queue may have been then; none: the log
  /// does not say. A node gets news of jobs at once and also reads it when a task comes: what it
  /// knows is no older than the earliest last update or the task's coming, and no newer than the
  /// latest.
  [[nodiscard]] std::optional<Keys> keys(const TaskRow& row, const LastUpdate& look) const;

 private:
  /// From then on.
  struct Step {
    Time time;
    Duration remaining;
    std::uint32_t unfinished;
  };
  [[nodiscard]] Time last_beat(std::uint32_t node, Time before) const;

  Reordering reorder_;
  Duration way_of_heartbeat_;                // the longest
  bool may_be_ignored_;                      // heartbeats, by the scheduler
  std::vector<Duration> estimates_;          // by stage
  std::vector<std::vector<Step>> standing_;  // by job, in order
  std::vector<std::vector<Time>> beats_;     // by node, as heard
};

}  // namespace somnus::audit
