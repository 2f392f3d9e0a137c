#include "packing/slot_profile.hpp"

#include <algorithm>
#include <utility>

namespace somnus {
namespace {

template <class Vector>
auto at_place(Vector& vector, std::size_t place) {
  return vector.begin() + static_cast<std::ptrdiff_t>(place);
}

}  // namespace

SlotProfile::SlotProfile(std::int64_t slots, std::size_t block)
    : most_steps_(block),
      blocks_{{.steps = {{.begin = Time::min(), .free = slots}}, .least = slots, .most = slots}},
      begins_{Time::min()} {}

void SlotProfile::Block::sum_up() {
  least = most = steps.front().free;
  for (const Step& step : steps) {
    least = std::min(least, step.free);
    most = std::max(most, step.free);
  }
}

std::size_t SlotProfile::steps() const {
  std::size_t count = 0;
  for (const Block& block : blocks_) count += block.steps.size();
  return count;
}

SlotProfile::Place SlotProfile::find(Time moment) const {
  const auto after = std::ranges::upper_bound(begins_, moment);
  const auto block = static_cast<std::size_t>(after - begins_.begin()) - 1;
  const std::vector<Step>& steps = blocks_[block].steps;
  const auto next = std::ranges::upper_bound(steps, moment, {}, &Step::begin);
  return {.block = block, .step = static_cast<std::size_t>(next - steps.begin()) - 1};
}

Time SlotProfile::end_of(std::size_t block) const {
  return block + 1 < blocks_.size() ? begins_[block + 1] : never;
}

// A step begins there: that one.
SlotProfile::Place SlotProfile::cut(Time moment) {
  const Place place = find(moment);
  Block& block = blocks_[place.block];
  if (block.steps[place.step].begin == moment) return place;
  block.steps.insert(at_place(block.steps, place.step + 1),
                     {.begin = moment, .free = block.steps[place.step].free});
  if (block.steps.size() <= most_steps_) return {.block = place.block, .step = place.step + 1};
  halve(place.block);
  return find(moment);
}

void SlotProfile::halve(std::size_t number) {
  Block half{.steps = {}, .more = blocks_[number].more};
  std::vector<Step>& steps = blocks_[number].steps;
  half.steps.reserve(most_steps_ + 1);
  half.steps.assign(at_place(steps, most_steps_ / 2), steps.end());
  steps.resize(most_steps_ / 2);
  half.sum_up();
  blocks_[number].sum_up();
  begins_.insert(at_place(begins_, number + 1), half.steps.front().begin);
  blocks_.insert(at_place(blocks_, number + 1), std::move(half));
}

// What two steps say alike is one.
void SlotProfile::join_if_equal(Place place) {
  const auto [number, step] = place;
  Block& block = blocks_[number];
  if (number == 0 && step == 0) return;
  const Block& other = step > 0 ? block : blocks_[number - 1];
  if (other.free((step > 0 ? step : other.steps.size()) - 1) != block.free(step)) return;
  block.steps.erase(at_place(block.steps, step));
  if (step > 0) return;
  if (block.steps.empty()) {
    blocks_.erase(at_place(blocks_, number));
    begins_.erase(at_place(begins_, number));
  } else {
    begins_[number] = block.steps.front().begin;
    block.sum_up();
  }
}

void SlotProfile::add(std::size_t number, std::size_t from, std::size_t to, std::int64_t slots) {
  Block& block = blocks_[number];
  for (std::size_t step = from; step < to; ++step) block.steps[step].free += slots;
  if (from < to) block.sum_up();
}

void SlotProfile::add(Time begin, Time end, std::int64_t slots) {
  if (begin >= end || slots == 0) return;
  Place from = cut(begin);
  const std::size_t blocks = blocks_.size();
  const Place to = end == never ? Place{.block = blocks, .step = 0} : cut(end);
  if (blocks_.size() > blocks) from = find(begin);
  if (from.block == to.block) {
    add(from.block, from.step, to.step, slots);
  } else {
    add(from.block, from.step, blocks_[from.block].steps.size(), slots);
    for (std::size_t at = from.block + 1; at < to.block; ++at) blocks_[at].more += slots;
    if (to.step > 0) add(to.block, 0, to.step, slots);
  }
  if (end != never) join_if_equal(to);
  join_if_equal(from);
}

void SlotProfile::add(std::int64_t slots) {
  for (Block& block : blocks_) block.more += slots;
}

std::int64_t SlotProfile::at(Time moment) const {
  const Place place = find(moment);
  return blocks_[place.block].free(place.step);
}

Time SlotProfile::earliest(Time from, Duration length, std::int64_t slots) const {
  return earliest(from, never, length, slots);
}

Time SlotProfile::earliest(Time from, Time until, Duration length, std::int64_t slots) const {
  Time begin = never;  // since then there are enough
  const Place first = find(from);
  for (std::size_t at = first.block; at < blocks_.size(); ++at) {
    const Block& block = blocks_[at];
    if (begin == never && begins_[at] >= until) return never;
    if (block.most + block.more < slots) {
      begin = never;
      continue;
    }
    const std::size_t start = at == first.block ? first.step : 0;
    if (block.least + block.more >= slots) {
      if (begin == never) begin = std::max(from, block.steps[start].begin);
    } else {
      const std::int64_t wanted = slots - block.more;
      for (std::size_t step = start; step < block.steps.size(); ++step) {
        const Step& one = block.steps[step];
        if (one.free >= wanted) {
          if (begin == never) begin = std::max(from, one.begin);
        } else if (begin != never) {
          if (begin >= until) return never;
          if (one.begin - begin >= length) return begin;
          begin = never;
        }
      }
    }
    if (begin == never) continue;
    if (begin >= until) return never;
    if (end_of(at) == never || end_of(at) - begin >= length) return begin;
  }
  return never;
}

Time SlotProfile::since(Time from, Time moment, std::int64_t slots) const {
  Place place = find(moment);
  Time begin = moment;
  for (std::size_t at = place.block + 1; at-- > 0 && begin > from;) {
    const Block& block = blocks_[at];
    const std::size_t end = at == place.block ? place.step + 1 : block.steps.size();
    if (block.least + block.more >= slots) {
      begin = begins_[at];
      continue;
    }
    for (std::size_t step = end; step-- > 0;) {
      if (block.free(step) < slots) return std::max(from, begin);
      begin = block.steps[step].begin;
    }
  }
  return std::max(from, begin);
}

void SlotProfile::forget_before(Time moment) {
  const Place place = find(moment);
  blocks_.erase(blocks_.begin(), at_place(blocks_, place.block));
  begins_.erase(begins_.begin(), at_place(begins_, place.block));
  Block& first = blocks_.front();
  first.steps.erase(first.steps.begin(), at_place(first.steps, place.step));
  begins_.front() = first.steps.front().begin = Time::min();
  if (place.step > 0) first.sum_up();
}

}  // namespace somnus
