// The one event loop, generic over clock and transport: `run` gives it a scaled real clock and
// MPI, `simulate` a virtual clock and nodes in the same process. It is rank 0's life:
//
//   for each instant: hear the nodes, let due jobs arrive, ask the scheduler once, send launches
//
// Order inside an instant (policies.md 0): ends, then news of nodes, then arrivals in order of
// job, then nodes' answers, then heartbeat offers, then the waking for which the policy asked, then
// the plan; of what nodes say, each kind in its order (order_of_reports.hpp). The scheduler sees
// rank 0's stamps only; the truth goes into the launch messages, past it.
#pragma once

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/engine.hpp"
#include "estimate/estimator.hpp"
#include "model/message.hpp"
#include "runtime/arrivals.hpp"
#include "runtime/job_managers.hpp"
#include "runtime/node_watch.hpp"
#include "runtime/order_of_reports.hpp"

namespace somnus {

template <class T, class Command>
concept Sends =
    requires(T transport, Time now, const Command& command) { transport.send(now, command); };

/// Where commands go and reports come from.
template <class T>
concept Transport = requires(T transport, const JobNews& news, Time now, Reports& reports) {
  transport.announce(news);                    // before launches of that job
  transport.flush();                           // everything so far is on its way
  transport.receive(now, reports);             // appends all that has come
  { transport.next() } -> std::same_as<Time>;  // when something comes by itself, or never
} && []<class... Messages>(TypeList<Messages...>) {
  return (Sends<T, Messages> && ...);
}(CommandMessages());

/// Emulated time. wait() returns the time at which the loop goes on: `until`, or earlier because
/// something came.
template <class C, class T>
concept Clock = requires(C clock, Time until, T& transport) {
  { clock.now() } -> std::same_as<Time>;
  { clock.wait(until, transport) } -> std::same_as<Time>;
};

template <class O, class Decision>
concept HearsOf = requires(O observer, Time now, std::uint32_t round, const Decision& decision) {
  observer.decided(now, round, decision);
};

/// Who wants to know: the log, the progress line, a test.
template <class O>
concept Observer = requires(O observer, Time now, JobId job, TaskId task, std::uint16_t attempt,
                            NodeId node, std::uint32_t round, const Event& event,
                            const CompletionMessage& completion, Duration late) {
  observer.round_begins();
  observer.submitted(job, now);                 // the job is about to arrive; it was due then
  observer.happened(now, round, event);         // the scheduler was told; what it decided() follows
  observer.ended(completion);                   // an attempt that the scheduler knew of is over
  observer.given_up(now, task, attempt, node);  // it believes so; ended() tells, if that is heard
  observer.handled(late);                       // rank 0 dealt with something that late
  observer.sample(now);   // at multiples of the interval, behind all of that instant
  observer.instant(now);  // after each round
} && []<class... Kinds>(TypeList<Kinds...>) { return (HearsOf<O, Kinds> && ...); }(Decisions());

enum class Ending { all_jobs_ended, until_reached, stopped };

struct LoopOptions {
  Time until = never;
  Duration sample_interval{};              // 0: no samples
  std::uint64_t even_samples = 4000;       // at that interval; then it doubles every 500
  const std::atomic<int>* stop = nullptr;  // not 0: end gracefully
  JobManagerRules job_managers{};
  Duration silence{};  // after which a node is given up; 0: nodes tell of their loss themselves
  std::uint64_t seed = 1;
};

/// However long a run takes, it has some thousand samples.
inline constexpr std::uint64_t samples_a_doubling = 500;

template <class SomeClock, Transport SomeTransport, Observer SomeObserver>
  requires Clock<SomeClock, SomeTransport>
class Loop {
 public:
  Loop(const Workload& workload, Engine& engine, Estimator& estimator, SomeClock& clock,
       SomeTransport& transport, SomeObserver& observer, LoopOptions options)
      : workload_(workload),
        catalogue_(workload.catalogue),
        engine_(engine),
        estimator_(estimator),
        clock_(clock),
        transport_(transport),
        observer_(observer),
        options_(options),
        arrivals_(catalogue_),
        managers_(options.job_managers, options.seed, catalogue_.jobs.size()),
        watch_(options.silence, engine.nodes().count()) {}

  Ending run() {
    Time now = clock_.now();
    Duration interval = options_.sample_interval;
    Time next_sample = interval > Duration::zero() ? now : never;
    std::uint64_t samples_till_thinner = options_.even_samples;
    for (;;) {
      reports_.clear();
      transport_.receive(now, reports_);
      // Nothing is told before it happened: a real clock goes on while we look at what has come.
      now = std::min(std::max(now, clock_.now()), options_.until);
      instant(now);
      const std::optional<Ending> ending = ending_at(now);
      const Time next = std::min(
          {arrivals_.next(), transport_.next(), engine_.wakes_at(), watch_.next(), options_.until});
      const bool another_round = !ending && next <= now;
      Time earliest = now;
      if (now >= next_sample && !another_round) {
        observer_.sample(now);
        if (--samples_till_thinner == 0) {
          interval *= 2;
          samples_till_thinner = samples_a_doubling;
        }
        next_sample = Time(((now - start_of_time) / interval + 1) * interval);
        ++earliest;  // what a real clock still brings in the same nanosecond
      }
      if (ending) return *ending;
      now = std::max(earliest, clock_.wait(std::min(next, next_sample), transport_));
    }
  }

  [[nodiscard]] std::uint32_t rounds() const { return round_; }

 private:
  [[nodiscard]] std::optional<Ending> ending_at(Time now) const {
    if (engine_.all_ended()) return Ending::all_jobs_ended;
    if (now >= options_.until) return Ending::until_reached;
    if (options_.stop != nullptr && options_.stop->load() != 0) return Ending::stopped;
    return {};
  }

  /// Of what has come and what is due.
  void instant(Time now) {
    observer_.round_begins();
    const Time wish = engine_.wakes_at();
    put_in_order(reports_);
    bool anything_new = false;
    for (const CompletionMessage& completion : reports_.get<CompletionMessage>()) {
      anything_new |= hear(now, completion);
    }
    for (const OfferMessage& offer : reports_.get<OfferMessage>()) {
      anything_new |= watch_.watches() ? watch(now, offer) : hear(now, offer);
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
      if (answer.life != watch_.life(answer.node)) continue;
      watch_.answered(answer.node, answer.stage);
      observer_.handled(now - answer.due);
      anything_new |= deliver(now, NodeAnswered{.node = answer.node,
                                                .stage = answer.stage,
                                                .reply = answer.reply,
                                                .running = answer.running,
                                                .queued = answer.queued});
    }
    for (const OfferMessage& offer : reports_.get<OfferMessage>()) {
      const bool useless = engine_.jobs().runnable_tasks() == 0 && !engine_.follows_load();
      if (offer.news != NodeNews::heartbeat || useless || !watch_.believes(offer)) continue;
      observer_.handled(now - offer.due);
      anything_new |= deliver(now, NodeOffered{.node = offer.node,
                                               .running = offer.running,
                                               .queued = offer.queued,
                                               .wait = Estimate{in_seconds(offer.wait)}});
    }
    if (engine_.wakes_at() <= now) {
      if (wish <= now) observer_.handled(now - wish);  // else it was only wished for just now
      anything_new |= deliver(now, Woken{});
    }
    if (!anything_new) return;
    const Plan& plan = engine_.plan(now);
    for (const JobId job : engine_.news()) send_news(job);
    plan.for_each([&]<class Kind>(const std::vector<Kind>& decisions) {
      for (const Kind& decision : decisions) {
        if constexpr (Commands::has<Kind>) {
          note(decision);
          auto message = message_of(now, decision);
          message.life = watch_.life(decision.node);
          transport_.send(now, message);
        }
        observer_.decided(now, round_, decision);
      }
    });
    transport_.flush();
    ++round_;
    observer_.instant(now);
  }

  bool deliver(Time now, const Event& event) {
    const bool taken = engine_.handle(now, event);
    if (taken) observer_.happened(now, round_, event);
    return taken;
  }

  bool hear(Time now, const CompletionMessage& completion) {
    const bool finished = completion.outcome == Outcome::finished;
    if (watch_.watches() && !watch_.believes(completion, engine_.jobs())) {
      if (const auto end = watch_.not_believed(completion)) observer_.ended(*end);
      return false;
    }
    if (finished) estimator_.task_finished(completion.finished - completion.started);
    const bool taken = deliver(now, TaskEnded{.task = completion.task,
                                              .node = completion.node,
                                              .attempt = completion.attempt,
                                              .outcome = completion.outcome,
                                              .own = estimator_.own(completion.task)});
    if (!taken) return false;
    observer_.handled(now - completion.due);
    observer_.ended(completion);
    if (arrivals_.waiting()) {
      const JobId job = catalogue_[catalogue_.stage_of[completion.task.index()]].job;
      if (engine_.jobs().ended(job)) arrivals_.job_ended(now, job);
    }
    return true;
  }

  // A node that tells of its loss itself.
  bool hear(Time now, const OfferMessage& offer) {
    if (offer.news == NodeNews::lost) return deliver(now, NodeLost{offer.node});
    if (offer.news == NodeNews::returned) return deliver(now, NodeReturned{offer.node});
    return false;
  }

  // One that does not.
  bool watch(Time now, const OfferMessage& offer) {
    const NodeId node = offer.node;
    if (watch_.believes(offer)) {
      watch_.heard(now, node);
      return offer.news == NodeNews::returned && deliver(now, NodeReturned{node});
    }
    const bool was_away_unnoticed = !watch_.given_up(node);
    if (was_away_unnoticed) give_up(now, node);
    transport_.send(now, ResetMessage{.sent = now, .node = node, .life = watch_.life(node)});
    transport_.flush();
    return was_away_unnoticed;
  }

  void give_up(Time now, NodeId node) {
    for (const TaskId task : watch_.attempts_on(node, engine_.jobs())) {
      const std::uint16_t attempt = engine_.jobs().attempt(task);
      deliver(now, TaskEnded{.task = task,
                             .node = node,
                             .attempt = attempt,
                             .outcome = Outcome::lost,
                             .own = estimator_.own(task)});
      observer_.given_up(now, task, attempt, node);
      if (const auto end = watch_.given_up(task, attempt)) observer_.ended(*end);
    }
    for (const StageId stage : watch_.give_up(node)) {
      reports_.put(AnswerMessage{.due = now,
                                 .node = node,
                                 .stage = stage,
                                 .reply = Reply::gone,
                                 .life = watch_.life(node)});
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
    const Job& facts = catalogue_[job];
    for (std::uint32_t at = 0; at < facts.stages; ++at) {
      const StageId stage(facts.first_stage.value() + at);
      deliver(now, StageEstimated{stage, estimator_.slot_time(stage), estimator_.demand(stage)});
    }
    observer_.handled(now - arrival.due);
    deliver(now, JobArrived{job});
    managers_.job_arrived(now, job);
  }

  [[nodiscard]] LaunchMessage message_of(Time now, const Launch& launch) const {
    const JobId job = catalogue_[launch.stage].job;
    return {.sent = managers_.leaves(job, launch.task, launch.attempt, now),
            .times = workload_.truth.times(job, launch.task),
            .estimate = engine_.jobs().task_estimate(launch.stage),
            .task = launch.task,
            .node = launch.node,
            .app = catalogue_[job].app,
            .job = job,
            .stage = launch.stage,
            .attempt = launch.attempt,
            .into = launch.into};
  }
  [[nodiscard]] static KillMessage message_of(Time now, const Kill& kill) {
    return {.sent = now, .task = kill.task, .node = kill.node, .attempt = kill.attempt};
  }
  [[nodiscard]] AskMessage message_of(Time now, const Ask& ask) const {
    return {.sent = now,
            .estimate = engine_.jobs().task_estimate(ask.stage),
            .node = ask.node,
            .stage = ask.stage,
            .job = catalogue_[ask.stage].job,
            .question = ask.question};
  }
  [[nodiscard]] RevokeMessage message_of(Time now, const Revoke& revoke) const {
    return {
        .sent = now, .length = revoke.length, .wait_s = revoke.wait.seconds, .node = revoke.node};
  }

  void send_news(JobId job) {
    const JobTable& jobs = engine_.jobs();
    transport_.announce(JobNews{.arrival = jobs.arrival(job),
                                .remaining = jobs.remaining(job),
                                .job = job,
                                .unfinished = jobs.unfinished(job)});
  }

  const Workload& workload_;
  const Catalogue& catalogue_;
  Engine& engine_;
  Estimator& estimator_;
  SomeClock& clock_;
  SomeTransport& transport_;
  SomeObserver& observer_;
  LoopOptions options_;
  Reports reports_;
  Arrivals arrivals_;
  JobManagers managers_;
  NodeWatch watch_;
  std::uint32_t round_ = 0;
};

}  // namespace somnus
