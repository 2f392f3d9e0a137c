#include "scheduler/node_reserving_backfill.hpp"

#include <algorithm>
#include <optional>

#include "scheduler/backfill_units.hpp"

namespace somnus {
namespace {

/// For each task, or of whole nodes for the first of each, which stand side by side.
void for_each_holder(std::span<const NodeId> nodes, const Need& need, auto&& visit) {
  for (std::size_t at = 0; at < nodes.size(); ++at) {
    const bool is_held = need.whole_node && at > 0 && nodes[at - 1] == nodes[at];
    if (!is_held) visit(nodes[at]);
  }
}

}  // namespace
void NodeReservingBackfill::round_begins(Time now, const SchedulerView& view) {
  now_ = now;
  made_ = 0;
  freed_again_ = {};
  news_.round_begins();
  calendar_.advance(now);
  follow_nodes(view);
  const bool some_are_late = !by_start_.empty() && by_start_.begin()->first < now_;
  if (!rules_.kept || some_are_late) drop_all();
  to_ask_ = reserved_.size();
  asked_ = 0;
}

void NodeReservingBackfill::follow_nodes(const SchedulerView& view) {
  if (calendar_.nodes() == 0) calendar_.begin(view.nodes.count());
  for (std::uint32_t at = 0; at < calendar_.nodes(); ++at) {
    const NodeId node(at);
    const bool is_up = view.nodes.up(node);
    if (is_up == calendar_.up(node)) continue;
    calendar_.set_capacity(node, is_up
                                     ? NodeCalendar::Capacity{.slots = view.nodes.slots(node),
                                                              .amounts = view.nodes.capacity(node)}
                                     : NodeCalendar::Capacity{});
    if (is_up) freed_.add(now_, never);
    if (!is_up) drop_all();
  }
}

// One that has a reservation moves here, if it can.
bool NodeReservingBackfill::may_start(StageId stage, const SchedulerView& view) {
  const auto found = reserved_.find(stage);
  if (found == reserved_.end()) return starts_now(stage, view);
  const Need need = need_of(stage, view);
  const bool is_as_long = need.end(found->second.start) == found->second.end;
  ++asked_;
  const bool reaches_it = need.until > freed_.begin;  // whenever it starts
  const Time from = reaches_it ? now_ : std::max(now_, freed_.begin - need.length + Duration(1));
  const Time until = std::min(found->second.start, freed_.end);
  if (is_as_long && from >= until && found->second.start > now_) return false;
  std::optional<Reserved> made = take(stage);
  const bool starts = starts_now(stage, view);
  Time start = now_;
  if (!starts) {
    const std::uint32_t width = unit_width(stage, view);
    start = is_as_long ? std::min(made->start, calendar_.earliest(width, need, from, until))
                       : calendar_.earliest(width, need, now_, never);
    if (start == made->start && is_as_long) {
      put(stage, std::move(*made));
      return false;
    }
  }
  freed_.add(made->start, made->end);
  freed_again_.add(made->start, made->end);
  if (!starts) reserve(stage, start, view);
  return starts;
}

bool NodeReservingBackfill::starts_now(StageId stage, const SchedulerView& view) {
  const std::uint32_t width = unit_width(stage, view);
  const Need need = need_of(stage, view);
  chosen_.clear();
  if (width > view.nodes.free_slots()) return false;
  const auto take = [&](NodeId node) {
    if (need.whole_node && !view.nodes.is_idle(node)) return;
    const auto most =
        static_cast<std::uint32_t>(view.nodes.room_for(need.demand, width - chosen_.size(), node));
    if (most == 0) return;
    chosen_.insert(chosen_.end(), calendar_.room_for(need, most, now_, node), node);
  };
  const auto preferred = view.jobs.affinity_of(stage);
  std::ranges::for_each(preferred, take);
  for (NodeId node = view.nodes.first_usable(); node.valid() && chosen_.size() < width;
       node = view.nodes.first_usable(NodeId(node.value() + 1))) {
    if (std::ranges::find(preferred, node) == preferred.end()) take(node);
  }
  return chosen_.size() == width;
}

bool NodeReservingBackfill::passes_over(StageId stage, const SchedulerView& view) {
  const bool has_a_turn = made_ < rules_.most;
  if (!reserved_.contains(stage)) {
    const bool any_is_due = !by_end_.empty() && by_end_.begin()->first <= now_;
    const bool waits_for_what_is_due = any_is_due && !nodes_at(now_, stage, view).empty();
    if (waits_for_what_is_due) {
      reserve(stage, now_, view);
    } else if (has_a_turn) {
      const Time start =
          calendar_.earliest(unit_width(stage, view), need_of(stage, view), now_, never);
      reserve(stage, start, view);
      ++made_;
    }
  }
  return made_ < rules_.most || view.nodes.any_usable();
}

void NodeReservingBackfill::sort(std::vector<StageId>& stages, const SchedulerView& view) const {
  const std::uint64_t free = view.nodes.free_slots();
  std::erase_if(stages, [&](StageId stage) { return unit_width(stage, view) > free; });
  std::ranges::stable_sort(
      stages, {}, [&](StageId stage) { return time_limit(view.jobs.job_of(stage), view); });
}

void NodeReservingBackfill::launched(StageId stage, std::uint32_t tasks,
                                     const SchedulerView& view) {
  const JobId id = view.jobs.job_of(stage);
  Running& job = jobs_[id];
  if (begins_with(tasks, id, view)) {
    job.end = end_of(now_, time_limit(id, view));
  }
  if (job.tasks == 0) {
    job.end = std::max(job.end, now_ + Duration(1));
    by_end_.emplace(job.end, id);
  }
  job.tasks += tasks;
  add(chosen_, Time::min(), job.end, need_of(stage, view));
  if (view.jobs[stage].exclusive) whole_nodes_[stage] = chosen_;
  news_.forget(stage);
}

void NodeReservingBackfill::task_ended(const TaskEnded& end, StageId stage,
                                       const SchedulerView& view) {
  const JobId id = view.jobs.job_of(stage);
  Running& job = jobs_.at(id);
  if (!view.jobs[stage].exclusive) {
    remove({end.node}, Time::min(), job.end, need_of(stage, view));
  } else if (view.jobs.running(stage) == 0) {
    remove(whole_nodes_.at(stage), Time::min(), job.end, need_of(stage, view));
    whole_nodes_.erase(stage);
  }
  if (--job.tasks == 0) by_end_.erase({job.end, id});
  freed_.add(view.jobs.now(), job.end);
}

void NodeReservingBackfill::stage_withdrawn(StageId stage, const SchedulerView&) {
  if (const auto made = take(stage)) freed_.add(made->start, made->end);
  news_.forget(stage);
}

void NodeReservingBackfill::round_ends() {
  for (const StageId stage : dropped_) {
    if (news_.has_said(stage) && !reserved_.contains(stage)) news_.say(stage, never);
  }
  dropped_.clear();
  if (asked_ == to_ask_) freed_ = freed_again_;
}

// One of a job that has begun needs its nodes up to the job's end, or for a moment after it.
Need NodeReservingBackfill::need_of(StageId stage, const SchedulerView& view) const {
  const JobId job = view.jobs.job_of(stage);
  const bool begun = has_begun(job, view);
  return {.demand = view.jobs.demand(stage).amounts,
          .whole_node = view.jobs[stage].exclusive,
          .length = begun ? Duration(1) : time_limit(job, view),
          .until = begun ? jobs_.at(job).end : Time::min()};
}

void NodeReservingBackfill::add(const Nodes& nodes, Time from, Time to, const Need& need) {
  for_each_holder(nodes, need, [&](NodeId node) {
    calendar_.add(node, {from, to, need.whole_node, need.demand});
  });
}

void NodeReservingBackfill::remove(const Nodes& nodes, Time from, Time to, const Need& need) {
  for_each_holder(nodes, need, [&](NodeId node) {
    calendar_.remove(node, {from, to, need.whole_node, need.demand});
  });
}

NodeReservingBackfill::Nodes NodeReservingBackfill::nodes_at(Time start, StageId stage,
                                                             const SchedulerView& view) const {
  const std::uint32_t width = unit_width(stage, view);
  const Need need = need_of(stage, view);
  Nodes chosen;
  const auto take = [&](NodeId node) {
    const auto most = static_cast<std::uint32_t>(width - chosen.size());
    if (most > 0) chosen.insert(chosen.end(), calendar_.room_for(need, most, start, node), node);
  };
  const auto preferred = view.jobs.affinity_of(stage);
  std::ranges::for_each(preferred, take);
  for (std::uint32_t at = 0; at < calendar_.nodes() && chosen.size() < width; ++at) {
    const NodeId node(at);
    if (std::ranges::find(preferred, node) == preferred.end()) take(node);
  }
  if (chosen.size() < width) chosen.clear();
  return chosen;
}

void NodeReservingBackfill::reserve(StageId stage, Time start, const SchedulerView& view) {
  news_.say(stage, start);
  if (start == never) return;  // more than all nodes hold: some are lost
  const Need need = need_of(stage, view);
  put(stage, {.start = start,
              .end = need.end(start),
              .need = need,
              .nodes = nodes_at(start, stage, view)});
}

void NodeReservingBackfill::put(StageId stage, Reserved made) {
  add(made.nodes, made.start, made.end, made.need);
  by_start_.emplace(made.start, stage);
  reserved_[stage] = std::move(made);
}

std::optional<NodeReservingBackfill::Reserved> NodeReservingBackfill::take(StageId stage) {
  const auto found = reserved_.extract(stage);
  if (found.empty()) return {};
  const Reserved& made = found.mapped();
  remove(made.nodes, made.start, made.end, made.need);
  by_start_.erase({made.start, stage});
  return made;
}

void NodeReservingBackfill::drop_all() {
  if (!by_start_.empty()) freed_.add(now_, never);
  while (!by_start_.empty()) {
    const StageId stage = by_start_.begin()->second;
    static_cast<void>(take(stage));
    dropped_.push_back(stage);
  }
}

}  // namespace somnus
