// PAF's targets made anew: fair shares and the exchange, for 200 jobs on 8,000 slots as in the
// paper, and 20,000 jobs on a million. Each can use 1 to 200 slots, by a curve of Ernest's form.
//
// Beside it the least that an exchange by heaps does: as many times a key is changed at the top of
// a heap of as many jobs, two for each slot that moves.
#include <benchmark/benchmark.h>

#include <vector>

#include "base/indexed_heap.hpp"
#include "base/random.hpp"
#include "policies/exchange.hpp"
#include "policies/max_min.hpp"

namespace somnus {
namespace {

struct Market {
  std::vector<Claim> claims;
  std::vector<ProgressCurve> curves;
};

Market market(std::int64_t jobs) {
  Market made;
  RandomStream draws(1, "market");
  for (std::int64_t job = 0; job < jobs; ++job) {
    const auto most = static_cast<std::uint32_t>(draws.integer(1, 200));
    const double serial = draws.uniform(0.05, 0.9);
    std::vector<double> progress;
    for (std::uint32_t slots = 1; slots <= most; ++slots) {
      progress.push_back(ernest_progress({serial, 0, (1 - serial) * most, 0}, slots));
    }
    made.curves.push_back(ProgressCurve::above(progress));
    made.claims.push_back({.weight = static_cast<double>(draws.integer(1, 20)), .most = most});
  }
  return made;
}

std::vector<std::uint32_t> targets(const Market& from, std::uint64_t slots,
                                   std::vector<std::uint32_t>& fair) {
  fair = max_min_shares(slots, from.claims);
  std::vector<Trader> traders;
  for (std::size_t job = 0; job < fair.size(); ++job) {
    traders.push_back({.curve = &from.curves[job], .fair = fair[job]});
  }
  return exchange_slots(traders, 0.9);
}

std::int64_t moved(const Market& from, std::uint64_t slots) {
  std::vector<std::uint32_t> fair;
  const std::vector<std::uint32_t> shares = targets(from, slots, fair);
  std::int64_t sum = 0;
  for (std::size_t job = 0; job < fair.size(); ++job) {
    if (shares[job] > fair[job]) sum += shares[job] - fair[job];
  }
  return sum;
}

void recompute(benchmark::State& state) {
  const Market from = market(state.range(0));
  const auto slots = static_cast<std::uint64_t>(state.range(1));
  std::vector<std::uint32_t> fair;
  for (auto _ : state) benchmark::DoNotOptimize(targets(from, slots, fair));
  state.counters["slots_moved"] = static_cast<double>(moved(from, slots));
}

void bare_heap(benchmark::State& state) {
  const Market from = market(state.range(0));
  const std::int64_t changes = 2 * moved(from, static_cast<std::uint64_t>(state.range(1)));
  for (auto _ : state) {
    IndexedHeap<std::int64_t> heap;
    for (std::uint32_t job = 0; job < from.claims.size(); ++job) heap.put(job, job);
    for (std::int64_t change = 0; change < changes; ++change) {
      heap.put(heap.top().index, heap.top().key + 1 + (change & 1023));
    }
    benchmark::DoNotOptimize(heap.top());
  }
}

void sizes(benchmark::internal::Benchmark* one) {
  one->ArgNames({"jobs", "slots"})->Unit(benchmark::kMicrosecond);
  one->Args({200, 8'000})->Args({20'000, 1'000'000});
}
BENCHMARK(bare_heap)->Apply(sizes);
BENCHMARK(recompute)->Apply(sizes);

}  // namespace
}  // namespace somnus

BENCHMARK_MAIN();
