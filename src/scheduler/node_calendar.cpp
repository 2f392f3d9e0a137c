#include "scheduler/node_calendar.hpp"

#include <algorithm>

namespace somnus {

void NodeCalendar::remove(NodeId node, const Held& held) {
  std::vector<Held>& all = held_[node.index()];
  all.erase(std::ranges::find(all, held));
}

// What is held grows where something begins: the most of it in a span is at its start, or there.
std::uint32_t NodeCalendar::room_for(const Need& need, std::uint32_t most, Time start,
                                     NodeId node) const {
  const std::vector<Held>& all = held_[node.index()];
  const auto room_at = [&](Time time) -> std::uint32_t {
    Capacity left = capacities_[node.index()];
    for (const Held& held : all) {
      if (held.from > time || held.to <= time) continue;
      if (need.whole_node || held.whole_node || left.slots == 0) return 0;
      --left.slots;
      left.amounts -= held.amounts;
    }
    return static_cast<std::uint32_t>(left.amounts.holds(need.demand, std::min(left.slots, most)));
  };
  const Time end = need.end(start);
  std::uint32_t room = room_at(start);
  for (const Held& held : all) {
    if (room == 0) break;
    if (held.from > start && held.from < end) room = std::min(room, room_at(held.from));
  }
  return room;
}

// A node's room changes where something that it holds ends, and behind the last start from which
// tasks are over when something begins.
void NodeCalendar::add_steps(NodeId node, std::uint32_t most, const Need& need, Time from,
                             std::vector<Step>& steps) const {
  std::vector<Time> starts{from};
  for (const Held& held : held_[node.index()]) {
    if (held.to > from && held.to != never) starts.push_back(held.to);
    if (held.from <= from) continue;
    const Time too_late = held.from - need.length + Duration(1);
    if (too_late > from) starts.push_back(too_late);
  }
  std::ranges::sort(starts);
  std::int64_t before = 0;
  for (const Time start : starts) {
    const std::int64_t room = room_for(need, most, start, node);
    if (room != before) steps.push_back({.start = start, .more = room - before});
    before = room;
  }
}

Time NodeCalendar::earliest(std::uint32_t tasks, const Need& need, Time from) const {
  std::vector<Step> steps;
  for (std::uint32_t at = 0; at < nodes(); ++at) {
    if (up(NodeId(at))) add_steps(NodeId(at), tasks, need, from, steps);
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
