#include "workers/slots.hpp"

#include <algorithm>
#include <utility>

namespace somnus {

Slots::Slots(AllSlots& all, std::uint32_t count, double slowdown)
    : all_(all),
      count_(count),
      first_(static_cast<std::uint32_t>(all.size())),
      slowdown_(slowdown) {
  for (std::uint32_t place = 0; place < count; ++place) all.push_back({.place = place});
}

std::uint32_t Slots::take() {
  if (free_.empty()) return take_unused();
  const std::uint32_t place = free_.back();
  free_.pop_back();
  return place;
}

std::uint32_t Slots::take_unused() {
  if (count_ == 0) {
    numbers_.push_back(static_cast<std::uint32_t>(all_.size()));
    all_.push_back({.place = used_});
  }
  return used_++;
}

std::uint32_t Slots::start(Time now, const LaunchMessage& task, Time queued,
                           const NodeModel& model) {
  const Warmup& warmup = model.warmup;
  const bool in_unused = warmup.looks_back() && put_quickest_last(task, warmup) == Next::unused;
  const std::uint32_t place = in_unused ? take_unused() : take();
  Slot& slot = at(place);
  const Intended meant = intended(task, slot.history, warmup);
  slot.history.add(task.app, task.stage, warmup.row().looks_at);
  slot.task = task;
  slot.queued = queued;
  slot.started = now;
  slot.busy = true;
  slot.warm = meant.warm;
  const FaultModel& fault_model = model.fault_model;
  slot.intended = fault_model.straggle(meant.time, task.task, task.attempt);
  const Duration failure = fault_model.fails_after(slot.intended, task.task, task.attempt);
  slot.fails = failure < slot.intended;
  slot.deadline = now + std::min(failure, slot.intended);
  return place;
}

Intended Slots::intended(const LaunchMessage& task, const History& history,
                         const Warmup& warmup) const {
  return warmup.intended(task.times, history.found(task.app, task.stage), slowdown_);
}

Slots::Next Slots::put_quickest_last(const LaunchMessage& task, const Warmup& warmup) {
  const Duration least = Warmup::least(task.times, slowdown_);
  Duration quickest = Duration::max();
  auto chosen = free_.rend();
  for (auto place = free_.rbegin(); place != free_.rend() && quickest > least; ++place) {
    const Duration time = intended(task, at(*place).history, warmup).time;
    if (time >= quickest) continue;
    quickest = time;
    chosen = place;
  }
  // Without a limit there are no more slots than tasks that ever ran at once.
  const bool any_unused = used_ < count_;
  if (any_unused && intended(task, History(), warmup).time < quickest) return Next::unused;
  if (chosen != free_.rend()) std::rotate(chosen.base() - 1, chosen.base(), free_.end());
  return Next::freed;
}

void Slots::end(std::uint32_t place) {
  at(place).busy = false;
  give_back(place);
}

std::optional<std::uint32_t> Slots::place_of(TaskId task, std::uint16_t attempt) const {
  for (std::uint32_t place = 0; place < used_; ++place) {
    const Slot& slot = (*this)[place];
    if (slot.busy && slot.task.task == task && slot.task.attempt == attempt) return place;
  }
  return std::nullopt;
}

void Slots::forget() {
  for (std::uint32_t place = 0; place < used_; ++place) at(place).history.forget();
}

std::vector<Duration> Slots::left_of_running(Time now) const {
  std::vector<Duration> left;
  left.reserve(used_);
  for (std::uint32_t place = 0; place < used_; ++place) {
    const Slot& slot = (*this)[place];
    if (!slot.busy) continue;
    left.push_back(std::max(Duration::zero(), slot.task.estimate - (now - slot.started)));
  }
  return left;
}

}  // namespace somnus
