// What a scheduler is made of. Everything here is without clock or I/O: each event goes in, and
// decisions come out. What draws at random does so from named streams of the run's seed, so the
// same events give the same decisions.
//
// A Policy answers each instant with a plan. Most are the composition Serve of an Order (who is
// next) and a Placement (where); a policy that can't be cut that way implements Policy itself.
// None sees a task's true duration: a SchedulerView holds what the scheduler knows, no more.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/event.hpp"
#include "scheduler/feedback.hpp"
#include "scheduler/jobs_view.hpp"

namespace somnus {

/// What the scheduler knows at this instant: jobs that have arrived, and of nodes what the
/// feedback lets their users see.
struct SchedulerView {
  JobsView jobs;
  const NodeView& nodes;
};

/// The same for a part that only says where a task goes: of jobs no more than the stages in hand.
struct PlacementView {
  StagesView stages;
  const NodeView& nodes;
};

/// What a policy means a job to have, as shares of the cluster: of the resource of which the job
/// has most.
struct Target {
  double entitled = 0;  // by its fair share
  double target = 0;    // at present; what it has beyond that is lent, below it is owed
};

/// What becomes of the work that somebody has done who gives up its slots.
enum class WorkDone : std::uint8_t { lost, kept };

/// Where a plan is written down. Each decision is audited and takes effect at once in what views
/// show.
class SchedulerContext {
 public:
  virtual ~SchedulerContext() = default;
  /// Of nodes it shows what all managers get, until use_view_of().
  [[nodiscard]] virtual const SchedulerView& scheduler_view() const = 0;
  /// From now on views show nodes as that job's manager sees them. To be called before a choice
  /// for its tasks; costs nothing where all managers see the same.
  virtual void use_view_of(JobId manager) = 0;
  [[nodiscard]] virtual bool managers_see_the_same() const = 0;
  /// The stage's next runnable task goes to that node. Throws Bug if it must not.
  virtual TaskId place(StageId stage, NodeId node) = 0;
  /// All tasks of a gang, none of which runs: one to each of the nodes, which may come repeatedly.
  /// Throws Bug if one must not; then none has been placed.
  virtual std::vector<TaskId> place_gang(StageId stage, std::span<const NodeId> nodes) = 0;
  /// A gang or a single task, which runs, gives up its slots to another stage, as soon as its nodes
  /// have heard of it, and becomes runnable again when all of it has ended. Throws Bug if it must
  /// not.
  virtual void preempt(StageId stage, StageId by, WorkDone done) = 0;
  /// As place(), to the slot that the node holds since its reservation's turn has come.
  virtual TaskId place_reserved(StageId stage, NodeId node) = 0;
  virtual void request(const Request& request) = 0;
  /// The log gets it, nobody else.
  virtual void note(const Reservation& reservation) = 0;
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

/// Who is next: an order over the stages that have runnable tasks.
class Order {
 public:
  virtual ~Order() = default;
  virtual void job_arrived(Time now, JobId job, const SchedulerView& view) = 0;
  /// The stage has runnable tasks and had none before: its parents ended, or an attempt was lost.
  /// Or it has one more, a backup of an attempt that takes long; then it may have had some before.
  virtual void stage_runnable(Time now, StageId stage, const SchedulerView& view) = 0;
  /// Its runnable tasks are not to be started any more: its job has failed, and ends when those
  /// have ended that run; or there was but a backup, and its original has finished.
  virtual void stage_withdrawn(StageId stage, const SchedulerView& view) = 0;
  virtual void task_launched(TaskId task, StageId stage, const SchedulerView& view) = 0;
  virtual void task_ended(const TaskEnded& end, StageId stage, const SchedulerView& view) = 0;
  virtual void job_ended(JobId job, const SchedulerView& view) = 0;

  /// From now on next() also names stages for which no node has room, where resources count: so
  /// that they can be waited for. Before the first event.
  virtual void name_those_without_room() {}
  /// Before the first next() of a round: what changes as time passes may change now.
  virtual void round_begins(Time /*now*/, const SchedulerView&) {}
  /// The stage whose task is next; invalid if none is left in this round.
  [[nodiscard]] virtual StageId next(const SchedulerView& view) = 0;
  /// The stage finds no node in this round; next() passes over it until restore().
  virtual void set_aside(StageId stage, const SchedulerView& view) = 0;
  /// Whether the stage has runnable tasks and yet next() would name none of them, whoever else is
  /// served: it waits for something, or has been left out.
  [[nodiscard]] virtual bool holds_back(StageId, const SchedulerView&) { return false; }
  /// Whether it is not its turn now, wherever it stands in the order, such as that of one whose
  /// queue has all that it may have.
  [[nodiscard]] virtual bool is_closed(StageId, const SchedulerView&) { return false; }
  virtual void restore(const SchedulerView& view) = 0;
  /// A unit may take the slots of those that run in a later tier than its own; the first is 0. Of
  /// the units that wait, those of an earlier tier come first.
  [[nodiscard]] virtual std::uint32_t tier(StageId, const SchedulerView&) const { return 0; }

  /// When it wants to be asked though nothing else happens; never: not at all.
  [[nodiscard]] virtual Time wakes_at() const { return never; }
  /// Promises made since the round began.
  [[nodiscard]] virtual std::span<const Promise> promises() const { return {}; }
  /// Of an active job; none: it does not think in such terms.
  [[nodiscard]] virtual std::optional<Target> target_of(JobId, const SchedulerView&) const {
    return std::nullopt;
  }
};

/// Which of a job's stages is first, if several may run: the order of its stages, asked for once.
class StageOrder {
 public:
  virtual ~StageOrder() = default;
  /// All stages of the job, the first first. It is about to arrive; its estimates are there.
  [[nodiscard]] virtual std::vector<StageId> stages_of(JobId job, JobsView jobs) const = 0;
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

class Policy {
 public:
  virtual ~Policy() = default;
  virtual void job_arrived(Time now, JobId job, const SchedulerView& view) = 0;
  virtual void stage_runnable(Time now, StageId stage, const SchedulerView& view) = 0;
  /// As an order's.
  virtual void stage_withdrawn(StageId stage, const SchedulerView& view) = 0;
  virtual void task_ended(const TaskEnded& end, StageId stage, const SchedulerView& view) = 0;
  virtual void job_ended(JobId job, const SchedulerView& view) = 0;
  /// As a placement's.
  [[nodiscard]] virtual bool follows_nodes() const { return false; }
  virtual void node_changed(NodeId, const SchedulerView&) {}
  virtual void node_reported(Time, const NodeOffered&, const SchedulerView&) {}
  virtual void node_answered(const NodeAnswered&, const SchedulerView&) {}
  /// Called once an instant, after all its events.
  virtual void plan(Time now, SchedulerContext& context) = 0;

  /// As an order's.
  [[nodiscard]] virtual Time wakes_at() const { return never; }
  [[nodiscard]] virtual std::span<const Promise> promises() const { return {}; }
  [[nodiscard]] virtual std::optional<Target> target_of(JobId, const SchedulerView&) const {
    return std::nullopt;
  }
};

/// All that makes one up, as the engine runs it.
struct Scheduler {
  std::unique_ptr<Policy> policy;
  std::unique_ptr<Feedback> feedback;
  std::unique_ptr<StageOrder> within;  // none: stages are in the order of their numbers
  std::optional<QueueRules> queue;     // of each node; none: it holds no task that it can't start
};

}  // namespace somnus
