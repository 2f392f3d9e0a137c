// The emulated network between scheduler and node: messages put in come out later, in order of
// their due times and, at equal times, in the order in which they were put in. Each kind of message
// has a line of its own: at equal times one kind comes before the next.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "base/time.hpp"
#include "base/type_list.hpp"

namespace somnus {

struct Delay {
  Duration mean{};
  double jitter = 0;  // each is mean * U[1 - jitter, 1 + jitter]

  [[nodiscard]] bool none() const { return mean == Duration::zero(); }
  [[nodiscard]] Duration draw(RandomStream& stream) const {
    if (jitter == 0) return mean;
    return seconds(in_seconds(mean) * stream.uniform(1 - jitter, 1 + jitter));
  }
};

template <class T>
class DelayLine {
 public:
  [[nodiscard]] bool empty() const { return in_order_.empty() && heap_.empty(); }
  [[nodiscard]] Time next() const {
    const Time first = in_order_.empty() ? never : in_order_[first_].due;
    return heap_.empty() ? first : std::min(first, heap_.front().due);
  }

  /// Also the thing that is being visited.
  void put(Time due, const T& thing) {
    const bool in_order = in_order_.empty() || in_order_.back().due <= due;
    const bool is_full = in_order_.size() == in_order_.capacity();
    if (!in_order || is_full) return make_room({due, sequence_++, thing}, in_order);
    in_order_.push_back({due, sequence_++, thing});  // a constant delay keeps the order
  }

  /// Calls visit(due, thing) for the first one, which leaves. Not for an empty line.
  template <class Visit>
  void take(Visit&& visit) {
    const bool from_heap =
        in_order_.empty() || (!heap_.empty() && before(heap_.front(), in_order_[first_]));
    if (!from_heap) {
      visit(in_order_[first_].due, std::as_const(in_order_[first_].thing));
      return pop_first();
    }
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const Overtaking first = heap_.back();
    heap_.pop_back();
    const T thing = overtaking_[first.place];
    free_.push_back(first.place);
    visit(first.due, thing);
  }

 private:
  struct Item {
    Time due;
    std::uint64_t sequence;
    T thing;
  };
  /// In a heap things would be moved at each level; their places are.
  struct Overtaking {
    Time due;
    std::uint64_t sequence;
    std::uint32_t place;
  };
  static bool before(const auto& a, const auto& b) {
    return a.due != b.due ? a.due < b.due : a.sequence < b.sequence;
  }
  static bool later(const Overtaking& a, const Overtaking& b) { return before(b, a); }

  // A line that empties begins anew where it began, in memory that is still in the cache; a ring
  // would go through all that it ever needed.
  void pop_first() {
    if (++first_ == in_order_.size()) {
      in_order_.clear();
      first_ = 0;
    }
  }
  // The item was copied before anything moves.
  [[gnu::noinline]] void make_room(const Item& item, bool in_order) {
    if (in_order) {
      const bool half_is_gone = first_ > 0 && 2 * first_ >= in_order_.size();
      if (!half_is_gone) in_order_.reserve(std::max<std::size_t>(64, 2 * in_order_.size()));
      in_order_.erase(in_order_.begin(), in_order_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
      in_order_.push_back(item);
      return;
    }
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(overtaking_.size()));
      overtaking_.emplace_back();
    }
    overtaking_[free_.back()] = item.thing;
    heap_.push_back({item.due, item.sequence, free_.back()});
    free_.pop_back();
    std::push_heap(heap_.begin(), heap_.end(), later);
  }

  std::vector<Item> in_order_;       // empty, or first_ is one of them
  std::size_t first_ = 0;            // those before it have left
  std::vector<Overtaking> heap_;     // what is due before something that was put in earlier
  std::vector<T> overtaking_;        // these things, by place
  std::vector<std::uint32_t> free_;  // places
  std::uint64_t sequence_ = 0;
};

/// A line for each type of a list.
template <class List>
class DelayLines;

template <class... Types>
class DelayLines<TypeList<Types...>> {
 public:
  [[nodiscard]] Time next() const { return next_; }
  template <class T>
  void put(Time due, const T& thing) {
    std::get<DelayLine<T>>(lines_).put(due, thing);
    Time& next = nexts_[TypeList<Types...>::template place<T>];
    next = std::min(next, due);
    next_ = std::min(next_, due);
  }
  /// Calls visit(due, thing) for all that is due by then, line after line. What it puts here must
  /// be due later; a thing is gone once something of its kind was put.
  template <class Visit>
  void take_due(Time now, Visit&& visit) {
    if (next_ > now) return;
    (take_due<Types>(now, visit), ...);
    next_ = std::ranges::min(nexts_);
  }

 private:
  template <class T>
  void take_due(Time now, auto& visit) {
    Time& next = nexts_[TypeList<Types...>::template place<T>];
    if (next > now) return;
    DelayLine<T>& line = std::get<DelayLine<T>>(lines_);
    while (line.next() <= now) line.take(visit);
    next = line.next();
  }

  static constexpr std::array<Time, sizeof...(Types)> all_never() {
    std::array<Time, sizeof...(Types)> all;
    all.fill(never);
    return all;
  }

  std::tuple<DelayLine<Types>...> lines_;
  std::array<Time, sizeof...(Types)> nexts_ = all_never();  // of each
  Time next_ = never;                                       // of all lines
};

}  // namespace somnus
