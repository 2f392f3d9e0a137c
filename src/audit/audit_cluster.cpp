#include <algorithm>
#include <cmath>
#include <tuple>

#include "audit/audit.hpp"
#include "base/time.hpp"
#include "log/held_columns.hpp"
#include "log/log_tables.hpp"

namespace somnus::audit {
namespace {

Time end_of(const TaskRow& row) { return is(row.finish) ? at_seconds(row.finish) : never; }

/// How many tasks wait and run, over time.
class Sweep {
 public:
  explicit Sweep(const Facts& facts) {
    for (const StageRow& stage : facts.log.tables.stages) {
      if (is(stage.ready)) ready_.push_back({at_seconds(stage.ready), stage.tasks});
    }
    for (const TaskRow& row : facts.log.tasks) {
      starts_.push_back(at_seconds(is(row.start) ? row.start : row.placed));
      if (is(row.finish)) ends_.push_back(at_seconds(row.finish));
    }
    std::ranges::sort(ready_, {}, &Ready::time);
    std::ranges::sort(starts_);
    std::ranges::sort(ends_);
  }

  /// Calls visit(time, waiting, running) after all changes of each instant.
  template <class Visit>
  void run(Visit&& visit) const {
    std::int64_t waiting = 0;
    std::int64_t running = 0;
    auto ready = ready_.begin();
    auto start = starts_.begin();
    auto end = ends_.begin();
    for (;;) {
      const Time now =
          std::min({ready == ready_.end() ? never : ready->time,
                    start == starts_.end() ? never : *start, end == ends_.end() ? never : *end});
      if (now == never) return;
      for (; ready != ready_.end() && ready->time == now; ++ready) waiting += ready->tasks;
      for (; start != starts_.end() && *start == now; ++start) {
        --waiting;
        ++running;
      }
      for (; end != ends_.end() && *end == now; ++end) --running;
      visit(now, waiting, running);
    }
  }

 private:
  struct Ready {
    Time time;
    std::uint32_t tasks;
  };
  std::vector<Ready> ready_;
  std::vector<Time> starts_;
  std::vector<Time> ends_;
};

}  // namespace

Finding slots_exist(const Facts& facts) {
  FindingBuilder finding("every attempt runs on a slot that its node has");
  for (std::uint32_t at = 0; at < facts.log.tasks.size(); ++at) {
    const TaskRow& row = facts.log.tasks[at];
    if (!is(row.start)) continue;
    const std::uint32_t slots = facts.log.tables.nodes[row.node].slots;
    if (slots == 0) continue;
    finding.expect(row.slot < slots,
                   [&] { return fmt::format("{} of {} slots", text(at, row), slots); });
  }
  return std::move(finding).finding();
}

Finding slots_are_not_shared(const Facts& facts) {
  FindingBuilder finding("no two attempts share a slot");
  finding.note(facts.tolerance());
  const TaskRow* before = nullptr;  // the one of this slot that ends last, and when that is
  Time end_before;
  for_each_row(facts.log, facts.by_slot, [&](std::uint32_t at, const TaskRow& row) {
    const Time end = end_of(row);
    const bool first = before == nullptr || !same_slot(*before, row);
    if (!first) {
      finding.expect(at_seconds(row.start) + facts.uncertainty >= end_before, [&] {
        return fmt::format("{} starts at {} s, where row {} runs from {} s to {} s", text(at, row),
                           row.start, before - facts.log.tasks.data(), before->start,
                           before->finish);
      });
    }
    if (!first && end <= end_before) return;
    before = &row;
    end_before = end;
  });
  return std::move(finding).finding();
}

Finding samples_are_possible(const Facts& facts) {
  FindingBuilder finding("samples are in order of time, none shows more in use than there is");
  const std::uint64_t slots = slot_count(facts.log);
  const std::size_t kinds = facts.log.header.resources.size();
  Amounts capacity{};
  for (const NodeRow& node : facts.log.tables.nodes) {
    for (std::size_t kind = 0; kind < kinds; ++kind) capacity[kind] += node.resources[kind];
  }
  double last = 0;
  for (std::size_t at = 0; at < facts.log.samples.size(); ++at) {
    const SampleRow& row = facts.log.samples[at];
    bool possible = row.time >= last && (slots == 0 || row.busy_slots <= slots);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      possible &= row.allocated[kind] <= capacity[kind] * (1 + 1e-9);  // sums of doubles
    }
    finding.expect(possible, [&] {
      std::string words = fmt::format("/samples row {}: at {} s after {} s, {} of {} slots busy",
                                      at, row.time, last, row.busy_slots, slots);
      for (std::size_t kind = 0; kind < kinds; ++kind) {
        words += fmt::format(", {} of {} {}", row.allocated[kind], capacity[kind],
                             facts.log.header.resources[kind]);
      }
      return words;
    });
    last = row.time;
  }
  return std::move(finding).finding();
}

bool can_conserve_work(const Facts& facts) {
  return facts.acts_at_once() && facts.knows_at_once() && !facts.faults &&
         facts.order.work_conserving && facts.placement.finds_any_slot &&
         !facts.catalogue.has_gangs() && !facts.preempts;
}

Finding slots_are_not_idle(const Facts& facts) {
  FindingBuilder finding("no slot is free while a runnable task waits");
  const auto slots = static_cast<std::int64_t>(slot_count(facts.log));
  Sweep(facts).run([&](Time now, std::int64_t waiting, std::int64_t running) {
    finding.expect(waiting <= 0 || running >= slots, [&] {
      return fmt::format("at {} s: {} runnable tasks wait, {} of {} slots are free",
                         in_seconds(now), waiting, slots - running, slots);
    });
  });
  return std::move(finding).finding();
}

Finding looks_are_as_late_as_ranks(const Facts& facts) {
  FindingBuilder finding(
      "the latest look of each rank was as late as the latest thing that it did");
  constexpr double rounding = 1e-9;  // emulated to real seconds and back
  const double speed = facts.log.header.speed;
  std::vector<double> latest_s(facts.log.tables.ranks.size());
  for (const LatenessRow& row : facts.log.tables.lateness) {
    if (row.rank < latest_s.size()) latest_s[row.rank] = row.up_to * speed;
  }
  for (std::size_t at = 0; at < latest_s.size(); ++at) {
    const double late_s = facts.log.tables.ranks[at].late_max;
    finding.expect(std::abs(latest_s[at] - late_s) <= rounding * std::max(1.0, late_s), [&] {
      return fmt::format("/ranks row {}: late_max {} s, by /lateness {} s", at, late_s,
                         latest_s[at]);
    });
  }
  return std::move(finding).finding();
}

namespace {

const HeldColumns held_by_cluster[] = {
    {"/lateness", "*", Held::sealed, "measured; check: the latest of a rank is /ranks.late_max"},
};

}  // namespace

}  // namespace somnus::audit
