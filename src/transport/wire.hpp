// A Wire carries packets (packets.hpp) between ranks: MPI between processes, Mailboxes
// between threads.
#pragma once

#include <cstddef>
#include <vector>

namespace somnus {

using Bytes = std::vector<std::byte>;

class Wire {
 public:
  virtual ~Wire() = default;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  /// Never blocks for long; the bytes are the wire's from now on.
  virtual void send(int to, Bytes bytes) = 0;
  /// The next packet that has come, in order per sender; false if none has.
  virtual bool receive(int& from, Bytes& bytes) = 0;
};

}  // namespace somnus
