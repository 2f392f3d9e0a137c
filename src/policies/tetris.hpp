// Tetris: packing of tasks into machines by their demands for several resources (Grandl et al.,
// SIGCOMM 2014, as policies.md 6.2 has it).
//
// Idea. Where resources are vectors, a task that asks much of what a machine has much of leaves the
// least behind that no task can use. So machine by machine, as long as some runnable task fits, the
// one is started that has the best
//
//     score  =  a - eps p                  eps = shortness * (mean of a) / (mean of p)
//     a      =  sum_r d_r f_r / c_r^2      alignment of its demand d with what is free, f, of the
//                                          machine's capacity c; times `remote` if the stage
//                                          prefers other machines, and times (S - i) / S with
//                                          priority on, for the i-th of its job's S stages
//     p      =  sum of t sum_r d_r / C_r   work of the job's tasks that have not been started:
//                                          estimated time, demand as shares of the cluster, C
//
// so packing is weighed against shortest remaining work first; at shortness = 1 the two weigh the
// same on average. The means are over the candidates: a task of each runnable stage that fits
// there.
//
// Two knobs restrict the candidates, in this order:
//
//     fairness  f: to the ceil((1 - f) J) jobs that are farthest below their fair share; at least
//               one. J: jobs with a candidate. Below: w_j / (sum of w over active jobs) - the
//               largest share of the cluster, over resources, that its running tasks have.
//     barrier   b: to the last tasks of stages that other stages wait for, if there are any: those
//               before which at least the share b of the stage's tasks have been started.
//
// Neither leaves a machine idle that some task fits, so Tetris is work-conserving. Machines are
// filled in the order of their numbers. Where only slots count, a slot is the one resource.
//
// Scores and shares are compared on the grid (share_grid.hpp), and times enter as ratios only. Ties
// go to the earlier job, then to the earlier stage. Each task that is started costs O(candidates),
// and so does each machine that has changed or has room for what has become runnable: a demand that
// does not fit costs nothing, however many stages have it.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/bit_index.hpp"
#include "base/grid.hpp"
#include "policies/work_left.hpp"
#include "scheduler/demand_block.hpp"
#include "scheduler/dimensions.hpp"
#include "scheduler/environment.hpp"
#include "scheduler/policy.hpp"
#include "scheduler/traits.hpp"

namespace somnus {

struct TetrisRules {
  double fairness = 0.25;
  double barrier = 0.9;
  double remote = 0.9;
  double shortness = 1;
  bool priority = false;

  static constexpr auto fields() {
    using R = TetrisRules;
    return in_order(
        field(
            "fairness", &R::fairness, "1",
            "share of the jobs, those nearest to or above their fair share, that are passed over; "
            "0: none, 1: all but one",
            probability),
        field(
            "barrier", &R::barrier, "1",
            "tasks that others wait for go first once that share of their stage has been started; "
            "1: never",
            probability),
        field("remote", &R::remote, "1",
              "the alignment of a task with a machine that its stage does not prefer is times that",
              probability),
        field("shortness", &R::shortness, "1",
              "how much remaining work counts beside alignment; 0: not at all", not_negative),
        field(
            "priority", &R::priority, "",
            "the alignment of a task of its job's i-th of S stages, from 0, is times (S - i) / S"));
  }
  [[nodiscard]] static PolicyTraits traits() {
    return {.placement = {.heeds_demands = true, .same_view = true}};
  }
};

class Tetris final : public Policy {
 public:
  using Rules = TetrisRules;
  Tetris(const Rules& rules, const Environment& environment);

  void job_arrived(Time now, JobId job, const SchedulerView& view) override;
  void stage_runnable(Time now, StageId stage, const SchedulerView& view) override;
  void stage_withdrawn(StageId stage, const SchedulerView& view) override {
    forget_if_none_is_runnable(stage, view.jobs);
  }
  void task_ended(const TaskEnded& end, StageId stage, const SchedulerView& view) override;
  void job_ended(JobId job, const SchedulerView& view) override;
  [[nodiscard]] bool follows_nodes() const override { return true; }
  void node_changed(NodeId node, const SchedulerView& view) override;
  void plan(Time now, SchedulerContext& context) override;

  /// One task of a runnable stage that fits a machine.
  struct Candidate {
    StageId stage;
    JobId job;
    std::uint32_t position;  // by which ties are broken
    bool last;               // of a stage that others wait for
    double alignment;        // a
    double work;             // p, slot-ns of the whole cluster
    double above;            // its job's fair share; below it if negative
    double score = 0;
  };
  /// Those for the node that the knobs leave, in any order; valid until the next call.
  [[nodiscard]] std::span<const Candidate> candidates(NodeId node, const SchedulerView& view);

 private:
  /// Of a job.
  struct Standing {
    double share = 0;             // its running tasks', of the resource of which they have most
    double weight = 0;            // 0: it has not arrived, or has ended
    double work = 0;              // p
    double above = 0;             // its fair share
    std::int64_t cell = 0;        // of that
    std::uint64_t reckoned = 0;   // for which weights
    std::uint64_t candidate = 0;  // when it had one last
  };
  /// A stage that has runnable tasks, and what of it never changes.
  struct RunnableStage {
    StageId stage;
    JobId job;
    std::uint32_t position;
    bool has_affinity;
    std::int64_t most_unstarted;  // while its tasks are the last before a barrier
    double preferred;             // its alignment is times that
  };

  // On a node, as Dimensions has them of the cluster.
  [[nodiscard]] std::int64_t free(std::size_t kind, NodeId node, const NodeView& nodes) const {
    return dimensions_.only_slots() ? nodes.free_slots(node) : nodes.free(node).millionths(kind);
  }
  [[nodiscard]] std::int64_t capacity(std::size_t kind, NodeId node, const NodeView& nodes) const {
    return dimensions_.only_slots() ? nodes.slots(node) : nodes.capacity(node).millionths(kind);
  }
  [[nodiscard]] double alignment(const Resources& demand, NodeId node, const NodeView& nodes) const;
  [[nodiscard]] RunnableStage runnable_stage(StageId id, JobsView jobs) const;
  void forget_if_none_is_runnable(StageId stage, JobsView jobs);
  void started_or_ended(StageId stage, JobsView jobs);
  [[nodiscard]] Standing& current_standing(JobId job);
  void find(NodeId node, const SchedulerView& view);
  void restrict_by_fairness();
  void restrict_by_barrier();
  void score();
  [[nodiscard]] NodeId next(const SchedulerView& view) const;
  void fill(NodeId node, SchedulerContext& context);

  Rules rules_;
  Dimensions dimensions_;
  WorkLeft work_;                    // p
  std::vector<Standing> standings_;  // by job
  double weights_ = 0;               // of the active jobs
  std::uint64_t weights_version_ = 1;
  std::vector<std::vector<RunnableStage>> runnable_;  // by demand, in any order
  std::vector<std::uint32_t> place_;                  // by stage: there, or nowhere
  DemandSet waiting_;                                 // demands with any
  std::vector<DemandId> fresh_;  // of stages that have become runnable since the last round
  BitIndex changed_;             // nodes that may take what they could not before

  // Of the node that is looked at.
  std::uint64_t looked_ = 0;  // how many times
  std::vector<Candidate> candidates_;
  std::vector<std::pair<std::int64_t, JobId>> competing_;  // by how far above their fair share
};

}  // namespace somnus
