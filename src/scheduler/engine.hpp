// The scheduler as a state machine: events in, commands out. It knows no clock, transport, log or
// truth; the same events give the same commands, which is what replay rests on.
//
// For each instant: handle() every event of it, then plan() once. Each decision of the policy is
// audited before it becomes a command; a policy that decides nonsense ends with a Bug that says
// what and why. What the policy promises is noted in the plan and sent to nobody.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/event.hpp"
#include "scheduler/dimensions.hpp"
#include "scheduler/policy.hpp"
#include "scheduler/speculation.hpp"
#include "scheduler/time_limits.hpp"

namespace somnus {

/// What the scheduler does beside what its policy decides.
struct EngineRules {
  // A job fails when one of its tasks has so often, and no backup of it goes on; 0: never.
  std::uint32_t task_attempts = 0;
  SpeculationRules speculation{};
  Duration limit_grace{};  // for which a job may run beyond its limit
  Duration cycle{};        // rounds of the policy are at its multiples; 0: whenever there is news
};

class Engine final : private SchedulerContext {
 public:
  /// The catalogue must outlive the engine.
  Engine(const Catalogue& catalogue, const Cluster& cluster, Scheduler scheduler,
         EngineRules rules = {});
  Engine(const Engine&) = delete;  // the view points into it
  Engine& operator=(const Engine&) = delete;

  /// Times must not go back. An end that is not of a running attempt (its node was given up
  /// meanwhile), a heartbeat of a lost node (heard with the loss, said before it) and an estimate
  /// of a job that is there already change nothing, nor does a waking for which nobody asked;
  /// returns whether the event was taken.
  bool handle(Time now, const Event& event) {
    return std::visit([&](const auto& one) { return handle(now, one); }, event);
  }
  template <class Kind>
    requires Events::has<Kind>
  bool handle(Time now, const Kind& event) {
    advance(now);
    try {
      return on(now, event);
    } catch (...) {
      throw_on();
    }
  }
  // An end is about to be handled: what it needs is brought near, in three steps, as each reads
  // what the one before it has brought.
  [[gnu::always_inline]] void fetch(TaskId task, NodeId node) const {
    jobs_.fetch(task);
    nodes_.fetch(node);
    view_.fetch(node);
  }
  [[gnu::always_inline]] void fetch_stage(TaskId task) const { jobs_.fetch_stage(task); }
  [[gnu::always_inline]] void fetch_job(TaskId task) const { jobs_.fetch_job(task); }
  /// Valid until the next call.
  [[nodiscard]] const Plan& plan(Time now);
  /// As of the last plan(): jobs whose arrival or remaining work nodes should know, if they have
  /// queues.
  [[nodiscard]] std::span<const JobId> updated_jobs() const { return last_updated_; }

  /// When the policy wants to be asked next, at the latest, an attempt is due for a backup, or a
  /// job has had its time;
  /// never: not by itself. What the policy wants for a time up to the last plan's it had its chance
  /// to do then, so nobody wakes it for that.
  [[nodiscard]] Time wakes_at() const {
    const Time wish = policy_->wakes_at();
    const Time due = std::min({speculation_.wakes_at(), limits_.wakes_at(), turn_});
    return wish > asked_ && wish < due ? wish : due;
  }

  /// By when the policy has last promised that the job ends; never: it has promised nothing.
  [[nodiscard]] Time promised(JobId job) const {
    return job.index() < promised_.size() ? promised_[job.index()] : never;
  }

  /// What the policy means an active job to have now; none: it does not say.
  [[nodiscard]] std::optional<Target> target_of(JobId job) const {
    return policy_->target_of(job, scheduler_view());
  }
  /// The largest share of the cluster, over resources, that the job's running tasks hold.
  [[nodiscard]] double dominant_share(JobId job) const {
    return dimensions_.dominant_share(job, jobs_);
  }

  [[nodiscard]] const JobTable& jobs() const { return jobs_; }
  [[nodiscard]] const NodeTable& nodes() const { return nodes_; }
  [[nodiscard]] const NodeView& view() const { return view_; }
  [[nodiscard]] bool all_ended() const {
    return jobs_.ended_jobs() == jobs_.catalogue().jobs.size();
  }
  /// Whether another attempt has finished the task, so that however this one ended, it counts as
  /// killed.
  [[nodiscard]] bool is_unwanted(TaskId task, std::uint16_t attempt) const {
    return jobs_.unwanted(task, attempt);
  }
  /// Whether attempts of it that are killed are suspended: its tasks go on from where they stop.
  [[nodiscard]] bool is_suspended(StageId stage) const {
    return suspended_.contains(stage) && !jobs_.failed(jobs_.catalogue()[stage].job);
  }
  [[nodiscard]] bool any_suspended() const { return !suspended_.empty(); }
  /// Whether heartbeats bring it something even when no task waits.
  [[nodiscard]] bool follows_load() const { return view_.queue().has_value(); }

 private:
  void advance(Time now) {
    if (now < jobs_.now()) [[unlikely]]
      refuse_to_go_back(now);
    jobs_.advance(now);
  }
  [[noreturn]] void refuse_to_go_back(Time now) const;
  /// What a part has thrown, as an exception that has words.
  [[noreturn]] static void throw_on();
  [[nodiscard]] const SchedulerView& scheduler_view() const override { return shown_; }
  void use_view_of(JobId manager) override;
  [[nodiscard]] bool managers_see_the_same() const override { return !private_views_; }
  TaskId place(StageId stage, NodeId node) override;
  std::vector<TaskId> place_gang(StageId stage, std::span<const NodeId> nodes) override;
  void preempt(StageId stage, StageId by, WorkDone done) override;
  TaskId place_reserved(StageId stage, NodeId node) override;
  void request(const Request& request) override;
  void note(const Reservation& reservation) override { plan_.put(reservation); }

  /// The policy is asked once more at an instant, or as it wanted to be woken. Throws if that does
  /// not come to an end.
  [[gnu::noinline]] void ask_again(Time now);
  /// Whether the policy has its round now; else turn_ is when, and wakes it.
  [[nodiscard]] bool has_its_turn(Time now);
  TaskId launch(StageId stage, NodeId node, Into into);
  /// For one more task of an exclusive stage.
  void take_whole(StageId stage, NodeId node);
  /// A task of it ends, maybe the last.
  void give_whole(StageId stage);
  inline void audit_task(StageId stage, NodeId node) const;
  inline void audit_room(StageId stage, NodeId node) const;
  void audit_whole_node(StageId stage, NodeId node) const;
  void note(const Promise& promise);
  void take_effect(const Ask& ask);
  void take_effect(const auto& /*request*/) {}  // none here
  /// Whether there was one.
  [[nodiscard]] bool use_held_slot(StageId stage, NodeId node);
  [[nodiscard]] static std::uint64_t held_key(StageId stage, NodeId node) {
    return (std::uint64_t{node.value()} << 32) | stage.value();
  }
  [[noreturn]] void die(StageId stage, NodeId node, std::string_view why) const;
  void notify_of_nodes();
  void job_changed(JobId job);
  void count_failure(const TaskEnded& end, JobId job);
  void break_gang(StageId stage);
  void kill_broken_gangs();
  void kill_all(const Stage& stage);
  void give_up_other(const TaskEnded& finished, StageId stage);
  void make_due(Time now, TaskId task);
  void fail(JobId job);
  void time_out(JobId job);
  void job_ended(JobId job);

  /// Its tasks start again, from wherever that is.
  void forget_kills(StageId stage);

  bool on(Time now, const JobArrived& event);
  bool on(Time now, const StageEstimated& event);
  bool on(Time now, const TaskEnded& event);
  bool on(Time now, const NodeOffered& event);
  bool on(Time now, const NodeLost& event);
  bool on(Time now, const NodeReturned& event);
  bool on(Time now, const NodeAnswered& event);
  bool on(Time now, const Woken& event);

  EngineRules rules_;
  std::unique_ptr<Policy> policy_;
  std::unique_ptr<Feedback> feedback_;
  std::unique_ptr<StageOrder> within_;
  bool private_views_;
  bool policy_follows_nodes_;
  bool nodes_follow_jobs_;  // the order of their queues changes as jobs progress
  JobTable jobs_;
  NodeTable nodes_;
  NodeView view_;
  SchedulerView shown_{jobs_, view_};
  Speculation speculation_;
  TimeLimits limits_;
  Dimensions dimensions_;
  Plan plan_;
  std::vector<JobId> updated_;                             // since the last plan
  std::vector<JobId> last_updated_;                        // of the last plan
  std::unordered_map<std::uint64_t, std::uint32_t> held_;  // slots, by node and stage
  std::vector<Time> promised_;                             // by job
  std::unordered_map<TaskId, std::uint32_t> failures_;
  // Of exclusive stages that run: their nodes, and how many tasks were placed there.
  std::unordered_map<StageId, std::map<NodeId, std::uint32_t>> whole_nodes_;
  std::vector<TimeOut> timeouts_;  // since the last plan
  std::vector<Kill> kills_;        // the same
  std::vector<StageId> broken_;    // gangs of which a task has not finished, since the last plan
  std::unordered_set<StageId> dying_;      // these and preempted ones, until they start again
  std::unordered_set<StageId> suspended_;  // of these: who then go on from where they stopped
  std::vector<Backup> backups_;            // due since the last plan
  bool spoken_to_ = false;                 // by a node or a waking, since the policy's last round
  Time turn_ = never;                      // of a round that there is a reason for
  bool its_turn_ = false;                  // it has come, since the policy's last round
  Time asked_ = Time::min();               // when the policy was last planning or woken to
  /// How far all jobs had come.
  struct Progress {
    Time at = Time::min();
    std::uint64_t arrived = 0;     // jobs
    std::uint64_t unfinished = 0;  // tasks
  };
  Progress last_progress_;         // when it was last looked at
  std::uint32_t asked_again_ = 0;  // since then
};

}  // namespace somnus
