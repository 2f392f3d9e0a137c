// Heaps over dense indices whose keys may change: the 4-ary heaps that order jobs by priority and
// slots by deadline. Ties go to the smaller index. Unlike Boost's mutable heaps, whose handles
// point into the original, they are plain values: a copied policy has heaps of its own.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace somnus {

template <class Key>
struct HeapEntry {
  Key key;
  std::uint32_t index;
  friend bool operator<(const HeapEntry& a, const HeapEntry& b) {
    const auto order = a.key <=> b.key;
    return order != 0 ? order < 0 : a.index < b.index;
  }
};

/// Where each index stands in its heap; several heaps may share one, if no index is in two.
class HeapPositions {
 public:
  static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

  [[nodiscard]] bool contains(std::uint32_t index) const {
    return index < places_.size() && places_[index] != nowhere;
  }
  [[nodiscard]] std::uint32_t operator[](std::uint32_t index) const { return places_[index]; }
  [[nodiscard]] std::uint32_t& at(std::uint32_t index) {
    if (index >= places_.size()) places_.resize(std::size_t{index} + 1, nowhere);
    return places_[index];
  }
  void set(std::uint32_t index, std::size_t place) {
    places_[index] = static_cast<std::uint32_t>(place);
  }

 private:
  std::vector<std::uint32_t> places_;  // by index
};

/// The heap proper, over places that it is given.
template <class Key>
class HeapEntries {
 public:
  using Entry = HeapEntry<Key>;

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] const Entry& top() const { return entries_.front(); }
  /// It must be there.
  [[nodiscard]] const Key& key_of(const HeapPositions& places, std::uint32_t index) const {
    return entries_[places[index]].key;
  }

  /// Inserts, or moves to its new place. O(log n).
  void put(HeapPositions& places, std::uint32_t index, Key key) {
    std::size_t place = places.at(index);
    if (place == HeapPositions::nowhere) {
      place = entries_.size();
      entries_.push_back({std::move(key), index});
      places.set(index, place);
      rise(places, place);
      return;
    }
    entries_[place].key = std::move(key);
    if (!rise(places, place)) sink(places, place);
  }

  /// It must be there. O(log n).
  void erase(HeapPositions& places, std::uint32_t index) {
    const std::size_t place = places[index];
    places.set(index, HeapPositions::nowhere);
    Entry last = std::move(entries_.back());
    entries_.pop_back();
    if (place == entries_.size()) return;
    set(places, place, std::move(last));
    if (!rise(places, place)) sink(places, place);
  }

 private:
  static constexpr std::size_t arity = 4;

  void set(HeapPositions& places, std::size_t place, Entry entry) {
    places.set(entry.index, place);
    entries_[place] = std::move(entry);
  }

  /// Whether it moved; nothing is written if it does not.
  bool rise(HeapPositions& places, std::size_t place) {
    std::size_t parent = (place - 1) / arity;
    if (place == 0 || !(entries_[place] < entries_[parent])) return false;
    Entry entry = std::move(entries_[place]);
    do {
      set(places, place, std::move(entries_[parent]));
      place = parent;
      parent = (place - 1) / arity;
    } while (place > 0 && entry < entries_[parent]);
    set(places, place, std::move(entry));
    return true;
  }

  /// Of the entries below that place; the place itself if there are none.
  [[nodiscard]] std::size_t least_child(std::size_t place) const {
    const std::size_t first = place * arity + 1;
    if (first >= entries_.size()) return place;
    const std::size_t end = std::min(first + arity, entries_.size());
    std::size_t least = first;
    for (std::size_t child = first + 1; child < end; ++child) {
      if (entries_[child] < entries_[least]) least = child;
    }
    return least;
  }

  /// The same.
  void sink(HeapPositions& places, std::size_t place) {
    std::size_t least = least_child(place);
    if (least == place || !(entries_[least] < entries_[place])) return;
    Entry entry = std::move(entries_[place]);
    do {
      set(places, place, std::move(entries_[least]));
      place = least;
      least = least_child(place);
    } while (least != place && entries_[least] < entry);
    set(places, place, std::move(entry));
  }

  std::vector<Entry> entries_;
};

template <class Key>
class IndexedHeap {
 public:
  using Entry = HeapEntry<Key>;

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] const Entry& top() const { return entries_.top(); }
  [[nodiscard]] bool contains(std::uint32_t index) const { return places_.contains(index); }
  /// It must be there.
  [[nodiscard]] const Key& key_of(std::uint32_t index) const {
    return entries_.key_of(places_, index);
  }

  /// Inserts, or moves to its new place. O(log n).
  void put(std::uint32_t index, Key key) { entries_.put(places_, index, std::move(key)); }
  /// Nothing happens if it is not there. O(log n).
  void erase(std::uint32_t index) {
    if (contains(index)) entries_.erase(places_, index);
  }
  void pop() { erase(top().index); }

 private:
  HeapEntries<Key> entries_;
  HeapPositions places_;
};

}  // namespace somnus
