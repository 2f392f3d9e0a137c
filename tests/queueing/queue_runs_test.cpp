// A queue that goes by runs of like tasks, held to one that goes entry by entry.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "queueing/numbered_queue.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

// The same entry by entry, each looked at every time.
class EntryByEntry {
 public:
  explicit EntryByEntry(const QueueRules& rules) : rules_(rules) {}

  struct Waiting {
    WorkerQueue::Entry entry;
    std::int64_t key;
    Time arrival;
    std::uint64_t number;
  };

  void put(Time now, WorkerQueue::Entry entry, const JobUpdate& job) {
    entry.queued = now;
    const Waiting waiting{entry, key_of(entry.estimate, job), job.arrival, came_++};
    waiting_.insert(std::ranges::upper_bound(waiting_, waiting.key, {}, &Waiting::key), waiting);
  }
  std::uint32_t take(Time now) {
    auto next = waiting_.begin();
    auto found = waiting_.end();
    for (auto at = waiting_.begin(); at != waiting_.end(); ++at) {
      if (starved(*at, now) && (found == waiting_.end() || earlier(*at, *found))) found = at;
    }
    if (found != waiting_.end()) next = found;
    const std::uint32_t task = next->entry.task.value();
    waiting_.erase(next);
    return task;
  }
  void refresh(const std::vector<JobUpdate>& jobs) {
    for (Waiting& each : waiting_) {
      each.key = key_of(each.entry.estimate, jobs[each.entry.job.index()]);
    }
    std::ranges::sort(waiting_, [](const Waiting& a, const Waiting& b) {
      return std::pair(a.key, a.number) < std::pair(b.key, b.number);
    });
  }
  [[nodiscard]] std::vector<Duration> waits(std::vector<Duration> running) const {
    std::vector<Duration> waits;
    for (const Waiting& each : waiting_) {
      const auto least = std::ranges::min_element(running);
      waits.push_back(*least);
      *least += each.entry.estimate;
    }
    waits.push_back(*std::ranges::min_element(running));
    return waits;
  }
  std::vector<std::uint32_t> shed(Time now, const RevokeMessage& limits,
                                  const std::vector<Duration>& running) {
    const std::vector<Duration> by_place = waits(running);
    std::vector<std::uint32_t> out;
    for (std::size_t place = waiting_.size(); place > 0; --place) {
      const Waiting& each = waiting_[place - 1];
      const bool beyond = static_cast<double>(place - 1) >= limits.length ||
                          in_seconds(by_place[place - 1]) > limits.wait_s;
      const bool stays = !beyond || each.entry.is_reservation() || starved(each, now) ||
                         now - each.entry.queued < seconds(rules_.rebalance_interval_s);
      if (stays) continue;
      out.push_back(each.entry.task.value());
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(place - 1));
    }
    return out;
  }
  bool remove(std::uint32_t task) {
    return std::erase_if(waiting_,
                         [&](const Waiting& each) { return each.entry.task == TaskId(task); }) > 0;
  }
  [[nodiscard]] std::vector<std::uint32_t> all() const {
    std::vector<std::uint32_t> tasks;
    for (const Waiting& each : waiting_) tasks.push_back(each.entry.task.value());
    return tasks;
  }

 private:
  [[nodiscard]] std::int64_t key_of(Duration estimate, const JobUpdate& job) const {
    return rules_.reorder->key({.estimate = estimate,
                                .arrival = job.arrival,
                                .remaining = job.remaining,
                                .unfinished = job.unfinished});
  }
  [[nodiscard]] bool starved(const Waiting& each, Time now) const {
    if (!rules_.reorder->reorders) return false;
    const double relative_s = in_seconds(each.entry.estimate) * rules_.starvation_relative;
    const double limit_s =
        std::isnan(relative_s) ? rules_.starvation_s : std::min(rules_.starvation_s, relative_s);
    return in_seconds(now - each.entry.queued) > limit_s;
  }
  static bool earlier(const Waiting& a, const Waiting& b) {
    return std::tuple(a.arrival, a.entry.queued, a.number) <
           std::tuple(b.arrival, b.entry.queued, b.number);
  }

  QueueRules rules_;
  std::vector<Waiting> waiting_;
  std::uint64_t came_ = 0;
};

TEST(ReorderedQueue, DoesByRunsWhatIsDoneEntryByEntry) {
  std::size_t in_runs = 0;
  check_law({.cases = 500}, [&] {
    const QueueRules rules{
        .reorder = *rc::gen::element(Reordering::named("fifo"), Reordering::named("srjf"),
                                     Reordering::named("lrtf"), Reordering::named("stf"),
                                     Reordering::named("ejf")),
        .starvation_s = any_threshold(),
        .starvation_relative = any_threshold()};
    ReorderedQueue queue(rules);
    EntryByEntry expected(rules);
    std::vector<QueuedJob> jobs(3);
    std::vector<JobUpdate> updates(jobs.size());
    const auto change = [&](std::uint32_t id) {
      jobs[id].remaining = any_span(1, 4);
      jobs[id].tasks = *rc::gen::inRange(1U, 4U);
      updates[id] = update_of(id, jobs[id]);
    };
    for (std::uint32_t id = 0; id < jobs.size(); ++id) {
      jobs[id].arrival = any_span(0, 3);
      change(id);
    }
    std::uint32_t next = 0;
    Duration now = 4s;
    const int steps = *rc::gen::inRange(1, 40);
    for (int step = 0; step < steps; ++step) {
      now += any_span(0, 2);
      switch (*rc::gen::inRange(0, 8)) {
        case 0:
          change(*rc::gen::inRange<std::uint32_t>(0, 3));
          break;
        case 1:
          queue.refresh(updates);
          expected.refresh(updates);
          break;
        case 2:
        case 3: {
          const auto job = *rc::gen::inRange<std::uint32_t>(0, 3);
          const Duration estimate = any_span(0, 3);
          for (int count = *rc::gen::element(1, 3, 100); count > 0; --count, ++next) {
            queue.put(at(now), task_of(next, job, estimate), updates[job]);
            expected.put(at(now), task_of(next, job, estimate), updates[job]);
          }
          break;
        }
        case 4: {
          const RevokeMessage limits{
              .length = *rc::gen::element(infinity, 0.0, 2.5, 50.0),
              .wait_s = *rc::gen::element(infinity, -1.0, 0.0, 3.0, 3.5, 40.0)};
          const std::vector<Duration> running(*rc::gen::inRange<std::size_t>(1, 4), any_span(0, 4));
          std::vector<Duration> used = running;
          QueueOrder gone;
          for (const WorkerQueue::Entry& entry : queue.shed(at(now), limits, used)) {
            gone.push_back(entry.task.value());
          }
          RC_ASSERT(gone == expected.shed(at(now), limits, running));
          break;
        }
        case 5: {
          const auto task = *rc::gen::inRange<std::uint32_t>(0, next + 1);
          RC_ASSERT(queue.remove(TaskId(task), 0).has_value() == expected.remove(task));
          break;
        }
        default:
          if (!queue.empty()) {
            RC_ASSERT(queue.take(at(now)).task.value() == expected.take(at(now)));
          }
      }
      const std::vector<Duration> running = {any_span(0, 5), any_span(0, 5), any_span(0, 5)};
      std::vector<Duration> used = running;
      RC_ASSERT(queue.wait(used) == expected.waits(running).back());
      RC_ASSERT(queue.size() == expected.all().size());
      in_runs += queue.size() - queue.runs();
    }
    QueueOrder left;
    for (const WorkerQueue::Entry& entry : queue.drain()) left.push_back(entry.task.value());
    RC_ASSERT(left == expected.all());
  });
  EXPECT_GT(in_runs, 10'000U) << "no task ever stood in a run with others";
}

}  // namespace
}  // namespace somnus::harness
