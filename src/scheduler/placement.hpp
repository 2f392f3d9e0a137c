// The placement: where a task goes. One that only looks at the view is choose(); one that keeps an
// index, or has to ask nodes first, hears of more.
#pragma once

#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/node_event.hpp"
#include "model/task_event.hpp"
#include "scheduler/scheduler_context.hpp"
#include "scheduler/stages_view.hpp"

namespace somnus {

/// What a part that only says where a task goes sees: of jobs no more than the stages in hand.
struct PlacementView {
  StagesView stages;
  const NodeView& nodes;
};

/// How a placement asks nodes: what it sees, and what it may have said.
class Asking {
 public:
  explicit Asking(SchedulerContext& context) : context_(context) {}
  [[nodiscard]] PlacementView view() const {
    const SchedulerView& view = context_.scheduler_view();
    return {view.jobs, view.nodes};
  }
  void request(const Ask& ask) { context_.request(ask); }

 private:
  SchedulerContext& context_;
};

/// Where a task may go. One that only looks at the view is choose(); one that keeps an index, or
/// has to ask nodes first, hears of more.
class Placement {
 public:
  virtual ~Placement() = default;
  /// Whether a task could be placed now; choose() may still find nothing for some stages.
  [[nodiscard]] virtual bool open(const PlacementView& view) const {
    return view.nodes.takes_tasks();
  }
  /// A node with room for one task of the stage, which will be placed there; invalid if there is
  /// none now.
  [[nodiscard]] virtual NodeId choose(StageId stage, const PlacementView& view) = 0;

  /// Nodes with room for all tasks of the gang, one for each; empty if there is none now. Of a
  /// placement whose traits say that it places gangs.
  [[nodiscard]] virtual std::vector<NodeId> choose_for_gang(StageId /*stage*/,
                                                            const PlacementView& /*view*/) {
    return {};
  }

  /// Whether it wants to hear of each node that the view shows in another way than before; of
  /// all of them once, at the start.
  [[nodiscard]] virtual bool follows_nodes() const { return false; }
  virtual void node_changed(NodeId, const PlacementView&) {}
  virtual void node_answered(const NodeAnswered&, const PlacementView&) {}
  virtual void stage_runnable(StageId, const PlacementView&) {}
  virtual void job_ended(JobId) {}

  virtual void round_begins(Time, Asking&) {}
  virtual void task_ended(const TaskEnded&, StageId, const PlacementView&) {}
  /// A task that goes to that node before all others, whoever is next, unless the order holds it
  /// back; invalid stage: none (left).
  struct Bound {
    StageId stage;
    NodeId node;
    bool reserved = true;  // the node holds a slot for it; else it takes a free one
  };
  [[nodiscard]] virtual Bound bound(const PlacementView&) { return {}; }
  /// It was, and the order did not hold it back.
  virtual void bound_launched(const Bound&, const PlacementView&) {}
  virtual void round_ends(Asking&) {}
};

}  // namespace somnus
