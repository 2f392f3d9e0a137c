// Blocks of rows on their way from the thread that adds them to the thread that writes them.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace somnus {

/// Rows of one kind. The adding thread fills it from the front and raises `filled` behind each
/// row; so the writing thread may take what stands there before the block is full.
struct Block {
  static constexpr std::size_t capacity = std::size_t{256} << 10;

  std::size_t stream = 0;               // which kind
  std::atomic<std::size_t> filled = 0;  // bytes
  std::size_t taken = 0;                // bytes; the writing thread's
  alignas(std::max_align_t) std::array<std::byte, capacity> bytes;
};

/// A bounded queue of blocks that come back to be filled again. One thread fills, one writes.
class BlockExchange {
 public:
  explicit BlockExchange(std::size_t blocks);

  // For the filling thread.

  /// Waits while all blocks are on their way.
  [[nodiscard]] Block& take_empty(std::size_t stream);
  void hand_over(Block& block);
  /// No block will be handed over after this.
  void finish();

  // For the writing thread.

  /// The next block. Where there is none, waits until there are several, or until `deadline`; null
  /// if there is none then, or when all is written and there will be no more.
  [[nodiscard]] Block* next(std::chrono::steady_clock::time_point deadline);
  [[nodiscard]] bool finished();
  void give_back(Block& block);

 private:
  std::unique_ptr<Block[]> blocks_;  // in one piece, which costs less than many
  std::mutex mutex_;
  std::condition_variable some_empty_;
  std::condition_variable some_full_;
  std::vector<Block*> empty_;
  std::deque<Block*> full_;
  bool finished_ = false;
};

}  // namespace somnus
