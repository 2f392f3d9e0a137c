// A job's own slots: of all free ones a task gets that which a task of its app has left, for the
// JVM there is warm (src/warmup); else as any-free.
//
// With keep = true a job's slot stays its own while the job has a task to start: that takes the
// slot which its task has just left, whoever would be next by the order. So the order rules only
// over slots that no job keeps, as in PAF's simulator (policies.md 5.2), where a job's
// allocation counts the slots that it ever took, and among applications with executors of their
// own. A slot is not kept for a task that prefers other nodes, nor for a job that the order holds
// back, as one that has its target or its quota; only the first stage that has tasks to start is
// asked.
//
// For each node a list has the apps whose tasks left its free slots, the latest last: a node gives
// a task of an app the slot that a task of this app left last, and where there is none the slot
// that was left last (our reading).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "policies/any_free.hpp"
#include "scheduler/environment.hpp"
#include "scheduler/placement.hpp"
#include "scheduler/traits.hpp"

namespace somnus {

struct OwnSlotsRules {
  bool keep = true;

  static constexpr auto fields() {
    return in_order(
        field("keep", &OwnSlotsRules::keep, "",
              "a slot stays its job's while the job has a task to start and is not held back by a "
              "target or a quota; false: it is only preferred to other free slots"));
  }
  [[nodiscard]] PlacementTraits traits() const {
    return {.heeds_demands = true, .same_view = true, .by_order = !keep};
  }
};

class OwnSlots final : public Placement {
 public:
  using Rules = OwnSlotsRules;
  OwnSlots(const Rules& rules, const Environment& environment)
      : rules_(rules), leavers_(environment.cluster.node_count()) {}

  [[nodiscard]] NodeId choose(StageId stage, const PlacementView& view) override;
  [[nodiscard]] bool follows_nodes() const override { return true; }
  void node_changed(NodeId node, const PlacementView& view) override;
  void task_ended(const TaskEnded& end, StageId stage, const PlacementView& view) override;
  [[nodiscard]] Bound bound(const PlacementView& view) override;
  void bound_launched(const Bound& bound, const PlacementView& view) override;
  void round_ends(Asking& nodes) override;

 private:
  [[nodiscard]] bool has_room(NodeId node, StageId stage, const PlacementView& view) const;
  [[nodiscard]] NodeId left_by(AppId app, StageId stage, const PlacementView& view) const;
  void take(AppId app, NodeId node);

  Rules rules_;
  AnyFree any_;
  std::vector<std::vector<AppId>> leavers_;  // by node, of its free slots; the latest last
  std::unordered_map<AppId, std::map<NodeId, std::uint32_t>> left_;  // the same by app: slots
  struct Left {
    JobId job;
    NodeId node;
  };
  std::vector<Left> ends_;    // of tasks, heard in this round
  std::size_t next_end_ = 0;  // whose slot has not been offered to its job yet
};

}  // namespace somnus
