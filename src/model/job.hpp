// Jobs and stages as a resource manager gets them when a job arrives. Nothing here says how long a
// task takes. A job's stages are adjacent, and so are a stage's tasks.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "base/time.hpp"

namespace somnus {

struct User {
  double weight = 1;  // relative share among users
  friend constexpr bool operator==(const User&, const User&) = default;
};

/// What a batch system counts a job for, and how it ranks it.
struct Accounting {
  AccountId account;  // invalid: of none
  QosId qos;          // the same
  std::int32_t nice = 0;
  friend constexpr bool operator==(const Accounting&, const Accounting&) = default;
};

struct Job {
  Time submit;       // of a job that follows another: not before this
  JobId after;       // arrives once that one has ended; invalid: at `submit`
  Duration think{};  // and that much later
  double weight = 1;
  double estimate = 0;  // of its slot-time, slot-seconds, as a profile says; 0: none
  UserId user;
  QueueId queue;
  AppId app;
  StageId first_stage;
  std::uint32_t stages = 0;
  TaskId first_task;
  std::uint32_t tasks = 0;
};

struct Stage {
  JobId job;
  std::uint32_t label = 0;  // the user's number of the stage
  bool divisible = false;   // its tasks are what a partitioner cut
  bool gang = false;       // its tasks start together, and hold what they have until all have ended
  bool exclusive = false;  // a gang, maybe of one task, on whose nodes nobody else is

  /// Whether all of it starts at one decision and ends at one: a gang, or a single task.
  [[nodiscard]] bool is_one_unit() const { return gang || tasks == 1; }
  TaskId first_task;
  std::uint32_t tasks = 0;
  std::uint32_t first_parent = 0;  // into Catalogue::parents
  std::uint32_t parents = 0;
  std::uint32_t first_child = 0;  // into Catalogue::children
  std::uint32_t children = 0;
  std::uint32_t first_affinity = 0;  // into Catalogue::affinity
  std::uint32_t affinity = 0;        // how many nodes it prefers; 0: all alike
};

}  // namespace somnus
