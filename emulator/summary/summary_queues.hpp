// What a log says of each named queue, where the workload has several: how they share the slots.
//
// A queue's share at an instant is its part of the slots that are occupied then; where none is, it
// has none. It counts while every queue has demand, a job that was submitted and has not finished:
// otherwise one may borrow what another leaves. Means are over that time.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "base/describe.hpp"
#include "record/log.hpp"

namespace somnus {

/// Of the jobs that were submitted; response times as in Summary, of those that finished.
struct QueueSummary {
  std::string queue;  // any bytes
  double jobs_submitted = 0;
  double jobs_finished = 0;
  double tasks_submitted = 0;
  double response_mean_s = NAN;
  double share_mean = NAN;
  double share_deviation = NAN;
  double share_farthest = NAN;

  static constexpr auto fields() {
    using Q = QueueSummary;
    return in_order(field("jobs_submitted", &Q::jobs_submitted, "1", "jobs submitted"),
                    field("jobs_finished", &Q::jobs_finished, "1", "jobs finished"),
                    field("tasks_submitted", &Q::tasks_submitted, "1", "tasks submitted"),
                    field("response_mean_s", &Q::response_mean_s, "s", "response time, mean"),
                    field("share_mean", &Q::share_mean, "%",
                          "share of the occupied slots while every queue has demand, mean"),
                    field("share_deviation", &Q::share_deviation, "%",
                          "standard deviation of that share over time"),
                    field("share_farthest", &Q::share_farthest, "%",
                          "farthest that the share was from its mean at any instant"));
  }
};

struct QueueFigures {
  std::vector<QueueSummary> queues;  // by name
  double contended_s = NAN;          // how long every queue had demand
};

/// Empty if the workload has one queue. n tasks in q queues take O(n (log n + q)).
[[nodiscard]] QueueFigures queues_of(const Log& log);

}  // namespace somnus
