#include "workers/slots.hpp"

#include <algorithm>
#include <utility>

#include "base/random.hpp"

namespace somnus {

Slots::Slots(AllSlots& all, std::uint32_t count, double slowdown)
    : all_(all),
      count_(count),
      first_(static_cast<std::uint32_t>(all.size())),
      slowdown_(slowdown) {
  for (std::uint32_t place = 0; place < count; ++place) all.push_back({.place = place});
}

std::uint32_t Slots::take() {
  if (!free_.empty()) {
    const std::uint32_t place = free_.back();
    free_.pop_back();
    return place;
  }
  if (count_ == 0) {
    numbers_.push_back(static_cast<std::uint32_t>(all_.size()));
    all_.push_back({.place = used_});
  }
  return used_++;
}

std::uint32_t Slots::start(Time now, const LaunchMessage& task, Time queued,
                           const NodeModel& model) {
  if (model.jvm_reuse) prefer_warm(task.app);
  const std::uint32_t place = take();
  Slot& slot = at(place);
  slot.task = task;
  slot.queued = queued;
  slot.started = now;
  slot.busy = true;
  slot.warm = model.jvm_reuse && slot.last_app == task.app;
  slot.last_app = task.app;
  double factor = slowdown_;
  if (model.jvm_reuse && !slot.warm) factor *= task.warmup > 0 ? task.warmup : model.cold_factor;
  slot.intended = factor == 1 ? task.nominal : seconds(in_seconds(task.nominal) * factor);
  slot.fails = false;
  slot.deadline = now + slot.intended;
  if (model.task_failure_probability > 0) {
    RandomStream fate(model.seed, "task failure",
                      (std::uint64_t{task.task.value()} << 16) | task.attempt);
    slot.fails = fate.uniform() < model.task_failure_probability;
    if (slot.fails) slot.deadline = now + seconds(in_seconds(slot.intended) * fate.uniform());
  }
  return place;
}

void Slots::prefer_warm(AppId app) {
  const auto warm = std::find_if(free_.rbegin(), free_.rend(),
                                 [&](std::uint32_t place) { return at(place).last_app == app; });
  if (warm != free_.rend()) std::swap(*warm, free_.back());
}

void Slots::end(std::uint32_t place) {
  at(place).busy = false;
  give_back(place);
}

void Slots::forget_jvms() {
  for (std::uint32_t place = 0; place < used_; ++place) at(place).last_app = {};
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
