// What `somnus follow` shows of a log: the run at its last sample.
#pragma once

#include <string>
#include <vector>

#include "base/describe.hpp"
#include "log/schema.hpp"

namespace somnus {

/// Of the whole cluster. NaN: not known.
struct ClusterView {
  double time_s = nan_time;
  double done = nan_time;
  double left_s = nan_time;
  double jobs = 0;
  double active_jobs = 0;
  double finished_jobs = 0;
  double failed_jobs = 0;
  double ended_attempts = 0;
  double slots = 0;
  double busy_slots = nan_time;
  double busy = nan_time;
  double pending_tasks = nan_time;
  double queued_tasks = nan_time;
  double lag_s = nan_time;
  double lag_max_s = nan_time;
  double quiet_s = nan_time;

  static constexpr auto fields() {
    using V = ClusterView;
    return in_order(
        field("time_s", &V::time_s, "s", "emulated time of the last sample"),
        field("done", &V::done, "%",
              "slot-time of ended tasks / slot-time of all; of run.until_s, if that is more"),
        field("left_s", &V::left_s, "s", "real time to the end, if it goes on like this"),
        field("jobs", &V::jobs, "1", "jobs of the workload"),
        field("active_jobs", &V::active_jobs, "1", "jobs submitted and not ended"),
        field("finished_jobs", &V::finished_jobs, "1", "jobs finished"),
        field("failed_jobs", &V::failed_jobs, "1", "jobs failed"),
        field("ended_attempts", &V::ended_attempts, "1", "attempts that have ended"),
        field("slots", &V::slots, "1", "slots of the cluster; 0: resources alone limit tasks"),
        field("busy_slots", &V::busy_slots, "1", "slots taken; without slots: tasks that run"),
        field("busy", &V::busy, "%",
              "share of the slots that are taken, or of the resource of which most is"),
        field("pending_tasks", &V::pending_tasks, "1", "runnable tasks that wait for a slot"),
        field("queued_tasks", &V::queued_tasks, "1", "tasks in the queues of nodes"),
        field("lag_s", &V::lag_s, "s", "largest lateness of rank 0 before the last sample"),
        field("lag_max_s", &V::lag_max_s, "s", "the largest of all so far"),
        field("quiet_s", &V::quiet_s, "s", "real time since something was written"));
  }
};

/// Of a user or a queue.
struct GroupView {
  std::string name;
  double running = 0;
  double share = nan_time;
  double active_jobs = 0;
  double slot_time_s = 0;

  static constexpr auto fields() {
    using V = GroupView;
    return in_order(field("running", &V::running, "1", "tasks that run or are on their way"),
                    field("share", &V::share, "%", "of all that do"),
                    field("active_jobs", &V::active_jobs, "1", "jobs submitted and not ended"),
                    field("slot_time_s", &V::slot_time_s, "s", "time of its attempts that ended"));
  }
};

/// Of an active job.
struct JobView {
  std::string name;
  std::string user;
  double age_s = nan_time;
  double slowdown = nan_time;
  double running = 0;
  double ended = 0;
  double tasks = 0;

  static constexpr auto fields() {
    using V = JobView;
    return in_order(field("age_s", &V::age_s, "s", "since it was submitted"),
                    field("slowdown", &V::slowdown, "x", "age / response time alone, so far"),
                    field("running", &V::running, "1", "tasks that run or are on their way"),
                    field("ended", &V::ended, "1", "tasks that have finished"),
                    field("tasks", &V::tasks, "1", "of all its stages"));
  }
};

struct View {
  std::string label;
  std::string workload;
  std::string mode;
  double speed = 1;
  bool complete = false;
  bool ended = false;         // nobody writes the log any more
  std::string silence;        // "rank 2 silent for 9 s"; empty: none is
  bool knows_running = true;  // or the log has no decisions
  ClusterView cluster;
  std::vector<GroupView> users;   // most running first
  std::vector<GroupView> queues;  // in the same order
  std::vector<JobView> slowest;   // active jobs, largest slowdown first
  std::vector<double> busy;       // by sample, the last ones, %
};

}  // namespace somnus
