#include "base/indexed_heap.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "harness/property.hpp"

namespace somnus {
namespace {

using harness::check_law;

// What the heap must be: pairs (key, index) in order, at most one a index.
class Reference {
 public:
  void put(std::uint32_t index, int key) {
    erase(index);
    order_.emplace(key, index);
    keys_[index] = key;
  }
  void erase(std::uint32_t index) {
    const auto found = keys_.find(index);
    if (found == keys_.end()) return;
    order_.erase({found->second, index});
    keys_.erase(found);
  }
  [[nodiscard]] const std::set<std::pair<int, std::uint32_t>>& order() const { return order_; }
  [[nodiscard]] bool contains(std::uint32_t index) const { return keys_.contains(index); }

 private:
  std::set<std::pair<int, std::uint32_t>> order_;
  std::map<std::uint32_t, int> keys_;
};

struct Step {
  int what = 0;  // 0, 1: put; 2: erase; 3: pop
  std::uint32_t index = 0;
  int key = 0;
};
[[maybe_unused]] std::ostream& operator<<(std::ostream& out, const Step& step) {
  return out << (step.what < 2    ? "put "
                 : step.what == 2 ? "erase "
                                  : "pop ")
             << step.index << " key " << step.key;
}

rc::Gen<std::vector<Step>> steps() {
  return rc::gen::container<std::vector<Step>>(rc::gen::build<Step>(
      rc::gen::set(&Step::what, rc::gen::inRange(0, 4)),
      rc::gen::set(&Step::index, rc::gen::inRange<std::uint32_t>(0, 40)),
      rc::gen::set(&Step::key, rc::gen::inRange(-5, 15))));  // few, so that keys are equal
}

template <class Heap>
void apply(const Step& step, Heap& heap, Reference& reference) {
  if (step.what < 2) {
    heap.put(step.index, step.key);
    reference.put(step.index, step.key);
  } else if (step.what == 2) {
    heap.erase(step.index);
    reference.erase(step.index);
  } else if (!heap.empty()) {
    reference.erase(heap.top().index);
    heap.pop();
  }
}

void expect_equal(const IndexedHeap<int>& heap, const Reference& reference) {
  RC_ASSERT(heap.size() == reference.order().size());
  RC_ASSERT(heap.empty() == reference.order().empty());
  if (heap.empty()) return;
  RC_ASSERT(heap.top().key == reference.order().begin()->first);
  RC_ASSERT(heap.top().index == reference.order().begin()->second);
}

TEST(IndexedHeap, AfterAnyStepsItsTopIsTheLeastKeyAndOfThoseTheSmallestIndex) {
  check_law({.cases = 200, .largest = 300}, [] {
    IndexedHeap<int> heap;
    Reference reference;
    for (const Step& step : *steps()) {
      apply(step, heap, reference);
      expect_equal(heap, reference);
      RC_ASSERT(heap.contains(step.index) == reference.contains(step.index));
    }
    while (!heap.empty()) {
      expect_equal(heap, reference);
      reference.erase(heap.top().index);
      heap.pop();
    }
    RC_ASSERT(reference.order().empty());
  });
}

TEST(IndexedHeap, ACopyLivesALifeOfItsOwn) {
  check_law({.cases = 200}, [] {
    IndexedHeap<int> heap;
    Reference reference;
    for (const Step& step : *steps()) apply(step, heap, reference);
    IndexedHeap<int> copy = heap;
    Reference reference_of_copy = reference;
    for (const Step& step : *steps()) apply(step, copy, reference_of_copy);
    expect_equal(heap, reference);
    expect_equal(copy, reference_of_copy);
  });
}

}  // namespace
}  // namespace somnus
