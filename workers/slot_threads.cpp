#include "workers/slot_threads.hpp"

namespace somnus {

SlotThreads::~SlotThreads() {
  over_ = true;
  for (auto& sleeper : sleepers_) {
    if (sleeper) sleeper->bell.release();
  }
  for (auto& sleeper : sleepers_) {
    if (sleeper) sleeper->thread.join();
  }
}

void SlotThreads::sleep(std::uint32_t slot, RealTime until) {
  if (slot >= sleepers_.size()) sleepers_.resize(std::size_t{slot} + 1);
  auto& sleeper = sleepers_[slot];
  if (!sleeper) {
    sleeper = std::make_unique<Sleeper>();
    sleeper->thread = std::thread([this, slot, &state = *sleeper] { run(slot, state); });
  }
  sleeper->until = until.time_since_epoch().count();
  sleeper->bell.release();
}

bool SlotThreads::woke(std::uint32_t& slot) { return awake_.try_pop(slot); }

void SlotThreads::run(std::uint32_t slot, Sleeper& sleeper) {
  sleeper.bell.acquire();
  while (!over_) {
    const RealTime until{RealTime::duration(sleeper.until.load())};
    // The bell in mid-sleep means a new deadline, or the end.
    if (sleeper.bell.try_acquire_until(until)) continue;
    awake_.push(slot);
    sleeper.bell.acquire();
  }
}

}  // namespace somnus
