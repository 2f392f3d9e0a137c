// feedback-queues: a multilevel feedback queue (Corbató et al. 1962; Arpaci-Dusseau, Operating
// Systems: Three Easy Pieces, chapter 8). Nothing need be known of a job:
//
//   1. The first queue that has a job goes first, in a queue the earlier job.
//   2. A job begins in the first queue.
//   3. Once its tasks have held `quantum_s` of slot-time there, it goes on to the second queue;
//      once they have held `factor` times that there, to the third; in the last it stays.
//   4. Every `boost_s` all jobs are back in the first queue, so that long ones do not starve.
#include <algorithm>
#include <cmath>
#include <map>

#include "plugins/plugin.hpp"

namespace {

struct FeedbackQueues {
  std::uint32_t queues = 3;
  double quantum_s = 60;
  double factor = 4;
  double boost_s = 1800;

  static constexpr auto fields() {
    using F = FeedbackQueues;
    return somnus::in_order(
        somnus::field("queues", &F::queues, "1", "how many there are",
                      somnus::Range{.low = 1, .high = 64}),
        somnus::field("quantum_s", &F::quantum_s, "s",
                      "slot-time after which a job leaves the first queue", somnus::positive),
        somnus::field("factor", &F::factor, "1", "from one queue's quantum to the next one's",
                      somnus::at_least_one),
        somnus::field("boost_s", &F::boost_s, "s", "how often all are back in the first queue",
                      somnus::positive));
  }

  somnus::Level level = somnus::Level::job;
  using Key = std::uint32_t;                                               // the queue
  static constexpr somnus::KeyMoves moves = somnus::KeyMoves::not_at_all;  // but as time passes
  [[nodiscard]] Key key(const somnus::Unit& unit) const {
    const auto found = jobs_.find(unit.job());
    if (found == jobs_.end()) return 0;
    double held_s = held_by(found->second, unit.now());
    double quantum = quantum_s;
    std::uint32_t queue = 0;
    for (; queue + 1 < queues && held_s >= quantum; ++queue, quantum *= factor) held_s -= quantum;
    return queue;
  }

  void on(const somnus::Started& event) { changed(event.unit); }
  void on(const somnus::Ended& event) { changed(event.unit); }
  void on(const somnus::JobEnded& event) { jobs_.erase(event.job); }
  /// A round begins, and time has passed: all keys are asked for after this.
  void on(const somnus::Passed& /*passed*/) {}

 private:
  struct Held {
    double held_s = 0;  // slot-time since the last boost, at `as_of`
    somnus::Time as_of;
    std::uint32_t running = 0;  // since then
  };

  [[nodiscard]] double last_boost_s(somnus::Time now) const {
    return std::floor(somnus::in_seconds(now) / boost_s) * boost_s;
  }
  [[nodiscard]] double held_by(const Held& job, somnus::Time now) const {
    const double boost = last_boost_s(now);
    const double since = somnus::in_seconds(job.as_of);
    const double before = since < boost ? 0 : job.held_s;
    return before + (somnus::in_seconds(now) - std::max(since, boost)) * job.running;
  }
  void changed(const somnus::Unit& unit) {
    Held& job = jobs_[unit.job()];
    job = {.held_s = held_by(job, unit.now()), .as_of = unit.now(), .running = unit.running()};
  }

  std::map<somnus::JobId, Held> jobs_;
};
static_assert(somnus::Ranking<FeedbackQueues>);

const somnus::Registered<somnus::Part> feedback_queues = somnus::rows::order<FeedbackQueues>(
    "feedback-queues", "a multilevel feedback queue: who has held less slot-time first",
    "Corbató et al. 1962");

}  // namespace
