#include "scheduler/reserving_backfill.hpp"

#include <algorithm>

#include "scheduler/backfill_units.hpp"

namespace somnus {
namespace {

constexpr std::size_t most_vain = 64;  // each is looked at for each that waits

}  // namespace

void ReservingBackfill::round_begins(Time now, const SchedulerView& view) {
  now_ = now;
  made_ = 0;
  news_.clear();
  freed_again_ = {};
  vain_.clear();
  profile_.forget_before(now);
  give_back();
  follow_capacity(view);
  if (!rules_.kept || some_are_late()) drop_all();
  to_ask_ = reserved_.size();
  asked_ = 0;
}

Backfill::Candidates ReservingBackfill::candidates() const {
  const bool some_are_due = !by_start_.empty() && by_start_.begin()->first <= now_;
  if (!rules_.kept || !freed_.empty() || some_are_due || unplanned_.size() > 1) return {};
  return {.all = false, .only = unplanned_.empty() ? StageId() : *unplanned_.begin()};
}

void ReservingBackfill::give_back() {
  for (const JobId id : freeing_) {
    Running& job = running(id);
    profile_.add(now_, job.end, job.ended);
    freed_.add(now_, job.end);
    held_ -= job.ended;
    job.slots -= job.ended;
    job.ended = 0;
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
  const auto found = reserved_.find(stage);
  if (found == reserved_.end()) {
    const std::uint32_t slots = unit_width(stage, view);
    return profile_.at(now_) >= slots &&
           profile_.earliest(now_, length(stage, view), slots) == now_;
  }
  ++asked_;
  const Reserved made = found->second;
  const Time start = std::min(made.start, earlier_than(made));
  if (start == made.start && start > now_) return false;
  release(stage);
  if (start < made.start) leave(made);
  if (start == now_) return true;
  reserve(stage, start, view);
  return false;
}

// Either there is room for all of it, or there is up to its own reservation, which it leaves.
Time ReservingBackfill::earlier_than(const Reserved& made) {
  if (freed_.empty()) return never;
  const Duration length = made.end - made.start;
  const Time from = std::max(now_, freed_.begin - length + Duration(1));
  Time until = std::min(made.start, freed_.end);
  if (from >= until) return never;
  Time start = never;
  if (profile_.at(made.start - Duration(1)) >= made.slots) {
    const Time since = profile_.since(from, made.start - Duration(1), made.slots);
    if (since < until) start = until = since;
  }
  const Time search = skip_vain(from, length, made.slots);
  if (search >= until) return start;
  const Time found = profile_.earliest(search, freed_.end, length, made.slots);
  note_vain({from, std::min(found, freed_.end), length, made.slots});
  return found < until ? found : start;
}

// Wider and longer ones are in vain where one was.
Time ReservingBackfill::skip_vain(Time from, Duration length, std::uint32_t slots) const {
  for (const Vain& one : vain_) {
    if (one.slots <= slots && one.length <= length && one.from <= from) {
      from = std::max(from, one.until);
    }
  }
  return from;
}

// Its slots come back; what would still run then is not known to be in vain.
void ReservingBackfill::leave(const Reserved& made) {
  freed_.add(made.start, made.end);
  freed_again_.add(made.start, made.end);
  for (Vain& one : vain_) {
    one.until = std::min(one.until, made.start - one.length + Duration(1));
  }
  std::erase_if(vain_, [](const Vain& one) { return one.until <= one.from; });
}

void ReservingBackfill::note_vain(const Vain& one) {
  std::erase_if(vain_, [&](const Vain& other) {
    return one.slots <= other.slots && one.length <= other.length && one.from <= other.from &&
           one.until >= other.until;
  });
  if (vain_.size() < most_vain) vain_.push_back(one);
}

bool ReservingBackfill::passes_over(StageId stage, const SchedulerView& view) {
  const bool has_a_turn = made_ < rules_.most;
  const std::uint32_t slots = unit_width(stage, view);
  if (!reserved_.contains(stage) && (has_a_turn || profile_.at(now_) >= slots)) {
    const Time start = profile_.earliest(now_, length(stage, view), slots);
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
  if (begins_with(tasks, id, view)) job.end = now_ + time_limit(id, view);
  if (job.slots == 0) job.end = std::max(job.end, now_ + Duration(1));
  job.slots += tasks;
  held_ += tasks;
  profile_.add(now_, job.end, -std::int64_t{tasks});
  said_.erase(stage);
  if (view.jobs.runnable(stage) == 0) unplanned_.erase(stage);
}

void ReservingBackfill::task_ended(const TaskEnded&, StageId stage, const SchedulerView& view) {
  const JobId id = view.jobs.job_of(stage);
  if (running(id).ended++ == 0) freeing_.push_back(id);
}

void ReservingBackfill::stage_withdrawn(StageId stage, const SchedulerView&) {
  if (const auto found = reserved_.find(stage); found != reserved_.end()) {
    freed_.add(found->second.start, found->second.end);
    release(stage);
  }
  unplanned_.erase(stage);
  said_.erase(stage);
}

void ReservingBackfill::round_ends() {
  for (const StageId stage : dropped_) {
    if (said_.contains(stage) && !reserved_.contains(stage)) say(stage, never);
  }
  dropped_.clear();
  if (asked_ == to_ask_) freed_ = freed_again_;
}

ReservingBackfill::Running& ReservingBackfill::running(JobId job) {
  if (jobs_.size() <= job.index()) jobs_.resize(job.index() + 1);
  return jobs_[job.index()];
}

Duration ReservingBackfill::length(StageId stage, const SchedulerView& view) {
  const JobId job = view.jobs.job_of(stage);
  if (!has_begun(job, view)) return time_limit(job, view);
  return std::max(running(job).end - now_, Duration(1));
}

void ReservingBackfill::reserve(StageId stage, Time start, const SchedulerView& view) {
  say(stage, start);
  if (start == never) return;  // more than all slots: some node is lost
  const Reserved made{start, end_of(start, length(stage, view)), unit_width(stage, view)};
  profile_.add(made.start, made.end, -std::int64_t{made.slots});
  reserved_.emplace(stage, made);
  by_start_.emplace(start, stage);
  unplanned_.erase(stage);
}

void ReservingBackfill::release(StageId stage) {
  const auto found = reserved_.find(stage);
  const Reserved& made = found->second;
  profile_.add(made.start, made.end, made.slots);
  by_start_.erase({made.start, stage});
  reserved_.erase(found);
  unplanned_.insert(stage);
}

void ReservingBackfill::drop_all() {
  for (const auto& [stage, made] : reserved_) {
    profile_.add(made.start, made.end, made.slots);
    dropped_.push_back(stage);
    unplanned_.insert(stage);
  }
  reserved_.clear();
  by_start_.clear();
}

void ReservingBackfill::say(StageId stage, Time start) {
  const auto [known, is_new] = said_.try_emplace(stage, never);
  if (known->second == start) return;
  known->second = start;
  news_.push_back({.stage = stage, .start = start == never ? infinity : in_seconds(start)});
}

}  // namespace somnus
