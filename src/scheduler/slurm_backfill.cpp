#include "scheduler/slurm_backfill.hpp"

#include <algorithm>
#include <functional>

#include "scheduler/backfill_units.hpp"

namespace somnus {
namespace {

constexpr Duration second = std::chrono::seconds(1);
constexpr Duration first_group = 30 * second;
constexpr int most_tries = 100;  // later and later, to find a time for a reservation

}  // namespace

SlurmBackfill::SlurmBackfill(const SlurmRules& rules)
    : interval_(seconds(rules.bf_interval_s)),
      window_(seconds(rules.bf_window_s)),
      resolution_(seconds(rules.bf_resolution_s)),
      full_interval_(seconds(rules.sched_interval_s)),
      clock_(seconds(rules.clock_s)),
      most_in_cycle_(rules.bf_max_job_test),
      most_in_pass_(rules.default_queue_depth) {}

void SlurmBackfill::round_begins(Time now, const SchedulerView& view) {
  now_ = now;
  news_.round_begins();
  reserved_.clear();
  levels_.clear();
  const std::uint64_t slots = view.nodes.free_slots() + held_;
  if (slots != slots_) look_at(now);  // a node was lost or is back
  slots_ = slots;
  // Where the scheduler decides in cycles of its own, rounds may begin long after what they are
  // for.
  is_cycle_ = cycle_at_ <= now || (is_due_ && next_multiple(due_since_, interval_) <= now);
  is_full_ = full_pass_at_ <= now;
  is_cut_off_ = false;
  if (is_cycle_) {
    cycle_at_ = never;
    is_due_ = false;
  }
  if (is_full_) full_pass_at_ = never;
  left_ = is_cycle_ ? most_in_cycle_ : most_in_pass_;
}

bool SlurmBackfill::may_start(StageId stage, const SchedulerView& view) {
  chosen_.clear();
  if (left_ == 0) {
    is_cut_off_ = true;
    return false;
  }
  const bool starts = is_cycle_ ? plan(stage, view) : fits_now(stage, view);
  if (!starts) is_full_ = false;
  if (!is_full_) --left_;
  return starts;
}

bool SlurmBackfill::fits_now(StageId stage, const SchedulerView& view) {
  const std::uint32_t tasks = unit_width(stage, view);
  if (view.nodes.free_slots() < tasks || !has_level(0, view)) return false;
  chosen_ = fitting(tasks, free_at(0, stage, view), up_);
  return !chosen_.empty();
}

bool SlurmBackfill::passes_over(StageId, const SchedulerView&) {
  if (!is_cut_off_) return is_cycle_;
  if (!is_cycle_ && full_pass_at_ == never) full_pass_at_ = next_multiple(now_, full_interval_);
  return false;
}

void SlurmBackfill::launched(StageId stage, std::uint32_t tasks, const SchedulerView& view) {
  const JobId id = view.jobs.job_of(stage);
  Time& end = end_by_limit(id);
  Nodes& nodes = running_[id];
  if (begins_with(tasks, id, view)) {
    end = end_of(rounded_down(now_, second), time_limit(id, view));
  } else if (nodes.empty()) {
    end = std::max(end, now_ + Duration(1));
  }
  Nodes held = chosen_;
  if (view.jobs[stage].exclusive) {
    held.clear();
    for (const NodeId node : chosen_) {
      if (held.empty() || held.back() != node)
        held.insert(held.end(), view.nodes.slots(node), node);
    }
    whole_[stage] = held;
  }
  nodes.insert(nodes.end(), held.begin(), held.end());
  held_ += held.size();
  levels_.clear();
  news_.forget(stage);
  if (view.jobs.runnable(stage) == 0) waiting_.erase(stage);
}

void SlurmBackfill::task_ended(const TaskEnded& end, StageId stage, const SchedulerView& view) {
  const auto runs = running_.find(view.jobs.job_of(stage));
  Nodes& nodes = runs->second;
  Nodes over{end.node};
  if (view.jobs[stage].exclusive) {
    over.clear();
    if (view.jobs.running(stage) == 0) over = std::exchange(whole_.at(stage), {});
  }
  for (const NodeId node : over) nodes.erase(std::ranges::find(nodes, node));
  if (nodes.empty()) running_.erase(runs);
  held_ -= over.size();
  look_at(view.jobs.now());
}

void SlurmBackfill::stage_runnable(StageId stage, const SchedulerView& view) {
  if (waiting_.empty()) is_due_ = false;  // nobody waited for what has been
  waiting_.insert(stage);
  look_at(view.jobs.now());
}

void SlurmBackfill::look_at(Time time) {
  if (!is_due_) due_since_ = time;
  is_due_ = true;
}

void SlurmBackfill::stage_withdrawn(StageId stage, const SchedulerView& view) {
  waiting_.erase(stage);
  news_.forget(stage);
  look_at(view.jobs.now());
}

void SlurmBackfill::round_ends() {
  if (waiting_.empty()) is_due_ = false;
  if (is_due_ && cycle_at_ == never) cycle_at_ = next_multiple(now_, interval_);
}

Time SlurmBackfill::next_multiple(Time time, Duration interval) {
  return Time((time.time_since_epoch() / interval + 1) * interval);
}

Time SlurmBackfill::rounded_down(Time time, Duration multiple) const {
  if (time == never) return never;
  const Duration shown = time.time_since_epoch() + clock_;
  return Time(shown / multiple * multiple - clock_);
}

bool SlurmBackfill::has_level(std::size_t number, const SchedulerView& view) {
  if (levels_.empty()) {
    Level& level = levels_.emplace_back(Level{.time = now_, .free = {}});
    up_.assign(view.nodes.count(), false);
    level.free.assign(view.nodes.count(), 0);
    for (std::uint32_t at = 0; at < view.nodes.count(); ++at) {
      up_[at] = view.nodes.up(NodeId(at));
      if (up_[at]) level.free[at] = view.nodes.free_slots(NodeId(at));
    }
    to_end_.clear();
    for (const auto& [job, nodes] : running_) to_end_.emplace_back(end_by_limit(job), job);
    std::ranges::sort(to_end_, std::greater());
    group_ = first_group;
  }
  while (levels_.size() <= number && !to_end_.empty()) {
    Level next = levels_.back();
    const Time first = rounded_down(to_end_.back().first, first_group);
    while (!to_end_.empty() &&
           rounded_down(to_end_.back().first, first_group) <= end_of(first, group_)) {
      next.time = to_end_.back().first;
      for (const NodeId node : running_.at(to_end_.back().second)) ++next.free[node.index()];
      to_end_.pop_back();
    }
    group_ *= 2;
    levels_.push_back(std::move(next));
  }
  return number < levels_.size();
}

const std::vector<std::uint32_t>& SlurmBackfill::free_at(std::size_t level, StageId stage,
                                                         const SchedulerView& view) {
  if (!view.jobs[stage].exclusive) return levels_[level].free;
  idle_ = levels_[level].free;
  for (std::uint32_t at = 0; at < idle_.size(); ++at) {
    if (idle_[at] < view.nodes.slots(NodeId(at))) idle_[at] = 0;
  }
  return idle_;
}

SlurmBackfill::Nodes SlurmBackfill::fitting(std::uint32_t tasks,
                                            const std::vector<std::uint32_t>& free,
                                            const std::vector<bool>& allowed) {
  std::uint64_t room = 0;
  std::uint32_t best = NodeId().value();
  for (std::uint32_t at = 0; at < free.size(); ++at) {
    if (!allowed[at]) continue;
    room += free[at];
    const bool is_better = best == NodeId().value() || free[at] < free[best];
    if (free[at] >= tasks && is_better) best = at;
  }
  if (best != NodeId().value()) return Nodes(tasks, NodeId(best));
  Nodes nodes;
  if (room < tasks) return nodes;
  std::vector<std::uint32_t> by_room;
  for (std::uint32_t at = 0; at < free.size(); ++at) {
    if (allowed[at] && free[at] > 0) by_room.push_back(at);
  }
  std::ranges::stable_sort(by_room, std::greater(), [&](std::uint32_t at) { return free[at]; });
  for (const std::uint32_t at : by_room) {
    if (nodes.size() == tasks) break;
    const std::size_t left = tasks - nodes.size();
    nodes.insert(nodes.end(), std::min<std::size_t>(free[at], left), NodeId(at));
  }
  return nodes;
}

SlurmBackfill::Start SlurmBackfill::earliest(StageId stage, const std::vector<bool>& allowed,
                                             const SchedulerView& view) {
  for (std::size_t number = 0; has_level(number, view); ++number) {
    Nodes nodes = fitting(unit_width(stage, view), free_at(number, stage, view), allowed);
    if (!nodes.empty()) return {.time = levels_[number].time, .nodes = std::move(nodes)};
  }
  return {};
}

Time& SlurmBackfill::end_by_limit(JobId job) {
  if (ends_.size() <= job.index()) ends_.resize(job.index() + 1);
  return ends_[job.index()];
}

Duration SlurmBackfill::longest_run(JobId job, const SchedulerView& view) {
  if (!has_begun(job, view)) return time_limit(job, view);
  return std::max(end_by_limit(job) - now_, Duration(1));
}

bool SlurmBackfill::plan(StageId stage, const SchedulerView& view) {
  const std::uint32_t tasks = unit_width(stage, view);
  const Duration limit = longest_run(view.jobs.job_of(stage), view);
  Time begin = now_;
  for (int tries = 0; tries < most_tries && has_level(0, view); ++tries) {
    const Time latest = end_of(begin, limit);
    std::vector<bool> allowed = up_;
    Time first_end = never;  // of what others have reserved by then
    for (const Reserved& other : reserved_) {
      if (other.from >= latest || other.to <= begin) continue;
      first_end = std::min(first_end, other.to);
      for (std::size_t at = 0; at < allowed.size(); ++at) {
        if (other.nodes[at]) allowed[at] = false;
      }
    }
    Start start = earliest(stage, allowed, view);
    if (start.nodes.empty() && first_end == never) break;
    start.time = std::max(start.time, begin);
    const bool is_too_late = start.nodes.empty() || start.time > first_end;
    if (is_too_late) {
      begin = first_end;
      continue;
    }
    if (start.time <= now_) {
      // Else it waits for one that has run for longer than its limit.
      chosen_ = fitting(tasks, free_at(0, stage, view), allowed);
      if (!chosen_.empty()) return true;
    }
    if (start.time - now_ > window_) break;
    const Time end = end_of(start.time, limit);
    const bool meets_another = std::ranges::any_of(reserved_, [&](const Reserved& other) {
      return other.from < end && other.to > start.time &&
             std::ranges::any_of(start.nodes,
                                 [&](NodeId node) { return other.nodes[node.index()]; });
    });
    if (meets_another) {
      begin = std::max(start.time, begin + second);
      continue;
    }
    reserve(stage, start, end);
    return false;
  }
  news_.say(stage, never);
  return false;
}

void SlurmBackfill::reserve(StageId stage, const Start& start, Time end) {
  Reserved made{
      .from = rounded_down(start.time, resolution_),
      .to = end == never ? never : rounded_down(end + resolution_ - Duration(1), resolution_),
      .nodes = std::vector<bool>(up_.size(), false)};
  for (const NodeId node : start.nodes) made.nodes[node.index()] = true;
  reserved_.push_back(std::move(made));
  news_.say(stage, start.time);
}

}  // namespace somnus
