#include "session/state_recovery.hpp"

#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "session/compose.hpp"
#include "workers/node_faults.hpp"

namespace somnus {
namespace {

Time time_or_never(double seconds) { return std::isnan(seconds) ? never : at_seconds(seconds); }

class StateRecovery {
 public:
  StateRecovery(const RunHistory& history, const Settings& settings, const Workload& workload,
                Engine& engine, Estimator& estimator, Recorder& recorder)
      : history_(history),
        settings_(settings),
        catalogue_(workload.catalogue),
        workload_(workload),
        engine_(engine),
        estimator_(estimator),
        recorder_(recorder),
        arrivals_(catalogue_),
        managers_(settings.job_manager, settings.run.seed, catalogue_.jobs.size()) {}

  Resumption operator()() {
    for (std::size_t next = 0; next < history_.size();) next = round(next);
    take_samples(history_.at() + Duration(1));
    for (const CompletionMessage& end : undelivered_) recorder_.ended(end);
    const NodeModel model = node_model_of(settings_);
    const std::uint32_t nodes = settings_.cluster.node_count();
    return {.at = history_.at(),
            .rounds = history_.rounds(),
            .samples = history_.samples(),
            .arrivals = std::move(arrivals_),
            .managers = std::move(managers_),
            .suspended = std::move(suspended_),
            .absent = absent_at(history_.at(),
                                NodeFaults(model.faults, model.fault_model, NodeId(0U), nodes),
                                nodes, model.silent),
            .asked = {asked_.begin(), asked_.end()}};
  }

 private:
  /// That begins with the event of that number; returns the number of the next one's.
  std::size_t round(std::size_t from) {
    Time now;
    history_.visit(from, [&](const auto& row, std::size_t) {
      now = history_.instant_of(row.round, row.time);
      round_ = row.round;
    });
    take_samples(now);
    recorder_.round_begins();
    bool same_round = true;
    while (same_round && from < history_.size()) {
      history_.visit(from, [&]<class Kind>(const Stamped<Kind>& row, std::size_t) {
        same_round = row.round == round_;
        if (same_round) happen(now, static_cast<const Kind&>(row));
      });
      if (same_round) ++from;
    }
    // Missing, where the history ends within the round.
    if (engine_.wakes_at() <= now) happen(now, Woken{});
    engine_.plan(now).for_each([&]<class Kind>(const std::vector<Kind>& decisions) {
      for (const Kind& decision : decisions) {
        note(decision);
        recorder_.decided(now, round_, decision);
      }
    });
    recorder_.instant(now);
    return from;
  }

  void take_samples(Time before) {
    const auto& samples = history_.log().samples;
    for (; next_sample_ < history_.samples(); ++next_sample_) {
      const SampleRow& sample = samples[next_sample_];
      if (at_seconds(sample.time) >= before) return;
      recorder_.sample(at_seconds(sample.time), seconds(sample.lag));
    }
  }

  void happen(Time now, const auto& event) { deliver(now, event); }

  void happen(Time now, const JobArrived& event) {
    const Arrivals::Arrival arrival = arrivals_.pop();
    SOMNUS_CHECK(arrival.job == event.job, "job {} arrived where job {} was due", event.job.value(),
                 arrival.job.value());
    recorder_.submitted(arrival.job, arrival.due);
    estimator_.job_arrived(arrival.job);
    recorder_.handled(now - arrival.due);
    deliver(now, event);
    managers_.job_arrived(now, arrival.job);
  }

  void happen(Time now, const NodeAnswered& event) {
    if (const auto found = asked_.find({event.node, event.stage}); found != asked_.end()) {
      asked_.erase(found);
    }
    deliver(now, event);
  }

  void happen(Time now, const TaskEnded& event) {
    const TaskRow* const row = end_of(event);
    const CompletionMessage end = row != nullptr ? reported(now, event, *row) : unreported(event);
    if (end.outcome == Outcome::finished) estimator_.task_finished(end.finished - end.started);
    const JobId job = catalogue_[catalogue_.stage_of[event.task.index()]].job;
    if (end.outcome == Outcome::suspended) suspended_.note(end, workload_);
    deliver(now, event);
    if (row != nullptr) {
      recorder_.ended(end);
    } else {
      recorder_.given_up(now, event.task, event.attempt, event.node);
      undelivered_.push_back(end);
    }
    if (engine_.jobs().ended(job)) arrivals_.job_ended(now, job);
  }

  /// nullptr if no row reports it, or the report of a given-up attempt came after the history.
  [[nodiscard]] const TaskRow* end_of(const TaskEnded& event) const {
    const TaskRow* const row = history_.end_of(event.task, event.attempt);
    const bool lost = event.outcome == Outcome::lost;
    const bool later = row != nullptr && lost && time_or_never(row->finish) != never &&
                       at_seconds(row->finish) > history_.at();
    return later ? nullptr : row;
  }
  /// As its node reported it. When the report was due only matters for when its task was ready
  /// again.
  [[nodiscard]] CompletionMessage reported(Time now, const TaskEnded& event,
                                           const TaskRow& row) const {
    return {.queued = time_or_never(row.queued),
            .started = time_or_never(row.start),
            .finished = time_or_never(row.finish),
            .due = history_.ready_again(event.task, event.attempt, now),
            .intended = seconds(row.intended),
            .task = event.task,
            .node = event.node,
            .slot = row.slot,
            .attempt = event.attempt,
            .outcome = event.outcome,
            .warm = row.warm != 0};
  }
  /// It was given up, and its node, which would have reported its outcome, is gone.
  [[nodiscard]] CompletionMessage unreported(const TaskEnded& event) const {
    return {.queued = never,
            .started = never,
            .finished = never,
            .due = history_.at(),
            .task = event.task,
            .node = event.node,
            .attempt = event.attempt,
            .outcome = Outcome::lost};
  }

  template <class Kind>
  void deliver(Time now, const Kind& event) {
    const bool taken = engine_.handle(now, event);
    SOMNUS_CHECK(taken, "the scheduler does not take an event of round {} at {} s", round_,
                 in_seconds(now));
    recorder_.happened(now, round_, event);
  }

  void note(const Ask& ask) {
    if (ask.question != Question::decline) asked_.insert({ask.node, ask.stage});
  }
  void note(const auto& /*decision*/) {}

  const RunHistory& history_;
  const Settings& settings_;
  const Catalogue& catalogue_;
  const Workload& workload_;
  Engine& engine_;
  Estimator& estimator_;
  Recorder& recorder_;
  Arrivals arrivals_;
  JobManagers managers_;
  SuspendedWork suspended_;
  std::uint32_t round_ = 0;
  std::size_t next_sample_ = 0;
  std::multiset<std::pair<NodeId, StageId>> asked_;
  std::vector<CompletionMessage> undelivered_;
};

}  // namespace

Resumption recover_state(const RunHistory& history, const Settings& settings,
                         const Workload& workload, Engine& engine, Estimator& estimator,
                         Recorder& recorder) {
  return StateRecovery(history, settings, workload, engine, estimator, recorder)();
}

}  // namespace somnus
