// The transport of `simulate`: all nodes in this process, one call away. Commands and reports are
// the same messages as over MPI.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

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
  void receive(Time now, Reports& reports) {
    reports.take(reports_);
    if (nodes_.next() <= now) nodes_.advance(now, reports);
  }
  [[nodiscard]] Time next() const { return nodes_.next(); }
  [[nodiscard]] std::optional<ExpectedEnd> expected_end(std::size_t after) const {
    const Slot* const slot = nodes_.ends_next(after);
    if (slot == nullptr) return {};
    return ExpectedEnd{.task = slot->task, .node = slot->node};
  }
  /// The nodes live on by themselves, before `until`, as long as the scheduler hears nothing of
  /// them. Returns when it does, or has to look for itself, at the latest `until`.
  Time go_on(Time until) {
    constexpr int most_looks = 1000;  // a scheduler that is asked to end does not wait for ever
    Time next = nodes_.next();
    for (int looks = 0; next < until && looks < most_looks; ++looks) {
      if (nodes_.advance(next, reports_)) return next;
      next = nodes_.next();
    }
    return std::min(next, until);
  }

 private:
  NodeSet& nodes_;
  Reports reports_;  // that the scheduler has not received
};

}  // namespace somnus
