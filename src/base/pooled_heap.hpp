// A heap of heaps: indices with keys in numbered pools that have keys themselves. The top is the
// least index of the least pool that holds any. Ties go to the smaller number. Each step costs
// O(log pools + log members); an empty pool costs nothing.
//
// A pool has no key, and no place, until it is given one: after a put() or erase() the caller says
// that of each pool whose key is another now.
#pragma once

#include <utility>
#include <vector>

#include "base/indexed_heap.hpp"

namespace somnus {

template <class PoolKey, class Key>
class PooledHeap {
 public:
  using Entry = HeapEntry<Key>;

  [[nodiscard]] bool empty() const { return pools_.empty(); }
  [[nodiscard]] const Entry& top() const { return members_[pools_.top().index].top(); }
  [[nodiscard]] const PoolKey& top_pool_key() const { return pools_.top().key; }
  [[nodiscard]] bool contains(std::uint32_t index) const { return places_.contains(index); }

  /// Of an index that is there.
  [[nodiscard]] std::uint32_t pool_of(std::uint32_t index) const { return pool_of_[index]; }
  /// The pool's least; nullptr if it is empty.
  [[nodiscard]] const Entry* first_of(std::uint32_t pool) const {
    const bool any = pool < members_.size() && !members_[pool].empty();
    return any ? &members_[pool].top() : nullptr;
  }

  /// Inserts, or moves to its new place, in that pool.
  void put(std::uint32_t pool, std::uint32_t index, Key key) {
    if (contains(index) && pool_of_[index] != pool) erase(index);
    if (pool >= members_.size()) members_.resize(std::size_t{pool} + 1);
    if (index >= pool_of_.size()) pool_of_.resize(std::size_t{index} + 1);
    pool_of_[index] = pool;
    members_[pool].put(places_, index, std::move(key));
  }
  /// Nothing happens if it is not there.
  void erase(std::uint32_t index) {
    if (!contains(index)) return;
    const std::uint32_t pool = pool_of_[index];
    members_[pool].erase(places_, index);
    if (members_[pool].empty()) pools_.erase(pool);
  }
  /// Nothing happens if the pool is empty.
  void move_pool(std::uint32_t pool, PoolKey pool_key) {
    if (first_of(pool) != nullptr) pools_.put(pool, std::move(pool_key));
  }

 private:
  IndexedHeap<PoolKey> pools_;             // those that hold any
  std::vector<HeapEntries<Key>> members_;  // by pool
  HeapPlaces places_;                      // of the members
  std::vector<std::uint32_t> pool_of_;     // by index
};

}  // namespace somnus
