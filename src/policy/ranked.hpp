// From a ranking (a key for each unit, the least first) to an Order. Most published orders are
// just that; each says which events move its keys, and the rest is done here. A ranking may have
// pools, such as users: then the least pool's least unit goes first.
//
// Ties: the earlier job (ids are in order of arrival), then the stage that is first inside it.
// Where resources count, it is the first for which some node has room. O(log n) where a key moves,
// else O(1) for each demand that waits.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/indexed_heap.hpp"
#include "policy/shelves.hpp"
#include "policy/surroundings.hpp"
#include "policy/traits.hpp"
#include "policy/unit.hpp"

namespace somnus {

/// Which events change the key of the unit that they happen to.
enum class KeyMoves { not_at_all, when_tasks_end, when_tasks_start_or_end };

// What a ranking may hear of. It has an overload of on() for each that concerns it.

/// The parameters are set: on() prepares the ranking for its surroundings.
struct Settled {
  const Surroundings& surroundings;
};
/// The unit has been submitted: a job arrived, a stage became ready. `moved` is to be called for
/// other jobs whose keys changed thereby.
struct Entered {
  Time now;
  const Unit& unit;
  const std::function<void(JobId)>& moved;
};
/// One of the unit's tasks has been launched.
struct Started {
  const Unit& unit;
  StageId stage;
};
/// One of the unit's attempts is over.
struct Ended {
  const Unit& unit;
  const TaskEnded& end;
};
/// The time has come that changes_at() said; the key is asked for after this.
struct Changed {
  const Unit& unit;
};
/// A round begins, and jobs have arrived or ended since the one before. `moved` is to be called for
/// jobs whose keys changed thereby.
struct Regrouped {
  const JobTable& jobs;
  const std::function<void(JobId)>& moved;
};

template <class R, class What>
concept Hears = requires(R ranking, const What& what) { ranking.on(what); };

/// A copyable value with
///   Key              ordered by <, the least is served first
///   level            whether it ranks jobs or stages
///   key(unit)        the unit's key now
///   moves            which events change it
/// and, where it needs them,
///   on(...)          for each event that it hears of: Settled, Entered, Started, Ended,
///                    Changed, Regrouped
///   resort_per_task  if false, keys rest while a round lasts; where tasks' starts move keys
///   misfits(surroundings)   what of its parameters can't be meant there
///   traits()         what it promises (traits.hpp)
///   target_of(unit)  what it means the job to have, a unit of jobs in any case
template <class R>
concept Ranking = std::copyable<R> && requires(const R ranking, const Unit& unit) {
  typename R::Key;
  { ranking.key(unit) } -> std::convertible_to<typename R::Key>;
  { ranking.level } -> std::convertible_to<Level>;
  { R::moves } -> std::convertible_to<KeyMoves>;
};

/// A ranking of pools of units first, and then of each pool's units. A pool's key is asked of its
/// first unit, when that changes or tasks start or end in the pool; where it is `closed`, which
/// comes after all others, the pool may have no more for now. moved(job) tells too that the job's
/// units are in another pool now.
template <class R>
concept PooledRanking = Ranking<R> && requires(const R ranking, const Unit& unit) {
  typename R::PoolKey;
  { ranking.pool(unit) } -> std::same_as<std::uint32_t>;
  { ranking.pool_key(unit) } -> std::convertible_to<typename R::PoolKey>;
};

/// Keys that change as time passes: changes_at() says when the unit's next does (`never`: not any
/// more), asked when it enters and after each change, which the ranking hears of as Changed.
template <class R>
concept TimedRanking = Ranking<R> && requires(const R ranking, const Unit& unit) {
  { ranking.changes_at(unit) } -> std::same_as<Time>;
};

/// A ranking that says what it means each active job to have, whether it ranks jobs or stages.
template <class R>
concept TargetedRanking = Ranking<R> && requires(const R ranking, const Unit& job) {
  { ranking.target_of(job) } -> std::same_as<std::optional<Target>>;
};

namespace detail {

// Whether T has a member of that name, of whatever type: if so, the name is ambiguous below.
#define SOMNUS_HAS_MEMBER(name)         \
  struct With_##name {                  \
    int name;                           \
  };                                    \
  template <class T>                    \
  struct Both_##name : T, With_##name { \
    Both_##name() = delete;             \
  };                                    \
  template <class T>                    \
  inline constexpr bool has_##name = !requires { &Both_##name<T>::name; };
SOMNUS_HAS_MEMBER(on)
SOMNUS_HAS_MEMBER(changes_at)
SOMNUS_HAS_MEMBER(pool)
SOMNUS_HAS_MEMBER(pool_key)
SOMNUS_HAS_MEMBER(closed)
SOMNUS_HAS_MEMBER(resort_per_task)
SOMNUS_HAS_MEMBER(target_of)
#undef SOMNUS_HAS_MEMBER

}  // namespace detail

template <class R>
struct PoolKeyOf {
  using type = NoPools;
};
template <PooledRanking R>
struct PoolKeyOf<R> {
  using type = typename R::PoolKey;
};

/// Refuses, in a sentence, what would compile and never be called.
template <Ranking R>
consteval void expect_all_hooks_are_known() {
  constexpr bool hears = Hears<R, Settled> || Hears<R, Entered> || Hears<R, Started> ||
                         Hears<R, Ended> || Hears<R, Changed> || Hears<R, Regrouped>;
  static_assert(hears || !detail::has_on<R>,
                "on() of this ranking takes none of Settled, Entered, Started, Ended, Changed and "
                "Regrouped");
  static_assert(hears || std::is_trivially_copyable_v<R>,
                "this ranking keeps a state and hears of nothing: is its on() misspelt?");
  static_assert(Hears<R, Changed> == detail::has_changes_at<R>,
                "a ranking has both changes_at() and on(const Changed&), or neither");
  static_assert(TimedRanking<R> == detail::has_changes_at<R>,
                "changes_at() of a ranking is `Time changes_at(const Unit&) const`");
  static_assert(PooledRanking<R> == (detail::has_pool<R> || detail::has_pool_key<R>),
                "a ranking of pools has PoolKey, `std::uint32_t pool(const Unit&) const` and "
                "`PoolKey pool_key(const Unit&) const`");
  static_assert(TargetedRanking<R> == detail::has_target_of<R>,
                "target_of() of a ranking is `std::optional<Target> target_of(const Unit&) const`");
  static_assert((R::moves == KeyMoves::when_tasks_start_or_end) == detail::has_resort_per_task<R>,
                "a ranking has resort_per_task exactly if tasks' starts move its keys");
}

template <Ranking R>
class Ranked final : public Order {
 public:
  explicit Ranked(R ranking) : ranking_(std::move(ranking)) { expect_all_hooks_are_known<R>(); }

  void job_arrived(Time now, JobId job, const Picture& picture) override {
    if (ranking_.level == Level::job) enter(now, Unit(job, picture), picture);
    regrouped_ = true;
  }

  void stage_runnable(Time now, StageId stage, const Picture& picture) override {
    const Unit unit = unit_of(stage, picture);
    if (ranking_.level == Level::stage && !seen(unit)) enter(now, unit, picture);
    offer(stage, picture);
  }

  void task_launched(TaskId /*task*/, StageId stage, const Picture& picture) override {
    if constexpr (Hears<R, Started>) ranking_.on(Started{unit_of(stage, picture), stage});
    if (picture.jobs.runnable(stage) == 0) withdraw(stage, picture);
    if constexpr (R::moves == KeyMoves::when_tasks_start_or_end) {
      if (!keys_rest()) return rekey(unit_of(stage, picture), picture);
      if (resting_.empty() || resting_.back() != stage) resting_.push_back(stage);
    }
  }

  void task_ended(const TaskEnded& end, StageId stage, const Picture& picture) override {
    const Unit unit = unit_of(stage, picture);
    if constexpr (Hears<R, Ended>) ranking_.on(Ended{unit, end});
    if constexpr (R::moves != KeyMoves::not_at_all) rekey(unit, picture);
  }

  void job_ended(JobId job, const Picture&) override {
    regrouped_ = true;
    if (job.index() < on_shelves_.size()) on_shelves_[job.index()] = {};
    if constexpr (TimedRanking<R>) {
      if (ranking_.level == Level::job) changes_.erase(job.value());
    }
  }

  void round_begins(Time now, const Picture& picture) override {
    if constexpr (TimedRanking<R>) {
      while (!changes_.empty() && changes_.top().key <= now) {
        const Unit unit = unit_at(changes_.top().index, picture);
        changes_.pop();
        if constexpr (Hears<R, Changed>) ranking_.on(Changed{unit});
        await_change(unit);
        rekey(unit, picture);
      }
    }
    if constexpr (Hears<R, Regrouped>) {
      if (!std::exchange(regrouped_, false)) return;
      const std::function<void(JobId)> moved = [&](JobId job) { rekey_job(job, picture); };
      ranking_.on(Regrouped{picture.jobs, moved});
    }
  }

  [[nodiscard]] StageId next(const Picture& picture) override {
    const auto place = shelves_.least(
        [&](DemandId demand) {
          return !picture.nodes.has_resources() ||
                 picture.nodes.first_with_room(picture.jobs.demand(demand)).valid();
        },
        [](const PoolKey& key) {
          if constexpr (detail::has_closed<R>) return !(key == R::closed);
          return true;
        });
    return place ? picture.jobs.stage_at(*place) : StageId();
  }

  void set_aside(StageId stage, const Picture& picture) override {
    withdraw(stage, picture);
    aside_.push_back(stage);
  }

  void restore(const Picture& picture) override {
    for (const StageId stage : aside_) take_back(stage, picture);
    aside_.clear();
    for (const StageId stage : resting_) rekey(unit_of(stage, picture), picture);
    resting_.clear();
  }

  // For orders that stand on this one: a stage is passed over beyond the round, until it is taken
  // back.

  void leave_out(StageId stage, const Picture& picture) { withdraw(stage, picture); }
  void take_back(StageId stage, const Picture& picture) {
    if (picture.jobs.runnable(stage) > 0) offer(stage, picture);
  }

  [[nodiscard]] std::optional<Target> target_of(JobId job, const Picture& picture) const override {
    if constexpr (TargetedRanking<R>) return ranking_.target_of(Unit(job, picture));
    return Order::target_of(job, picture);
  }

 private:
  using Key = typename R::Key;
  using PoolKey = typename PoolKeyOf<R>::type;

  [[nodiscard]] Unit unit_of(StageId stage, const Picture& picture) const {
    if (ranking_.level == Level::stage) return {stage, picture};
    return {picture.jobs.catalogue()[stage].job, picture};
  }

  [[nodiscard]] Unit unit_at(std::uint32_t index, const Picture& picture) const {
    if (ranking_.level == Level::stage) return {StageId(index), picture};
    return {JobId(index), picture};
  }

  [[nodiscard]] bool keys_rest() const {
    if constexpr (detail::has_resort_per_task<R>) return !ranking_.resort_per_task;
    return false;
  }

  // A job is on a shelf with the first, of its stages with that demand, that has runnable tasks.

  [[nodiscard]] std::vector<StageId>& on_shelves(JobId job) {
    if (job.index() >= on_shelves_.size()) on_shelves_.resize(job.index() + 1);
    return on_shelves_[job.index()];
  }

  // The stage has runnable tasks, and may be the first.
  void offer(StageId stage, const Picture& picture) {
    const Unit unit = unit_of(stage, picture);
    if (ranking_.level == Level::job) {
      const DemandId demand = picture.jobs.demand(stage).id;
      std::vector<StageId>& firsts = on_shelves(unit.job());
      const auto same = std::ranges::find_if(
          firsts, [&](StageId first) { return picture.jobs.demand(first).id == demand; });
      if (same == firsts.end()) {
        firsts.push_back(stage);
      } else if (picture.jobs.place(stage) < picture.jobs.place(*same)) {
        shelves_.erase(picture.jobs.place(std::exchange(*same, stage)));
      } else {
        return;
      }
    }
    put(stage, unit, ranking_.key(unit), picture);
    move_pool(unit, picture);
  }

  // The stage has none, or is passed over; the next of the job takes its place and key.
  void withdraw(StageId stage, const Picture& picture) {
    const std::uint32_t place = picture.jobs.place(stage);
    if (!shelves_.contains(place)) return;
    const std::uint32_t pool = shelves_.pool_of(place);
    if (ranking_.level == Level::job) replace(stage, unit_of(stage, picture), picture);
    shelves_.erase(place);
    if (!keys_rest()) move_pool(pool, picture);
  }
  void replace(StageId stage, const Unit& job, const Picture& picture) {
    std::vector<StageId>& firsts = on_shelves(job.job());
    const auto place = std::ranges::find(firsts, stage);
    const DemandId demand = picture.jobs.demand(stage).id;
    StageId next = picture.jobs.runnable_after(stage);
    while (next.valid() && picture.jobs.demand(next).id != demand) {
      next = picture.jobs.runnable_after(next);
    }
    if (next.valid()) {
      *place = next;
      put(next, job, Key(shelves_.key_of(picture.jobs.place(stage))), picture);
    } else {
      firsts.erase(place);
    }
  }

  void put(StageId stage, const Unit& unit, Key key, const Picture& picture) {
    std::uint32_t pool = 0;
    if constexpr (PooledRanking<R>) pool = ranking_.pool(unit);
    shelves_.put(picture.jobs.demand(stage).id, pool, picture.jobs.place(stage), std::move(key));
  }
  void move_pool(const Unit& unit, const Picture& picture) {
    if constexpr (PooledRanking<R>) move_pool(ranking_.pool(unit), picture);
  }
  void move_pool([[maybe_unused]] std::uint32_t pool, [[maybe_unused]] const Picture& picture) {
    if constexpr (PooledRanking<R>) {
      shelves_.move_pool(pool, [&](std::uint32_t first) {
        return ranking_.pool_key(unit_of(picture.jobs.stage_at(first), picture));
      });
    }
  }

  void rekey(const Unit& unit, const Picture& picture) {
    if (ranking_.level == Level::stage) {
      rekey(StageId(unit.index()), unit, picture);
    } else {
      for (const StageId stage : on_shelves(unit.job())) rekey(stage, unit, picture);
    }
    move_pool(unit, picture);
  }
  void rekey(StageId stage, const Unit& unit, const Picture& picture) {
    const std::uint32_t place = picture.jobs.place(stage);
    if (!shelves_.contains(place)) return;
    const std::uint32_t pool = shelves_.pool_of(place);
    put(stage, unit, ranking_.key(unit), picture);
    if (shelves_.pool_of(place) != pool) move_pool(pool, picture);
  }

  void enter(Time now, const Unit& unit, const Picture& picture) {
    if (unit.index() >= seen_.size()) seen_.resize(std::size_t{unit.index()} + 1);
    seen_[unit.index()] = true;
    if constexpr (Hears<R, Entered>) {
      const std::function<void(JobId)> moved = [&](JobId job) { rekey_job(job, picture); };
      ranking_.on(Entered{now, unit, moved});
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

  void rekey_job(JobId job, const Picture& picture) {
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
  Shelves<PoolKey, Key> shelves_;                 // stages with runnable tasks
  std::vector<std::vector<StageId>> on_shelves_;  // by job, where jobs are ranked
  std::vector<bool> seen_;
  std::vector<StageId> aside_;    // found no node in this round
  std::vector<StageId> resting_;  // launched tasks in this round, and keep their keys until its end
  // When which unit's key changes by itself.
  [[no_unique_address]] std::conditional_t<TimedRanking<R>, IndexedHeap<Time>, std::monostate>
      changes_;
};

}  // namespace somnus
