// Tasks in the order in which they shall start, by the key of the reordering, the starved first
// (Yaq, section 3.3, Algorithm 3; policies.md 4.1).
//
//     starved(t)  <=>  t has waited longer than min(ST, ST_r * its estimated duration)
//     a starved task goes before all that are not; among the starved the earlier job's first;
//     among the others the least key (queueing/reordering.cpp), then the longer wait
//
// What it knows of jobs is as old as the node's last heartbeat, or the task's coming.
#pragma once

#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <vector>

#include "queueing/worker_queue.hpp"

namespace somnus {

class ReorderedQueue final : public WorkerQueue {
 public:
  static constexpr QueueTraits traits{.by_key = true};

  explicit ReorderedQueue(const QueueRules& rules);

  [[nodiscard]] std::uint32_t size() const override {
    return static_cast<std::uint32_t>(entries_.size());
  }
  void put(Time now, const LaunchMessage& task, const JobNews& job) override;
  Entry take(Time now) override;
  void refresh(const std::vector<JobNews>& jobs) override;
  [[nodiscard]] Duration wait(std::vector<Duration>& running) const override;
  [[nodiscard]] std::vector<Entry> shed(Time now, const RevokeMessage& limits,
                                        std::vector<Duration>& running) override;
  [[nodiscard]] std::optional<Entry> remove(TaskId task, std::uint16_t attempt) override;
  [[nodiscard]] std::vector<Entry> drain() override;

 private:
  [[nodiscard]] std::int64_t key_of(const LaunchMessage& task, const JobNews& job) const;
  [[nodiscard]] bool starved(const Entry& entry, Time now) const;
  [[nodiscard]] std::vector<Duration> estimates() const;

  QueueRules rules_;
  bool some_starve_;
  boost::circular_buffer<Entry> entries_;  // in order of (key, number)
  std::uint64_t came_ = 0;
};

}  // namespace somnus
