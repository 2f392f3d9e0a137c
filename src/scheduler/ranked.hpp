// From a ranking (ranking.hpp) to an Order.
//
// Ties: the earlier job (ids are in order of arrival), then the stage that is first inside it.
// Where resources count, it is the first for which some node has room. O(log n) where a key moves,
// else O(1) for each demand that waits and fits some node.
#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/indexed_heap.hpp"
#include "scheduler/demand_buckets.hpp"
#include "scheduler/order.hpp"
#include "scheduler/ranking.hpp"
#include "scheduler/ranking_checks.hpp"
#include "scheduler/wrong_key.hpp"

namespace somnus {

template <class R>
struct PoolKeyOf {
  using type = NoPools;
};
template <PooledRanking R>
struct PoolKeyOf<R> {
  using type = typename R::PoolKey;
};

/// Of an order, beside its ranking.
struct OrderFacts {
  const char* name = "";  // of its part
  bool audit_keys =
      false;  // all are asked for again in each round, and none may have moved unnoticed
};

template <Ranking R>
class Ranked final : public Order {
 public:
  explicit Ranked(R ranking, OrderFacts facts = {}) : ranking_(std::move(ranking)), facts_(facts) {
    expect_all_hooks_are_known<R>();
  }

  void job_arrived(Time now, JobId job, const SchedulerView& view) override {
    if (ranking_.level == Level::job) enter(now, Unit(job, view), view);
    regrouped_ = true;
  }

  void stage_runnable(Time now, StageId stage, const SchedulerView& view) override {
    const Unit unit = unit_of(stage, view);
    if (ranking_.level == Level::stage && !seen(unit)) enter(now, unit, view);
    offer(stage, view);
  }

  void stage_withdrawn(StageId stage, const SchedulerView& view) override { withdraw(stage, view); }

  void task_launched(TaskId /*task*/, StageId stage, const SchedulerView& view) override {
    if constexpr (Handles<R, Started>) ranking_.on(Started{unit_of(stage, view), stage});
    if (view.jobs.runnable(stage) == 0) withdraw(stage, view);
    if constexpr (R::moves == KeyMoves::when_tasks_start_or_end) {
      if (!keys_rest()) return rekey(unit_of(stage, view), view);
      if (resting_.empty() || resting_.back() != stage) resting_.push_back(stage);
    }
  }

  void task_ended([[maybe_unused]] const TaskEnded& end, [[maybe_unused]] StageId stage,
                  [[maybe_unused]] const SchedulerView& view) override {
    if constexpr (Handles<R, Ended>) ranking_.on(Ended{unit_of(stage, view), end});
    if constexpr (R::moves != KeyMoves::not_at_all) rekey(unit_of(stage, view), view);
  }

  void job_ended(JobId job, [[maybe_unused]] const SchedulerView& view) override {
    regrouped_ = true;
    if constexpr (Handles<R, JobEnded>) ranking_.on(JobEnded{view.jobs.now(), job});
    if (job.index() < in_buckets_.size()) in_buckets_[job.index()] = {};
    if constexpr (TimedRanking<R>) {
      if (ranking_.level == Level::job) changes_.erase(job.value());
    }
  }

  void name_those_without_room() override { names_all_ = true; }

  void round_begins(Time now, const SchedulerView& view) override {
    if constexpr (TimedRanking<R>) {
      while (!changes_.empty() && changes_.top().key <= now) {
        const Unit unit = unit_at(changes_.top().index, view);
        changes_.pop();
        if constexpr (Handles<R, Changed>) ranking_.on(Changed{unit});
        await_change(unit);
        rekey(unit, view);
      }
    }
    if constexpr (Handles<R, Passed>) {
      if (keys_move(now, view)) rekey_all(view);
    }
    if constexpr (Handles<R, Regrouped>) {
      if (std::exchange(regrouped_, false)) {
        const std::function<void(JobId)> moved = [&](JobId job) { rekey_job(job, view); };
        ranking_.on(Regrouped{view.jobs, moved});
      }
    }
    if (facts_.audit_keys) audit_keys(view);
  }

  [[nodiscard]] StageId next(const SchedulerView& view) override {
    StageId stage;
    do {
      stage = first_that_may_fit(view);
    } while (stage.valid() && !has_room(stage, view));
    if (!stage.valid()) return stage;
    if constexpr (WaitingRanking<R>) {
      if (ranking_.waits(key_of(unit_of(stage, view)))) return {};
    }
    return stage;
  }

  void blame(const std::string& deed) const override {
    if constexpr (requires { ranking_.blame(deed); }) ranking_.blame(deed);
    Order::blame(deed);
  }

  [[nodiscard]] Time wakes_at() const override {
    if constexpr (WakingRanking<R>) {
      if (!buckets_.empty()) return ranking_.wakes_at();
    }
    return never;
  }

  void set_aside(StageId stage, const SchedulerView& view) override {
    withdraw(stage, view);
    aside_.push_back(stage);
  }

  [[nodiscard]] bool holds_back(StageId stage, const SchedulerView& view) override {
    return !is_in_line(stage, view) || is_closed(stage, view);
  }

  [[nodiscard]] bool is_closed([[maybe_unused]] StageId stage,
                               [[maybe_unused]] const SchedulerView& view) override {
    if constexpr (WaitingRanking<R>) {
      if (ranking_.waits(key_of(unit_of(stage, view)))) return true;
    }
    if constexpr (detail::has_closed<R>) {
      return ranking_.pool_key(unit_of(stage, view)) == R::closed;
    }
    return false;
  }

  [[nodiscard]] std::uint32_t tier([[maybe_unused]] StageId stage,
                                   [[maybe_unused]] const SchedulerView& view) const override {
    if constexpr (TieredRanking<R>) return ranking_.tier(unit_of(stage, view));
    return 0;
  }

  void restore(const SchedulerView& view) override {
    for (const StageId stage : aside_) take_back(stage, view);
    aside_.clear();
    for (const StageId stage : resting_) rekey(unit_of(stage, view), view);
    resting_.clear();
    if constexpr (Handles<R, RoundEnded>) ranking_.on(RoundEnded{});
  }

  // For orders that stand on this one: a stage is passed over beyond the round, until it is taken
  // back.

  void leave_out(StageId stage, const SchedulerView& view) { withdraw(stage, view); }
  void take_back(StageId stage, const SchedulerView& view) {
    if (view.jobs.runnable(stage) > 0) offer(stage, view);
  }

  [[nodiscard]] std::optional<Target> target_of(JobId job,
                                                const SchedulerView& view) const override {
    if constexpr (TargetedRanking<R>) return ranking_.target_of(Unit(job, view));
    return Order::target_of(job, view);
  }

 private:
  using Key = typename R::Key;
  using PoolKey = typename PoolKeyOf<R>::type;
  // Most jobs have one at a time; it is asked for at each start and end.
  using StagesInBuckets = boost::container::small_vector<StageId, 1>;

  [[nodiscard]] Key key_of(const Unit& unit) const {
    return a_number<Key>(ranking_.key(unit), facts_.name, unit);
  }

  [[nodiscard]] Unit unit_of(StageId stage, const SchedulerView& view) const {
    if (ranking_.level == Level::stage) return {stage, view};
    return {view.jobs.job_of(stage), view};
  }

  [[nodiscard]] Unit unit_at(std::uint32_t index, const SchedulerView& view) const {
    if (ranking_.level == Level::stage) return {StageId(index), view};
    return {JobId(index), view};
  }

  [[nodiscard]] bool keys_rest() const {
    if constexpr (detail::has_resort_per_task<R>) return !ranking_.resort_per_task;
    return false;
  }

  // Part of next(), which is asked for each task.
  [[nodiscard, gnu::always_inline]] inline StageId first_that_may_fit(
      const SchedulerView& view) const {
    const auto position = buckets_.least(
        [&](std::size_t block) {
          return names_all_ ? ~DemandBlock::Set{0} : view.nodes.may_fit(block);
        },
        [](const PoolKey& key) {
          if constexpr (detail::has_closed<R>) return !(key == R::closed);
          return true;
        });
    return position ? view.jobs.stage_at(*position) : StageId();
  }
  // Where only slots count the placement knows, for nodes may have queues. Asked in vain, nodes
  // know from then on that the demand does not fit.
  [[nodiscard]] bool has_room(StageId stage, const SchedulerView& view) const {
    return names_all_ || !view.nodes.has_resources() ||
           view.nodes.first_with_room(view.jobs.demand(stage)).valid();
  }

  // On a bucket, or behind one of its job that stands there for it.
  [[nodiscard]] bool is_in_line(StageId stage, const SchedulerView& view) {
    const std::uint32_t position = view.jobs.position(stage);
    if (buckets_.contains(position)) return true;
    if (ranking_.level == Level::stage) return false;
    const DemandId demand = view.jobs.demand(stage).id;
    return std::ranges::any_of(in_buckets(view.jobs.job_of(stage)), [&](StageId first) {
      return view.jobs.demand(first).id == demand && view.jobs.position(first) < position;
    });
  }

  // A job is on a bucket with the first, of its stages with that demand, that has runnable tasks.

  [[nodiscard]] StagesInBuckets& in_buckets(JobId job) {
    if (job.index() >= in_buckets_.size()) in_buckets_.resize(job.index() + 1);
    return in_buckets_[job.index()];
  }

  // The stage has runnable tasks, and may be the first.
  void offer(StageId stage, const SchedulerView& view) {
    const Unit unit = unit_of(stage, view);
    if (ranking_.level == Level::job) {
      const DemandId demand = view.jobs.demand(stage).id;
      StagesInBuckets& firsts = in_buckets(unit.job());
      const auto same = std::ranges::find_if(
          firsts, [&](StageId first) { return view.jobs.demand(first).id == demand; });
      if (same == firsts.end()) {
        firsts.push_back(stage);
      } else if (view.jobs.position(stage) < view.jobs.position(*same)) {
        buckets_.erase(view.jobs.position(std::exchange(*same, stage)));
      } else {
        return;
      }
    }
    put(stage, unit, key_of(unit), view);
    move_pool(unit, view);
  }

  // The stage has none, or is passed over; the next of the job takes its position and key.
  void withdraw(StageId stage, const SchedulerView& view) {
    const std::uint32_t position = view.jobs.position(stage);
    if (!buckets_.contains(position)) return;
    const std::uint32_t pool = buckets_.pool_of(position);
    if (ranking_.level == Level::job) replace(stage, unit_of(stage, view), view);
    buckets_.erase(position);
    if (!keys_rest()) move_pool(pool, view);
  }
  void replace(StageId stage, const Unit& job, const SchedulerView& view) {
    StagesInBuckets& firsts = in_buckets(job.job());
    const auto position = std::ranges::find(firsts, stage);
    const DemandId demand = view.jobs.demand(stage).id;
    StageId next = view.jobs.runnable_after(stage);
    while (next.valid() && view.jobs.demand(next).id != demand) {
      next = view.jobs.runnable_after(next);
    }
    if (next.valid()) {
      *position = next;
      put(next, job, Key(buckets_.key_of(view.jobs.position(stage))), view);
    } else {
      firsts.erase(position);
    }
  }

  void put(StageId stage, const Unit& unit, Key key, const SchedulerView& view) {
    std::uint32_t pool = 0;
    if constexpr (PooledRanking<R>) pool = ranking_.pool(unit);
    buckets_.put(view.jobs.demand(stage).id, pool, view.jobs.position(stage), std::move(key));
  }
  void move_pool(const Unit& unit, const SchedulerView& view) {
    if constexpr (PooledRanking<R>) move_pool(ranking_.pool(unit), view);
  }
  void move_pool([[maybe_unused]] std::uint32_t pool, [[maybe_unused]] const SchedulerView& view) {
    if constexpr (PooledRanking<R>) {
      buckets_.move_pool(pool, [&](std::uint32_t first) {
        return ranking_.pool_key(unit_of(view.jobs.stage_at(first), view));
      });
    }
  }

  void rekey(const Unit& unit, const SchedulerView& view) {
    if (ranking_.level == Level::stage) {
      if (buckets_.contains(view.jobs.position(StageId(unit.index())))) {
        rekey(StageId(unit.index()), unit, key_of(unit), view);
      }
    } else if (const auto& stages = in_buckets(unit.job()); !stages.empty()) {
      const Key key = key_of(unit);
      for (const StageId stage : stages) rekey(stage, unit, key, view);
    }
    move_pool(unit, view);
  }
  void rekey(StageId stage, const Unit& unit, const Key& key, const SchedulerView& view) {
    const std::uint32_t position = view.jobs.position(stage);
    if constexpr (PooledRanking<R>) {
      const std::uint32_t pool = buckets_.pool_of(position);
      put(stage, unit, key, view);
      if (buckets_.pool_of(position) != pool) move_pool(pool, view);
    } else {
      buckets_.move(position, key);
    }
  }

  void enter(Time now, const Unit& unit, const SchedulerView& view) {
    if (unit.index() >= seen_.size()) seen_.resize(std::size_t{unit.index()} + 1);
    seen_[unit.index()] = true;
    if constexpr (Handles<R, Submitted>) {
      const std::function<void(JobId)> moved = [&](JobId job) { rekey_job(job, view); };
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

  [[nodiscard]] bool keys_move(Time now, const SchedulerView& view) {
    const std::function<void(JobId)> moved = [&](JobId job) { rekey_job(job, view); };
    if constexpr (std::is_void_v<decltype(ranking_.on(Passed{now, moved}))>) {
      ranking_.on(Passed{now, moved});
      return true;
    } else {
      return ranking_.on(Passed{now, moved});
    }
  }
  void rekey_all(const SchedulerView& view) {
    StageId stage = view.jobs.first_runnable();
    for (; stage.valid(); stage = view.jobs.next_runnable(stage)) {
      if (buckets_.contains(view.jobs.position(stage))) rekey(unit_of(stage, view), view);
    }
  }

  void audit_keys(const SchedulerView& view) const {
    StageId stage = view.jobs.first_runnable();
    for (; stage.valid(); stage = view.jobs.next_runnable(stage)) {
      const std::uint32_t position = view.jobs.position(stage);
      if (!buckets_.contains(position)) continue;
      const Unit unit = unit_of(stage, view);
      const Key& kept = buckets_.key_of(position);
      const Key given = key_of(unit);
      if (given < kept || kept < given) {
        refuse_stale(facts_.name, unit, key_in_words(kept), key_in_words(given));
      }
    }
  }

  void rekey_job(JobId job, const SchedulerView& view) {
    if (ranking_.level == Level::job) {
      rekey(Unit(job, view), view);
      return;
    }
    StageId stage = view.jobs.head(job);
    for (; stage.valid(); stage = view.jobs.runnable_after(stage)) {
      rekey(Unit(stage, view), view);
    }
  }

  R ranking_;
  OrderFacts facts_;
  bool names_all_ = false;                   // also those for which no node has room
  bool regrouped_ = false;                   // since the last round
  DemandBuckets<PoolKey, Key> buckets_;      // stages with runnable tasks
  std::vector<StagesInBuckets> in_buckets_;  // by job, where jobs are ranked
  std::vector<bool> seen_;
  std::vector<StageId> aside_;    // found no node in this round
  std::vector<StageId> resting_;  // launched tasks in this round, and keep their keys until its end
  // When which unit's key changes by itself.
  [[no_unique_address]] std::conditional_t<TimedRanking<R>, IndexedHeap<Time>, std::monostate>
      changes_;
};

}  // namespace somnus
