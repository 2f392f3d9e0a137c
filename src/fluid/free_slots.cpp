#include "fluid/free_slots.hpp"

namespace somnus {

FreeSlots::Started FreeSlots::start(const TaskTimes& times, StageId stage) {
  Duration least = Duration::max();
  auto chosen = freed_.end();
  for (auto alike = freed_.begin(); alike != freed_.end(); ++alike) {
    const RunHistory& past = alike->first;
    const Found found{.app = true, .stage = past.last == stage, .ran = past.ran};
    const Duration time = warmup_.intended(times, found, 1).time;
    const bool later = chosen != freed_.end() && time == least &&
                       alike->second.back().turn > chosen->second.back().turn;
    if (time >= least && !later) continue;
    least = time;
    chosen = alike;
  }
  const bool may_be_new = used_ < count_ && (limit_ == Limit::slots || freed_.empty());
  const Duration unused = may_be_new ? warmup_.intended(times, {}, 1).time : Duration::max();
  if (chosen == freed_.end() || unused < least) {
    return {.slot = used_++, .time = unused, .past = after({}, stage)};
  }
  const RunHistory before = chosen->first;
  const std::uint64_t slot = chosen->second.back().slot;
  chosen->second.pop_back();
  if (chosen->second.empty()) freed_.erase(chosen);
  return {.slot = slot, .time = least, .past = after(before, stage)};
}

FreeSlots::RunHistory FreeSlots::after(RunHistory before, StageId stage) const {
  switch (warmup_.row().looks_at) {
    case LooksAt::nothing:
    case LooksAt::last_app:
      break;
    case LooksAt::last_stage:
      before.last = stage;
      break;
    case LooksAt::counts:
      ++before.ran;
  }
  return before;
}

}  // namespace somnus
