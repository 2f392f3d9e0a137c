// external: a whole policy that is a process of its own, in any language (policy_protocol.hpp;
// policies.md 10.3). Each instant that brings something new while a task could be placed, it hears
// of all that has happened since it was last asked, and answers with what it decides: which tasks
// go where, who gives up its slots, what nodes are asked.
//
// The engine audits each decision as that of any other policy; one that can't be ends the run, as
// the process's mistake. What it decides has to follow from what it hears, and from its seed:
// `replay` starts it again and expects the same. Under the virtual clock its thinking takes no
// time; under the real one decisions wait for it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bit_index.hpp"
#include "external/external_process.hpp"
#include "external/policy_protocol.hpp"
#include "scheduler/environment.hpp"
#include "scheduler/policy.hpp"
#include "scheduler/traits.hpp"

namespace somnus {

template <>
struct EnumNames<WorkDone> {
  static constexpr std::pair<WorkDone, const char*> names[] = {{WorkDone::lost, "lost"},
                                                               {WorkDone::kept, "kept"}};
};

struct ExternalPolicyRules : ProcessSettings {
  bool asks = false;
  WorkDone preempted_work = WorkDone::lost;

  static constexpr auto fields() {
    return together(
        ProcessSettings::fields(),
        in_order(field("asks", &ExternalPolicyRules::asks, "",
                       "it asks nodes for their load or a place in their queues, and places on "
                       "those, full or not"),
                 field("preempted_work", &ExternalPolicyRules::preempted_work, "",
                       "what those have done that it preempts: lost, so they start again; kept: "
                       "they go on "
                       "from where they stopped")));
  }
  [[nodiscard]] PolicyTraits traits() const {
    return {.order = {.work_conserving = false,
                      .draws = true,
                      .preempts = true,
                      .suspends = preempted_work == WorkDone::kept},
            .placement = {.places_gangs = true,
                          .heeds_demands = true,
                          .asks_nodes = asks,
                          .reserves = asks,
                          .same_view = true,
                          .by_order = false,
                          .draws = true}};
  }
};

class ExternalPolicy final : public Policy {
 public:
  using Rules = ExternalPolicyRules;
  /// Starts it. Throws WorldError, as all below do where it does not answer as it should.
  ExternalPolicy(const Rules& rules, const Environment& environment);

  void job_arrived(Time now, JobId job, const SchedulerView& view) override;
  void stage_runnable(Time now, StageId stage, const SchedulerView& view) override;
  void stage_withdrawn(StageId stage, const SchedulerView& view) override;
  void task_ended(const TaskEnded& end, StageId stage, const SchedulerView& view) override;
  void job_ended(JobId job, const SchedulerView& view) override;
  [[nodiscard]] bool follows_nodes() const override {
    return about_.hears(policy_protocol::Hears::node_changed);
  }
  void node_changed(NodeId node, const SchedulerView& view) override;
  void node_reported(Time now, const NodeOffered& report, const SchedulerView& view) override;
  void node_answered(const NodeAnswered& answer, const SchedulerView& view) override;
  void plan(Time now, SchedulerContext& context) override;
  void blame(const std::string& deed) const override { process_.blame(deed); }

  [[nodiscard]] Time wakes_at() const override { return wakes_at_; }
  [[nodiscard]] std::span<const Promise> promises() const override { return promises_; }
  [[nodiscard]] std::optional<Target> target_of(JobId job,
                                                const SchedulerView& view) const override;

 private:
  /// It hears of that, if it wants to; make() says what.
  template <class Make>
  void hear(policy_protocol::Hears what, Make&& make);
  [[nodiscard]] bool is_to_be_asked(Time now, const SchedulerView& view) const;
  /// Of those that are not as it has to expect.
  void hear_of_nodes(Time now, const NodeView& nodes);
  void decide(const policy_protocol::Answer& answer, Time now, SchedulerContext& context);
  /// What the engine refuses of a decision, or what is wrong with it otherwise, with its number.
  template <class Decision, class CarryOut>
  void each(const std::vector<Decision>& decisions, CarryOut&& carry_out);
  void place(const policy_protocol::Place& wanted, Time now, SchedulerContext& context);
  void launched(TaskId task, StageId stage, NodeId node, Time now, const SchedulerView& view);
  void ask(const policy_protocol::AskNode& wanted, SchedulerContext& context) const;
  void take_back(const policy_protocol::TakeBack& wanted, SchedulerContext& context) const;
  [[nodiscard]] JobId known_job(std::uint32_t number) const;
  [[nodiscard]] bool knows(StageId stage) const {
    return stage.index() < stages_.size() && stages_[stage.index()];
  }

  bool asks_;
  WorkDone preempted_work_;
  std::size_t resources_;  // kinds
  ExternalProcess process_;
  policy_protocol::About about_;
  bool is_urgent_ = false;    // it hears of a report or an answer, also if no task could be placed
  bool was_open_ = false;     // when it was last asked, nodes could be used
  std::vector<bool> stages_;  // by id: its job has arrived
  std::vector<bool> jobs_;    // the same
  BitIndex changed_;          // nodes, since it was last asked
  std::vector<policy_protocol::NodeChangedMessage> expected_;  // by node, as it has to expect
  std::vector<Promise> promises_;                              // of the last round
  std::vector<std::optional<Target>> targets_;                 // by job
  Time wakes_at_ = never;
};

}  // namespace somnus
