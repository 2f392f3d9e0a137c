// Executor `thread`: each slot is an OS thread that really sleeps for its task, to an absolute
// deadline. (Executor `timer` is the deadline heap inside NodeSet and one sleeping thread a rank.)
#pragma once

#include <tbb/concurrent_queue.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <semaphore>
#include <thread>
#include <vector>

#include "transport/scaled_clock.hpp"

namespace somnus {

/// Used by one thread, the rank's own. Threads are made when their slot is first used.
class SlotThreads {
 public:
  SlotThreads() = default;
  /// Wakes and joins all.
  ~SlotThreads();
  SlotThreads(const SlotThreads&) = delete;
  SlotThreads& operator=(const SlotThreads&) = delete;

  /// The slot's thread sleeps until then; one that still sleeps goes on until then.
  void sleep(std::uint32_t slot, RealTime until);
  /// A slot whose thread has woken up; false if none has since the last call.
  bool woke(std::uint32_t& slot);

 private:
  struct Sleeper {
    std::counting_semaphore<> bell{0};
    std::atomic<RealTime::rep> until{0};
    std::thread thread;
  };
  void run(std::uint32_t slot, Sleeper& sleeper);

  std::vector<std::unique_ptr<Sleeper>> sleepers_;  // by slot
  tbb::concurrent_queue<std::uint32_t> awake_;
  std::atomic<bool> over_{false};
};

}  // namespace somnus
