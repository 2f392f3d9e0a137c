#include "workers/slots.hpp"

#include <algorithm>
#include <utility>

#include "base/random.hpp"

namespace somnus {

Slots::Slots(std::span<Slot> all, std::span<std::uint32_t> room, double slowdown)
    : all_(all), room_(room.data()), slowdown_(slowdown), free_(size()) {
  for (std::uint32_t place = 0; place < free_; ++place) room_[place] = free_ - 1 - place;
}

std::uint32_t Slots::start(Time now, const LaunchMessage& task, Time queued,
                           const NodeModel& model) {
  if (model.jvm_reuse) prefer_warm(task.app);
  const std::uint32_t place = take();
  Slot& slot = all_[place];
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
  const std::span<std::uint32_t> stack(room_, free_);
  const auto warm = std::find_if(stack.rbegin(), stack.rend(),
                                 [&](std::uint32_t place) { return all_[place].last_app == app; });
  if (warm != stack.rend()) std::swap(*warm, stack.back());
}

void Slots::end(std::uint32_t place) {
  all_[place].busy = false;
  give_back(place);
}

void Slots::forget_jvms() {
  for (Slot& slot : all_) slot.last_app = {};
}

std::vector<Duration> Slots::left_of_running(Time now) const {
  std::vector<Duration> left;
  left.reserve(size());
  for (const Slot& slot : all_) {
    if (!slot.busy) continue;
    left.push_back(std::max(Duration::zero(), slot.task.estimate - (now - slot.started)));
  }
  return left;
}

}  // namespace somnus
