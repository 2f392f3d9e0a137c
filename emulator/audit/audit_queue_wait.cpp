// Whether tasks are sent into queues only where the scheduler's estimate of the wait allows it, as
// far as events and decisions tell. Replay knows all that the scheduler knew; this asks for less:
// the last report's wait, and what was placed there since, by all or, where managers do not see
// each other's tasks, by the same job.
#include <map>
#include <vector>

#include "emulator/audit/audit.hpp"
#include "emulator/audit/told.hpp"
#include "emulator/log/rows.hpp"

namespace somnus::audit {
namespace {

/// Tasks placed on a node since it was last heard of.
struct Since {
  std::uint32_t tasks = 0;
  Duration work{};
};

/// What the scheduler knows of one node for sure.
struct Known {
  std::uint32_t placed = 0;    // by all, and not heard to have ended
  std::uint32_t reported = 0;  // tasks there, at its last report
  Duration ahead{};            // wait at that report, times slots
  Since all;
  std::map<std::uint32_t, Since> by_job;
};

}  // namespace

bool queues_have_a_wait(const Facts& facts) {
  return tasks_queue(facts) && facts.settings->queue.bound == QueueBound::delay &&
         !facts.log.events.empty() && !facts.log.decisions.empty();
}

Finding queues_keep_their_wait(const Facts& facts) {
  const double most_s = facts.settings->queue.max_wait_s;
  Ledger ledger(fmt::format(
      "no task is sent into a queue where the scheduler knows of a wait of {} s or more", most_s));
  ledger.note("by the last report of the node and what was placed there since");
  const Told told(facts);
  const bool sees_all = !facts.feedback.may_overfill;
  std::vector<Known> nodes(facts.log.tables.nodes.size());
  const auto slots = [&](std::uint32_t node) { return facts.log.tables.nodes[node].slots; };
  const auto heard = [&](std::uint32_t node, std::uint32_t tasks, Duration wait) {
    Known& known = nodes[node];
    known = {.placed = known.placed, .reported = tasks, .ahead = wait * slots(node)};
  };
  const auto hear = [&](const EventRow& row) {
    if (row.kind >= event_kinds || row.node >= nodes.size()) return;
    const Event event = event_of(row);
    if (const auto* report = std::get_if<NodeOffered>(&event)) {
      heard(row.node, report->running + report->queued, seconds(report->wait.seconds));
    } else if (std::holds_alternative<NodeReturned>(event)) {
      heard(row.node, 0, {});
    } else if (std::holds_alternative<TaskEnded>(event) && nodes[row.node].placed > 0) {
      --nodes[row.node].placed;
    }
  };
  std::size_t next = 0;
  for (std::uint32_t at = 0; at < facts.log.decisions.size(); ++at) {
    const DecisionRow& decision = facts.log.decisions[at];
    for (; next < facts.log.events.size() && facts.log.events[next].round <= decision.round;
         ++next) {
      hear(facts.log.events[next]);
    }
    if (!is_launch(decision)) continue;
    const StageId stage = facts.catalogue.stage_of[decision.task];
    Known& known = nodes[decision.node];
    Since& own = known.by_job[facts.catalogue[stage].job.value()];
    const Since& seen = sees_all ? known.all : own;
    const std::uint32_t taken = sees_all ? known.placed : known.reported + seen.tasks;
    const Duration most = seconds(most_s) * slots(decision.node);
    const bool queues = taken >= slots(decision.node);
    ledger.expect(!queues || known.ahead + seen.work < most, [&] {
      return fmt::format(
          "/decisions row {}: task {} on node {} at {} s, where {} tasks are on {} slots and the "
          "wait is {} s",
          at, decision.task, decision.node, decision.time, taken, slots(decision.node),
          in_seconds(known.ahead + seen.work) / slots(decision.node));
    });
    ++known.placed;
    for (Since* each : {&known.all, &own}) {
      ++each->tasks;
      each->work += told.estimate(stage);
    }
  }
  return std::move(ledger).finding();
}

}  // namespace somnus::audit
