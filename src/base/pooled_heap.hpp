// A heap of heaps: indices with keys in numbered pools that have keys themselves. The top is the
// least index of the least pool that holds any. Ties go to the smaller number. Each step costs
// O(log pools + log members); an empty pool costs nothing.
//
// A pool has no key, and no place in the heap, until it is given one: after a put() or erase() the
// caller sets the key of each pool whose key has changed.
#pragma once

#include <utility>
#include <vector>

#include "base/indexed_heap.hpp"

namespace somnus {

/// The heaps proper, over places that they are given: those of the members, who are in one pool
/// each.
template <class PoolKey, class Key>
class PooledEntries {
 public:
  using Entry = HeapEntry<Key>;

  /// Whether no pool has a place.
  [[nodiscard]] bool empty() const { return pools_.empty(); }
  [[nodiscard]] bool no_members() const { return members_in_all_ == 0; }
  [[nodiscard]] const Entry& top() const { return members_[pools_.top().index].top(); }
  [[nodiscard]] const HeapEntry<PoolKey>& top_pool() const { return pools_.top(); }
  /// The pool's least; nullptr if it is empty.
  [[nodiscard]] const Entry* first_of(std::uint32_t pool) const {
    const bool any = pool < members_.size() && !members_[pool].empty();
    return any ? &members_[pool].top() : nullptr;
  }

  /// Of one that is there, in that pool.
  [[nodiscard]] const Key& key_of(const HeapPositions& places, std::uint32_t pool,
                                  std::uint32_t index) const {
    return members_[pool].key_of(places, index);
  }

  /// Inserts, or moves to its new place, in that pool.
  void put(HeapPositions& places, std::uint32_t pool, std::uint32_t index, Key key) {
    if (pool >= members_.size()) members_.resize(std::size_t{pool} + 1);
    if (!places.contains(index)) ++members_in_all_;
    members_[pool].put(places, index, std::move(key));
  }
  /// It must be there.
  void erase(HeapPositions& places, std::uint32_t pool, std::uint32_t index) {
    members_[pool].erase(places, index);
    --members_in_all_;
    if (members_[pool].empty()) pools_.erase(pool);
  }
  /// Nothing happens if the pool is empty.
  void move_pool(std::uint32_t pool, PoolKey pool_key) {
    if (first_of(pool) != nullptr) pools_.put(pool, std::move(pool_key));
  }

 private:
  IndexedHeap<PoolKey> pools_;             // those that hold any
  std::vector<HeapEntries<Key>> members_;  // by pool
  std::size_t members_in_all_ = 0;
};

}  // namespace somnus
