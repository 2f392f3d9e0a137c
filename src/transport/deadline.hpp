// Calls a function when a wait that nobody can break off, such as MPI's own, takes too long.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "transport/scaled_clock.hpp"

namespace somnus {

class Deadline {
 public:
  /// Calls `overdue` once, from another thread, unless it is gone within `limit`.
  Deadline(RealDuration limit, std::function<void()> overdue);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool met_ = false;
  std::thread thread_;
};

}  // namespace somnus
