// Whether tasks are sent into queues only where the scheduler's estimate of the wait allows it, as
// far as events and decisions show. Replay knows all that the scheduler knew; this asks for less:
// the last report's wait, and what was placed there since, by all or, where managers do not see
// each other's tasks, by the same job.
#include <map>
#include <type_traits>
#include <vector>

#include "audit/audit.hpp"
#include "audit/known_state.hpp"
#include "log/in_order.hpp"

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
  FindingBuilder finding(fmt::format(
      "no task is sent into a queue where the scheduler knows of a wait of {} s or more", most_s));
  finding.note("by the last report of the node and what was placed there since");
  const KnownState known_state(facts);
  const bool sees_all = !facts.feedback.may_overfill;
  std::vector<Known> nodes(facts.log.tables.nodes.size());
  const auto slots = [&](std::uint32_t node) { return facts.log.tables.nodes[node].slots; };
  const auto heard = [&](std::uint32_t node, std::uint32_t tasks, Duration wait) {
    Known& known = nodes[node];
    known = {.placed = known.placed, .reported = tasks, .ahead = capped_product(wait, slots(node))};
  };
  const auto handle = [&]<class Kind>(const Stamped<Kind>& row) {
    if constexpr (std::is_same_v<Kind, NodeOffered>) {
      heard(row.node.value(), row.running + row.queued, seconds(row.wait.seconds));
    } else if constexpr (std::is_same_v<Kind, NodeReturned>) {
      heard(row.node.value(), 0, {});
    } else if constexpr (std::is_same_v<Kind, TaskEnded>) {
      if (nodes[row.node.index()].placed > 0) --nodes[row.node.index()].placed;
    }
  };
  const InOrder<EventRows> events(facts.log.events);
  std::size_t next = 0;
  const auto hear_rounds_up_to = [&](std::uint32_t round) {
    for (bool goes_on = true; goes_on && next < events.size();) {
      events.visit(next, [&](const auto& row, std::size_t) {
        goes_on = row.round <= round;
        if (goes_on) handle(row);
      });
      if (goes_on) ++next;
    }
  };
  const auto& launches = rows_of<Stamped<Launch>>(facts.log);
  for (std::size_t at = 0; at < launches.size(); ++at) {
    const Stamped<Launch>& decision = launches[at];
    hear_rounds_up_to(decision.round);
    const StageId stage = facts.catalogue.stage_of[decision.task.index()];
    const std::uint32_t node = decision.node.value();
    Known& known = nodes[node];
    Since& own = known.by_job[facts.catalogue[stage].job.value()];
    const Since& seen = sees_all ? known.all : own;
    const std::uint32_t taken = sees_all ? known.placed : known.reported + seen.tasks;
    const Duration most = capped_product(seconds(most_s), slots(node));
    const bool queues = taken >= slots(node);
    const Duration ahead = capped_sum(known.ahead, seen.work);
    finding.expect(!queues || ahead < most, [&] {
      return fmt::format(
          "/decisions/launch row {}: task {} on node {} at {} s, where {} tasks are on {} slots "
          "and the "
          "wait is {} s",
          at, decision.task.value(), node, decision.time, taken, slots(node),
          in_seconds(ahead) / slots(node));
    });
    ++known.placed;
    for (Since* each : {&known.all, &own}) {
      ++each->tasks;
      each->work = capped_sum(each->work, known_state.estimate(stage));
    }
  }
  return std::move(finding).finding();
}

}  // namespace somnus::audit
