// What a scheduler is made of. Everything here is a value without clock or I/O: told of each event,
// asked for the next decision, copied by clone(). What draws at random does so from named streams
// of the run's seed, so the same events give the same decisions.
//
// A Policy answers each instant with a plan. Most are the composition Serve of an Order (who is
// next) and a Placement (where); a policy that can't be cut that way implements Policy itself.
// None sees a task's true duration: a Picture holds what the resource manager knows, no more.
#pragma once

#include <memory>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/event.hpp"
#include "model/job_table.hpp"
#include "model/node_table.hpp"

namespace somnus {

/// What the resource manager knows at this instant.
struct Picture {
  const JobTable& jobs;
  const NodeTable& nodes;
};

/// Where a plan is written down. Each decision is audited and takes effect in the picture at once.
class Desk {
 public:
  virtual ~Desk() = default;
  [[nodiscard]] virtual Picture picture() const = 0;
  /// The stage's next runnable task goes to that node. Throws Bug if it must not.
  virtual TaskId place(StageId stage, NodeId node) = 0;
  /// The same, to the slot that the node holds since its reservation's turn has come.
  virtual TaskId place_reserved(StageId stage, NodeId node) = 0;
  virtual void ask(const Ask& ask) = 0;
  virtual void revoke(const Revoke& revoke) = 0;
};

/// Who is next: an order over the stages that have runnable tasks.
class Order {
 public:
  virtual ~Order() = default;
  [[nodiscard]] virtual std::unique_ptr<Order> clone() const = 0;

  virtual void job_arrived(Time now, JobId job, const Picture& picture) = 0;
  /// The stage has runnable tasks and had none before: its parents ended, or an attempt was lost.
  virtual void stage_runnable(Time now, StageId stage, const Picture& picture) = 0;
  virtual void task_launched(StageId stage, const Picture& picture) = 0;
  virtual void task_ended(const TaskEnded& end, StageId stage, const Picture& picture) = 0;
  virtual void job_ended(JobId job, const Picture& picture) = 0;

  /// Before the first next() of a round: what changes as time passes may change now.
  virtual void round_begins(Time /*now*/, const Picture&) {}
  /// The stage whose task is next; invalid if none is left in this round.
  [[nodiscard]] virtual StageId next(const Picture& picture) = 0;
  /// The stage finds no node in this round; next() passes over it until restore().
  virtual void set_aside(StageId stage, const Picture& picture) = 0;
  virtual void restore(const Picture& picture) = 0;
};

/// Where a task may go. One that only looks at the picture is choose() and clone(); one that keeps
/// an index, or has to ask nodes first, hears of more.
class Placement {
 public:
  virtual ~Placement() = default;
  [[nodiscard]] virtual std::unique_ptr<Placement> clone() const = 0;

  /// Whether a task could be placed now; choose() may still find nothing for this or that stage.
  [[nodiscard]] virtual bool open(const Picture& picture) const {
    return picture.nodes.any_usable();
  }
  /// A node with room for one task of the stage, which will be placed there; invalid if there is
  /// none now.
  [[nodiscard]] virtual NodeId choose(StageId stage, const Picture& picture) = 0;

  /// Whether it wants to be told of each change to a node.
  [[nodiscard]] virtual bool follows_nodes() const { return false; }
  virtual void node_changed(NodeId, const Picture&) {}
  virtual void node_reported(NodeId, const Picture&) {}
  virtual void node_answered(const NodeAnswered&, const Picture&) {}
  virtual void stage_runnable(StageId, const Picture&) {}
  virtual void job_ended(JobId) {}

  virtual void round_begins(Time, Desk&) {}
  /// A task that is bound to a node's held slot, before all others; invalid stage: none (left).
  struct Bound {
    StageId stage;
    NodeId node;
  };
  [[nodiscard]] virtual Bound bound(const Picture&) { return {}; }
  virtual void round_ends(Desk&) {}
};

class Policy {
 public:
  virtual ~Policy() = default;
  [[nodiscard]] virtual std::unique_ptr<Policy> clone() const = 0;

  virtual void job_arrived(Time now, JobId job, const Picture& picture) = 0;
  virtual void stage_runnable(Time now, StageId stage, const Picture& picture) = 0;
  virtual void task_ended(const TaskEnded& end, StageId stage, const Picture& picture) = 0;
  virtual void job_ended(JobId job, const Picture& picture) = 0;
  /// Whether it wants to be told of each change to a node.
  [[nodiscard]] virtual bool follows_nodes() const { return false; }
  virtual void node_changed(NodeId, const Picture&) {}
  virtual void node_reported(Time, const NodeOffered&, const Picture&) {}
  virtual void node_answered(const NodeAnswered&, const Picture&) {}
  /// Called once an instant, after all its events.
  virtual void plan(Time now, Desk& desk) = 0;
};

}  // namespace somnus
