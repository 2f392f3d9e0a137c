// Floors for the simulation: what the same schedule costs with nothing but heaps and counters. No
// nodes, no messages, no policy interface, no audit, no observer.
#pragma once

#include <cstdint>

#include "base/time.hpp"
#include "model/workload.hpp"

namespace somnus {

// Each returns when the end of its last task is heard.

/// First come first served on like slots with a delay each way: three events a task in one binary
/// heap (the launch arrives, the task ends, the end is heard), a cursor and a counter.
[[nodiscard]] Time bare_fifo(const Workload& workload, std::uint32_t slots, Duration delay);

/// Cluster Fair Queueing without delays: one event a task, a heap of GPS departures, one of jobs by
/// virtual finish time, one of ends.
[[nodiscard]] Time bare_cfq(const Workload& workload, std::uint32_t slots);

/// The three rows that a log gets for each task (decision, end, task), one fwrite a row through a
/// buffer of 256 KiB.
/// Throws std::system_error if that fails.
void bare_append(const Workload& workload, const char* path);

}  // namespace somnus
