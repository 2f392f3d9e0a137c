// The one event loop, generic over clock and transport: `run` gives it a scaled real clock and
// MPI, `simulate` a virtual clock and nodes in the same process. Rank 0 runs it:
//
//   for each instant: receive from nodes, let due jobs arrive, ask the scheduler once, send
//   launches
//
// Order inside an instant (policies.md 0): ends, then news of nodes, then arrivals in order of
// job, then nodes' answers, then heartbeat offers, then the waking for which the policy asked, then
// the plan; of what nodes say, each kind in its order (node_message_order.hpp). The scheduler sees
// rank 0's stamps only; the truth goes into the launch messages, past it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/message.hpp"
#include "model/workload.hpp"
#include "runtime/arrivals.hpp"
#include "runtime/fetched_ends.hpp"
#include "runtime/job_managers.hpp"
#include "runtime/loop_options.hpp"
#include "runtime/loop_world.hpp"
#include "runtime/messages_of_commands.hpp"
#include "runtime/node_message_order.hpp"
#include "runtime/node_watch.hpp"
#include "runtime/resumption.hpp"
#include "runtime/sample_times.hpp"
#include "runtime/unit_ends.hpp"
#include "scheduler/engine.hpp"
#include "scheduler/estimator.hpp"

namespace somnus {

template <class SomeClock, Transport SomeTransport, Observer SomeObserver>
  requires Clock<SomeClock, SomeTransport>
class Loop {
 public:
  /// resumption: of a run that goes on; engine, estimator and observer know of what was before, and
  /// the clock is not behind it.
  Loop(const Workload& workload, Engine& engine, Estimator& estimator, SomeClock& clock,
       SomeTransport& transport, SomeObserver& observer, LoopOptions options,
       std::optional<Resumption> resumption = {})
      : catalogue_(workload.catalogue),
        engine_(engine),
        estimator_(estimator),
        clock_(clock),
        transport_(transport),
        observer_(observer),
        options_(options),
        samples_(options.sample_interval, options.even_samples),
        resumption_(std::move(resumption)),
        arrivals_(resumption_ ? resumption_->arrivals : Arrivals(catalogue_)),
        managers_(resumption_
                      ? resumption_->managers
                      : JobManagers(options.job_managers, options.seed, catalogue_.jobs.size())),
        units_(workload, engine, resumption_ ? resumption_->suspended : SuspendedWork()),
        messages_(workload, engine, managers_, units_.suspended()),
        watch_(options.silence, engine.nodes().count(),
               resumption_ ? resumption_->at : start_of_time),
        round_(resumption_ ? resumption_->rounds : 0) {}

  Ending run() {
    Time now = begin();
    for (;;) {
      if (const std::optional<Ending> ending = look(now)) return *ending;
    }
  }

  // The same step by step.

  /// Once, before all looks; when the first is due.
  [[nodiscard]] Time begin() {
    const Time now = clock_.now();
    if (!resumption_) {
      samples_.begin(now);
    } else {
      begin_again(resumption_->at);
    }
    wish_ = engine_.wakes_at();
    return resumption_ ? std::max(now, resumption_->at) : now;
  }

  /// All that has come and is due at `now`; waits until the next look is due, and sets `now` to
  /// that. Not after the one that said how the loop ended.
  [[nodiscard, gnu::always_inline]] inline std::optional<Ending> look(Time& now) {
    reports_.clear();
    transport_.receive(now, reports_);
    // No event is handled before it happened: a real clock goes on while messages are read.
    now = std::min(std::max(now, clock_.now()), end_);
    instant(now);
    look_whether_all_ended(now);
    wish_ = engine_.wakes_at();
    const Time own = earliest(arrivals_.next(), wish_, watch_.next(), over_, options_.until);
    const Time next = std::min(own, transport_.next());
    const std::optional<Ending> ending = ending_at(now, next);
    Time soonest = now;
    if (now >= samples_.next() && (ending || next > now)) {  // else another round comes first
      observer_.sample(now);
      samples_.taken(now);
      ++soonest;  // what a real clock still brings in the same nanosecond
    }
    if (ending) return ending;
    now = std::max(soonest, clock_.wait(earliest(own, samples_.next(), end_), transport_));
    return {};
  }

  [[nodiscard]] std::uint32_t rounds() const { return round_; }

 private:
  [[nodiscard]] std::optional<Ending> ending_at(Time now, Time next) const {
    if (now >= over_) return Ending::all_jobs_ended;
    if (now >= end_) return Ending::until_reached;
    if (options_.stop != nullptr && options_.stop->load() != 0) return Ending::stopped;
    if (SomeClock::foresees && next == never) return Ending::nothing_left;
    return {};
  }

  void look_whether_all_ended(Time now) {
    if (!engine_.all_ended()) return;
    const bool all_ends_known = engine_.jobs().unwanted_attempts() == 0;
    over_ = all_ends_known ? now : std::min(over_, now + options_.last_words);
  }

  // The nodes that are there are others than before.
  void begin_again(Time now) {
    observer_.round_begins();
    const JobTable& jobs = engine_.jobs();
    const bool anything_new = jobs.running_tasks() > 0 || jobs.unwanted_attempts() > 0 ||
                              !resumption_->asked.empty() || engine_.wakes_at() <= now ||
                              some_node_changes();
    for (std::uint32_t at = 0; at < catalogue_.tasks; ++at) lose_attempts_of(now, TaskId(at));
    for (std::uint32_t at = 0; at < engine_.nodes().count(); ++at) begin_again(now, NodeId(at));
    for (const auto& [node, stage] : resumption_->asked) {
      deliver(now, NodeAnswered{.node = node, .stage = stage, .reply = Reply::gone});
    }
    if (engine_.wakes_at() <= now) deliver(now, Woken{});
    for (std::uint32_t job = 0; engine_.follows_load() && job < catalogue_.jobs.size(); ++job) {
      if (jobs.arrived(JobId(job)) && !jobs.ended(JobId(job))) send_update(JobId(job));
    }
    if (anything_new) decide(now);
    samples_.go_on(resumption_->samples, now);
  }

  /// But for nodes that were lost before and still are.
  [[nodiscard]] bool some_node_changes() const {
    for (std::uint32_t at = 0; at < engine_.nodes().count(); ++at) {
      if (engine_.nodes().up(NodeId(at)) || !resumption_->absent[at]) return true;
    }
    return false;
  }

  void begin_again(Time now, NodeId node) {
    const bool absent = resumption_->absent[node.index()];
    if (engine_.nodes().up(node)) deliver(now, NodeLost{node});
    if (!absent) {
      deliver(now, NodeReturned{node});
    } else if (watch_.watches()) {
      static_cast<void>(watch_.give_up(node));  // who asked there has Reply::gone
    }
  }

  /// No message about them will come.
  void lose_attempts_of(Time now, TaskId task) {
    std::vector<CompletionMessage> ends;
    engine_.jobs().for_each_on_node(task, [&](std::uint16_t attempt, NodeId node) {
      ends.push_back({.queued = never,
                      .started = never,
                      .finished = never,
                      .due = now,
                      .task = task,
                      .node = node,
                      .attempt = attempt,
                      .outcome = Outcome::lost});
    });
    for (const CompletionMessage& end : ends) {
      deliver(now, ended(end));
      observer_.ended(end);
      look_for_followers(now, task);
    }
  }

  /// Of what has come and what is due.
  void instant(Time now) {
    observer_.round_begins();
    put_in_order(reports_);
    std::vector<CompletionMessage>& ends = reports_.get<CompletionMessage>();
    bool anything_new = handle_each(
        engine_, ends, [&](CompletionMessage& completion) { return handle(now, completion); });
    if (!ends.empty()) fetch_expected(engine_, transport_);
    for (const NodeStatusMessage& message : reports_.get<NodeStatusMessage>()) {
      anything_new |= watch_.watches() ? watch(now, message) : handle(now, message);
    }
    for (NodeId node = watch_.silent(now); node.valid(); node = watch_.silent(now)) {
      give_up(now, node);
      anything_new = true;
    }
    while (arrivals_.next() <= now) {
      arrive(now, arrivals_.pop());
      anything_new = true;
    }
    for (const AnswerMessage& answer : reports_.get<AnswerMessage>()) {
      if (answer.incarnation != watch_.incarnation(answer.node)) continue;
      if (watch_.watches()) watch_.answered(answer.node, answer.stage);
      observer_.handled(now - answer.due);
      anything_new |= deliver(now, NodeAnswered{.node = answer.node,
                                                .stage = answer.stage,
                                                .reply = answer.reply,
                                                .running = answer.running,
                                                .queued = answer.queued});
    }
    for (const NodeStatusMessage& message : reports_.get<NodeStatusMessage>()) {
      const bool useless = engine_.jobs().runnable_tasks() == 0 && !engine_.follows_load();
      if (message.status != NodeStatus::heartbeat || useless || !watch_.accepts(message)) continue;
      observer_.handled(now - message.due);
      anything_new |=
          deliver(now, NodeOffered{.node = message.node,
                                   .running = message.running,
                                   .queued = message.queued,
                                   .wait = within({in_seconds(message.wait)}, estimable)});
    }
    if (engine_.wakes_at() <= now) {
      if (wish_ <= now) observer_.handled(now - wish_);  // else it was only wished for just now
      anything_new |= deliver(now, Woken{});
    }
    if (anything_new) decide(now);
  }

  void decide(Time now) {
    const Plan& plan = engine_.plan(now);
    for (const JobId job : engine_.updated_jobs()) send_update(job);
    plan.for_each_one([&](const auto& decision) { carry_out(now, decision); });
    transport_.flush();
    ++round_;
    observer_.instant(now);
  }

  template <class Kind>
  [[gnu::always_inline]] inline void carry_out(Time now, const Kind& decision) {
    if constexpr (Commands::has<Kind>) {
      auto message = messages_.message_of(now, decision);
      if (watch_.watches()) {
        note(decision);
        message.incarnation = watch_.incarnation(decision.node);
      }
      transport_.send(now, message);
    }
    observer_.decided(now, round_, decision);
  }

  template <class Kind>
  bool deliver(Time now, const Kind& event) {
    const bool taken = engine_.handle(now, event);
    if (taken) observer_.happened(now, round_, event);
    return taken;
  }

  [[gnu::always_inline]] inline bool handle(Time now, CompletionMessage& completion) {
    const bool comes_too_late = engine_.is_unwanted(completion.task, completion.attempt);
    if (comes_too_late && completion.outcome != Outcome::lost) completion.outcome = Outcome::killed;
    if (watch_.watches() && !watch_.accepts(completion, engine_.jobs())) {
      if (const auto end = watch_.refuse(completion)) observer_.ended(*end);
      return false;
    }
    return units_.any() ? end_among_units(now, completion) : end(now, completion);
  }

  [[gnu::noinline]] bool end_among_units(Time now, const CompletionMessage& completion) {
    bool anything_new = false;
    units_.add(completion, [&](const CompletionMessage& each) { anything_new |= end(now, each); });
    return anything_new;
  }

  // Part of what handles a message: a call of its own would cost more than what is called.
  [[gnu::always_inline]] inline bool end(Time now, const CompletionMessage& completion) {
    const bool finished = completion.outcome == Outcome::finished;
    if (finished) estimator_.task_finished(completion.finished - completion.started);
    if (!deliver(now, ended(completion))) return false;
    observer_.handled(now - completion.due);
    observer_.ended(completion);
    look_for_followers(now, completion.task);
    return true;
  }

  [[nodiscard]] TaskEnded ended(const CompletionMessage& end) const {
    return {.task = end.task,
            .node = end.node,
            .attempt = end.attempt,
            .outcome = end.outcome,
            .own = own_estimate(end.task)};
  }

  [[nodiscard]] Estimate own_estimate(TaskId task) const {
    return options_.own_estimates ? within(estimator_.own(task), estimable) : Estimate::none();
  }

  void look_for_followers(Time now, TaskId ended) {
    if (!arrivals_.waiting()) return;
    const JobId job = catalogue_[catalogue_.stage_of[ended.index()]].job;
    if (engine_.jobs().ended(job)) arrivals_.job_ended(now, job);
  }

  // A node that reports its loss itself.
  bool handle(Time now, const NodeStatusMessage& message) {
    if (message.status == NodeStatus::lost) return deliver(now, NodeLost{message.node});
    if (message.status == NodeStatus::returned) return deliver(now, NodeReturned{message.node});
    return false;
  }

  // One that does not.
  bool watch(Time now, const NodeStatusMessage& message) {
    const NodeId node = message.node;
    if (watch_.accepts(message)) {
      watch_.heard(now, node);
      return message.status == NodeStatus::returned && deliver(now, NodeReturned{node});
    }
    const bool was_away_unnoticed = !watch_.given_up(node);
    if (was_away_unnoticed) give_up(now, node);
    transport_.send(
        now, ResetMessage{.sent = now, .node = node, .incarnation = watch_.incarnation(node)});
    transport_.flush();
    return was_away_unnoticed;
  }

  void give_up(Time now, NodeId node) {
    const auto attempts = watch_.attempts_on(node, engine_.jobs());
    for (const auto& [task, attempt] : attempts) {
      if (const auto end = units_.lose(task)) static_cast<void>(watch_.refuse(*end));
      deliver(now, TaskEnded{.task = task,
                             .node = node,
                             .attempt = attempt,
                             .outcome = Outcome::lost,
                             .own = own_estimate(task)});
      observer_.given_up(now, task, attempt, node);
      look_for_followers(now, task);
      if (const auto end = watch_.given_up(task, attempt)) observer_.ended(*end);
    }
    for (const auto& [task, attempt] : attempts) {
      units_.break_up(task, attempt, now, [&](const CompletionMessage& one) { end(now, one); });
    }
    for (const StageId stage : watch_.give_up(node)) {
      reports_.put(AnswerMessage{.due = now,
                                 .node = node,
                                 .stage = stage,
                                 .reply = Reply::gone,
                                 .incarnation = watch_.incarnation(node)});
    }
    deliver(now, NodeLost{node});
  }

  void note(const Launch& launch) { watch_.launched(launch.node, launch.task, engine_.jobs()); }
  void note(const Ask& ask) {
    if (ask.question != Question::decline) watch_.asked(ask.node, ask.stage);
  }
  void note(const auto& /*command*/) {}  // kills and revokes, which ask for nothing

  void arrive(Time now, const Arrivals::Arrival& arrival) {
    const JobId job = arrival.job;
    observer_.submitted(job, arrival.due);
    estimator_.job_arrived(job);
    for (std::uint32_t at = 0; at < catalogue_[job].stages; ++at) {
      const StageId stage(catalogue_[job].first_stage.value() + at);
      deliver(now, StageEstimated{stage, within(estimator_.slot_time(stage), estimable_work),
                                  estimator_.demand(stage)});
    }
    observer_.handled(now - arrival.due);
    deliver(now, JobArrived{job});
    managers_.job_arrived(now, job);
  }

  void send_update(JobId job) { transport_.announce(messages_.update_of(job)); }

  const Catalogue& catalogue_;
  Engine& engine_;
  Estimator& estimator_;
  SomeClock& clock_;
  SomeTransport& transport_;
  SomeObserver& observer_;
  LoopOptions options_;
  Time end_ = std::min(options_.until, Time(longest_span));
  Reports reports_;
  SampleTimes samples_;
  std::optional<Resumption> resumption_;
  Arrivals arrivals_;
  JobManagers managers_;
  UnitEnds units_;
  MessagesOfCommands messages_;
  NodeWatch watch_;
  std::uint32_t round_;
  Time wish_ = never;  // of the engine, after the last instant: when it is to be woken
  Time over_ = never;  // when the loop ends, as all jobs have
};

}  // namespace somnus
