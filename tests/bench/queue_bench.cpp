// Which queue fits the ends of tasks? The hold model: so many deadlines wait; the least is taken,
// and one is put in that lies a task's length behind it. The lengths are those of the benchmark
// trace.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/indexed_heap.hpp"
#include "base/timing_wheel.hpp"
#include "bench_case.hpp"

namespace somnus {
namespace {

class FourAryHeap {
 public:
  void put(std::uint32_t index, Time deadline) { heap_.put(index, deadline); }
  [[nodiscard]] Time next() const { return heap_.top().key; }
  std::uint32_t take() {
    const std::uint32_t index = heap_.top().index;
    heap_.pop();
    return index;
  }

 private:
  IndexedHeap<Time> heap_;
};

/// Ahuja, Mehlhorn, Orlin and Tarjan, 1990: an entry waits by the highest bit in which it differs
/// from the last that was taken.
class RadixHeap {
 public:
  void put(std::uint32_t index, Time deadline) { put(Entry(deadline, index)); }
  [[nodiscard]] Time next() {
    refill();
    return buckets_[0].front().first;
  }
  std::uint32_t take() {
    refill();
    std::ranges::pop_heap(buckets_[0], std::greater());
    const std::uint32_t index = buckets_[0].back().second;
    buckets_[0].pop_back();
    return index;
  }

 private:
  using Entry = std::pair<Time, std::uint32_t>;

  void put(const Entry& entry) {
    const auto differ = static_cast<std::uint64_t>(entry.first.time_since_epoch().count() ^
                                                   last_.time_since_epoch().count());
    std::vector<Entry>& bucket = buckets_[static_cast<std::size_t>(std::bit_width(differ))];
    bucket.push_back(entry);
    if (differ == 0) std::ranges::push_heap(bucket, std::greater());
  }
  void refill() {
    if (!buckets_[0].empty()) return;
    std::vector<Entry>& first = *std::ranges::find_if_not(buckets_, &std::vector<Entry>::empty);
    last_ = std::ranges::min(first).first;
    for (const Entry& entry : std::exchange(first, {})) put(entry);
  }

  std::array<std::vector<Entry>, 65> buckets_;  // 0: due at `last_`, a heap
  Time last_ = start_of_time;
};

template <class Queue>
void hold(benchmark::State& state) {
  const Workload& workload = bench_workload();
  const auto waiting = static_cast<std::uint32_t>(state.range(0));
  Queue queue;
  std::uint32_t task = 0;
  const auto length = [&] {
    if (++task == workload.catalogue.tasks) task = 0;
    return workload.truth[TaskId(task)];
  };
  for (std::uint32_t index = 0; index < waiting; ++index)
    queue.put(index, start_of_time + length());
  for (auto _ : state) {
    const Time now = queue.next();
    const std::uint32_t index = queue.take();
    queue.put(index, now + length());
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(hold<FourAryHeap>)->ArgName("waiting")->Arg(8'000)->Arg(1'000'000);
BENCHMARK(hold<RadixHeap>)->ArgName("waiting")->Arg(8'000)->Arg(1'000'000);
BENCHMARK(hold<TimingWheel>)->ArgName("waiting")->Arg(8'000)->Arg(1'000'000);

}  // namespace
}  // namespace somnus

BENCHMARK_MAIN();
