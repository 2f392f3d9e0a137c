#include "packing/slot_profile.hpp"

#include <algorithm>

namespace somnus {

SlotProfile::SlotProfile(std::int64_t slots) : steps_(1) { root_ = make(Time::min(), slots); }

SlotProfile::Place SlotProfile::make(Time begin, std::int64_t free) {
  draws_ += 0x9e3779b97f4a7c15;  // Weyl sequence, mixed: what a treap needs of chance
  const std::uint64_t mixed = (draws_ ^ (draws_ >> 32)) * 0xd6e8feb86659fd93;
  const Step step{.begin = begin,
                  .free = free,
                  .least = free,
                  .most = free,
                  .priority = static_cast<std::uint32_t>(mixed >> 32)};
  if (unused_.empty()) {
    steps_.push_back(step);
    return static_cast<Place>(steps_.size() - 1);
  }
  const Place place = unused_.back();
  unused_.pop_back();
  steps_[place] = step;
  return place;
}

void SlotProfile::change(Place place, std::int64_t slots) {
  if (place == 0) return;
  Step& step = steps_[place];
  step.free += slots;
  step.least += slots;
  step.most += slots;
  step.more += slots;
}

void SlotProfile::hand_down(Place place) {
  Step& step = steps_[place];
  if (step.more == 0) return;
  change(step.left, step.more);
  change(step.right, step.more);
  step.more = 0;
}

void SlotProfile::sum_up(Place place) {
  Step& step = steps_[place];
  step.least = step.most = step.free;
  for (const Place below : {step.left, step.right}) {
    if (below == 0) continue;
    step.least = std::min(step.least, steps_[below].least);
    step.most = std::max(step.most, steps_[below].most);
  }
}

SlotProfile::Halves SlotProfile::split(Place root, Time moment) {
  if (root == 0) return {.before = 0, .from = 0};
  hand_down(root);
  if (steps_[root].begin < moment) {
    const Halves halves = split(steps_[root].right, moment);
    steps_[root].right = halves.before;
    sum_up(root);
    return {.before = root, .from = halves.from};
  }
  const Halves halves = split(steps_[root].left, moment);
  steps_[root].left = halves.from;
  sum_up(root);
  return {.before = halves.before, .from = root};
}

SlotProfile::Place SlotProfile::join(Place before, Place after) {
  if (before == 0) return after;
  if (after == 0) return before;
  if (steps_[before].priority > steps_[after].priority) {
    hand_down(before);
    steps_[before].right = join(steps_[before].right, after);
    sum_up(before);
    return before;
  }
  hand_down(after);
  steps_[after].left = join(before, steps_[after].left);
  sum_up(after);
  return after;
}

// A step begins there.
void SlotProfile::cut(Time moment) {
  Place place = root_;
  std::int64_t free = 0;  // of the last step that begins before
  std::int64_t more = 0;
  while (place != 0) {
    const Step& step = steps_[place];
    if (step.begin == moment) return;
    const bool is_before = step.begin < moment;
    if (is_before) free = step.free + more;
    more += step.more;
    place = is_before ? step.right : step.left;
  }
  const Halves halves = split(root_, moment);
  root_ = join(join(halves.before, make(moment, free)), halves.from);
}

// What two steps say alike is one.
void SlotProfile::join_equals(Time moment) {
  if (moment == Time::min() || at(moment) != at(moment - Duration(1))) return;
  const Halves halves = split(root_, moment);
  const Halves rest = split(halves.from, moment + Duration(1));
  release(rest.before);
  root_ = join(halves.before, rest.from);
}

void SlotProfile::release(Place root) {
  if (root == 0) return;
  release(steps_[root].left);
  release(steps_[root].right);
  unused_.push_back(root);
}

void SlotProfile::add(Time begin, Time end, std::int64_t slots) {
  if (begin >= end || slots == 0) return;
  cut(begin);
  if (end != never) cut(end);
  const Halves outer = split(root_, begin);
  const Halves inner =
      end == never ? Halves{.before = outer.from, .from = 0} : split(outer.from, end);
  change(inner.before, slots);
  root_ = join(join(outer.before, inner.before), inner.from);
  join_equals(begin);
  if (end != never) join_equals(end);
}

void SlotProfile::add(std::int64_t slots) { change(root_, slots); }

std::int64_t SlotProfile::at(Time moment) const {
  Place place = root_;
  std::int64_t free = 0;
  std::int64_t more = 0;
  while (place != 0) {
    const Step& step = steps_[place];
    const bool has_begun = step.begin <= moment;
    if (has_begun) free = step.free + more;
    more += step.more;
    place = has_begun ? step.right : step.left;
  }
  return free;
}

SlotProfile::Place SlotProfile::first(Place root, Time moment, std::int64_t slots,
                                      std::int64_t more, Which which) const {
  if (root == 0) return 0;
  const Step& step = steps_[root];
  const bool none = which == Which::fewer ? step.least + more >= slots : step.most + more < slots;
  if (none) return 0;
  if (step.begin > moment) {
    const Place found = first(step.left, moment, slots, more + step.more, which);
    if (found != 0) return found;
    const bool is_it = (which == Which::fewer) == (step.free + more < slots);
    if (is_it) return root;
  }
  return first(step.right, moment, slots, more + step.more, which);
}

// After that; never: not any more.
Time SlotProfile::next(Time from, std::int64_t slots, Which which) const {
  const Place found = first(root_, from, slots, 0, which);
  return found == 0 ? never : steps_[found].begin;
}

Time SlotProfile::earliest(Time from, Duration length, std::int64_t slots) const {
  return earliest(from, never, length, slots);
}

Time SlotProfile::earliest(Time from, Time until, Duration length, std::int64_t slots) const {
  Time begin = at(from) >= slots ? from : next(from, slots, Which::enough);
  while (begin < until) {
    const Time lacking = next(begin, slots, Which::fewer);
    if (lacking == never || lacking - begin >= length) return begin;
    begin = next(lacking, slots, Which::enough);
  }
  return never;
}

// Of those that have begun by then.
SlotProfile::Place SlotProfile::last_with_fewer(Place root, Time moment, std::int64_t slots,
                                                std::int64_t more) const {
  if (root == 0) return 0;
  const Step& step = steps_[root];
  if (step.least + more >= slots) return 0;
  if (step.begin <= moment) {
    const Place found = last_with_fewer(step.right, moment, slots, more + step.more);
    if (found != 0) return found;
    if (step.free + more < slots) return root;
  }
  return last_with_fewer(step.left, moment, slots, more + step.more);
}

Time SlotProfile::since(Time from, Time moment, std::int64_t slots) const {
  const Place lacking = last_with_fewer(root_, moment, slots, 0);
  if (lacking == 0) return from;
  return std::max(from, next(steps_[lacking].begin, slots, Which::enough));
}

void SlotProfile::forget_before(Time moment) {
  const std::int64_t free = at(moment);
  const Halves halves = split(root_, moment + Duration(1));
  release(halves.before);
  root_ = join(make(Time::min(), free), halves.from);
}

}  // namespace somnus
