// Gangs: that their tasks are placed together, and hold what they have until the last has ended.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "audit/audit.hpp"
#include "base/time.hpp"

namespace somnus::audit {
namespace {

/// The attempts of a gang's tasks that have the same number.
struct Together {
  double placed = 0;
  double last_finish = 0;  // of those that were not given up with their node, maybe before it
  std::uint32_t attempts = 0;
  bool finished = true;  // all of them
};
using Gangs = std::map<std::pair<std::uint32_t, std::uint32_t>, Together>;  // by stage and attempt

bool of_gang(const Facts& facts, const TaskRow& row) {
  return facts.catalogue.stages[row.stage].gang;
}

Gangs gangs_of(const Facts& facts) {
  Gangs gangs;
  for (const TaskRow& row : facts.log.tasks) {
    if (!of_gang(facts, row)) continue;
    Together& gang = gangs[{row.stage, row.attempt}];
    if (gang.attempts++ == 0) gang.placed = row.placed;
    gang.finished &= ran_to_its_end(row);
    const bool lost = row.outcome == static_cast<std::uint8_t>(Outcome::lost);
    const bool may_be_given_up = lost && facts.gives_up_nodes();
    if (is(row.finish) && !may_be_given_up) {
      gang.last_finish = std::max(gang.last_finish, row.finish);
    }
  }
  return gangs;
}

bool is_exclusive(const Facts& facts, const TaskRow& row) {
  return facts.catalogue.stages[row.stage].exclusive;
}

/// When what the attempt holds may have come back at the earliest; never: its end is not known.
Time held_until(const Facts& facts, const Gangs& gangs, const TaskRow& row) {
  if (!is(row.finish)) return never;
  if (!of_gang(facts, row)) return at_seconds(row.finish);
  const Together& gang = gangs.at({row.stage, row.attempt});
  const bool together = gang.finished || is_exclusive(facts, row);
  return at_seconds(together ? gang.last_finish : row.finish);
}

struct Change {
  enum class What : std::uint8_t { comes_back, placed };  // in this order within an instant
  Time time;
  What what;
  std::uint32_t row;
};

std::vector<Change> changes_on_node(const Facts& facts, const Gangs& gangs,
                                    const std::vector<std::uint32_t>& rows) {
  std::vector<Change> changes;
  for (const std::uint32_t at : rows) {
    const TaskRow& row = facts.log.tasks[at];
    const Time placed = at_seconds(row.placed);
    const Time until = held_until(facts, gangs, row);
    if (until != never && until - facts.uncertainty <= placed) continue;  // no time at all
    changes.push_back({placed, Change::What::placed, at});
    if (until != never) {
      changes.push_back({until - facts.uncertainty, Change::What::comes_back, at});
    }
  }
  std::ranges::sort(changes, {}, [](const Change& change) {
    return std::tuple(change.time, change.what, change.row);
  });
  return changes;
}

}  // namespace

Finding gangs_are_placed_together(const Facts& facts) {
  FindingBuilder finding("the tasks of a gang are placed at one instant, all or none");
  const Gangs gangs = gangs_of(facts);
  for (std::uint32_t at = 0; at < facts.log.tasks.size(); ++at) {
    const TaskRow& row = facts.log.tasks[at];
    if (!of_gang(facts, row)) continue;
    const double placed = gangs.at({row.stage, row.attempt}).placed;
    finding.expect(row.placed == placed, [&] {
      return fmt::format("{}: placed {} s, another of its gang {} s", text(at, row), row.placed,
                         placed);
    });
  }
  if (!facts.complete) return std::move(finding).finding();
  for (const auto& [which, gang] : gangs) {
    const std::uint32_t tasks = facts.catalogue.stages[which.first].tasks;
    finding.expect(gang.attempts == tasks, [&] {
      return fmt::format("stage {}, attempt {}: {} of {} tasks have it", which.first, which.second,
                         gang.attempts, tasks);
    });
  }
  return std::move(finding).finding();
}

Finding gangs_hold_until_the_last_end(const Facts& facts) {
  FindingBuilder finding(
      "no node holds more than it has room for, gangs until their last task has ended");
  finding.note(facts.tolerance());
  const Gangs gangs = gangs_of(facts);
  for_each_node(facts, [&](std::uint32_t node, const std::vector<std::uint32_t>& rows) {
    const NodeRow& of_node = facts.log.tables.nodes[node];
    const Resources capacity(of_node.resources);
    std::uint32_t tasks = 0;
    std::uint32_t alone = 0;    // of them those of exclusive stages
    std::uint32_t by_whom = 0;  // the last stage that placed one
    Resources held;
    for (const Change& change : changes_on_node(facts, gangs, rows)) {
      const TaskRow& row = facts.log.tasks[change.row];
      if (change.what == Change::What::comes_back) {
        --tasks;
        if (is_exclusive(facts, row)) --alone;
        if (facts.vectors) held -= facts.demands[row.stage];
        continue;
      }
      const bool beside_others = tasks > 0 && by_whom != row.stage;
      finding.expect(!beside_others || (alone == 0 && !is_exclusive(facts, row)), [&] {
        return fmt::format("{}: placed at {} s on node {}, which stage {} {}",
                           text(change.row, row), row.placed, node, by_whom,
                           alone > 0 ? "has for itself" : "is on, and it is to have for itself");
      });
      by_whom = row.stage;
      if (is_exclusive(facts, row)) ++alone;
      ++tasks;
      if (facts.vectors) held += facts.demands[row.stage];
      const bool has_room = (of_node.slots == 0 || tasks <= of_node.slots) &&
                            (!facts.vectors || held.fits_in(capacity));
      finding.expect(has_room, [&] {
        return fmt::format("{}: placed at {} s, where {} tasks hold what node {} has",
                           text(change.row, row), row.placed, tasks - 1, node);
      });
    }
  });
  return std::move(finding).finding();
}

}  // namespace somnus::audit
