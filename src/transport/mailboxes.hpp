// Ranks as threads of one process: real time without MPI. `somnus run` uses it when it has one rank
// only, and tests under TSan use it, since TSan and Open MPI do not go together.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "transport/wire.hpp"

namespace somnus {

/// Mailboxes of `size` ranks. Safe to use from the threads of all of them.
class Mailboxes {
 public:
  explicit Mailboxes(int size);
  /// The wire of one rank, to be used by one thread; the mailboxes must outlive it.
  [[nodiscard]] std::unique_ptr<Wire> wire(int rank);

 private:
  class Box;
  struct Slot {
    std::mutex mutex;
    std::deque<std::pair<int, Bytes>> mail;
  };
  std::vector<Slot> slots_;
};

}  // namespace somnus
