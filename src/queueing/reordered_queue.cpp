#include "queueing/reordered_queue.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

#include "queueing/queue_wait.hpp"

namespace somnus {

namespace {

/// The longest span that is no longer than that, as in_seconds() gives it; negative: there is none.
Duration longest_within(double limit_s) {
  if (in_seconds(Duration::zero()) > limit_s) return Duration(-1);
  if (in_seconds(Duration::max()) <= limit_s) return Duration::max();
  std::int64_t fits = 0;
  std::int64_t too_long = Duration::max().count();
  // Nearly always one of the two nearest.
  const std::int64_t near = seconds(limit_s).count();
  if (near > 0 && in_seconds(Duration(near - 1)) <= limit_s) fits = near - 1;
  if (near < too_long && in_seconds(Duration(near + 1)) > limit_s) too_long = near + 1;
  while (too_long - fits > 1) {
    const std::int64_t middle = fits + (too_long - fits) / 2;
    (in_seconds(Duration(middle)) <= limit_s ? fits : too_long) = middle;
  }
  return Duration(fits);
}

}  // namespace

ReorderedQueue::ReorderedQueue(const QueueRules& rules)
    : rules_(rules),
      some_starve_(rules.reorder->reorders &&
                   (std::isfinite(rules.starvation_s) || std::isfinite(rules.starvation_relative))),
      jobs_matter_(some_starve_ || rules.reorder->follows_jobs) {}

std::int64_t ReorderedQueue::key_of(Duration estimate, const JobUpdate& job) const {
  return rules_.reorder->key({.estimate = estimate,
                              .arrival = job.arrival,
                              .remaining = job.remaining,
                              .unfinished = job.unfinished});
}

// --- items ---

std::uint32_t ReorderedQueue::add(const Entry& entry) {
  std::uint32_t item = unused_;
  if (item == none) {
    item = static_cast<std::uint32_t>(items_.size());
    items_.emplace_back();
  } else {
    unused_ = items_[item].after;
  }
  items_[item] = {.entry = entry, .number = came_++, .before = none, .after = none};
  ++size_;
  return item;
}

WorkerQueue::Entry ReorderedQueue::unlink(Run& run, std::uint32_t at) {
  Item& item = items_[at];
  (item.before == none ? run.first : items_[item.before].after) = item.after;
  (item.after == none ? run.last : items_[item.after].before) = item.before;
  item.after = std::exchange(unused_, at);
  --run.size;
  --size_;
  return item.entry;
}

void ReorderedQueue::append(Run& to, const Run& run) {
  items_[to.last].after = run.first;
  items_[run.first].before = to.last;
  to.last = run.last;
  to.size += run.size;
}

void ReorderedQueue::put_behind(Runs& runs, const Run& run) {
  const bool goes_on = !runs.empty() && runs.back().key == run.key && alike(runs.back(), run);
  if (goes_on) {
    append(runs.back(), run);
  } else {
    runs.push_back(run);
  }
}

// --- order ---

void ReorderedQueue::put(Time now, const Entry& entry, const JobUpdate& job) {
  const std::uint32_t item = add(entry);
  items_[item].entry.queued = now;
  const Run run{.key = key_of(entry.estimate, job),
                .estimate = entry.estimate,
                .job = entry.job,
                .arrival = job.arrival,
                .first = item,
                .last = item};
  const auto behind = std::ranges::upper_bound(runs_, run.key, {}, &Run::key);
  if (behind != runs_.begin()) {
    Run& before = *std::prev(behind);
    if (before.key == run.key && alike(before, run)) return append(before, run);
  }
  runs_.insert(behind, run);
}

bool ReorderedQueue::starved(const Entry& entry, Time now) const {
  const double relative_s = in_seconds(entry.estimate) * rules_.starvation_relative;
  // 0 x infinity: a task of no duration never starves by the relative rule.
  const double limit_s =
      std::isnan(relative_s) ? rules_.starvation_s : std::min(rules_.starvation_s, relative_s);
  return in_seconds(now - entry.queued) > limit_s;
}

// Of a run its first task has waited longest.
ReorderedQueue::Runs::iterator ReorderedQueue::next(Time now) {
  if (!some_starve_) return runs_.begin();
  const auto first_job = [this](const Run& run) {
    const Item& first = items_[run.first];
    return std::tuple(run.arrival, first.entry.queued, first.number);
  };
  auto found = runs_.end();
  for (auto run = runs_.begin(); run != runs_.end(); ++run) {
    if (!starved(items_[run->first].entry, now)) continue;
    if (found == runs_.end() || first_job(*run) < first_job(*found)) found = run;
  }
  return found == runs_.end() ? runs_.begin() : found;
}

WorkerQueue::Entry ReorderedQueue::take(Time now) {
  const auto run = next(now);
  const Entry entry = unlink(*run, run->first);
  if (run->size == 0) runs_.erase(run);
  return entry;
}

void ReorderedQueue::refresh(const std::vector<JobUpdate>& jobs) {
  if (!rules_.reorder->follows_jobs) return;
  bool moved = false;
  for (Run& run : runs_) {
    const std::int64_t key = key_of(run.estimate, jobs[run.job.index()]);
    moved |= key != run.key;
    run.key = key;
  }
  if (!moved) return;
  std::ranges::sort(runs_, [this](const Run& a, const Run& b) {
    return std::pair(a.key, items_[a.first].number) < std::pair(b.key, items_[b.first].number);
  });
  if (std::ranges::adjacent_find(runs_, {}, &Run::key) == runs_.end()) return;
  const std::vector<Run> all(runs_.begin(), runs_.end());
  runs_.clear();
  for (auto from = all.begin(); from != all.end();) {
    const auto to =
        std::find_if(from, all.end(), [&](const Run& run) { return run.key != from->key; });
    merge({from, to}, runs_);
    from = to;
  }
}

// Of one key that which came first goes first, whatever runs they have been in.
void ReorderedQueue::merge(std::span<const Run> same_key, Runs& runs) {
  const auto overlap = [this](const Run& a, const Run& b) {
    return items_[a.last].number > items_[b.first].number;
  };
  if (std::ranges::adjacent_find(same_key, overlap) == same_key.end()) {
    for (const Run& run : same_key) put_behind(runs, run);
    return;
  }
  std::vector<Run> apart;
  for (const Run& run : same_key) {
    for (std::uint32_t item = run.first; item != none;) {
      Run one = run;
      one.first = one.last = item;
      one.size = 1;
      apart.push_back(one);
      items_[item].before = none;
      item = std::exchange(items_[item].after, none);
    }
  }
  std::ranges::sort(apart, {}, [this](const Run& run) { return items_[run.first].number; });
  for (const Run& run : apart) put_behind(runs, run);
}

// --- waits ---

Duration ReorderedQueue::wait(std::vector<Duration>& running) const {
  SlotTimes slots(running);
  if (slots.none()) return {};
  for (const Run& run : runs_) slots.serve(run.estimate, run.size);
  return std::min(slots.next(), longest_span);
}

// No task waits shorter than one before it, so those beyond are the last ones.
std::size_t ReorderedQueue::first_beyond(const RevokeMessage& limits,
                                         std::vector<Duration>& running) const {
  std::size_t within = size_;
  if (limits.length < size_) {
    within = static_cast<std::size_t>(std::ceil(std::max(limits.length, 0.0)));
  }
  const Duration most = longest_within(limits.wait_s);
  SlotTimes slots(running);
  if (slots.none() || most == Duration::max()) return within;
  std::size_t before = 0;
  for (const Run& run : runs_) {
    const std::uint64_t short_enough = slots.waiting_up_to(most, run.estimate, run.size);
    before += short_enough;
    if (short_enough < run.size) return std::min(within, before);
    slots.serve(run.estimate, run.size);
  }
  return within;
}

std::vector<WorkerQueue::Entry> ReorderedQueue::shed(Time now, const RevokeMessage& limits,
                                                     std::vector<Duration>& running) {
  const Duration rest = seconds(rules_.rebalance_interval_s);
  const auto stays = [&](const Entry& entry) {
    return entry.is_reservation() || now - entry.queued < rest ||
           (some_starve_ && starved(entry, now));
  };
  std::size_t beyond = size_ - first_beyond(limits, running);
  std::vector<Entry> out;
  for (auto run = runs_.rbegin(); run != runs_.rend() && beyond > 0; ++run) {
    for (std::uint32_t item = run->last; item != none && beyond > 0; --beyond) {
      const std::uint32_t before = items_[item].before;
      if (!stays(items_[item].entry)) out.push_back(unlink(*run, item));
      item = before;
    }
  }
  std::erase_if(runs_, [](const Run& run) { return run.size == 0; });
  return out;
}

std::optional<WorkerQueue::Entry> ReorderedQueue::remove(TaskId task, std::uint16_t attempt) {
  for (auto run = runs_.begin(); run != runs_.end(); ++run) {
    for (std::uint32_t item = run->first; item != none; item = items_[item].after) {
      const Entry& entry = items_[item].entry;
      if (entry.task != task || entry.attempt != attempt) continue;
      const Entry found = unlink(*run, item);
      if (run->size == 0) runs_.erase(run);
      return found;
    }
  }
  return std::nullopt;
}

std::vector<WorkerQueue::Entry> ReorderedQueue::drain() {
  std::vector<Entry> out;
  out.reserve(size_);
  for (const Run& run : runs_) {
    for (std::uint32_t item = run.first; item != none; item = items_[item].after) {
      out.push_back(items_[item].entry);
    }
  }
  runs_.clear();
  items_.clear();
  unused_ = none;
  size_ = 0;
  return out;
}

}  // namespace somnus
