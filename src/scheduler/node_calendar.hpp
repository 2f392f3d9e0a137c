// What each node of a cluster holds over time, and where several tasks fit first: for reservations
// where it matters which nodes have room, as what is free on several together may fit on none.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/resources.hpp"
#include "packing/slot_profile.hpp"

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
  /// What a task holds from one time up to another; of a whole node one does so for all.
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

  [[nodiscard]] std::size_t nodes() const { return nodes_.size(); }
  /// So many nodes, which are lost as long as they have no capacity.
  void begin(std::size_t nodes) { nodes_.resize(nodes); }
  /// What was before that is not asked for any more.
  void advance(Time now);
  [[nodiscard]] bool up(NodeId node) const { return nodes_[node.index()].capacity.slots > 0; }
  void set_capacity(NodeId node, const Capacity& capacity);
  void add(NodeId node, const Held& held);
  /// It must be there.
  void remove(NodeId node, const Held& held);

  /// How many such tasks, at most `most`, the node has room for if they start then.
  /// O(h log h), h what it holds.
  [[nodiscard]] std::uint32_t room_for(const Need& need, std::uint32_t most, Time start,
                                       NodeId node) const;
  /// The first time, `from` or later and before `until`, at which so many tasks fit; never: there
  /// is none. O(h log h), h what all nodes hold; O(log h) where all together have not enough.
  [[nodiscard]] Time earliest(std::uint32_t tasks, const Need& need, Time from, Time until) const;

 private:
  struct Node {
    Capacity capacity;
    std::vector<Held> held;
  };
  /// From then on there is room for so many tasks that need no time.
  struct Room {
    Time begin;
    std::uint32_t tasks;
  };
  /// From that start on a node has room for so many more tasks, or fewer.
  struct Step {
    Time start;
    std::int64_t more;
  };
  /// From one time up to another, in order.
  [[nodiscard]] std::vector<Room> rooms(const Node& node, const Need& need, std::uint32_t most,
                                        Time from, Time to) const;
  void add_steps(const Node& node, std::uint32_t most, const Need& need, Time from, Time until,
                 std::vector<Step>& steps) const;
  /// A change of the totals: `times` 1: given back, -1: taken.
  void count(const Node& node, const Held& held, std::int64_t times);
  void count(const Capacity& capacity, std::int64_t times);

  Time now_;
  std::vector<Node> nodes_;
  // What all nodes together have free: of slots, then by kind. None: some node has no limit of it.
  std::vector<std::optional<SlotProfile>> totals_;
};

}  // namespace somnus
