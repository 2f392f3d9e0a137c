// What a node says and when it is heard: the emulated way between it and the scheduler, and ends of
// attempts that wait to be told with a heartbeat (policies.md 4.1).
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "base/time.hpp"
#include "workers/node_model.hpp"

namespace somnus {

class Voice {
 public:
  Voice(const NodeModel& model, NodeId node) {
    if (model.network.jitter > 0) {
      ways_ = std::make_unique<RandomStream>(model.seed, "network", node.value());
    }
  }

  /// How long the next thing takes that travels to the node or from it.
  [[nodiscard]] Duration way(const Delay& network) {
    return ways_ == nullptr ? network.mean : network.draw(*ways_);
  }
  /// When the scheduler hears what the node says now and `extra` later sends. All of one instant
  /// goes one way together, and nothing overtakes what the node said before.
  [[nodiscard]] Time heard(Time now, Duration extra, const Delay& network) {
    if (spoke_ != now) {
      spoke_ = now;
      way_ = way(network);
    }
    heard_ = std::max(heard_, now + way_ + extra);
    return heard_;
  }

  void keep(const CompletionMessage& end) { kept_.push_back(end); }
  /// Calls visit(end) for each that was kept, in order; none is any more.
  template <class Visit>
  void tell_kept(Visit&& visit) {
    for (const CompletionMessage& end : kept_) visit(end);
    kept_.clear();
  }

 private:
  Time spoke_ = never;                  // when it last said something
  Duration way_{};                      // from there to the scheduler, for what it said then
  Time heard_;                          // when the scheduler has heard all of it
  std::unique_ptr<RandomStream> ways_;  // none: all are alike
  std::vector<CompletionMessage> kept_;
};

}  // namespace somnus
