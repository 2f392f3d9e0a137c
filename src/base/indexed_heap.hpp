// A heap over dense indices whose keys may change: the 4-ary heap that orders jobs by priority and
// slots by deadline. Ties go to the smaller index. Unlike Boost's mutable heaps, whose handles
// point into the original, it is a plain value: a copied policy has a heap of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace somnus {

template <class Key>
class IndexedHeap {
 public:
  struct Entry {
    Key key;
    std::uint32_t index;
    friend bool operator<(const Entry& a, const Entry& b) {
      if (a.key < b.key) return true;
      if (b.key < a.key) return false;
      return a.index < b.index;
    }
  };

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] const Entry& top() const { return entries_.front(); }
  [[nodiscard]] bool contains(std::uint32_t index) const {
    return index < places_.size() && places_[index] != nowhere;
  }

  /// Inserts, or moves to its new place. O(log n).
  void put(std::uint32_t index, Key key) {
    if (index >= places_.size()) places_.resize(std::size_t{index} + 1, nowhere);
    std::size_t place = places_[index];
    if (place == nowhere) {
      place = entries_.size();
      entries_.push_back({std::move(key), index});
      rise(place);
      return;
    }
    entries_[place].key = std::move(key);
    if (!rise(place)) sink(place);
  }

  /// Nothing happens if it is not there. O(log n).
  void erase(std::uint32_t index) {
    if (!contains(index)) return;
    const std::size_t place = places_[index];
    places_[index] = nowhere;
    Entry last = std::move(entries_.back());
    entries_.pop_back();
    if (place == entries_.size()) return;
    set(place, std::move(last));
    if (!rise(place)) sink(place);
  }

  void pop() { erase(top().index); }

 private:
  static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::size_t arity = 4;

  void set(std::size_t place, Entry entry) {
    places_[entry.index] = static_cast<std::uint32_t>(place);
    entries_[place] = std::move(entry);
  }

  bool rise(std::size_t place) {
    Entry entry = std::move(entries_[place]);
    const std::size_t from = place;
    while (place > 0) {
      const std::size_t parent = (place - 1) / arity;
      if (!(entry < entries_[parent])) break;
      set(place, std::move(entries_[parent]));
      place = parent;
    }
    set(place, std::move(entry));
    return place != from;
  }

  void sink(std::size_t place) {
    Entry entry = std::move(entries_[place]);
    for (;;) {
      const std::size_t first = place * arity + 1;
      if (first >= entries_.size()) break;
      const std::size_t end = std::min(first + arity, entries_.size());
      std::size_t least = first;
      for (std::size_t child = first + 1; child < end; ++child) {
        if (entries_[child] < entries_[least]) least = child;
      }
      if (!(entries_[least] < entry)) break;
      set(place, std::move(entries_[least]));
      place = least;
    }
    set(place, std::move(entry));
  }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> places_;  // by index
};

}  // namespace somnus
