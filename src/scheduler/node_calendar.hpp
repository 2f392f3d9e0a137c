// What each node of a cluster holds over time, and where several tasks fit first: for reservations
// where it matters which nodes have room, as what is free on several together may fit on none.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/resources.hpp"

namespace somnus {

/// What each of several tasks needs of its node: for `length` from its start, and up to `until`.
struct Need {
  Resources demand;
  bool whole_node = false;  // where nobody else is
  Duration length{};
  Time until = Time::min();

  [[nodiscard]] Time end(Time start) const {
    return std::max(until, start < never - length ? start + length : never);
  }
};

class NodeCalendar {
 public:
  /// What a task holds from one time up to another.
  struct Held {
    Time from;
    Time to;
    bool whole_node = false;
    Resources amounts;

    friend bool operator==(const Held&, const Held&) = default;
  };
  struct Capacity {
    std::uint32_t slots = 0;  // 0: it is lost
    Resources amounts;
  };

  [[nodiscard]] std::size_t nodes() const { return capacities_.size(); }
  /// Idle nodes.
  void begin(std::size_t nodes) {
    capacities_.resize(nodes);
    held_.resize(nodes);
  }
  [[nodiscard]] bool up(NodeId node) const { return capacities_[node.index()].slots > 0; }
  void set_capacity(NodeId node, const Capacity& capacity) { capacities_[node.index()] = capacity; }
  void add(NodeId node, const Held& held) { held_[node.index()].push_back(held); }
  /// It must be there.
  void remove(NodeId node, const Held& held);

  /// How many such tasks, at most `most`, the node has room for if they start then.
  [[nodiscard]] std::uint32_t room_for(const Need& need, std::uint32_t most, Time start,
                                       NodeId node) const;
  /// The first time, `from` or later, at which so many tasks fit; never: there is none.
  /// O(n log n + h), n nodes and h the sum over them of what each holds, squared.
  [[nodiscard]] Time earliest(std::uint32_t tasks, const Need& need, Time from) const;

 private:
  /// From that start on a node has room for so many more tasks, or fewer.
  struct Step {
    Time start;
    std::int64_t more;
  };
  void add_steps(NodeId node, std::uint32_t most, const Need& need, Time from,
                 std::vector<Step>& steps) const;

  std::vector<Capacity> capacities_;     // by node
  std::vector<std::vector<Held>> held_;  // the same
};

}  // namespace somnus
