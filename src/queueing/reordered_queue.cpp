#include "queueing/reordered_queue.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "queueing/queue_wait.hpp"

namespace somnus {

ReorderedQueue::ReorderedQueue(const QueueRules& rules)
    : rules_(rules),
      some_starve_(rules.reorder->reorders && (std::isfinite(rules.starvation_s) ||
                                               std::isfinite(rules.starvation_relative))) {}

std::int64_t ReorderedQueue::key_of(const LaunchMessage& task, const JobNews& job) const {
  return rules_.reorder->key({.estimate = task.estimate,
                              .arrival = job.arrival,
                              .remaining = job.remaining,
                              .unfinished = job.unfinished});
}

void ReorderedQueue::put(Time now, const LaunchMessage& task, const JobNews& job) {
  if (entries_.full()) entries_.set_capacity(std::max<std::size_t>(8, 2 * entries_.size()));
  const Entry entry{task, now, job.arrival, key_of(task, job), came_++};
  const auto place = std::ranges::upper_bound(entries_, entry.key, {}, &Entry::key);
  entries_.insert(place, entry);
}

bool ReorderedQueue::starved(const Entry& entry, Time now) const {
  const double relative_s = in_seconds(entry.task.estimate) * rules_.starvation_relative;
  // 0 x infinity: a task of no duration never starves by the relative rule.
  const double limit_s =
      std::isnan(relative_s) ? rules_.starvation_s : std::min(rules_.starvation_s, relative_s);
  return in_seconds(now - entry.queued) > limit_s;
}

WorkerQueue::Entry ReorderedQueue::take(Time now) {
  auto next = entries_.begin();
  if (some_starve_) {
    const auto first_job = [](const Entry& entry) {
      return std::tuple(entry.arrival, entry.queued, entry.number);
    };
    auto found = entries_.end();
    for (auto at = entries_.begin(); at != entries_.end(); ++at) {
      if (!starved(*at, now)) continue;
      if (found == entries_.end() || first_job(*at) < first_job(*found)) found = at;
    }
    if (found != entries_.end()) next = found;
  }
  Entry entry = *next;
  entries_.erase(next);
  return entry;
}

void ReorderedQueue::refresh(const std::vector<JobNews>& jobs) {
  bool moved = false;
  for (Entry& entry : entries_) {
    const std::int64_t key = key_of(entry.task, jobs[entry.task.job.index()]);
    moved |= key != entry.key;
    entry.key = key;
  }
  if (!moved) return;
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.key, a.number) < std::tie(b.key, b.number);
  });
}

std::vector<Duration> ReorderedQueue::estimates() const {
  std::vector<Duration> estimates;
  estimates.reserve(entries_.size());
  for (const Entry& entry : entries_) estimates.push_back(entry.task.estimate);
  return estimates;
}

Duration ReorderedQueue::wait(std::vector<Duration>& running) const {
  return queue_wait(running, estimates(), [](std::size_t, Duration) {});
}

std::vector<WorkerQueue::Entry> ReorderedQueue::shed(Time now, const RevokeMessage& limits,
                                                     std::vector<Duration>& running) {
  std::vector<bool> beyond(entries_.size());
  for (std::size_t place = 0; place < beyond.size(); ++place) {
    beyond[place] = static_cast<double>(place) >= limits.length;
  }
  queue_wait(running, estimates(), [&](std::size_t place, Duration wait) {
    if (in_seconds(wait) > limits.wait_s) beyond[place] = true;
  });
  const Duration rest = seconds(rules_.rebalance_interval_s);
  std::vector<Entry> out;
  for (std::size_t place = entries_.size(); place > 0; --place) {
    const Entry& entry = entries_[place - 1];
    const bool stays = !beyond[place - 1] || entry.is_reservation() || now - entry.queued < rest ||
                       (some_starve_ && starved(entry, now));
    if (stays) continue;
    out.push_back(entry);
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(place - 1));
  }
  return out;
}

std::optional<WorkerQueue::Entry> ReorderedQueue::remove(TaskId task, std::uint16_t attempt) {
  const auto found = std::ranges::find_if(entries_, [&](const Entry& entry) {
    return entry.task.task == task && entry.task.attempt == attempt;
  });
  if (found == entries_.end()) return std::nullopt;
  const Entry entry = *found;
  entries_.erase(found);
  return entry;
}

std::vector<WorkerQueue::Entry> ReorderedQueue::drain() {
  std::vector<Entry> out(entries_.begin(), entries_.end());
  entries_.clear();
  return out;
}

}  // namespace somnus
