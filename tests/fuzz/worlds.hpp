// Small runs, and what rank 0 and its workers say to each other in them: four nodes, two workers,
// so many jobs that all kinds of packets are sent.
#pragma once

#include <span>
#include <string>

#include "config/settings.hpp"
#include "fuzz/script.hpp"
#include "log/log.hpp"
#include "model/workload.hpp"
#include "workers/node_set.hpp"

namespace somnus::fuzz {

inline constexpr int workers = 2;

struct World {
  std::string name;
  Settings settings;
  Workload workload;
};

/// Under schedulers that launch, kill, ask, take back and give nodes new lives.
[[nodiscard]] std::span<const World> worlds();

/// Of that worker, from 1.
[[nodiscard]] NodeSet nodes_of(const World& world, int rank);

/// A run of the world under the virtual clock: what it logs and what is said.
struct Ran {
  Log log;
  ScriptWriter of_workers;
  ScriptWriter of_rank_0;  // to rank 1
};
[[nodiscard]] Ran ran(const World& world);

}  // namespace somnus::fuzz
