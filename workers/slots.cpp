#include "workers/slots.hpp"

#include <algorithm>

namespace somnus {

Slots::Slots(AllSlots& all, std::uint32_t count, double slowdown)
    : all_(&all),
      slowdown_(slowdown),
      count_(count),
      first_(static_cast<std::uint32_t>(all.size())) {
  for (std::uint32_t place = 0; place < count; ++place) all.add(place);
}

std::uint32_t Slots::take_unused() {
  if (count_ == 0) {
    numbers_.push_back(static_cast<std::uint32_t>(all_->size()));
    all_->add(used_);
  }
  ++taken_;
  return used_++;
}

Sleep Slots::start(Time now, const LaunchMessage& task, Time queued, const NodeModel& model) {
  const Warmup& warmup = model.warmup;
  const bool in_unused = warmup.looks_back() && put_quickest_first(task, warmup) == Next::unused;
  const std::uint32_t place = in_unused ? take_unused() : take();
  Found found;
  if (warmup.looks_back()) {
    History& history = all_->history(number(place));
    found = history.found(task.app, task.stage);
    history.add(task.app, task.stage, warmup.row().looks_at);
  }
  const Intended meant = warmup.intended(task.times, found, slowdown_);
  const FaultModel& fault_model = model.fault_model;
  const Duration intended = fault_model.straggle(meant.time, task.task, task.attempt);
  const Duration failure = fault_model.fails_after(intended, task.task, task.attempt);
  // Field by field: a whole slot would be made elsewhere and copied.
  Slot& slot = (*this)[place];
  slot.started = now;
  slot.intended = intended;
  slot.task = task.task;
  slot.node = task.node;
  slot.attempt = task.attempt;
  slot.busy = true;
  slot.warm = meant.warm;
  slot.fails = failure < intended;
  const Time deadline = now + std::min(failure, intended);
  if (slot.fails || model.make_queue != nullptr) {
    all_->apart(slot) = {.queued = queued, .deadline = deadline, .estimate = task.estimate};
  }
  return {.slot = number(place), .until = deadline};
}

Duration Slots::time_in(std::uint32_t place, const LaunchMessage& task, const Warmup& warmup) {
  const Found found = all_->history(number(place)).found(task.app, task.stage);
  return warmup.intended(task.times, found, slowdown_).time;
}

Slots::Next Slots::put_quickest_first(const LaunchMessage& task, const Warmup& warmup) {
  const Duration least = Warmup::least(task.times, slowdown_);
  Duration quickest = Duration::max();
  std::uint32_t chosen = none;
  std::uint32_t before_chosen = none;
  std::uint32_t before = none;
  for (std::uint32_t place = last_freed_; place != none && quickest > least;
       place = freed_before(place)) {
    if (const Duration time = time_in(place, task, warmup); time < quickest) {
      quickest = time;
      chosen = place;
      before_chosen = before;
    }
    before = place;
  }
  // Without a limit there are no more slots than tasks that ever ran at once.
  const bool any_unused = used_ < count_;
  const Found nothing = History().found(task.app, task.stage);
  if (any_unused && warmup.intended(task.times, nothing, slowdown_).time < quickest) {
    return Next::unused;
  }
  if (before_chosen != none) {
    freed_before(before_chosen) = freed_before(chosen);
    freed_before(chosen) = last_freed_;
    last_freed_ = chosen;
  }
  return Next::freed;
}

Slot* Slots::find(TaskId task, std::uint16_t attempt) {
  for (std::uint32_t place = 0; place < used_; ++place) {
    Slot& slot = (*this)[place];
    if (slot.busy && slot.task == task && slot.attempt == attempt) return &slot;
  }
  return nullptr;
}

void Slots::forget() {
  for (std::uint32_t place = 0; place < used_; ++place) all_->forget_history(number(place));
}

std::vector<Duration> Slots::left_of_running(Time now) const {
  std::vector<Duration> left;
  left.reserve(used_);
  for (std::uint32_t place = 0; place < used_; ++place) {
    const Slot& slot = (*this)[place];
    if (!slot.busy) continue;
    left.push_back(std::max(Duration::zero(), all_->apart(slot).estimate - (now - slot.started)));
  }
  return left;
}

}  // namespace somnus
