#include "emulator/summary/summary_queues.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

#include "emulator/summary/sample.hpp"
#include "emulator/summary/summary_users.hpp"

namespace somnus {
namespace {

/// A quantity that holds for some time, then changes: its mean and spread over time.
class OverTime {
 public:
  void add(double value, double span_s) {
    span_s_ += span_s;
    const double off = value - mean_;
    mean_ += off * span_s / span_s_;
    squares_ += span_s * off * (value - mean_);
    least_ = std::min(least_, value);
    most_ = std::max(most_, value);
  }

  [[nodiscard]] double mean() const { return span_s_ > 0 ? mean_ : NAN; }
  [[nodiscard]] double deviation() const {
    return span_s_ > 0 ? std::sqrt(squares_ / span_s_) : NAN;
  }
  [[nodiscard]] double farthest() const {
    return span_s_ > 0 ? std::max(most_ - mean_, mean_ - least_) : NAN;
  }

 private:
  double span_s_ = 0;
  double mean_ = 0;
  double squares_ = 0;
  double least_ = std::numeric_limits<double>::infinity();
  double most_ = -std::numeric_limits<double>::infinity();
};

/// The queues' slots and demand, change by change.
class Contention {
 public:
  explicit Contention(std::size_t queues) : queues_(queues) {}

  void task(std::uint32_t queue, double start, double finish) {
    if (!(start < finish)) return;
    changes_.push_back({start, queue, 1, 0});
    changes_.push_back({finish, queue, -1, 0});
  }
  void job(std::uint32_t queue, double submit, double finish) {
    if (std::isnan(submit)) return;
    changes_.push_back({submit, queue, 0, 1});
    if (!std::isnan(finish)) changes_.push_back({finish, queue, 0, -1});
  }

  void run() {
    std::ranges::sort(changes_, {}, &Change::time);
    for (std::size_t at = 0; at < changes_.size(); ++at) {
      apply(changes_[at]);
      const double now = changes_[at].time;
      if (at + 1 < changes_.size()) hold(changes_[at + 1].time - now);
    }
  }

  [[nodiscard]] double contended_s() const { return contended_s_; }
  [[nodiscard]] const OverTime& share(std::uint32_t queue) const { return queues_[queue].share; }

 private:
  struct Change {
    double time;
    std::uint32_t queue;
    std::int8_t slots;
    std::int8_t jobs;
  };
  struct Queue {
    std::int64_t slots = 0;
    std::int64_t jobs = 0;
    OverTime share;
  };

  void apply(const Change& change) {
    Queue& queue = queues_[change.queue];
    const bool had_demand = queue.jobs > 0;
    queue.slots += change.slots;
    queue.jobs += change.jobs;
    occupied_ += change.slots;
    demanding_ += static_cast<std::size_t>(queue.jobs > 0) - static_cast<std::size_t>(had_demand);
  }

  // All stays as it is for that long; 0 between changes of one instant.
  void hold(double span_s) {
    if (!(span_s > 0) || demanding_ < queues_.size()) return;
    contended_s_ += span_s;
    if (occupied_ == 0) return;
    for (Queue& queue : queues_) {
      queue.share.add(static_cast<double>(queue.slots) / static_cast<double>(occupied_), span_s);
    }
  }

  std::vector<Queue> queues_;
  std::vector<Change> changes_;
  std::int64_t occupied_ = 0;
  std::size_t demanding_ = 0;
  double contended_s_ = 0;
};

}  // namespace

QueueFigures queues_of(const Log& log) {
  std::map<std::string, std::uint32_t> by_name;  // to places in the order of names
  for (const JobRow& job : log.tables.jobs) {
    by_name.emplace(name_in(log.tables.names.queues, job.queue), 0);
  }
  QueueFigures figures;
  if (by_name.size() < 2) return figures;
  for (auto& [name, place] : by_name) {
    place = static_cast<std::uint32_t>(figures.queues.size());
    figures.queues.push_back({.queue = name});
  }
  std::vector<std::uint32_t> queue_of;  // by job
  std::vector<Sample> responses(by_name.size());
  Contention contention(by_name.size());
  for (const JobRow& job : log.tables.jobs) {
    const std::uint32_t queue = by_name.at(name_in(log.tables.names.queues, job.queue));
    queue_of.push_back(queue);
    if (static_cast<JobState>(job.state) == JobState::pending) continue;
    ++figures.queues[queue].jobs_submitted;
    figures.queues[queue].tasks_submitted += job.tasks;
    responses[queue].add(job.finish - job.submit);
    contention.job(queue, job.submit, job.finish);
  }
  for (const TaskRow& row : log.tasks) {
    if (row.job < queue_of.size()) contention.task(queue_of[row.job], row.start, row.finish);
  }
  contention.run();
  figures.contended_s = contention.contended_s();
  for (std::uint32_t at = 0; at < figures.queues.size(); ++at) {
    QueueSummary& queue = figures.queues[at];
    queue.jobs_finished = responses[at].count();
    queue.response_mean_s = responses[at].mean();
    queue.share_mean = contention.share(at).mean();
    queue.share_deviation = contention.share(at).deviation();
    queue.share_farthest = contention.share(at).farthest();
  }
  return figures;
}

}  // namespace somnus
