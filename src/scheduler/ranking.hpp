// What most published orders are: a ranking, which gives each unit a key, the least first, and says
// which events move its keys. A ranking may have pools, such as users: then the least pool's least
// unit goes first. The rest is done by `Ranked` (ranked.hpp).
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>

#include "base/error.hpp"
#include "base/time.hpp"
#include "model/task_event.hpp"
#include "scheduler/environment.hpp"
#include "scheduler/target.hpp"
#include "scheduler/traits.hpp"
#include "scheduler/unit.hpp"

namespace somnus {

/// Which events change the key of the unit that they happen to.
enum class KeyMoves { not_at_all, when_tasks_end, when_tasks_start_or_end };

// The events of a ranking. It has an overload of on() for each that concerns it.

/// The parameters are set: on() prepares the ranking for its environment.
struct Configured {
  const Environment& environment;
};
/// The unit has been submitted: a job arrived, a stage became ready. `moved` is to be called for
/// other jobs whose keys changed thereby.
struct Submitted {
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

  /// What was estimated of just this task; of a ranking whose traits ask for `own_estimates`.
  [[nodiscard]] Duration own() const {
    SOMNUS_CHECK(end.own.known(),
                 "the order reads estimates of single tasks; its traits do not ask for them");
    return seconds(end.own.seconds);
  }
};
/// The time has come that changes_at() said; the key is asked for after this.
struct Changed {
  const Unit& unit;
};
/// A round begins, and time has passed: all keys are asked for after this, O(n log n) in the units
/// that wait. If its on() returns false, only those of the jobs for which it has called `moved`.
struct Passed {
  Time now;
  const std::function<void(JobId)>& moved;
};
/// A round begins, and jobs have arrived or ended since the one before. `moved` is to be called for
/// jobs whose keys changed thereby.
struct Regrouped {
  JobsView jobs;
  const std::function<void(JobId)>& moved;
};
/// A round is over, and all that it launches has been told.
struct RoundEnded {};
/// The job has ended or failed: none of its units comes back.
struct JobEnded {
  Time now;
  JobId job;
};

template <class R, class What>
concept Handles = requires(R ranking, const What& what) { ranking.on(what); };

/// A copyable value with
///   Key              ordered by <, the least is served first
///   level            whether it ranks jobs or stages
///   key(unit)        the unit's key now
///   moves            which events change it
/// and, where it needs them,
///   on(...)          for each event that it gets: Configured, Submitted, Started, Ended,
///                    Changed, Passed, Regrouped, RoundEnded, JobEnded
///   resort_per_task  if false, keys rest while a round lasts; where tasks' starts move keys
///   config_errors(environment)   what of its parameters can't be meant there
///   traits()         what it promises (traits.hpp)
///   tier(unit)       its tier, the first part of its key: it may take the slots of those that run
///                    in a later one
///   wakes_at()       when keys move next by themselves: a round is to begin then, if anything
///   waits waits(key)       that units with this key, and all after it, are not served for now
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
/// comes after all others, the pool may have no more for now. moved(job) also says that the job's
/// units are in another pool now.
template <class R>
concept PooledRanking = Ranking<R> && requires(const R ranking, const Unit& unit) {
  typename R::PoolKey;
  { ranking.pool(unit) } -> std::same_as<std::uint32_t>;
  { ranking.pool_key(unit) } -> std::convertible_to<typename R::PoolKey>;
};

/// Keys that change as time passes: changes_at() says when the unit's next does (`never`: not any
/// more), asked when it enters and after each change, which the ranking gets as Changed.
template <class R>
concept TimedRanking = Ranking<R> && requires(const R ranking, const Unit& unit) {
  { ranking.changes_at(unit) } -> std::same_as<Time>;
};

/// A ranking that says what it means each active job to have, whether it ranks jobs or stages.
template <class R>
concept TargetedRanking = Ranking<R> && requires(const R ranking, const Unit& job) {
  { ranking.target_of(job) } -> std::same_as<std::optional<Target>>;
};

/// A ranking some of whose units are not served for now, those with the last keys: waits(key). One
/// without pools whose keys don't rest while a round lasts.
template <class R>
concept WaitingRanking = Ranking<R> && requires(const R ranking, const typename R::Key& key) {
  { ranking.waits(key) } -> std::same_as<bool>;
};

/// A ranking that has tiers; the first is 0.
template <class R>
concept TieredRanking = Ranking<R> && requires(const R ranking, const Unit& unit) {
  { ranking.tier(unit) } -> std::same_as<std::uint32_t>;
};

/// A ranking whose keys move by themselves at times that it knows: a round is to begin then, if
/// anything waits.
template <class R>
concept WakingRanking = Ranking<R> && requires(const R ranking) {
  { ranking.wakes_at() } -> std::same_as<Time>;
};

}  // namespace somnus
