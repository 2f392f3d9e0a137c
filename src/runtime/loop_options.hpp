// When the event loop ends, what it is asked for, and how it ended.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/time.hpp"
#include "runtime/job_managers.hpp"

namespace somnus {

enum class Ending {
  all_jobs_ended,
  until_reached,
  stopped,
  nothing_left,  // jobs wait for what will never be, such as nodes that are lost for good
};

struct LoopOptions {
  Time until = never;
  Duration sample_interval{};              // 0: no samples
  std::uint64_t even_samples = 4000;       // at that interval; then it doubles every 500
  const std::atomic<int>* stop = nullptr;  // not 0: end gracefully
  JobManagerRules job_managers{};
  Duration silence{};     // after which a node is given up; 0: nodes report their loss themselves
  Duration last_words{};  // for how long, behind all jobs, ends of killed attempts are waited for
  std::uint64_t seed = 1;
  bool own_estimates = true;  // ends bring the estimate of their task (TaskEnded::own)
};

}  // namespace somnus
