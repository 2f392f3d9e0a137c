// Stages in order of their keys, on a bucket for each demand: where resources count, the least
// stage for which there is room is the least among the tops of the buckets for whose demand there
// is. Where only slots count there is one bucket. Stages are known by their indices among all
// (JobsView::position), by which ties are broken.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "base/pooled_heap.hpp"
#include "scheduler/demand_block.hpp"

namespace somnus {

/// Everybody is in one pool.
struct NoPools {
  friend constexpr auto operator<=>(NoPools, NoPools) = default;
};

/// In order of the pool's key, the pool, the stage's own key and its position.
template <class PoolKey, class Key>
class DemandBuckets {
 public:
  [[nodiscard]] bool contains(std::uint32_t position) const {
    return positions_.contains(position);
  }
  [[nodiscard]] std::uint32_t pool_of(std::uint32_t position) const { return of_[position].pool; }
  [[nodiscard]] const Key& key_of(std::uint32_t position) const {
    const Where& where = of_[position];
    return buckets_[where.bucket].key_of(positions_, where.pool, position);
  }

  [[nodiscard]] bool empty() const {
    return std::ranges::all_of(buckets_, [](const Bucket& one) { return one.empty(); });
  }

  /// Inserts, or moves to its new position. A new pool has no position until it is given a key.
  void put(DemandId demand, std::uint32_t pool, std::uint32_t position, Key key) {
    const Where where{.bucket = demand.value(), .pool = pool};
    if (contains(position) && of_[position] != where) erase(position);
    if (position >= of_.size()) of_.resize(std::size_t{position} + 1);
    if (where.bucket >= buckets_.size()) grow(where.bucket);
    of_[position] = where;
    buckets_[where.bucket].put(positions_, pool, position, std::move(key));
    changed(where.bucket);
  }
  /// To its new position, in the same bucket. It must be there.
  void move(std::uint32_t position, Key key) {
    const Where& where = of_[position];
    buckets_[where.bucket].put(positions_, where.pool, position, std::move(key));
    changed(where.bucket);
  }
  /// Nothing happens if it is not there.
  void erase(std::uint32_t position) {
    if (!contains(position)) return;
    const Where& where = of_[position];
    buckets_[where.bucket].erase(positions_, where.pool, position);
    changed(where.bucket);
  }
  /// Of each bucket that has any of the pool; key_of(position) is asked of its least.
  template <class KeyOf>
  void move_pool(std::uint32_t pool, KeyOf&& key_of) {
    const auto move = [&](DemandId demand) {
      Bucket& bucket = buckets_[demand.index()];
      const auto* first = bucket.first_of(pool);
      if (first == nullptr) return;
      bucket.move_pool(pool, key_of(first->index));
      changed(demand.value());
    };
    if (is_alone()) return move(DemandId(0U));
    const auto all = [](std::size_t) { return ~DemandBlock::Set{0}; };
    stocked_.for_each(all, move);
  }

  /// The least of those for whose demand there may be room and whose pool has a key for which
  /// may(key) holds; none if there is none.
  template <class MayFit, class May>
  [[nodiscard]] std::optional<std::uint32_t> least(MayFit&& may_fit, May&& may) const {
    if (is_alone()) {
      const Bucket& only = buckets_.front();
      if (only.empty() || !may(only.top_pool().key) || (may_fit(0) & 1U) == 0) return std::nullopt;
      return only.top().index;
    }
    const First* least = nullptr;
    stocked_.for_each(may_fit, [&](DemandId demand) {
      const First& first = firsts_[demand.index()];
      if (!first.is_there || !may(first.pool.key)) return;
      if (least == nullptr || first < *least) least = &first;
    });
    if (least == nullptr) return std::nullopt;
    return least->stage.index;
  }

 private:
  struct Where {
    std::uint32_t bucket = 0;
    std::uint32_t pool = 0;
    friend bool operator==(const Where&, const Where&) = default;
  };
  using Bucket = PooledEntries<PoolKey, Key>;

  /// What stands first on a bucket: least() looks at those of all, so they stand side by side.
  struct First {
    bool is_there = false;
    HeapEntry<PoolKey> pool{};
    HeapEntry<Key> stage{};
    friend bool operator<(const First& a, const First& b) {
      if (a.pool < b.pool) return true;
      if (b.pool < a.pool) return false;
      return a.stage < b.stage;
    }
  };

  /// As always where only slots count. Then the bucket itself is asked, and the rest is not kept.
  [[nodiscard]] bool is_alone() const { return buckets_.size() == 1; }
  void grow(std::uint32_t bucket) {
    const bool was_alone = is_alone();
    buckets_.resize(std::size_t{bucket} + 1);
    firsts_.resize(buckets_.size());
    if (was_alone) changed(0);
  }
  void changed(std::uint32_t number) {
    if (is_alone()) return;
    const Bucket& bucket = buckets_[number];
    stocked_.set(DemandId(number), !bucket.no_members());
    firsts_[number] = bucket.empty() ? First{} : First{true, bucket.top_pool(), bucket.top()};
  }

  std::vector<Bucket> buckets_;  // by demand
  std::vector<First> firsts_;    // the same
  DemandSet stocked_;            // buckets with any
  HeapPositions positions_;      // of stages, each on one bucket
  std::vector<Where> of_;        // by position
};

/// Of stages without pools.
template <class Key>
class PooledEntries<NoPools, Key> {
 public:
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] bool no_members() const { return entries_.empty(); }
  [[nodiscard]] const HeapEntry<Key>& top() const { return entries_.top(); }
  [[nodiscard]] static HeapEntry<NoPools> top_pool() { return {.key = {}, .index = 0}; }
  [[nodiscard]] const Key& key_of(const HeapPositions& places, std::uint32_t /*pool*/,
                                  std::uint32_t index) const {
    return entries_.key_of(places, index);
  }
  void put(HeapPositions& places, std::uint32_t /*pool*/, std::uint32_t index, Key key) {
    entries_.put(places, index, std::move(key));
  }
  void erase(HeapPositions& places, std::uint32_t /*pool*/, std::uint32_t index) {
    entries_.erase(places, index);
  }

 private:
  HeapEntries<Key> entries_;
};

}  // namespace somnus
