// A queue in one piece of memory, which grows when it is full.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace somnus {

template <class T>
class Ring {
 public:
  [[nodiscard]] bool empty() const { return first_ == end_; }
  [[nodiscard]] const T& front() const { return things_[first_ & mask_]; }
  [[nodiscard]] const T& back() const { return things_[(end_ - 1) & mask_]; }
  /// A place at the end, to be written.
  [[nodiscard]] T& push() {
    if (end_ - first_ > mask_) grow();
    return things_[end_++ & mask_];
  }
  void pop() { ++first_; }

 private:
  [[gnu::noinline]] void grow() {
    std::vector<T> grown(2 * things_.size());
    const auto first = static_cast<std::ptrdiff_t>(first_ & mask_);
    std::ranges::rotate_copy(things_, things_.begin() + first, grown.begin());
    first_ = 0;
    end_ = things_.size();
    things_ = std::move(grown);
    mask_ = things_.size() - 1;
  }

  std::size_t first_ = 0;
  std::size_t end_ = 0;
  std::size_t mask_ = 63;
  std::vector<T> things_ = std::vector<T>(64);  // a power of two of them
};

}  // namespace somnus
