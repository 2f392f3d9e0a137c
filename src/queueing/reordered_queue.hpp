// Tasks in the order in which they shall start, by the key of the reordering, the starved first
// (Yaq, section 3.3, Algorithm 3; policies.md 4.1).
//
//     starved(t)  <=>  t has waited longer than min(ST, ST_r * its estimated duration)
//     a starved task goes before all that are not; among the starved the earlier job's first;
//     among the others the least key (queueing/reordering.cpp), then the longer wait
//
// What it knows of jobs is as old as the node's last heartbeat, or the task's coming.
//
// Tasks of a job that are estimated alike and have one key stand in a row; such a run, not a task,
// is what is looked at, so that a stage of a million tasks costs no more than one of ten. To put
// and to take is O(log runs) and a step for each run that moves; where tasks may starve, to take
// looks at each run; a heartbeat does so in any case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "queueing/worker_queue.hpp"

namespace somnus {

class ReorderedQueue final : public WorkerQueue {
 public:
  static constexpr QueueTraits traits{.by_key = true};

  explicit ReorderedQueue(const QueueRules& rules);

  [[nodiscard]] std::uint32_t size() const override { return size_; }
  void put(Time now, const Entry& entry, const JobUpdate& job) override;
  Entry take(Time now) override;
  void refresh(const std::vector<JobUpdate>& jobs) override;
  [[nodiscard]] Duration wait(std::vector<Duration>& running) const override;
  [[nodiscard]] std::vector<Entry> shed(Time now, const RevokeMessage& limits,
                                        std::vector<Duration>& running) override;
  [[nodiscard]] std::optional<Entry> remove(TaskId task, std::uint16_t attempt) override;
  [[nodiscard]] std::vector<Entry> drain() override;

  /// How many runs it stands in.
  [[nodiscard]] std::size_t runs() const { return runs_.size(); }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  /// A task with its neighbours in its run.
  struct Item {
    Entry entry;
    std::uint64_t number;  // in order of coming
    std::uint32_t before;
    std::uint32_t after;  // of an unused one: the next such
  };
  struct Run {
    std::int64_t key;
    Duration estimate;
    JobId job;
    Time arrival;  // of the job
    std::uint32_t first;
    std::uint32_t last;
    std::uint32_t size = 1;
  };
  using Runs = std::deque<Run>;

  [[nodiscard]] std::int64_t key_of(Duration estimate, const JobUpdate& job) const;
  [[nodiscard]] bool alike(const Run& one, const Run& other) const {
    return one.estimate == other.estimate && (one.job == other.job || !jobs_matter_);
  }
  [[nodiscard]] bool starved(const Entry& entry, Time now) const;
  [[nodiscard]] Runs::iterator next(Time now);
  [[nodiscard]] std::size_t first_beyond(const RevokeMessage& limits,
                                         std::vector<Duration>& running) const;

  std::uint32_t add(const Entry& entry);
  Entry unlink(Run& run, std::uint32_t item);
  void append(Run& to, const Run& run);
  /// Puts a run of a greater or equal key behind the others, where `runs` ends.
  void put_behind(Runs& runs, const Run& run);
  void merge(std::span<const Run> same_key, Runs& runs);

  QueueRules rules_;
  bool some_starve_;
  bool jobs_matter_;  // to a task's key after it has come, or to who of the starved is first
  Runs runs_;         // in order of (key, number)
  std::uint32_t size_ = 0;
  std::vector<Item> items_;
  std::uint32_t unused_ = none;
  std::uint64_t came_ = 0;
};

}  // namespace somnus
