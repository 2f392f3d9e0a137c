// Stages in order of their keys, on a bucket for each demand: where resources count, the least
// stage for which there is room is the least among the tops of the buckets for whose demand there
// is. Where only slots count there is one bucket. Stages are known by their indices among all
// (JobsView::position), by which ties are broken.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "base/pooled_heap.hpp"

namespace somnus {

/// Everybody is in one pool.
struct NoPools {
  friend constexpr auto operator<=>(NoPools, NoPools) = default;
};

/// In order of the pool's key, the pool, the stage's own key and its position.
template <class PoolKey, class Key>
class DemandBuckets {
 public:
  [[nodiscard]] bool empty() const { return stocked_.empty(); }
  [[nodiscard]] bool contains(std::uint32_t position) const {
    return positions_.contains(position);
  }
  [[nodiscard]] std::uint32_t pool_of(std::uint32_t position) const { return of_[position].pool; }
  [[nodiscard]] const Key& key_of(std::uint32_t position) const {
    const Where& where = of_[position];
    return buckets_[where.bucket].key_of(positions_, where.pool, position);
  }

  /// Inserts, or moves to its new position. A new pool has no position until it is given a key.
  void put(DemandId demand, std::uint32_t pool, std::uint32_t position, Key key) {
    const Where where{.bucket = demand.value(), .pool = pool};
    if (contains(position) && of_[position] != where) erase(position);
    if (position >= of_.size()) of_.resize(std::size_t{position} + 1);
    if (where.bucket >= buckets_.size()) buckets_.resize(std::size_t{where.bucket} + 1);
    of_[position] = where;
    buckets_[where.bucket].put(positions_, pool, position, std::move(key));
    stock(where.bucket);
  }
  /// To its new position, in the same bucket. It must be there.
  void move(std::uint32_t position, Key key) {
    const Where& where = of_[position];
    buckets_[where.bucket].put(positions_, where.pool, position, std::move(key));
  }
  /// Nothing happens if it is not there.
  void erase(std::uint32_t position) {
    if (!contains(position)) return;
    const Where& where = of_[position];
    buckets_[where.bucket].erase(positions_, where.pool, position);
    if (buckets_[where.bucket].no_members()) clear(where.bucket);
  }
  /// Of each bucket that has any of the pool; key_of(position) is asked of its least.
  template <class KeyOf>
  void move_pool(std::uint32_t pool, KeyOf&& key_of) {
    for (const std::uint32_t at : stocked_) {
      if (const auto* first = buckets_[at].first_of(pool); first != nullptr) {
        buckets_[at].move_pool(pool, key_of(first->index));
      }
    }
  }

  /// The least of those for whose demand there is room and whose pool has a key for which
  /// may(key) holds; none if there is none.
  template <class HasRoom, class May>
  [[nodiscard]] std::optional<std::uint32_t> least(HasRoom&& has_room, May&& may) const {
    using Rank = std::tuple<PoolKey, std::uint32_t, Key, std::uint32_t>;
    std::optional<Rank> least;
    for (const std::uint32_t at : stocked_) {
      const auto& bucket = buckets_[at];
      if (bucket.empty() || !may(bucket.top_pool().key) || !has_room(DemandId(at))) continue;
      const auto& top = bucket.top();
      if (stocked_.size() == 1) return top.index;
      Rank rank{bucket.top_pool().key, bucket.top_pool().index, top.key, top.index};
      if (!least || rank < *least) least = std::move(rank);
    }
    if (!least) return std::nullopt;
    return std::get<3>(*least);
  }

 private:
  struct Where {
    std::uint32_t bucket = 0;
    std::uint32_t pool = 0;
    friend bool operator==(const Where&, const Where&) = default;
  };
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  void stock(std::uint32_t bucket) {
    if (bucket >= at_.size()) at_.resize(std::size_t{bucket} + 1, nowhere);
    if (at_[bucket] != nowhere) return;
    at_[bucket] = static_cast<std::uint32_t>(stocked_.size());
    stocked_.push_back(bucket);
  }
  void clear(std::uint32_t bucket) {
    const std::uint32_t at = std::exchange(at_[bucket], nowhere);
    stocked_[at] = stocked_.back();
    stocked_.pop_back();
    if (at < stocked_.size()) at_[stocked_[at]] = at;
  }

  std::vector<PooledEntries<PoolKey, Key>> buckets_;  // by demand
  HeapPositions positions_;                           // of stages, each on one bucket
  std::vector<Where> of_;                             // by position
  std::vector<std::uint32_t> stocked_;                // buckets with any
  std::vector<std::uint32_t> at_;                     // by bucket: there, or nowhere
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
