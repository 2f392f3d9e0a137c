// A node's messages and when they arrive: the emulated network between node and scheduler, times at
// which nothing gets through, and ends of attempts that wait for the next heartbeat (policies.md
// 4.1).
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "base/random.hpp"
#include "base/time.hpp"
#include "workers/node_model.hpp"

namespace somnus {

class NodeUplink {
 public:
  NodeUplink(const NodeModel& model, NodeId node) {
    if (model.network.jitter > 0) {
      ways_ = std::make_unique<RandomStream>(model.seed, "network", node.value());
    }
    const FaultModel& fault_model = model.fault_model;
    if (fault_model.heartbeat_lost > 0 || fault_model.heartbeat_late > 0) {
      beats_ = std::make_unique<RandomStream>(fault_model.seed, "heartbeat faults", node.value());
    }
  }

  /// Until then nothing comes to the node or from it; what is said leaves then.
  void cut_off(Time until) { reachable_ = std::max(reachable_, until); }
  /// Since when it can be reached, or when it can be again; never: it can't any more.
  [[nodiscard]] Time reachable() const { return reachable_; }

  /// How long the next thing takes that travels to the node or from it.
  [[nodiscard]] Duration way(const Delay& network) {
    return ways_ == nullptr ? network.mean : drawn_way(network);
  }
  /// When the scheduler gets what the node says now and `extra` later sends. All of one instant
  /// goes one way together, and nothing overtakes what the node said before.
  [[nodiscard]] Time heard(Time now, Duration extra, const Delay& network) {
    if (spoke_ != now) {
      spoke_ = now;
      way_ = way(network);
    }
    const Time leaves = std::max(now, reachable_);
    heard_ = leaves == never ? never : std::max(heard_, leaves + way_ + extra);
    return heard_;
  }

  /// What becomes of the next heartbeat: how much later than it should it is sent; none: it is
  /// lost.
  [[nodiscard]] std::optional<Duration> heartbeat_delay(const FaultModel& fault_model) {
    if (beats_ == nullptr) return Duration::zero();
    const double drawn = beats_->uniform();
    if (drawn < fault_model.heartbeat_lost) return std::nullopt;
    return drawn < fault_model.heartbeat_lost + fault_model.heartbeat_late ? fault_model.late_by
                                                                           : Duration::zero();
  }

  [[gnu::noinline]] void keep(const CompletionMessage& end) { kept_.push_back(end); }
  /// Calls visit(end) for each that was kept, in order; none is any more.
  template <class Visit>
  void release_held(Visit&& visit) {
    for (CompletionMessage& end : kept_) visit(end);
    kept_.clear();
  }

 private:
  [[gnu::noinline]] Duration drawn_way(const Delay& network) { return network.draw(*ways_); }

  std::unique_ptr<RandomStream> ways_;  // none: all are alike
  Time spoke_ = never;                  // when it last said something
  Duration way_{};                      // from there to the scheduler, for what it said then
  Time heard_;                          // when the scheduler has heard all of it
  Time reachable_;
  // Rarely looked at.
  std::unique_ptr<RandomStream> beats_;  // none: all get through
  std::vector<CompletionMessage> kept_;
};

}  // namespace somnus
