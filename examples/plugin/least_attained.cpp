// least-attained: least attained service first, in queues, as the built-in order `las` has it, and
// ../las/las.py. A job's attained service is the slot-time that its tasks have held. Of `queues`
// queues it is in the first until it has attained `threshold_s`, in the next until `factor` times
// that, and so on. The first queue goes first, in a queue the earlier job.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "plugins/plugin.hpp"

namespace {

struct LeastAttained {
  std::uint32_t queues = 2;
  double threshold_s = 3200;
  double factor = 10;

  static constexpr auto fields() {
    using L = LeastAttained;
    return somnus::in_order(
        somnus::field("queues", &L::queues, "1", "how many there are",
                      somnus::Range{.low = 1, .high = 64}),
        somnus::field("threshold_s", &L::threshold_s, "s",
                      "slot-time after which a job leaves the first queue", somnus::positive),
        somnus::field("factor", &L::factor, "1", "from one queue's threshold to the next one's",
                      somnus::at_least_one));
  }

  somnus::Level level = somnus::Level::job;
  using Key = std::uint32_t;                                               // the queue
  static constexpr somnus::KeyMoves moves = somnus::KeyMoves::not_at_all;  // but for those moved()
  [[nodiscard]] Key key(const somnus::Unit& job) const {
    const auto found = jobs_.find(job.job());
    return found == jobs_.end() ? 0 : found->second.queue;
  }

  /// With scheduler.preemption, jobs take the slots of those in a later queue.
  [[nodiscard]] std::uint32_t tier(const somnus::Unit& job) const { return key(job); }

  void on(const somnus::Started& event) { changed(event.unit); }
  void on(const somnus::Ended& event) { changed(event.unit); }
  void on(const somnus::JobEnded& event) {
    leaves_.erase({jobs_[event.job].leaves, event.job});
    jobs_.erase(event.job);
  }
  /// Time has passed: who has left a queue? false: no other keys have moved.
  bool on(const somnus::Passed& passed) {
    while (wakes_at() <= passed.now) {
      const somnus::JobId job = leaves_.begin()->second;
      settle(job, jobs_[job], passed.now);
      await(job, jobs_[job]);
    }
    for (const somnus::JobId job : std::exchange(moved_, {})) passed.moved(job);
    return false;
  }
  /// When a job leaves its queue though nothing else happens.
  [[nodiscard]] somnus::Time wakes_at() const {
    return leaves_.empty() ? somnus::never : leaves_.begin()->first;
  }

 private:
  struct Attained {
    std::int64_t service = 0;  // slot-nanoseconds at `as_of`
    somnus::Time as_of;
    std::uint32_t running = 0;  // since then
    std::uint32_t queue = 0;
    somnus::Time leaves = somnus::never;  // its queue, if nothing changes
  };

  void changed(const somnus::Unit& unit) {
    Attained& job = jobs_[unit.job()];
    if (job.running == unit.running()) return;
    settle(unit.job(), job, unit.now());
    job.running = unit.running();
    await(unit.job(), job);
  }
  void settle(somnus::JobId id, Attained& job, somnus::Time now) {
    job.service += (now - job.as_of).count() * job.running;
    job.as_of = now;
    while (job.queue + 1 < queues && job.service >= end_of(job.queue)) {
      ++job.queue;
      moved_.push_back(id);
    }
  }
  void await(somnus::JobId id, Attained& job) {
    leaves_.erase({job.leaves, id});
    job.leaves = somnus::never;
    if (job.running == 0 || job.queue + 1 == queues) return;
    const std::int64_t left = end_of(job.queue) - job.service;
    job.leaves = job.as_of + somnus::Duration((left + job.running - 1) / job.running);
    leaves_.emplace(job.leaves, id);
  }
  /// Slot-nanoseconds at which a job leaves that queue.
  [[nodiscard]] std::int64_t end_of(std::uint32_t queue) const {
    double end_s = threshold_s;
    for (; queue > 0 && end_s < 1e9; --queue) end_s *= factor;
    return std::llround(std::min(end_s, 1e9) * 1e9);
  }

  std::map<somnus::JobId, Attained> jobs_;
  std::set<std::pair<somnus::Time, somnus::JobId>> leaves_;
  std::vector<somnus::JobId> moved_;  // have left a queue since the last round
};
static_assert(somnus::Ranking<LeastAttained>);

const somnus::Registered<somnus::Part> least_attained = somnus::rows::order<LeastAttained>(
    "least-attained", "the least slot-time attained so far first, in queues", "Tiresias 2019");

}  // namespace
