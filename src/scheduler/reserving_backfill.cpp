#include "scheduler/reserving_backfill.hpp"

#include <algorithm>

#include "scheduler/backfill_units.hpp"

namespace somnus {

void ReservingBackfill::round_begins(Time now, const SchedulerView& view) {
  now_ = now;
  made_ = 0;
  news_.round_begins();
  freed_again_ = {};
  openings_.clear();
  has_looked_ = false;
  profile_.forget_before(now);
  give_back(view);
  follow_capacity(view);
  if (!rules_.kept || some_are_late()) drop_all();
  to_ask_ = by_start_.size();
  asked_ = 0;
  asks_all_ = !rules_.kept || !freed_.empty() || some_have_other_spans_ || unplanned_.size() > 1 ||
              (!by_start_.empty() && by_start_.begin()->first <= now_);
  if (asks_all_) some_have_other_spans_ = false;
}

Backfill::Candidates ReservingBackfill::candidates() const {
  if (asks_all_) return {};
  return {.all = false, .only = unplanned_.empty() ? StageId() : *unplanned_.begin()};
}

void ReservingBackfill::give_back(const SchedulerView& view) {
  for (const JobId id : freeing_) {
    Running& job = running(id);
    profile_.add(now_, job.end, job.ended);
    freed_.add(now_, job.end);
    held_ -= job.ended;
    job.slots -= job.ended;
    job.ended = 0;
    some_have_other_spans_ |= job.slots == 0 && !has_begun(id, view);  // all that ran is lost
  }
  freeing_.clear();
}

// Nodes are lost and come back.
void ReservingBackfill::follow_capacity(const SchedulerView& view) {
  const std::int64_t slots = static_cast<std::int64_t>(view.nodes.free_slots()) + held_;
  if (slots == slots_) return;
  if (slots < slots_) drop_all();
  if (slots > slots_) freed_.add(now_, never);
  profile_.add(slots - slots_);
  slots_ = slots;
}

// Some job has run for longer than its limit.
bool ReservingBackfill::some_are_late() const {
  return !by_start_.empty() && by_start_.begin()->first < now_;
}

// One that has a reservation moves here, if it can.
bool ReservingBackfill::may_start(StageId stage, const SchedulerView& view) {
  take_instead({});
  if (!has_reservation(stage)) {
    return profile_.at(now_) >= unit_width(stage, view) && earliest(stage, view) == now_;
  }
  ++asked_;
  const Reserved made = reserved_[stage.index()];
  const bool is_as_long =
      !has_begun(view.jobs.job_of(stage), view) && end_from(made.start, stage, view) == made.end;
  const Time start = is_as_long ? std::min(made.start, earlier_than(made)) : made_anew(stage, view);
  const bool stays = start == made.start && end_from(start, stage, view) == made.end;
  if (stays && start > now_) return false;
  release(stage);
  left_ = {made.start, made.end};
  if (start == now_) return true;
  reserve(stage, start, view);
  return false;
}

// Where it would start without its own reservation.
Time ReservingBackfill::made_anew(StageId stage, const SchedulerView& view) {
  const Reserved& made = reserved_[stage.index()];
  profile_.add(made.start, made.end, made.slots);
  const Time start = earliest(stage, view);
  profile_.add(made.start, made.end, -std::int64_t{made.slots});
  return start;
}

// Either there is room for all of it, or there is up to its own reservation, which it leaves.
Time ReservingBackfill::earlier_than(const Reserved& made) {
  if (freed_.empty()) return never;
  const Duration length = made.end - made.start;
  const Time from = std::max(now_, freed_.begin - length + Duration(1));
  Time until = std::min(made.start, freed_.end);
  if (from >= until) return never;
  look_where_slots_came_back();
  Openings::Width& openings = openings_.of(made.slots, profile_);
  if (!openings.any(until)) return never;
  Time start = never;
  if (profile_.at(made.start - Duration(1)) >= made.slots) {
    const Time since = profile_.since(from, made.start - Duration(1), made.slots);
    if (since < until) start = until = since;
  }
  const Time found = openings_.first(openings, from, until, length, profile_);
  return found == never ? start : found;
}

void ReservingBackfill::look_where_slots_came_back() {
  if (!std::exchange(has_looked_, true)) unseen_ = {freed_};
  for (const TimeSpan& span : unseen_) openings_.look(profile_, now_, span.begin, span.end);
  unseen_.clear();
}

// It has left its reservation and takes that span instead; empty: nothing.
void ReservingBackfill::take_instead(const TimeSpan& span) {
  if (left_.empty()) return;
  if (span.empty()) {
    came_back(left_);
  } else {
    came_back({left_.begin, std::min(left_.end, span.begin)});
    came_back({std::max(left_.begin, span.end), left_.end});
  }
  left_ = {};
}

void ReservingBackfill::came_back(const TimeSpan& span) {
  if (span.empty()) return;
  freed_.add(span.begin, span.end);
  freed_again_.add(span.begin, span.end);
  if (has_looked_) unseen_.push_back(span);
}

bool ReservingBackfill::passes_over(StageId stage, const SchedulerView& view) {
  const bool has_a_turn = made_ < rules_.most;
  const std::uint32_t slots = unit_width(stage, view);
  if (!has_reservation(stage) && (has_a_turn || profile_.at(now_) >= slots)) {
    const Time start = earliest(stage, view);
    const bool waits_for_what_is_due = start == now_;
    if (waits_for_what_is_due || has_a_turn) reserve(stage, start, view);
    if (!waits_for_what_is_due && has_a_turn) ++made_;
  }
  return made_ < rules_.most || profile_.at(now_) > 0;
}

void ReservingBackfill::sort(std::vector<StageId>& stages, const SchedulerView& view) const {
  const std::int64_t free = profile_.at(now_);
  std::erase_if(stages, [&](StageId stage) { return unit_width(stage, view) > free; });
  std::ranges::stable_sort(
      stages, {}, [&](StageId stage) { return time_limit(view.jobs.job_of(stage), view); });
}

void ReservingBackfill::launched(StageId stage, std::uint32_t tasks, const SchedulerView& view) {
  const JobId id = view.jobs.job_of(stage);
  Running& job = running(id);
  if (begins_with(tasks, id, view)) {
    job.end = now_ + time_limit(id, view);
    some_have_other_spans_ |= view.jobs.runnable(id) > 0;
  }
  if (job.slots == 0) job.end = std::max(job.end, now_ + Duration(1));
  job.slots += tasks;
  held_ += tasks;
  profile_.add(now_, job.end, -std::int64_t{tasks});
  take_instead({now_, job.end});
  news_.forget(stage);
  if (view.jobs.runnable(stage) == 0) unplanned_.erase(stage);
}

void ReservingBackfill::task_ended(const TaskEnded&, StageId stage, const SchedulerView& view) {
  const JobId id = view.jobs.job_of(stage);
  if (running(id).ended++ == 0) freeing_.push_back(id);
}

void ReservingBackfill::stage_withdrawn(StageId stage, const SchedulerView&) {
  if (has_reservation(stage)) {
    freed_.add(reserved_[stage.index()].start, reserved_[stage.index()].end);
    release(stage);
  }
  unplanned_.erase(stage);
  news_.forget(stage);
}

void ReservingBackfill::round_ends() {
  take_instead({});
  for (const StageId stage : dropped_) {
    if (news_.has_said(stage) && !has_reservation(stage)) news_.say(stage, never);
  }
  dropped_.clear();
  if (asked_ == to_ask_) freed_ = freed_again_;
}

ReservingBackfill::Running& ReservingBackfill::running(JobId job) {
  if (jobs_.size() <= job.index()) jobs_.resize(job.index() + 1);
  return jobs_[job.index()];
}

Time ReservingBackfill::end_from(Time start, StageId stage, const SchedulerView& view) {
  const JobId job = view.jobs.job_of(stage);
  if (!has_begun(job, view)) return end_of(start, time_limit(job, view));
  return std::max(running(job).end, start + Duration(1));
}

// One of a job that has begun needs its slots up to the job's end, or for a moment after it.
Time ReservingBackfill::earliest(StageId stage, const SchedulerView& view) {
  const JobId job = view.jobs.job_of(stage);
  const std::uint32_t slots = unit_width(stage, view);
  if (!has_begun(job, view)) return profile_.earliest(now_, time_limit(job, view), slots);
  const Time end = running(job).end;
  const bool goes_up_to_it = end > now_ && profile_.at(end - Duration(1)) >= slots;
  if (goes_up_to_it) return profile_.since(now_, end - Duration(1), slots);
  return profile_.earliest(std::max(now_, end), Duration(1), slots);
}

void ReservingBackfill::reserve(StageId stage, Time start, const SchedulerView& view) {
  news_.say(stage, start);
  if (start == never) return;  // more than all slots: some node is lost
  const Reserved made{start, end_from(start, stage, view), unit_width(stage, view)};
  profile_.add(made.start, made.end, -std::int64_t{made.slots});
  take_instead({made.start, made.end});
  if (reserved_.size() <= stage.index()) reserved_.resize(stage.index() + 1);
  reserved_[stage.index()] = made;
  by_start_.emplace(start, stage);
  unplanned_.erase(stage);
}

void ReservingBackfill::release(StageId stage) {
  Reserved& made = reserved_[stage.index()];
  profile_.add(made.start, made.end, made.slots);
  by_start_.erase({made.start, stage});
  made = {};
  unplanned_.insert(stage);
}

void ReservingBackfill::drop_all() {
  for (const auto& [start, stage] : by_start_) {
    Reserved& made = reserved_[stage.index()];
    profile_.add(start, made.end, made.slots);
    made = {};
    dropped_.push_back(stage);
    unplanned_.insert(stage);
  }
  by_start_.clear();
}

}  // namespace somnus
