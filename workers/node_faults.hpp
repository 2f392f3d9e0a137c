// When nodes are lost or cut off, and when they come back: listed faults and random ones, in order
// of time, without end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "base/random.hpp"
#include "base/time.hpp"
#include "workers/fault_model.hpp"

namespace somnus {

enum class NodeChange : std::uint8_t {
  lost,      // it forgets all that it did, and does nothing any more
  returned,  // it is there again, empty
  cut_off,   // it goes on, but nothing comes to it and nothing from it until then
};

struct NodeFault {
  Time at;
  NodeId node;
  NodeChange change = NodeChange::lost;
  Time until = never;  // where it is cut off
};

class NodeFaults {
 public:
  /// Of nodes [first, first + count). listed: in order of time.
  NodeFaults(const std::vector<NodeFault>& listed, const FaultModel& fault_model, NodeId first,
             std::uint32_t count);

  /// When the next one is; never if there is none.
  [[nodiscard]] Time next() const { return next_; }
  /// The next one, which is no longer to come; of one instant the listed ones come first, then
  /// nodes in order. Not if there is none.
  NodeFault take();

 private:
  /// What comes next by chance, for one node.
  struct Drawn {
    NodeFault next;
    RandomStream stream;
  };
  void draw(Drawn& of);
  void find_next();
  static bool later(const Drawn& a, const Drawn& b) {
    return a.next.at != b.next.at ? a.next.at > b.next.at : a.next.node > b.next.node;
  }

  FaultModel fault_model_;
  std::vector<NodeFault> listed_;
  std::size_t next_listed_ = 0;
  std::vector<Drawn> drawn_;  // a heap
  Time next_ = never;
};

/// By node: those that are lost at that time; if `silent`, also those that are cut off and will
/// have been given up. Faults at that very time are still to come.
[[nodiscard]] std::vector<bool> absent_at(Time now, NodeFaults faults, std::uint32_t nodes,
                                          bool silent);

}  // namespace somnus
