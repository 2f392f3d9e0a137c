// The one packer: by hand, and laws of every packing of random DAGs.
#include "packing/packer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "harness/property.hpp"

namespace somnus {

static bool operator==(const PackedStart& a, const PackedStart& b) {
  return std::tie(a.begin, a.bundle, a.tasks, a.machine) ==
         std::tie(b.begin, b.bundle, b.tasks, b.machine);
}
static std::ostream& operator<<(std::ostream& out, const PackedStart& start) {
  return out << start.tasks << " of " << start.bundle << " at " << start.begin.count() << " ns on "
             << start.machine;
}

}  // namespace somnus

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;
using Demand = std::vector<std::int64_t>;
using Starts = std::vector<PackedStart>;

struct Packed {
  Starts starts;
  Duration end;
};

struct Held {
  Duration begin;
  Duration end;
  Demand demand;
  std::uint32_t tasks = 0;
};

/// What there is to pack.
struct Puzzle {
  std::vector<Wide> pool;
  std::vector<Demand> demands;
  std::vector<std::uint32_t> tasks;
  std::vector<Duration> durations;
  std::vector<Edge> edges;
  std::vector<Held> held;

  [[nodiscard]] Profile space() const {
    Profile made(pool);
    for (const Held& some : held) made.take(some.begin, some.end, some.demand, some.tasks);
    return made;
  }
  [[nodiscard]] std::vector<Bundle> bundles() const {
    std::vector<Bundle> made;
    for (std::size_t at = 0; at < tasks.size(); ++at) {
      made.push_back({.tasks = tasks[at], .duration = durations[at], .demand = demands[at]});
    }
    return made;
  }
  [[nodiscard]] Packed packed() const {
    Profile filled = space();
    Packer packer(pool);
    const auto starts = packer.pack(filled, bundles(), edges, Duration::zero());
    return {{starts.begin(), starts.end()}, packer.end()};
  }
};

std::ostream& operator<<(std::ostream& out, const Puzzle& puzzle) {
  for (std::size_t at = 0; at < puzzle.tasks.size(); ++at) {
    out << fmt::format("\n{}: {} x {} s, demand [{}]", at, puzzle.tasks[at],
                       puzzle.durations[at] / 1s, fmt::join(puzzle.demands[at], ","));
  }
  for (const Edge& edge : puzzle.edges) out << fmt::format("\n{} -> {}", edge.before, edge.after);
  for (const Held& some : puzzle.held) {
    out << fmt::format("\nheld: {} x [{}] from {} s to {} s", some.tasks,
                       fmt::join(some.demand, ","), some.begin / 1s, some.end / 1s);
  }
  return out << '\n';
}

// Job 2 of figure 2b in half of the pool (policies.md 6.6), demands in tenths.
const Puzzle second_of_2b = {.pool = {5},
                             .demands = {{3}, {4}, {1}},
                             .tasks = {1, 1, 3},
                             .durations = {3s, 2s, 3s},
                             .edges = {{1, 2}},
                             .held = {}};

TEST(Packer, StartsTheBestAlignedThatFits) {
  const Packed packed = second_of_2b.packed();
  EXPECT_EQ(packed.starts, (Starts{{0s, 1, 1}, {2s, 0, 1}, {2s, 2, 2}, {5s, 2, 1}}));
  EXPECT_EQ(packed.end, 8s);
}

TEST(Packer, PacksBackwardWhereBundlesFollowTheirChildren) {
  Puzzle turned = second_of_2b;
  turned.edges = {{2, 1}};
  const Packed packed = turned.packed();
  EXPECT_EQ(packed.starts, (Starts{{0s, 0, 1}, {0s, 2, 2}, {3s, 2, 1}, {6s, 1, 1}}));
  EXPECT_EQ(packed.end, 8s);
}

TEST(Packer, StartsNothingThatHasNoRoomForAllItsTime) {
  Puzzle puzzle = {.pool = {5},
                   .demands = {{3}, {2}},
                   .tasks = {1, 1},
                   .durations = {2s, 9s},
                   .edges = {},
                   .held = {{1s, 4s, {3}, 1}}};
  EXPECT_EQ(puzzle.packed().starts, (Starts{{0s, 1, 1}, {4s, 0, 1}}));
  EXPECT_EQ(puzzle.packed().end, 9s);
}

TEST(Packer, GivesATieToTheFirst) {
  const Puzzle alike = {.pool = {5},
                        .demands = {{3}, {3}},
                        .tasks = {1, 1},
                        .durations = {1s, 2s},
                        .edges = {},
                        .held = {}};
  EXPECT_EQ(alike.packed().starts, (Starts{{0s, 0, 1}, {1s, 1, 1}}));
}

TEST(Packer, WaitsForWhatIsHeldOfABundle) {
  Profile space({5});
  Packer packer(space.kinds() == 1 ? std::vector<Wide>{5} : std::vector<Wide>{});
  const Demand one = {1};
  const std::vector<Bundle> bundles = {
      {.tasks = 0, .duration = 4s, .demand = one, .busy_until = 3s},
      {.tasks = 2, .duration = 1s, .demand = one},
      {.tasks = 1, .duration = 1s, .demand = one, .ready = 2s}};
  const std::vector<Edge> edges = {{0, 1}};
  const auto starts = packer.pack(space, bundles, edges, 1s);
  EXPECT_EQ(Starts(starts.begin(), starts.end()), (Starts{{2s, 2, 1}, {3s, 1, 2}}));
  EXPECT_EQ(packer.end(), 4s);
}

TEST(Packer, LeavesOutWhatStartsAfterTheEnd) {
  Profile space = second_of_2b.space();
  Packer packer(second_of_2b.pool);
  const auto bundles = second_of_2b.bundles();
  const auto starts = packer.pack(space, bundles, second_of_2b.edges, 0s, 2s);
  EXPECT_EQ(Starts(starts.begin(), starts.end()), (Starts{{0s, 1, 1}, {2s, 0, 1}, {2s, 2, 2}}));
}

// --- laws ---

int between(int low, int high) { return *rc::gen::inRange(low, high + 1); }

Puzzle any_puzzle(Wide pool = 10, int most_tasks = 5) {
  return *rc::gen::exec([=] {
    const auto kinds = static_cast<std::size_t>(between(1, 3));
    const auto demand = [&] {
      Demand made;
      for (std::size_t kind = 0; kind < kinds; ++kind) made.push_back(between(0, 11));
      return made;
    };
    Puzzle puzzle{.pool = std::vector<Wide>(kinds, pool)};  // some tasks are larger
    const int bundles = between(1, 7);
    for (int at = 0; at < bundles; ++at) {
      for (int before = 0; before < at; ++before) {
        if (between(0, 2) > 0) continue;
        puzzle.edges.push_back(
            {static_cast<std::uint32_t>(before), static_cast<std::uint32_t>(at)});
      }
      puzzle.tasks.push_back(static_cast<std::uint32_t>(between(0, most_tasks)));
      puzzle.durations.push_back(between(1, 6) * 1s);
      puzzle.demands.push_back(demand());
    }
    // Held one after another, so that it is never too much by itself.
    int now = 0;
    for (int left = between(0, 3); left > 0; --left) {
      const int begin = now + between(0, 4);
      now = begin + between(1, 5);
      puzzle.held.push_back({begin * 1s, now * 1s, demand(), 1});
    }
    return puzzle;
  });
}

TEST(PackerLaws, AllTasksArePackedAfterThoseTheyWaitForAndNothingOverlapsBeyondThePool) {
  check_law({.cases = 1000}, [] {
    const Puzzle puzzle = any_puzzle();
    const Packed packed = puzzle.packed();
    std::vector<std::uint32_t> tasks(puzzle.tasks.size());
    std::vector<Duration> first(tasks.size(), Duration::max());
    std::vector<Duration> last(tasks.size(), Duration::zero());  // end
    for (const PackedStart& start : packed.starts) {
      tasks[start.bundle] += start.tasks;
      first[start.bundle] = std::min(first[start.bundle], start.begin);
      last[start.bundle] = start.begin + puzzle.durations[start.bundle];
    }
    RC_ASSERT(tasks == puzzle.tasks);
    RC_ASSERT(packed.end == *std::ranges::max_element(last));
    for (const Edge& edge : puzzle.edges) RC_ASSERT(last[edge.before] <= first[edge.after]);
    for (int second = 0; second * 1s < packed.end; ++second) {
      std::vector<Wide> taken(puzzle.pool.size());
      std::uint32_t there = 0;
      const auto add = [&](Duration begin, Duration end, const Demand& demand,
                           std::uint32_t count) {
        if (second * 1s < begin || second * 1s >= end) return;
        there += count;
        for (std::size_t kind = 0; kind < taken.size(); ++kind) {
          taken[kind] += Wide{demand[kind]} * count;
        }
      };
      for (const Held& some : puzzle.held) add(some.begin, some.end, some.demand, some.tasks);
      for (const PackedStart& start : packed.starts) {
        add(start.begin, start.begin + puzzle.durations[start.bundle], puzzle.demands[start.bundle],
            start.tasks);
      }
      for (std::size_t kind = 0; kind < taken.size(); ++kind) {
        RC_ASSERT(taken[kind] <= puzzle.pool[kind] || there == 1);
      }
    }
  });
}

TEST(PackerLaws, TheEndIsNotBeforeTheLongestWayNorBeforeTheWorkFits) {
  check_law({.cases = 1000}, [] {
    const Puzzle puzzle = any_puzzle();
    const Packed packed = puzzle.packed();
    std::vector<Duration> way(puzzle.tasks.size());
    for (std::size_t at = 0; at < way.size(); ++at) {
      for (const Edge& edge : puzzle.edges) {
        if (edge.after == at) way[at] = std::max(way[at], way[edge.before]);
      }
      if (puzzle.tasks[at] > 0) way[at] += puzzle.durations[at];
    }
    RC_ASSERT(packed.end >= *std::ranges::max_element(way));
    for (std::size_t kind = 0; kind < puzzle.pool.size(); ++kind) {
      Wide work = 0;
      for (std::size_t at = 0; at < way.size(); ++at) {
        // Larger than the pool is as much as the pool.
        const Wide asked = std::min(Wide{puzzle.demands[at][kind]}, puzzle.pool[kind]);
        work += asked * puzzle.tasks[at] * (puzzle.durations[at] / 1s);
      }
      RC_ASSERT(puzzle.pool[kind] * (packed.end / 1s) >= work);
    }
  });
}

TEST(PackerLaws, EachStartIsWhereSomethingBeginsOrEnds) {
  check_law({.cases = 500}, [] {
    const Puzzle puzzle = any_puzzle();
    const Packed packed = puzzle.packed();
    for (const PackedStart& start : packed.starts) {
      bool at_a_change = start.begin == Duration::zero();
      for (const Held& some : puzzle.held) {
        at_a_change |= start.begin == some.begin || start.begin == some.end;
      }
      for (const PackedStart& other : packed.starts) {
        at_a_change |= start.begin == other.begin + puzzle.durations[other.bundle];
      }
      RC_ASSERT(at_a_change);
    }
    RC_ASSERT(std::ranges::is_sorted(packed.starts, {}, &PackedStart::begin));
  });
}

TEST(PackerLaws, PackingTwiceIsTheSameWhateverWasPackedBetween) {
  check_law({.cases = 500}, [] {
    const Puzzle puzzle = any_puzzle();
    Puzzle turned = puzzle;
    for (Edge& edge : turned.edges) std::swap(edge.before, edge.after);
    Packer packer(puzzle.pool);
    const auto pack = [&](const Puzzle& one) {
      Profile space = one.space();
      const auto starts = packer.pack(space, one.bundles(), one.edges, Duration::zero());
      return Starts(starts.begin(), starts.end());
    };
    const Starts straight = pack(puzzle);
    const Starts backward = pack(turned);
    RC_ASSERT(pack(puzzle) == straight);
    RC_ASSERT(backward == turned.packed().starts);
  });
}

/// Each task a bundle of its own.
Puzzle split(const Puzzle& puzzle, std::vector<std::uint32_t>& origin) {
  Puzzle made{.pool = puzzle.pool, .held = puzzle.held};
  std::vector<std::uint32_t> first;
  for (std::uint32_t at = 0; at < puzzle.tasks.size(); ++at) {
    first.push_back(static_cast<std::uint32_t>(made.tasks.size()));
    // A bundle without tasks still passes on whom it waited for.
    const std::uint32_t pieces = std::max(puzzle.tasks[at], 1U);
    made.tasks.insert(made.tasks.end(), pieces, std::min(puzzle.tasks[at], 1U));
    made.durations.insert(made.durations.end(), pieces, puzzle.durations[at]);
    made.demands.insert(made.demands.end(), pieces, puzzle.demands[at]);
    origin.insert(origin.end(), pieces, at);
  }
  first.push_back(static_cast<std::uint32_t>(made.tasks.size()));
  for (const Edge& edge : puzzle.edges) {
    for (std::uint32_t before = first[edge.before]; before < first[edge.before + 1]; ++before) {
      for (std::uint32_t after = first[edge.after]; after < first[edge.after + 1]; ++after) {
        made.edges.push_back({before, after});
      }
    }
  }
  return made;
}

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

TEST(PackerLaws, TasksOfABundleArePackedAsIfEachWereOneByItself) {
  check_law({.cases = 500}, [] {
    const Puzzle puzzle = any_puzzle(*rc::gen::element<Wide>(10, 40, 150), 25);
    std::vector<std::uint32_t> origin;
    const Packed apart = split(puzzle, origin).packed();
    Starts joined;
    for (PackedStart start : apart.starts) {
      start.bundle = origin[start.bundle];
      if (!joined.empty() && joined.back().begin == start.begin &&
          joined.back().bundle == start.bundle) {
        joined.back().tasks += start.tasks;
      } else {
        joined.push_back(start);
      }
    }
    RC_ASSERT(puzzle.packed().starts == joined);
  });
}

}  // namespace
}  // namespace somnus::harness
