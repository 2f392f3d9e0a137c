// Laws of every packing of random DAGs into a pool.
#include <gtest/gtest.h>

#include <algorithm>

#include "packing/puzzle.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

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
