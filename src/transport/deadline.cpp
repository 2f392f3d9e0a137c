#include "transport/deadline.hpp"

#include <utility>

namespace somnus {

Deadline::Deadline(RealDuration limit, std::function<void()> overdue)
    : thread_([this, limit, overdue = std::move(overdue)] {
        std::unique_lock lock(mutex_);
        if (!changed_.wait_for(lock, limit, [this] { return met_; })) overdue();
      }) {}

Deadline::~Deadline() {
  {
    const std::lock_guard lock(mutex_);
    met_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

}  // namespace somnus
