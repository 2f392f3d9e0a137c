#include "base/pooled_heap.hpp"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "harness/property.hpp"

namespace somnus {
namespace {

using harness::check_law;

// What the heap must be: everything looked through for the least (pool key, pool, key, index).
class PoolReference {
 public:
  void put(std::uint32_t pool, int pool_key, std::uint32_t index, int key) {
    members_[index] = {pool, key};
    pool_keys_[pool] = pool_key;
  }
  void move_pool(std::uint32_t pool, int key) { pool_keys_[pool] = key; }
  void erase(std::uint32_t index) { members_.erase(index); }
  [[nodiscard]] bool contains(std::uint32_t index) const { return members_.contains(index); }
  [[nodiscard]] bool empty() const { return members_.empty(); }

  using Rank = std::tuple<int, std::uint32_t, int, std::uint32_t>;
  [[nodiscard]] Rank top() const {
    Rank least;
    bool first = true;
    for (const auto& [index, member] : members_) {
      const auto& [pool, key] = member;
      const Rank rank{pool_keys_.at(pool), pool, key, index};
      if (first || rank < least) least = rank;
      first = false;
    }
    return least;
  }

 private:
  std::map<std::uint32_t, std::pair<std::uint32_t, int>> members_;  // by index: pool, key
  std::map<std::uint32_t, int> pool_keys_;
};

constexpr std::uint32_t pools = 5;

struct PoolStep {
  int what = 0;  // 0: put; 1: put into any pool; 2: erase; 3: move the pool
  std::uint32_t index = 0;
  int pool_key = 0;
  int key = 0;
};
[[maybe_unused]] std::ostream& operator<<(std::ostream& out, const PoolStep& step) {
  return out << (step.what < 2    ? "put "
                 : step.what == 2 ? "erase "
                                  : "move the pool of ")
             << step.index << " key " << step.key << " pool key " << step.pool_key;
}

std::uint32_t pool_of(const PoolStep& step) {
  const auto other = static_cast<std::uint32_t>(step.what == 1 ? step.pool_key : 0);
  return (step.index + other) % pools;
}

rc::Gen<std::vector<PoolStep>> pool_steps() {
  return rc::gen::container<std::vector<PoolStep>>(rc::gen::build<PoolStep>(
      rc::gen::set(&PoolStep::what, rc::gen::inRange(0, 4)),
      rc::gen::set(&PoolStep::index, rc::gen::inRange<std::uint32_t>(0, 20)),
      rc::gen::set(&PoolStep::pool_key, rc::gen::inRange(0, 4)),
      rc::gen::set(&PoolStep::key, rc::gen::inRange(0, 6))));  // few, so that keys are equal
}

/// With places of its own.
struct Heap {
  PooledEntries<int, int> entries;
  HeapPositions places;
  std::map<std::uint32_t, std::uint32_t> pool_of;

  void put(std::uint32_t pool, std::uint32_t index, int key) {
    if (pool_of.contains(index) && pool_of[index] != pool) erase(index);
    entries.put(places, pool, index, key);
    pool_of[index] = pool;
  }
  void erase(std::uint32_t index) {
    if (!pool_of.contains(index)) return;
    entries.erase(places, pool_of[index], index);
    pool_of.erase(index);
  }
};

void apply(const PoolStep& step, Heap& heap, PoolReference& reference) {
  const std::uint32_t pool = pool_of(step);
  if (step.what < 2) {
    heap.put(pool, step.index, step.key);
    heap.entries.move_pool(pool, step.pool_key);
    reference.put(pool, step.pool_key, step.index, step.key);
  } else if (step.what == 2) {
    heap.erase(step.index);
    reference.erase(step.index);
  } else {
    heap.entries.move_pool(pool, step.pool_key);
    reference.move_pool(pool, step.pool_key);
  }
}

void expect_equal(const Heap& heap, const PoolReference& reference) {
  RC_ASSERT(heap.entries.empty() == reference.empty());
  if (heap.entries.empty()) return;
  RC_ASSERT(heap.entries.top().key == std::get<2>(reference.top()));
  RC_ASSERT(heap.entries.top().index == std::get<3>(reference.top()));
}

TEST(PooledHeap, AfterAnyStepsItsTopIsTheLeastOfTheLeastPool) {
  check_law({.cases = 200, .largest = 200}, [] {
    Heap heap;
    PoolReference reference;
    for (const PoolStep& step : *pool_steps()) {
      apply(step, heap, reference);
      expect_equal(heap, reference);
      RC_ASSERT(heap.entries.no_members() == heap.pool_of.empty());
      RC_ASSERT(heap.places.contains(step.index) == reference.contains(step.index));
    }
    while (!heap.entries.empty()) {
      expect_equal(heap, reference);
      reference.erase(heap.entries.top().index);
      heap.erase(heap.entries.top().index);
    }
    RC_ASSERT(reference.empty());
  });
}

TEST(PooledHeap, ACopyLivesALifeOfItsOwn) {
  check_law({.cases = 200}, [] {
    Heap heap;
    PoolReference reference;
    for (const PoolStep& step : *pool_steps()) apply(step, heap, reference);
    Heap copy = heap;
    PoolReference reference_of_copy = reference;
    for (const PoolStep& step : *pool_steps()) apply(step, copy, reference_of_copy);
    expect_equal(heap, reference);
    expect_equal(copy, reference_of_copy);
  });
}

}  // namespace
}  // namespace somnus
