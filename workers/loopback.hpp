// The transport of `simulate`: all nodes in this process, one call away. Commands and reports are
// the same messages as over MPI.
#pragma once

#include "workers/node_set.hpp"

namespace somnus {

class Loopback {
 public:
  explicit Loopback(NodeSet& nodes) : nodes_(nodes) {}

  template <CommandMessage Command>
  void send(Time now, const Command& command) {
    nodes_.send(now, command);
  }
  void announce(const JobUpdate& update) { nodes_.announce(update); }
  void flush() {}
  void receive(Time now, Reports& reports) { nodes_.advance(now, reports); }
  [[nodiscard]] Time next() const { return nodes_.next(); }

 private:
  NodeSet& nodes_;
};

}  // namespace somnus
