// What follows from config and seed alone, made again by the code that made it: estimates, which
// attempts fail, when heartbeats come. And whether anything was measured follows from the mode.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <type_traits>
#include <vector>

#include "audit/audit.hpp"
#include "base/random.hpp"
#include "log/held_columns.hpp"
#include "log/in_order.hpp"
#include "session/compose.hpp"

namespace somnus::audit {
namespace {

bool is_near(double a, double b) { return a == b || std::abs(a - b) <= 1e-9 * (1 + std::abs(b)); }

/// What the estimator says, as the events go on.
class Estimates {
 public:
  Estimates(const Facts& facts, const KnownWorkload& known)
      : facts_(facts),
        known_(known),
        model_(facts.settings->estimate.model),
        estimator_(estimator_of(*facts.settings, *known)),
        arrived_(facts.catalogue.jobs.size()) {}

  /// Whether it is known what it says of the stage.
  [[nodiscard]] bool knows_times_of(StageId stage) const {
    if (model_ == EstimateModel::given) return known_.is_whole();
    return model_ == EstimateModel::naive || known_.knows(stage);
  }
  [[nodiscard]] StageEstimated of(StageId stage) {
    const JobId job = facts_.catalogue[stage].job;
    if (!arrived_[job.index()]) estimator_->job_arrived(job);
    arrived_[job.index()] = true;
    return {stage, estimator_->slot_time(stage), estimator_->demand(stage)};
  }
  [[nodiscard]] Estimate own(TaskId task) const { return estimator_->own(task); }
  /// False: the log does not say how long it took.
  bool ended(const TaskEnded& event) {
    if (event.outcome != Outcome::finished || model_ != EstimateModel::naive) return true;
    const TaskRow* const row = facts_.row_of(event.task, event.attempt);
    if (row == nullptr || !is(row->start) || !is(row->finish)) return false;
    estimator_->task_finished(at_seconds(row->finish) - at_seconds(row->start));
    return true;
  }

 private:
  const Facts& facts_;
  const KnownWorkload& known_;
  EstimateModel model_;
  std::unique_ptr<Estimator> estimator_;
  std::vector<bool> arrived_;
};

}  // namespace

Finding estimates_are_the_models(const Facts& facts, const KnownWorkload& known) {
  FindingBuilder finding("the scheduler gets what the estimator makes of the workload");
  if (!known.fits(facts)) return std::move(finding).finding();
  Estimates estimates(facts, known);
  const std::size_t kinds = facts.log.header.resources.size();
  const InOrder<EventRows> events(facts.log.events);
  bool goes_on = true;
  for (std::size_t number = 0; number < events.size() && goes_on; ++number) {
    events.visit(number, [&]<class Kind>(const Stamped<Kind>& row, std::size_t at) {
      if constexpr (std::is_same_v<Kind, StageEstimated>) {
        const StageEstimated again = estimates.of(row.stage);
        const bool same_time = !estimates.knows_times_of(row.stage) ||
                               is_near(row.slot_time.seconds, again.slot_time.seconds);
        const bool same_demand =
            std::equal(row.demand.begin(), row.demand.begin() + static_cast<std::ptrdiff_t>(kinds),
                       again.demand.begin(), is_near);
        finding.expect(same_time && same_demand, [&] {
          return fmt::format("{} row {}: stage {}, slot_time {} s, worked out again {} s{}",
                             path_of<Stamped<Kind>>(), at, row.stage.value(), row.slot_time.seconds,
                             again.slot_time.seconds, same_demand ? "" : ", and another demand");
        });
      } else if constexpr (std::is_same_v<Kind, TaskEnded>) {
        goes_on = estimates.ended(row);
        if (!goes_on || !estimates.knows_times_of(facts.catalogue.stage_of[row.task.index()]))
          return;
        const Estimate again = estimates.own(row.task);
        finding.expect(is_near(row.own.seconds, again.seconds), [&] {
          return fmt::format("{} row {}: task {}, own {} s, worked out again {} s",
                             path_of<Stamped<Kind>>(), at, row.task.value(), row.own.seconds,
                             again.seconds);
        });
      }
    });
  }
  return std::move(finding).finding();
}

Finding failures_are_drawn(const Facts& facts) {
  FindingBuilder finding("an attempt that comes to its end fails exactly when the seed says so");
  const FaultModel fault_model = fault_model_of(*facts.settings);
  for (std::uint32_t at = 0; at < facts.log.tasks.size(); ++at) {
    const TaskRow& row = facts.log.tasks[at];
    const bool failed = row.outcome == static_cast<std::uint8_t>(Outcome::failed);
    if (!is(row.intended) || !(failed || ran_to_its_end(row))) continue;
    const Duration intended = seconds(row.intended);
    const Duration after = fault_model.fails_after(intended, facts.task_of(row), row.attempt);
    const Duration took = at_seconds(row.finish) - at_seconds(row.start);
    const Duration dust = Duration(1) + float64_dust(row.finish);
    const bool in_time = !failed || !facts.simulated || std::chrono::abs(took - after) <= dust;
    finding.expect(failed == (after < intended) && in_time, [&] {
      return fmt::format("{}: outcome {} after {} s, by the seed it fails {}", text(at, row),
                         row.outcome, in_seconds(took),
                         after < intended ? fmt::format("after {} s", in_seconds(after)) : "never");
    });
  }
  return std::move(finding).finding();
}

bool heartbeats_come_when_due(const Facts& facts) {
  if (!facts.simulated || !facts.settings) return false;
  const FaultSettings& faults = facts.settings->faults;
  const bool may_be_cut_off = (faults.node_mtbf_s > 0 && faults.cut_off_share > 0) ||
                              std::ranges::any_of(faults.events, [](const FaultEvent& event) {
                                return event.kind == FaultKind::node_cut_off;
                              });
  return facts.settings->network.jitter == 0 && faults.heartbeat_late_probability == 0 &&
         !may_be_cut_off && !facts.log.events.get<Stamped<NodeOffered>>().empty();
}

Finding heartbeats_are_due(const Facts& facts) {
  FindingBuilder finding("a node is heard of when a heartbeat of it is due, and has come its way");
  const NodeModel model = node_model_of(*facts.settings);
  const Duration way = model.network.mean + model.heartbeat_delay;
  const auto& rows = facts.log.events.get<Stamped<NodeOffered>>();
  for (std::uint32_t at = 0; at < rows.size(); ++at) {
    const Time sent = at_seconds(rows[at].time) - way;
    const Duration since_one = (sent - first_beat(model, rows[at].node)) % model.heartbeat_interval;
    const Duration off = std::min(std::chrono::abs(since_one),
                                  model.heartbeat_interval - std::chrono::abs(since_one));
    finding.expect(off <= float64_dust(rows[at].time), [&] {
      return fmt::format("{} row {}: node {} at {} s, {} s from when a heartbeat comes",
                         path_of<Stamped<NodeOffered>>(), at, rows[at].node.value(), rows[at].time,
                         in_seconds(off));
    });
  }
  return std::move(finding).finding();
}

// A simulation measures nothing; of a run no rank's clock is certain.
Finding clock_is_the_modes(const Facts& facts) {
  FindingBuilder finding(facts.simulated ? "nothing was measured in a simulation"
                                         : "a run has worker ranks, whose clocks were compared");
  const LogTables& tables = facts.log.tables;
  for (std::size_t at = 0; at < tables.ranks.size(); ++at) {
    const RankRow& row = tables.ranks[at];
    const bool measured = row.messages_in > 0 || row.messages_out > 0 || row.cpu > 0 ||
                          row.clock_uncertainty > 0 || row.silent_max > 0 || row.silent > 0;
    const bool is_worker = at > 0;
    const bool holds =
        facts.simulated ? !measured : !is_worker || !facts.complete || row.clock_uncertainty > 0;
    finding.expect(holds, [&] {
      return fmt::format("/ranks row {}: clock_uncertainty {} s, {} messages in, {} out, cpu {}",
                         at, row.clock_uncertainty, row.messages_in, row.messages_out, row.cpu);
    });
  }
  const bool has_workers = tables.ranks.size() > 1;
  finding.expect(has_workers != facts.simulated, [&] {
    return fmt::format("mode is \"{}\", and /ranks has {} rows", facts.log.header.mode,
                       tables.ranks.size());
  });
  const SchedulerRow& scheduler = tables.scheduler;
  const bool is_late = scheduler.lag_max > 0 || scheduler.decision_max > 0 ||
                       !tables.lateness.empty() || !tables.resumes.empty();
  finding.expect(!facts.simulated || !is_late, [&] {
    return fmt::format(
        "mode is \"simulate\", and /scheduler has a lag_max of {} s and a "
        "decision_max of {} s, /lateness {} rows and /resumes {}",
        scheduler.lag_max, scheduler.decision_max, tables.lateness.size(), tables.resumes.size());
  });
  return std::move(finding).finding();
}

namespace {

const HeldColumns held_by_drawn[] = {
    {"/events/stage_estimated", "slot_time", Held::recomputed,
     "check: the estimator, from the workload or the attempts' nominal times"},
    {"/events/stage_estimated", "demand_*", Held::recomputed, "check: /stage_demands"},
    {"/events/task_ended", "own", Held::recomputed,
     "check: the estimator, from the workload or the attempts' nominal times"},
    {"/events/node_offered", "time", Held::recomputed,
     "check: simulated, the node's heartbeats, where nothing is drawn on their way"},
    {"", "mode", Held::recomputed, "check: what was measured"},
};

}  // namespace

}  // namespace somnus::audit
