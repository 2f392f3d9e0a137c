#include "hdf5/blocks.hpp"

namespace somnus {
namespace {

// At which the writing thread wakes: for each block by itself it would take as many turns on the
// cores as there are blocks, some of them the filling thread's.
constexpr std::size_t worth_waking_for = 8;

}  // namespace

BlockExchange::BlockExchange(std::size_t blocks)
    : blocks_(std::make_unique_for_overwrite<Block[]>(blocks)) {
  for (std::size_t at = 0; at < blocks; ++at) empty_.push_back(&blocks_[at]);
}

Block& BlockExchange::take_empty(std::size_t stream) {
  std::unique_lock lock(mutex_);
  some_empty_.wait(lock, [this] { return !empty_.empty(); });
  Block& block = *empty_.back();
  empty_.pop_back();
  block.stream = stream;
  return block;
}

void BlockExchange::hand_over(Block& block) {
  {
    const std::lock_guard lock(mutex_);
    full_.push_back(&block);
    if (full_.size() != worth_waking_for) return;
  }
  some_full_.notify_one();
}

void BlockExchange::finish() {
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  some_full_.notify_one();
}

Block* BlockExchange::next(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  if (full_.empty()) {
    some_full_.wait_until(lock, deadline,
                          [this] { return finished_ || full_.size() >= worth_waking_for; });
  }
  if (full_.empty()) return nullptr;
  Block* block = full_.front();
  full_.pop_front();
  return block;
}

bool BlockExchange::finished() {
  const std::lock_guard lock(mutex_);
  return finished_ && full_.empty();
}

void BlockExchange::give_back(Block& block) {
  block.taken = 0;
  block.filled.store(0, std::memory_order_relaxed);  // the mutex orders it before the next fill
  {
    const std::lock_guard lock(mutex_);
    empty_.push_back(&block);
  }
  some_empty_.notify_one();
}

}  // namespace somnus
