#include "packing/openings.hpp"

#include <algorithm>
#include <iterator>

namespace somnus {

void Openings::clear() {
  for (Width& width : widths_) width.openings.clear();
  from_ = never;
  to_ = Time::min();
}

void Openings::look(const SlotProfile& profile, Time begin, Time from, Time to) {
  begin_ = begin;
  from_ = std::min(from_, from);
  to_ = std::max(to_, to);
  look(profile, from, to, 0, widths_.size());
}

void Openings::look(const SlotProfile& profile, Time from, Time to, std::size_t first,
                    std::size_t last) {
  if (first == last) return;
  const std::int64_t least = widths_[first].slots;
  const Time left = profile.at(from) >= least ? profile.since(begin_, from, least) : from;
  std::size_t open = first;  // of the widths before it there is an opening
  const auto close = [&](std::size_t down_to, Time end) {
    while (open > down_to) {
      Width& width = widths_[--open];
      if (end > from) learn(width.openings, {width.open, end - width.open});
    }
  };
  profile.for_each_step(left, [&](Time step, std::int64_t free) {
    std::size_t now = open;
    while (now > first && widths_[now - 1].slots > free) --now;
    close(now, step);
    if (step >= to) return open > first;
    while (open < last && widths_[open].slots <= free) widths_[open++].open = std::max(step, left);
    return true;
  });
  close(first, never);
}

void Openings::learn(std::vector<Opening>& openings, Opening one) {
  const bool is_last = openings.empty() || openings.back().begin < one.begin;
  if (is_last) {
    if (openings.empty() || openings.back().length < one.length) openings.push_back(one);
    return;
  }
  auto first = std::ranges::upper_bound(openings, one.begin, {}, &Opening::begin);
  const auto later = first;
  if (first != openings.begin()) {
    if (std::prev(first)->length >= one.length) return;
    if (std::prev(first)->begin == one.begin) --first;
  }
  const auto last =
      std::ranges::upper_bound(later, openings.end(), one.length, {}, &Opening::length);
  if (first == last) {
    openings.insert(first, one);
  } else {
    *first = one;
    openings.erase(first + 1, last);
  }
}

Openings::Width& Openings::of(std::int64_t slots, const SlotProfile& profile) {
  const auto found = std::ranges::lower_bound(widths_, slots, {}, &Width::slots);
  if (found != widths_.end() && found->slots == slots) return *found;
  const auto made = widths_.insert(found, {.slots = slots, .openings = {}, .open = {}});
  const auto place = static_cast<std::size_t>(made - widths_.begin());
  look(profile, from_, to_, place, place + 1);
  return *made;
}

Time Openings::first(Width& width, Time from, Time until, Duration length,
                     const SlotProfile& profile) {
  for (bool is_fresh = false;; is_fresh = true) {
    const auto found = std::ranges::lower_bound(width.openings, length, {}, &Opening::length);
    if (found == width.openings.end()) return never;
    const Time start = std::max(from, found->begin);
    if (start >= until) return never;
    const auto is_true = [&] {
      return profile.earliest(start, start + Duration(1), length, width.slots) == start;
    };
    if (is_fresh || is_true()) return start;
    width.openings.clear();
    const auto place = static_cast<std::size_t>(&width - widths_.data());
    look(profile, from_, to_, place, place + 1);
  }
}

}  // namespace somnus
