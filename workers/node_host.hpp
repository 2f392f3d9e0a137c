// What the nodes of a set share, and what they do through it: sleep for tasks and send reports.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/histogram.hpp"
#include "base/timing_wheel.hpp"
#include "model/message.hpp"
#include "workers/delay_line.hpp"
#include "workers/node_model.hpp"
#include "workers/slots.hpp"

namespace somnus {

class NodeHost {
 public:
  explicit NodeHost(const NodeModel& model) : model_(model) {}

  [[nodiscard]] const NodeModel& model() const { return model_; }

  // Jobs, where nodes have queues.
  void learn(const JobUpdate& update) {
    if (model_.make_queue == nullptr) return;
    if (update.job.index() >= jobs_.size()) jobs_.resize(update.job.index() + 1);
    jobs_[update.job.index()] = update;
  }
  /// Where they stand, by JobId.
  [[nodiscard]] const std::vector<JobUpdate>& jobs() const { return jobs_; }
  /// Of a job that was announced before any task of it.
  [[nodiscard]] const JobUpdate& job(JobId id) const {
    SOMNUS_CHECK(id.index() < jobs_.size(), "job {} was not announced", id.value());
    return jobs_[id.index()];
  }

  // Sleeps.
  void sleep(Sleep sleep) {
    ++busy_;
    model_.external_sleep ? sleep_on(sleep) : deadlines_.put(sleep.slot, sleep.until);
  }
  /// Somebody else is to sleep, for the first time or as he has woken up too early.
  [[gnu::noinline]] void sleep_on(Sleep sleep) { sleeps_.push_back(sleep); }
  /// The sleep is over, because the node was lost or because its time has come, which was `late`
  /// ago.
  void cut_short(Sleep sleep) {
    --busy_;
    if (!model_.external_sleep) deadlines_.erase(sleep.slot, sleep.until);
  }
  void ended(Duration late) {
    --busy_;
    lateness_.add(late);
    done(late);
  }
  [[nodiscard]] Time next_deadline() const { return deadlines_.next(); }
  /// The one that is over next, which is no longer kept. Calls wakes_soon(slot) for some that
  /// are among the next, as TimingWheel::take does.
  template <class WakesSoon>
  Sleep take_sleep(WakesSoon&& wakes_soon) {
    const Time until = next_deadline();
    return {.slot = deadlines_.take(std::forward<WakesSoon>(wakes_soon)), .until = until};
  }
  /// The slot that wakes up after so many others, if that is soon; else `otherwise`.
  [[nodiscard]] std::uint32_t coming(std::size_t after, std::uint32_t otherwise) const {
    return deadlines_.coming(after, otherwise);
  }
  /// That someone else shall sleep, since the last forget_sleeps().
  [[nodiscard]] std::span<const Sleep> sleeps() const { return sleeps_; }
  void forget_sleeps() { sleeps_.clear(); }
  [[nodiscard]] std::uint32_t busy() const { return busy_; }

  // Reports.
  /// Where those that reach the scheduler at once are put; nullptr: they wait, too.
  void report_to(Reports* out) { out_ = out; }
  template <NodeMessage Report>
  void send(Time now, const Report& report) {
    const bool at_once = out_ != nullptr && report.due <= now && leaving_.next() > now;
    at_once ? out_->put(report) : leaving_.put(report.due, report);
    reported_ |= at_once;
  }
  [[nodiscard]] Time next_report() const { return leaving_.next(); }
  /// Puts those that waited and reach the scheduler by now; whether it got any since the last call.
  bool deliver(Time now) {
    leaving_.take_due(now, [&](Time, const auto& report) {
      out_->put(report);
      reported_ = true;
    });
    return std::exchange(reported_, false);
  }

  /// Something was done that late.
  void done(Duration late) {
    behind_.add(late);
    look_ = std::max(look_, late);
  }
  /// All that was due has been done.
  void looked() {
    if (look_ > Duration::zero()) looks_.add(look_);
    look_ = {};
  }
  [[nodiscard]] const Histogram& lateness() const { return lateness_; }
  [[nodiscard]] const Histogram& behind() const { return behind_; }
  [[nodiscard]] const Histogram& looks() const { return looks_; }

 private:
  NodeModel model_;
  std::vector<JobUpdate> jobs_;
  TimingWheel deadlines_;  // by slot
  std::vector<Sleep> sleeps_;
  DelayLines<NodeMessages> leaving_;
  Reports* out_ = nullptr;
  bool reported_ = false;  // something, since the last deliver()
  Histogram lateness_;
  Histogram behind_;
  Histogram looks_;
  Duration look_{};  // the latest that was done since the last
  std::uint32_t busy_ = 0;
};

}  // namespace somnus
