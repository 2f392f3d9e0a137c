// What there is to pack: small puzzles, by hand or at random.
#pragma once

#include "packing/packer.hpp"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/property.hpp"

namespace somnus {

inline bool operator==(const PackedStart& a, const PackedStart& b) {
  return std::tie(a.begin, a.bundle, a.tasks, a.machine) ==
         std::tie(b.begin, b.bundle, b.tasks, b.machine);
}
inline std::ostream& operator<<(std::ostream& out, const PackedStart& start) {
  return out << start.tasks << " of " << start.bundle << " at " << start.begin.count() << " ns on "
             << start.machine;
}

}  // namespace somnus

namespace somnus::harness {
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

inline std::ostream& operator<<(std::ostream& out, const Puzzle& puzzle) {
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

inline int between(int low, int high) { return *rc::gen::inRange(low, high + 1); }

inline Puzzle any_puzzle(Wide pool = 10, int most_tasks = 5) {
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

}  // namespace somnus::harness
