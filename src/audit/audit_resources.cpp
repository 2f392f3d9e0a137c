// The resources that attempts hold: on each node by itself, and on all nodes over time.
#include <algorithm>
#include <tuple>

#include "audit/audit.hpp"
#include "base/time.hpp"
#include "model/demand_table.hpp"
#include "scheduler/room.hpp"

namespace somnus::audit {
namespace {

/// A task starts on a node or ends there, or tasks of a stage become ready.
struct Change {
  enum class What : std::uint8_t { ends, ready, starts };  // in this order within an instant
  Time time;
  What what;
  std::uint32_t row;  // of /tasks, or of /stages
};

void sort(std::vector<Change>& changes) {
  std::ranges::sort(changes, {}, [](const Change& change) {
    return std::tuple(change.time, change.what, change.row);
  });
}

/// forgiven: so much before its end it may have ended. Nobody says when one started that has not
/// ended: by its placement it takes room.
void add_attempt(const Facts& facts, std::uint32_t row, Duration forgiven,
                 std::vector<Change>& changes) {
  const TaskRow& task = facts.log.tasks[row];
  const Time start = at_seconds(is(task.start) ? task.start : task.placed);
  changes.push_back({start, Change::What::starts, row});
  if (!is(task.finish)) return;
  const Time end = at_seconds(task.finish);
  changes.push_back({std::max(std::min(start, end), end - forgiven), Change::What::ends, row});
}

std::string excess(const Facts& facts, const Resources& taken, const Resources& capacity,
                   Time time) {
  std::string words = fmt::format(": at {} s", in_seconds(time));
  for (std::size_t kind = 0; kind < facts.log.header.resources.size(); ++kind) {
    if (taken.amount(kind) <= capacity.amount(kind)) continue;
    words += fmt::format(", {} of {} {} taken", taken.amount(kind), capacity.amount(kind),
                         facts.log.header.resources[kind]);
  }
  return words;
}

/// Calls visit(row, taken, capacity, time) for each start, with what is taken then on its node.
template <class Visit>
void for_each_start(const Facts& facts, const std::vector<Resources>& demands, Visit&& visit) {
  for_each_node(facts, [&](std::uint32_t node, const std::vector<std::uint32_t>& rows) {
    const Resources capacity(facts.log.tables.nodes[node].resources);
    std::vector<Change> changes;
    for (const std::uint32_t row : rows) add_attempt(facts, row, facts.uncertainty, changes);
    sort(changes);
    Resources taken;
    for (const Change& change : changes) {
      const Resources& demand = demands[facts.log.tasks[change.row].stage];
      if (change.what == Change::What::ends) {
        taken -= demand;
      } else {
        taken += demand;
        visit(change.row, taken, capacity, change.time);
      }
    }
  });
}

Finding fit(const Facts& facts, const char* invariant, const std::vector<Resources>& demands,
            bool asserted) {
  FindingBuilder finding(invariant);
  finding.asserted(asserted);
  finding.note(facts.tolerance());
  for_each_start(
      facts, demands,
      [&](std::uint32_t row, const Resources& taken, const Resources& capacity, Time time) {
        finding.expect(taken.fits_in(capacity), [&] {
          return text(row, facts.log.tasks[row]) + excess(facts, taken, capacity, time);
        });
      });
  return std::move(finding).finding();
}

/// Which nodes have room and which stages wait, over time.
class Rooms {
 public:
  explicit Rooms(const Facts& facts)
      : facts_(facts),
        room_(static_cast<std::uint32_t>(facts.log.tables.nodes.size()),
              facts.log.header.resources.size()),
        waiting_(facts.log.tables.stages.size()) {
    for (const Resources& demand : facts.demands) ids_.push_back(demands_.add(demand));
    for (const NodeRow& node : facts.log.tables.nodes) {
      free_.emplace_back(node.resources);
      room_.set(NodeId(node.node), free_.back());
    }
  }

  void apply(const Change& change) {
    if (change.what == Change::What::ready) {
      return wait(change.row, facts_.log.tables.stages[change.row].tasks);
    }
    const TaskRow& task = facts_.log.tasks[change.row];
    Resources& free = free_[task.node];
    if (change.what == Change::What::starts) {
      free -= facts_.demands[task.stage];
      wait(task.stage, -1);
    } else {
      free += facts_.demands[task.stage];
    }
    room_.set(NodeId(task.node), free);
  }

  /// What some task that waits for nothing but to be placed demands, and where it could be; none if
  /// all is well.
  struct Idle {
    DemandId demand;
    NodeId node;
  };
  [[nodiscard]] std::optional<Idle> idle() const {
    for (std::size_t at = 0; at < waiting_for_.size(); ++at) {
      if (waiting_for_[at] <= 0) continue;
      const DemandId demand(at);
      const NodeId node = room_.first(demands_[demand]);
      if (node.valid()) return Idle{demand, node};
    }
    return std::nullopt;
  }
  /// A stage with a task that waits and demands this.
  [[nodiscard]] std::size_t stage_that_waits(DemandId demand) const {
    std::size_t stage = 0;
    while (waiting_[stage] <= 0 || ids_[stage] != demand) ++stage;
    return stage;
  }

 private:
  void wait(std::uint32_t stage, std::int64_t tasks) {
    const std::size_t demand = ids_[stage].index();
    if (demand >= waiting_for_.size()) waiting_for_.resize(demand + 1);
    waiting_for_[demand] -= std::max<std::int64_t>(0, waiting_[stage]);
    waiting_[stage] += tasks;
    waiting_for_[demand] += std::max<std::int64_t>(0, waiting_[stage]);
  }

  const Facts& facts_;
  Room room_;
  DemandTable demands_;
  std::vector<DemandId> ids_;              // by stage
  std::vector<Resources> free_;            // by node
  std::vector<std::int64_t> waiting_;      // tasks, by stage
  std::vector<std::int64_t> waiting_for_;  // tasks, by demand
};

}  // namespace

Finding demands_fit(const Facts& facts) {
  return fit(facts, "what runs on a node never demands more than it has", facts.demands, true);
}

bool misjudges_demands(const Facts& facts) {
  return facts.settings && facts.settings->estimate.demand_error != 0;
}

Finding use_fits(const Facts& facts) {
  std::vector<Resources> used;
  for (const Amounts& amounts : facts.log.tables.stage_demands) used.emplace_back(amounts);
  return fit(facts, "what runs on a node really uses no more than it has", used, false);
}

Finding resources_are_not_idle(const Facts& facts) {
  FindingBuilder finding("no node has room for a task that waits");
  std::vector<Change> changes;
  for (std::uint32_t row = 0; row < facts.log.tasks.size(); ++row) {
    add_attempt(facts, row, Duration::zero(), changes);
  }
  for (std::uint32_t row = 0; row < facts.log.tables.stages.size(); ++row) {
    const double ready = facts.log.tables.stages[row].ready;
    if (is(ready)) changes.push_back({at_seconds(ready), Change::What::ready, row});
  }
  sort(changes);
  Rooms rooms(facts);
  for (std::size_t at = 0; at < changes.size(); ++at) {
    rooms.apply(changes[at]);
    const bool last = at + 1 == changes.size() || changes[at + 1].time != changes[at].time;
    if (!last) continue;
    const auto idle = rooms.idle();
    finding.expect(!idle, [&] {
      return fmt::format("at {} s: a task of /stages row {} waits, and node {} has room for it",
                         in_seconds(changes[at].time), rooms.stage_that_waits(idle->demand),
                         idle->node.value());
    });
  }
  return std::move(finding).finding();
}

}  // namespace somnus::audit
