#include "policies/carbyne.hpp"

#include <algorithm>

#include "base/share_grid.hpp"
#include "scheduler/presets.hpp"
#include "scheduler/rows.hpp"

namespace somnus {
namespace {

Ranked<Sjf> by_work_left(const Environment& environment) {
  Sjf sjf;
  sjf.metric = JobLength::srtf;
  sjf.on(Configured{environment});
  return Ranked<Sjf>(sjf);
}

}  // namespace

Carbyne::Carbyne(const Rules& rules, const Environment& environment)
    : rules_(rules),
      chance_(environment.seed.altruism()),
      packing_(environment.cluster),
      quotas_(environment.cluster),
      borrowers_(by_work_left(environment)),
      alignment_(packing_.dimensions().totals()),
      held_(packing_.dimensions().count()),
      free_(packing_.dimensions().count()),
      loans_(packing_.dimensions()) {}

// --- events ---

void Carbyne::job_arrived(Time now, JobId job, const SchedulerView& view) {
  const Job& facts = view.jobs[job];
  if (job.index() >= plans_.size()) plans_.resize(job.index() + 1);
  const std::size_t tasks = facts.first_task.index() + facts.tasks;
  if (tasks > expected_.size()) expected_.resize(tasks);
  active_.grow(job.value() + 1);
  attention_.grow(job.value() + 1);
  active_.insert(job.value());
  quotas_.job_arrived(job, view.jobs);
  shares_changed_ = true;
  borrowers_.job_arrived(now, job, view);
}

void Carbyne::stage_runnable(Time now, StageId stage, const SchedulerView& view) {
  if (view.jobs.has_backups_due(stage)) {
    const JobId job = view.jobs.job_of(stage);
    plans_[job.index()].changed = true;
    attention_.insert(job.value());
  }
  borrowers_.stage_runnable(now, stage, view);
}

void Carbyne::stage_withdrawn(StageId stage, const SchedulerView& view) {
  attention_.insert(view.jobs.job_of(stage).value());
  borrowers_.stage_withdrawn(stage, view);
}

void Carbyne::count(StageId stage, std::int64_t tasks, JobsView jobs) {
  for (std::size_t kind = 0; kind < held_.size(); ++kind) {
    held_[kind] += tasks * packing_.dimensions().asked(kind, stage, jobs);
  }
}

void Carbyne::task_launched(TaskId task, StageId stage, const SchedulerView& view) {
  JobsView jobs = view.jobs;
  const JobId job = jobs.job_of(stage);
  JobPlan& plan = plans_[job.index()];
  const Time end = now_ + jobs.task_estimate(stage);
  const std::uint16_t attempt = jobs.last_attempt(task);
  if (attempt == jobs.attempt(task)) {
    expected_[task.index()] = end;
  } else {
    expected_of_backups_[{task, attempt}] = end;
  }
  const auto same = std::ranges::find_if(plan.running, [&](const RunningTasks& some) {
    return some.stage == stage && some.end == end;
  });
  if (same != plan.running.end()) {
    ++same->tasks;
  } else {
    plan.running.push_back({.stage = stage, .end = end, .tasks = 1});
  }
  if (keeps_plans()) {
    const auto planned = std::ranges::find(plan.starts, stage, &LatestStart::stage);
    if (planned != plan.starts.end()) {
      if (loans_.known()) loans_.started(stage, planned->at, jobs);
      if (--planned->tasks == 0) plan.starts.erase(planned);
    }
  } else {
    plan.changed = true;
  }
  attention_.insert(job.value());
  count(stage, 1, jobs);
  // A kept slot is taken by any of the stages that are due, and by more tasks than are.
  Due* const due = still_due(stage);
  if (due != nullptr && due->tasks > 0) --due->tasks;
  borrowers_.task_launched(task, stage, view);
}

void Carbyne::task_ended(const TaskEnded& end, StageId stage, const SchedulerView& view) {
  const JobId job = view.jobs.job_of(stage);
  JobPlan& plan = plans_[job.index()];
  const auto backup = expected_of_backups_.find({end.task, end.attempt});
  const bool is_backup = backup != expected_of_backups_.end();
  const Time expected = is_backup ? backup->second : expected_[end.task.index()];
  if (is_backup) expected_of_backups_.erase(backup);
  const auto among = std::ranges::find_if(plan.running, [&](const RunningTasks& some) {
    return some.stage == stage && some.end == expected;
  });
  if (--among->tasks == 0) plan.running.erase(among);
  plan.last_ended = std::max(plan.last_ended, expected);
  // What is planned was not in the way of a task that ended no earlier than it was expected to.
  if (end.outcome != Outcome::finished || !plan.in_time) plan.changed = true;
  attention_.insert(job.value());
  count(stage, -1, view.jobs);
  borrowers_.task_ended(end, stage, view);
}

void Carbyne::job_ended(JobId job, const SchedulerView& view) {
  plans_[job.index()] = {};
  active_.erase(job.value());
  attention_.erase(job.value());
  next_start_.erase(job.value());
  quotas_.job_ended(job);
  shares_changed_ = true;
  borrowers_.job_ended(job, view);
}

// --- what jobs must have ---

void Carbyne::round_begins(Time now, const SchedulerView& view) {
  now_ = now;
  promises_.clear();
  due_.clear();
  at_due_ = 0;
  loans_.forget();
  if (shares_changed_ || rules_.altruism < 1) attention_ = active_;
  if (shares_changed_ && !guards_loans()) {
    for (std::uint32_t job = active_.first(); job != BitIndex::none; job = active_.first(job + 1)) {
      plans_[job].changed = true;
    }
  }
  while (!next_start_.empty() && next_start_.top().key <= now) {
    attention_.insert(next_start_.top().index);
    next_start_.pop();
  }
  for (std::uint32_t job = attention_.first(); job != BitIndex::none;
       job = attention_.first(job + 1)) {
    look_after(JobId(job), view);
  }
  shares_changed_ = false;
}

void Carbyne::promise(JobId job, JobPlan& plan, const SchedulerView& view) {
  std::vector<Wide> share;
  for (std::size_t kind = 0; kind < held_.size(); ++kind) share.push_back(quotas_.of(job, kind));
  bool stands = !plan.promised_share.empty();
  for (std::size_t kind = 0; stands && kind < share.size(); ++kind) {
    stands = share[kind] >= plan.promised_share[kind];
  }
  if (stands) return;
  plan.promised_share = share;
  plan.changed = true;
  packing_.of(job, view.jobs, now_, share, plan.running);
  plan.promised = packing_.forward_end();
  promises_.push_back({.job = job, .end = plan.promised});
}

void Carbyne::pack(JobId job, JobPlan& plan, const SchedulerView& view) {
  std::vector<Wide> share;
  for (std::size_t kind = 0; kind < held_.size(); ++kind) share.push_back(quotas_.of(job, kind));
  packing_.of(job, view.jobs, now_, share, plan.running);
  auto latest = plan.changed ? packing_.latest_starts(plan.promised) : std::nullopt;
  plan.changed = false;
  plan.last_ended = now_;
  plan.in_time = latest.has_value();
  plan.starts_hold_until = never;
  if (latest) {
    plan.starts = *std::move(latest);
  } else if (keeps_plans()) {
    plan.starts = packing_.forward_starts();
    plan.in_time = true;  // as well as it can be
  } else {
    plan.starts = packing_.starts_now();
    for (const RunningTasks& some : plan.running) {
      if (some.end >= now_) plan.starts_hold_until = std::min(plan.starts_hold_until, some.end);
    }
  }
}

void Carbyne::look_after(JobId job, const SchedulerView& view) {
  JobPlan& plan = plans_[job.index()];
  if (shares_changed_) promise(job, plan, view);
  if (view.jobs.unstarted(job) == 0) {
    plan.starts.clear();
    attention_.erase(job.value());
    next_start_.erase(job.value());
    plan.kept = packing_.dimensions().dominant_share(job, view.jobs);
    return;
  }
  plan.changed |= keeps_plans() ? guards_loans() && missed_a_start(plan) : plan.last_ended > now_;
  const bool late = missed_a_start(plan) || (!plan.in_time && plan.starts_hold_until < now_);
  if (plan.changed || (late && !keeps_plans())) pack(job, plan, view);
  const std::size_t first_due = due_.size();
  const bool selfish =
      rules_.altruism < 1 && view.jobs.runnable(job) > 0 && chance_.uniform() >= rules_.altruism;
  if (selfish) {
    demand_all_allowed(job, view.jobs);
  } else {
    demand_what_is_due(plan, missed_a_start(plan), view);
  }
  measure_kept(job, plan, first_due, view.jobs);
  const auto to_come =
      std::ranges::find_if(plan.starts, [&](const LatestStart& start) { return start.at > now_; });
  if (plan.in_time && to_come != plan.starts.end()) {
    next_start_.put(job.value(), to_come->at);
  } else {
    next_start_.erase(job.value());
  }
  if (plan.in_time && to_come == plan.starts.begin()) attention_.erase(job.value());
}

void Carbyne::demand_what_is_due(const JobPlan& plan, bool within_share,
                                 const SchedulerView& view) {
  const std::size_t first = due_.size();
  for (const LatestStart& start : plan.starts) {
    if (start.at > now_) break;
    if (view.jobs.runnable(start.stage) == 0) continue;
    const auto same = std::find_if(due_.begin() + static_cast<std::ptrdiff_t>(first), due_.end(),
                                   [&](const Due& due) { return due.stage == start.stage; });
    if (same == due_.end()) {
      due_.push_back({start.stage, start.tasks, within_share});
    } else {
      same->tasks += start.tasks;
    }
  }
  std::sort(due_.begin() + static_cast<std::ptrdiff_t>(first), due_.end(),
            [&](const Due& a, const Due& b) {
              return view.jobs.position(a.stage) < view.jobs.position(b.stage);
            });
}

void Carbyne::demand_all_allowed(JobId job, JobsView jobs) {
  for (StageId stage = jobs.head(job); stage.valid(); stage = jobs.runnable_after(stage)) {
    due_.push_back({.stage = stage, .tasks = jobs.runnable(stage), .within_share = true});
  }
}

void Carbyne::measure_kept(JobId job, JobPlan& plan, std::size_t first_due, JobsView jobs) {
  const Dimensions& dimensions = packing_.dimensions();
  double most = 0;
  for (std::size_t kind = 0; kind < dimensions.count(); ++kind) {
    Wide amount = dimensions.held(kind, job, jobs);
    for (std::size_t at = first_due; at < due_.size(); ++at) {
      amount += Wide{dimensions.asked(kind, due_[at].stage, jobs)} * due_[at].tasks;
    }
    most = std::max(most, as_double(amount) / as_double(dimensions.total(kind)));
  }
  plan.kept = most;
}

// --- who is next ---

StageId Carbyne::next(const SchedulerView& view) {
  const StageId stage = next_due(view);
  if (stage.valid() || rules_.leftover == Leftover::none) return stage;
  return next_loan(view);
}

StageId Carbyne::next_due(const SchedulerView& view) {
  for (; at_due_ < due_.size(); ++at_due_) {
    const Due& due = due_[at_due_];
    if (must_start(due, view.jobs) && has_room(due.stage, view)) return due.stage;
  }
  return {};
}

Carbyne::Due* Carbyne::still_due(StageId stage) {
  const auto first = due_.begin() + static_cast<std::ptrdiff_t>(at_due_);
  const auto found = std::ranges::find(first, due_.end(), stage, &Due::stage);
  return found == due_.end() ? nullptr : &*found;
}

bool Carbyne::must_start(const Due& due, JobsView jobs) {
  return due.tasks > 0 && (!due.within_share || quotas_.allow(due.stage, jobs));
}

bool Carbyne::holds_back(StageId stage, const SchedulerView& view) {
  if (!may_wait()) return false;
  const Due* const due = still_due(stage);
  return due == nullptr || !must_start(*due, view.jobs);
}

StageId Carbyne::next_loan(const SchedulerView& view) {
  if (rules_.leftover == Leftover::pack_then_srtf) {
    return best_aligned(view.jobs.first_runnable(), &JobsView::next_runnable, view);
  }
  for (;;) {
    const StageId first = borrowers_.next(view);
    if (!first.valid()) return first;
    if (guards_loans() && !loans_.known()) {
      loans_.begin(now_);
      for (std::uint32_t job = active_.first(); job != BitIndex::none;
           job = active_.first(job + 1)) {
        for (const RunningTasks& some : plans_[job].running) loans_.running(some, view.jobs);
        for (const LatestStart& start : plans_[job].starts) loans_.planned(start, view.jobs);
      }
    }
    const JobId job = view.jobs[first].job;
    const StageId best = best_aligned(view.jobs.head(job), &JobsView::runnable_after, view);
    if (best.valid()) return best;
    set_aside(first, view);
  }
}

StageId Carbyne::best_aligned(StageId from, StageId (JobsView::*after)(StageId) const,
                              const SchedulerView& view) {
  JobsView jobs = view.jobs;
  const Dimensions& dimensions = packing_.dimensions();
  for (std::size_t kind = 0; kind < free_.size(); ++kind) {
    free_[kind] = as_double(dimensions.total(kind) - held_[kind]);
  }
  StageId best;
  std::int64_t best_cell = 0;
  for (StageId stage = from; stage.valid(); stage = (jobs.*after)(stage)) {
    if (!has_room(stage, view)) continue;
    if (std::ranges::find(aside_, stage) != aside_.end()) continue;
    if (guards_loans()) {
      const auto& starts = plans_[jobs.job_of(stage).index()].starts;
      const auto planned = std::ranges::find(starts, stage, &LatestStart::stage);
      if (planned == starts.end() || !loans_.allow(stage, planned->at, jobs)) continue;
    }
    const std::int64_t cell = share_cell(alignment_.of(dimensions.demand(stage, jobs), free_));
    if (best.valid() && cell <= best_cell) continue;
    best = stage;
    best_cell = cell;
  }
  return best;
}

void Carbyne::set_aside(StageId stage, const SchedulerView& view) {
  if (at_due_ < due_.size() && due_[at_due_].stage == stage) {
    ++at_due_;
    return;
  }
  aside_.push_back(stage);
  borrowers_.set_aside(stage, view);
}

void Carbyne::restore(const SchedulerView& view) {
  aside_.clear();
  borrowers_.restore(view);
}

Time Carbyne::wakes_at() const {
  return may_wait() && !next_start_.empty() ? next_start_.top().key : never;
}

std::optional<Target> Carbyne::target_of(JobId job, const SchedulerView& view) const {
  const double entitled = view.jobs[job].weight * quotas_.level(job);
  return Target{.entitled = entitled, .target = std::min(entitled, plans_[job.index()].kept)};
}

namespace {

const Registered<Part> carbyne_order =
    rows::own_order<Carbyne>("carbyne",
                             "each job starts what it must to end as early as its share lets it; "
                             "the rest is lent to the job with the least work left",
                             "Carbyne section 3, pseudocode 1")
        .with_examples(
            {{{"leftover", "pack_then_srtf"}, {"altruism", 0.5}, {"replan", "each-event"}},
             {{"leftover", "guarded"}},
             {{"leftover", "none"}}});
const Registered<Preset> carbyne_preset = presets_of::breadth_first(
    "carbyne", "altruistic jobs, whose leftover goes to the shortest remaining one",
    "Carbyne section 3");

}  // namespace
}  // namespace somnus
