#include "scheduler/node_calendar.hpp"

#include <limits>

#include "base/error.hpp"
#include "model/node_table.hpp"

namespace somnus {
namespace {

// Of what totals count more than that is not counted: the sum of many nodes is still in range.
constexpr std::int64_t most_counted = std::numeric_limits<std::int64_t>::max() / (1 << 24);

}  // namespace

void NodeCalendar::advance(Time now) {
  now_ = now;
  for (std::optional<SlotProfile>& total : totals_) {
    if (total) total->forget_before(now);
  }
}

void NodeCalendar::set_capacity(NodeId node, const Capacity& capacity) {
  Node& one = nodes_[node.index()];
  for (const Held& held : one.held) count(one, held, 1);
  count(one.capacity, -1);
  one.capacity = capacity;
  count(one.capacity, 1);
  for (const Held& held : one.held) count(one, held, -1);
}

void NodeCalendar::add(NodeId node, const Held& held) {
  Node& one = nodes_[node.index()];
  one.held.push_back(held);
  count(one, held, -1);
}

void NodeCalendar::remove(NodeId node, const Held& held) {
  Node& one = nodes_[node.index()];
  const auto found = std::ranges::find(one.held, held);
  SOMNUS_CHECK(found != one.held.end(), "node {} does not hold what is to be taken out",
               node.value());
  one.held.erase(found);
  count(one, held, 1);
}

void NodeCalendar::count(const Capacity& capacity, std::int64_t times) {
  if (capacity.slots == 0) return;
  const auto add = [&](std::size_t what, std::int64_t much) {
    if (totals_.size() <= what) totals_.resize(what + 1, SlotProfile());
    if (much > most_counted) totals_[what].reset();
    if (totals_[what]) totals_[what]->add(much * times);
  };
  add(0, capacity.slots == NodeTable::no_limit ? most_counted + 1 : std::int64_t{capacity.slots});
  const auto amounts = capacity.amounts.millionths();
  for (std::size_t kind = 0; kind < amounts.size(); ++kind) add(1 + kind, amounts[kind]);
}

void NodeCalendar::count(const Node& node, const Held& held, std::int64_t times) {
  if (node.capacity.slots == 0) return;
  const Time from = std::max(held.from, now_);
  const auto amounts = (held.whole_node ? node.capacity.amounts : held.amounts).millionths();
  for (std::size_t what = 0; what < totals_.size(); ++what) {
    if (!totals_[what]) continue;
    const std::int64_t slots = held.whole_node ? std::int64_t{node.capacity.slots} : 1;
    const std::int64_t much = what == 0 ? slots : what - 1 < amounts.size() ? amounts[what - 1] : 0;
    totals_[what]->add(from, held.to, much * times);
  }
}

std::vector<NodeCalendar::Room> NodeCalendar::rooms(const Node& node, const Need& need,
                                                    std::uint32_t most, Time from, Time to) const {
  struct Change {
    Time time;
    const Held* held;
    bool begins;
  };
  std::vector<Change> changes;
  Resources left = node.capacity.amounts;
  std::uint32_t tasks = 0;
  std::uint32_t whole = 0;  // of them have the node for themselves
  const auto apply = [&](const Held& held, bool begins) {
    begins ? left -= held.amounts : left += held.amounts;
    begins ? ++tasks : --tasks;
    if (held.whole_node) begins ? ++whole : --whole;
  };
  for (const Held& held : node.held) {
    if (held.to <= from || held.from >= to) continue;
    if (held.from <= from) {
      apply(held, true);
    } else {
      changes.push_back({held.from, &held, true});
    }
    if (held.to < to) changes.push_back({held.to, &held, false});
  }
  std::ranges::sort(changes, {}, &Change::time);
  const auto room = [&]() -> std::uint32_t {
    const bool is_closed = whole > 0 || (need.whole_node && tasks > 0);
    if (is_closed || tasks >= node.capacity.slots) return 0;
    return static_cast<std::uint32_t>(
        left.holds(need.demand, std::min(node.capacity.slots - tasks, most)));
  };
  std::vector<Room> found{{from, room()}};
  for (auto change = changes.begin(); change != changes.end();) {
    const Time time = change->time;
    for (; change != changes.end() && change->time == time; ++change) {
      apply(*change->held, change->begins);
    }
    if (const std::uint32_t now = room(); now != found.back().tasks) found.push_back({time, now});
  }
  return found;
}

std::uint32_t NodeCalendar::room_for(const Need& need, std::uint32_t most, Time start,
                                     NodeId node) const {
  const Node& one = nodes_[node.index()];
  const std::vector<Room> all = rooms(one, need, most, start, need.end(start));
  return std::ranges::min_element(all, {}, &Room::tasks)->tasks;
}

// What tasks have room for at a start is the least of what there is while they run. That changes
// where one of these rooms begins, and behind the last start from which they are over by then.
void NodeCalendar::add_steps(const Node& node, std::uint32_t most, const Need& need, Time from,
                             Time until, std::vector<Step>& steps) const {
  const std::vector<Room> all = rooms(node, need, most, from, need.end(until));
  std::vector<Time> starts;
  for (const Room& room : all) {
    if (room.begin < until) starts.push_back(room.begin);
    const Time too_late = room.begin - need.length + Duration(1);
    if (too_late > from && too_late < until) starts.push_back(too_late);
  }
  std::ranges::sort(starts);
  std::vector<std::size_t> least;  // rooms of the span, each with fewer than those behind it
  std::size_t first = 0;           // of them that is not over
  std::size_t next = 0;
  std::int64_t before = 0;
  for (const Time start : starts) {
    for (const Time end = need.end(start); next < all.size() && all[next].begin < end; ++next) {
      while (least.size() > first && all[least.back()].tasks >= all[next].tasks) least.pop_back();
      least.push_back(next);
    }
    const auto is_over = [&](std::size_t at) {
      return at + 1 < all.size() && all[at + 1].begin <= start;
    };
    while (is_over(least[first])) ++first;
    const std::int64_t room = all[least[first]].tasks;
    if (room != before) steps.push_back({.start = start, .more = room - before});
    before = room;
  }
}

Time NodeCalendar::earliest(std::uint32_t tasks, const Need& need, Time from, Time until) const {
  const auto millionths = need.demand.millionths();
  for (bool moved = true; moved && from < until;) {
    moved = false;
    for (std::size_t what = 0; what < totals_.size(); ++what) {
      const std::int64_t each =
          what == 0 ? 1 : (what - 1 < millionths.size() ? millionths[what - 1] : 0);
      if (!totals_[what] || each == 0 || each > most_counted / tasks) continue;
      const Time possible = totals_[what]->earliest(from, until, need.length, each * tasks);
      moved |= possible > from;
      from = possible;
      if (from >= until) return never;
    }
  }
  if (from >= until) return never;
  std::vector<Step> steps;
  for (const Node& node : nodes_) {
    if (node.capacity.slots > 0) add_steps(node, tasks, need, from, until, steps);
  }
  std::ranges::sort(steps, {}, &Step::start);
  std::int64_t room = 0;
  for (auto step = steps.begin(); step != steps.end();) {
    const Time start = step->start;
    for (; step != steps.end() && step->start == start; ++step) room += step->more;
    if (room >= std::int64_t{tasks}) return start;
  }
  return never;
}

}  // namespace somnus
