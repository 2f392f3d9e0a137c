// From a ranking (ranking.hpp) to an Order.
//
// Ties: the earlier job (ids are in order of arrival), then the stage that is first inside it.
// Where resources count, it is the first for which some node has room. O(log n) where a key moves,
// else O(1) for each demand that waits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/indexed_heap.hpp"
#include "scheduler/demand_buckets.hpp"
#include "scheduler/ranking.hpp"

namespace somnus {

template <class R>
struct PoolKeyOf {
  using type = NoPools;
};
template <PooledRanking R>
struct PoolKeyOf<R> {
  using type = typename R::PoolKey;
};

template <Ranking R>
class Ranked final : public Order {
 public:
  explicit Ranked(R ranking) : ranking_(std::move(ranking)) { expect_all_hooks_are_known<R>(); }

  void job_arrived(Time now, JobId job, const SchedulerView& picture) override {
    if (ranking_.level == Level::job) enter(now, Unit(job, picture), picture);
    regrouped_ = true;
  }

  void stage_runnable(Time now, StageId stage, const SchedulerView& picture) override {
    const Unit unit = unit_of(stage, picture);
    if (ranking_.level == Level::stage && !seen(unit)) enter(now, unit, picture);
    offer(stage, picture);
  }

  void stage_withdrawn(StageId stage, const SchedulerView& picture) override {
    withdraw(stage, picture);
  }

  void task_launched(TaskId /*task*/, StageId stage, const SchedulerView& picture) override {
    if constexpr (Handles<R, Started>) ranking_.on(Started{unit_of(stage, picture), stage});
    if (picture.jobs.runnable(stage) == 0) withdraw(stage, picture);
    if constexpr (R::moves == KeyMoves::when_tasks_start_or_end) {
      if (!keys_rest()) return rekey(unit_of(stage, picture), picture);
      if (resting_.empty() || resting_.back() != stage) resting_.push_back(stage);
    }
  }

  void task_ended(const TaskEnded& end, StageId stage, const SchedulerView& picture) override {
    const Unit unit = unit_of(stage, picture);
    if constexpr (Handles<R, Ended>) ranking_.on(Ended{unit, end});
    if constexpr (R::moves != KeyMoves::not_at_all) rekey(unit, picture);
  }

  void job_ended(JobId job, const SchedulerView&) override {
    regrouped_ = true;
    if (job.index() < in_buckets_.size()) in_buckets_[job.index()] = {};
    if constexpr (TimedRanking<R>) {
      if (ranking_.level == Level::job) changes_.erase(job.value());
    }
  }

  void round_begins(Time now, const SchedulerView& picture) override {
    if constexpr (TimedRanking<R>) {
      while (!changes_.empty() && changes_.top().key <= now) {
        const Unit unit = unit_at(changes_.top().index, picture);
        changes_.pop();
        if constexpr (Handles<R, Changed>) ranking_.on(Changed{unit});
        await_change(unit);
        rekey(unit, picture);
      }
    }
    if constexpr (Handles<R, Regrouped>) {
      if (!std::exchange(regrouped_, false)) return;
      const std::function<void(JobId)> moved = [&](JobId job) { rekey_job(job, picture); };
      ranking_.on(Regrouped{picture.jobs, moved});
    }
  }

  [[nodiscard]] StageId next(const SchedulerView& picture) override {
    const auto place = buckets_.least(
        [&](DemandId demand) {
          return !picture.nodes.has_resources() ||
                 picture.nodes.first_with_room(picture.jobs.demand(demand)).valid();
        },
        [](const PoolKey& key) {
          if constexpr (detail::has_closed<R>) return !(key == R::closed);
          return true;
        });
    if (!place) return {};
    const StageId stage = picture.jobs.stage_at(*place);
    if constexpr (WaitingRanking<R>) {
      if (ranking_.waits(ranking_.key(unit_of(stage, picture)))) return {};
    }
    return stage;
  }

  void set_aside(StageId stage, const SchedulerView& picture) override {
    withdraw(stage, picture);
    aside_.push_back(stage);
  }

  [[nodiscard]] bool holds_back(StageId stage, const SchedulerView& picture) override {
    const std::uint32_t place = picture.jobs.place(stage);
    if (!buckets_.contains(place)) return true;
    if constexpr (WaitingRanking<R>) {
      if (ranking_.waits(ranking_.key(unit_of(stage, picture)))) return true;
    }
    if constexpr (detail::has_closed<R>) {
      return ranking_.pool_key(unit_of(stage, picture)) == R::closed;
    }
    return false;
  }

  void restore(const SchedulerView& picture) override {
    for (const StageId stage : aside_) take_back(stage, picture);
    aside_.clear();
    for (const StageId stage : resting_) rekey(unit_of(stage, picture), picture);
    resting_.clear();
  }

  // For orders that stand on this one: a stage is passed over beyond the round, until it is taken
  // back.

  void leave_out(StageId stage, const SchedulerView& picture) { withdraw(stage, picture); }
  void take_back(StageId stage, const SchedulerView& picture) {
    if (picture.jobs.runnable(stage) > 0) offer(stage, picture);
  }

  [[nodiscard]] std::optional<Target> target_of(JobId job,
                                                const SchedulerView& picture) const override {
    if constexpr (TargetedRanking<R>) return ranking_.target_of(Unit(job, picture));
    return Order::target_of(job, picture);
  }

 private:
  using Key = typename R::Key;
  using PoolKey = typename PoolKeyOf<R>::type;

  [[nodiscard]] Unit unit_of(StageId stage, const SchedulerView& picture) const {
    if (ranking_.level == Level::stage) return {stage, picture};
    return {picture.jobs.job_of(stage), picture};
  }

  [[nodiscard]] Unit unit_at(std::uint32_t index, const SchedulerView& picture) const {
    if (ranking_.level == Level::stage) return {StageId(index), picture};
    return {JobId(index), picture};
  }

  [[nodiscard]] bool keys_rest() const {
    if constexpr (detail::has_resort_per_task<R>) return !ranking_.resort_per_task;
    return false;
  }

  // A job is on a bucket with the first, of its stages with that demand, that has runnable tasks.

  [[nodiscard]] std::vector<StageId>& in_buckets(JobId job) {
    if (job.index() >= in_buckets_.size()) in_buckets_.resize(job.index() + 1);
    return in_buckets_[job.index()];
  }

  // The stage has runnable tasks, and may be the first.
  void offer(StageId stage, const SchedulerView& picture) {
    const Unit unit = unit_of(stage, picture);
    if (ranking_.level == Level::job) {
      const DemandId demand = picture.jobs.demand(stage).id;
      std::vector<StageId>& firsts = in_buckets(unit.job());
      const auto same = std::ranges::find_if(
          firsts, [&](StageId first) { return picture.jobs.demand(first).id == demand; });
      if (same == firsts.end()) {
        firsts.push_back(stage);
      } else if (picture.jobs.place(stage) < picture.jobs.place(*same)) {
        buckets_.erase(picture.jobs.place(std::exchange(*same, stage)));
      } else {
        return;
      }
    }
    put(stage, unit, ranking_.key(unit), picture);
    move_pool(unit, picture);
  }

  // The stage has none, or is passed over; the next of the job takes its place and key.
  void withdraw(StageId stage, const SchedulerView& picture) {
    const std::uint32_t place = picture.jobs.place(stage);
    if (!buckets_.contains(place)) return;
    const std::uint32_t pool = buckets_.pool_of(place);
    if (ranking_.level == Level::job) replace(stage, unit_of(stage, picture), picture);
    buckets_.erase(place);
    if (!keys_rest()) move_pool(pool, picture);
  }
  void replace(StageId stage, const Unit& job, const SchedulerView& picture) {
    std::vector<StageId>& firsts = in_buckets(job.job());
    const auto place = std::ranges::find(firsts, stage);
    const DemandId demand = picture.jobs.demand(stage).id;
    StageId next = picture.jobs.runnable_after(stage);
    while (next.valid() && picture.jobs.demand(next).id != demand) {
      next = picture.jobs.runnable_after(next);
    }
    if (next.valid()) {
      *place = next;
      put(next, job, Key(buckets_.key_of(picture.jobs.place(stage))), picture);
    } else {
      firsts.erase(place);
    }
  }

  void put(StageId stage, const Unit& unit, Key key, const SchedulerView& picture) {
    std::uint32_t pool = 0;
    if constexpr (PooledRanking<R>) pool = ranking_.pool(unit);
    buckets_.put(picture.jobs.demand(stage).id, pool, picture.jobs.place(stage), std::move(key));
  }
  void move_pool(const Unit& unit, const SchedulerView& picture) {
    if constexpr (PooledRanking<R>) move_pool(ranking_.pool(unit), picture);
  }
  void move_pool([[maybe_unused]] std::uint32_t pool,
                 [[maybe_unused]] const SchedulerView& picture) {
    if constexpr (PooledRanking<R>) {
      buckets_.move_pool(pool, [&](std::uint32_t first) {
        return ranking_.pool_key(unit_of(picture.jobs.stage_at(first), picture));
      });
    }
  }

  void rekey(const Unit& unit, const SchedulerView& picture) {
    if (ranking_.level == Level::stage) {
      rekey(StageId(unit.index()), unit, picture);
    } else {
      for (const StageId stage : in_buckets(unit.job())) rekey(stage, unit, picture);
    }
    move_pool(unit, picture);
  }
  void rekey(StageId stage, const Unit& unit, const SchedulerView& picture) {
    const std::uint32_t place = picture.jobs.place(stage);
    if (!buckets_.contains(place)) return;
    const std::uint32_t pool = buckets_.pool_of(place);
    put(stage, unit, ranking_.key(unit), picture);
    if (buckets_.pool_of(place) != pool) move_pool(pool, picture);
  }

  void enter(Time now, const Unit& unit, const SchedulerView& picture) {
    if (unit.index() >= seen_.size()) seen_.resize(std::size_t{unit.index()} + 1);
    seen_[unit.index()] = true;
    if constexpr (Handles<R, Submitted>) {
      const std::function<void(JobId)> moved = [&](JobId job) { rekey_job(job, picture); };
      ranking_.on(Submitted{now, unit, moved});
    }
    if constexpr (TimedRanking<R>) await_change(unit);
  }
  void await_change(const Unit& unit) {
    const Time at = ranking_.changes_at(unit);
    if (at != never) changes_.put(unit.index(), at);
  }
  [[nodiscard]] bool seen(const Unit& unit) const {
    return unit.index() < seen_.size() && seen_[unit.index()];
  }

  void rekey_job(JobId job, const SchedulerView& picture) {
    if (ranking_.level == Level::job) {
      rekey(Unit(job, picture), picture);
      return;
    }
    StageId stage = picture.jobs.head(job);
    for (; stage.valid(); stage = picture.jobs.runnable_after(stage)) {
      rekey(Unit(stage, picture), picture);
    }
  }

  R ranking_;
  bool regrouped_ = false;                        // since the last round
  DemandBuckets<PoolKey, Key> buckets_;           // stages with runnable tasks
  std::vector<std::vector<StageId>> in_buckets_;  // by job, where jobs are ranked
  std::vector<bool> seen_;
  std::vector<StageId> aside_;    // found no node in this round
  std::vector<StageId> resting_;  // launched tasks in this round, and keep their keys until its end
  // When which unit's key changes by itself.
  [[no_unique_address]] std::conditional_t<TimedRanking<R>, IndexedHeap<Time>, std::monostate>
      changes_;
};

}  // namespace somnus
