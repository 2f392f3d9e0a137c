// Packings into machines: by hand, and laws of random ones.
#include <gtest/gtest.h>

#include <algorithm>

#include "packing/puzzle.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

/// Tasks that each run on one of some machines, which need not be alike.
struct Machines {
  Puzzle puzzle;
  std::vector<std::vector<Wide>> pools;

  [[nodiscard]] Starts packed() const {
    std::vector<Profile> spaces;
    for (const auto& pool : pools) spaces.emplace_back(pool);
    Packer packer(puzzle.pool);
    const auto starts = packer.pack(spaces, puzzle.bundles(), puzzle.edges, Duration::zero());
    return {starts.begin(), starts.end()};
  }
};

Machines any_machines() {
  Machines made{.puzzle = any_puzzle()};
  made.puzzle.held.clear();
  if (between(0, 3) == 0) made.puzzle.durations[0] = Duration::zero();
  for (int count = between(1, 4); count > 0; --count) {
    made.pools.emplace_back(made.puzzle.pool.size(), between(3, 11));
  }
  return made;
}

TEST(PackerLaws, NoMachineIsOverfullAndATaskRunsOnOneThatHoldsItIfThereIsOne) {
  check_law({.cases = 1000}, [] {
    const Machines machines = any_machines();
    const Puzzle& puzzle = machines.puzzle;
    RC_LOG() << puzzle;
    const Starts starts = machines.packed();
    std::vector<std::uint32_t> tasks(puzzle.tasks.size());
    for (const PackedStart& start : starts) tasks[start.bundle] += start.tasks;
    RC_ASSERT(tasks == puzzle.tasks);
    const auto holds = [&](const std::vector<Wide>& pool, std::uint32_t bundle) {
      return Profile(pool).holds(puzzle.demands[bundle]);
    };
    for (const PackedStart& start : starts) {
      const bool somewhere = std::ranges::any_of(
          machines.pools, [&](const auto& pool) { return holds(pool, start.bundle); });
      RC_ASSERT(!somewhere || holds(machines.pools[start.machine], start.bundle));
      std::vector<Wide> taken(puzzle.pool.size());
      std::uint32_t there = 0;
      for (const PackedStart& other : starts) {
        const bool runs = other.machine == start.machine && other.begin <= start.begin &&
                          start.begin < other.begin + puzzle.durations[other.bundle];
        if (!runs) continue;
        there += other.tasks;
        for (std::size_t kind = 0; kind < taken.size(); ++kind) {
          taken[kind] += Wide{puzzle.demands[other.bundle][kind]} * other.tasks;
        }
      }
      for (std::size_t kind = 0; kind < taken.size(); ++kind) {
        RC_ASSERT(taken[kind] <= machines.pools[start.machine][kind] || there <= 1);
      }
    }
  });
}

TEST(PackerLaws, WhileATaskWaitsNoMachineHasRoomForItNow) {
  check_law({.cases = 1000}, [] {
    const Machines machines = any_machines();
    const Puzzle& puzzle = machines.puzzle;
    RC_LOG() << puzzle;
    const Starts starts = machines.packed();
    std::vector<Duration> ready(puzzle.tasks.size());
    for (const PackedStart& start : starts) {
      for (const Edge& edge : puzzle.edges) {
        if (edge.before != start.bundle) continue;
        ready[edge.after] =
            std::max(ready[edge.after], start.begin + puzzle.durations[start.bundle]);
      }
    }
    // Parents without tasks pass on whom they waited for.
    const bool plain = std::ranges::all_of(puzzle.tasks, [](auto count) { return count > 0; });
    if (!plain) return;
    for (const PackedStart& late : starts) {
      for (const PackedStart& moment : starts) {
        if (moment.begin < ready[late.bundle] || moment.begin >= late.begin) continue;
        for (std::uint32_t machine = 0; machine < machines.pools.size(); ++machine) {
          std::vector<Wide> free = machines.pools[machine];
          for (const PackedStart& other : starts) {
            const bool runs = other.machine == machine && other.begin <= moment.begin &&
                              moment.begin < other.begin + puzzle.durations[other.bundle];
            if (!runs) continue;
            for (std::size_t kind = 0; kind < free.size(); ++kind) {
              free[kind] -= Wide{puzzle.demands[other.bundle][kind]} * other.tasks;
            }
          }
          RC_ASSERT(!Profile(free).holds(puzzle.demands[late.bundle]));
        }
      }
    }
  });
}

TEST(Packer, FillsMachinesOneAfterAnother) {
  Machines machines{
      .puzzle = {.pool = {10}, .demands = {{6}, {4}}, .tasks = {2, 3}, .durations = {2s, 1s}},
      .pools = {{10}, {10}}};
  EXPECT_EQ(machines.packed(),
            (Starts{{0s, 0, 1, 0}, {0s, 1, 1, 0}, {0s, 0, 1, 1}, {0s, 1, 1, 1}, {1s, 1, 1, 0}}));
  // As one pool of 20, all three of the small ones would not fit beside the large ones, either.
  machines.pools = {{20}};
  EXPECT_EQ(machines.packed(), (Starts{{0s, 0, 2}, {0s, 1, 2}, {1s, 1, 1}}));
}

TEST(Packer, LeavesATaskToAMachineThatHoldsIt) {
  const Machines machines{
      .puzzle = {.pool = {10}, .demands = {{6}, {12}}, .tasks = {1, 1}, .durations = {2s, 1s}},
      .pools = {{5}, {8}}};
  EXPECT_EQ(machines.packed(), (Starts{{0s, 1, 1, 0}, {0s, 0, 1, 1}}));
}

}  // namespace
}  // namespace somnus::harness
