// Members of a ranking that would compile and never be called are refused here, in a sentence each.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "scheduler/ranking.hpp"

namespace somnus {

namespace detail {

template <class What>
inline constexpr bool is_event =
    std::is_same_v<What, Configured> || std::is_same_v<What, Submitted> ||
    std::is_same_v<What, Started> || std::is_same_v<What, Ended> || std::is_same_v<What, Changed> ||
    std::is_same_v<What, Passed> || std::is_same_v<What, Regrouped> ||
    std::is_same_v<What, RoundEnded> || std::is_same_v<What, JobEnded>;

/// Can be had for whatever is none of these.
struct NoEvent {
  template <class T>
    requires(!is_event<std::remove_cv_t<T>>)
  operator T&() const;  // NOLINT(google-explicit-constructor)
  template <class T>
    requires(!is_event<std::remove_cv_t<T>>)
  operator T&&() const;  // NOLINT(google-explicit-constructor)
};
struct Anything {
  template <class T>
  operator T&() const;  // NOLINT(google-explicit-constructor)
  template <class T>
  operator T&&() const;  // NOLINT(google-explicit-constructor)
};

/// The ranking's overloads of on() beside one that is worse than any.
struct Fallback {};
template <class R>
struct WithFallback : R {
  WithFallback() = delete;
  using R::on;
  Fallback on(...);
};

/// No overload of on() is for something that never happens: however many there were, the call
/// would be theirs or ambiguous.
template <class R>
concept HandlesNothingElse = !requires(R ranking) { ranking.on(); } &&
                             requires(WithFallback<R>& ranking, NoEvent none, Anything any) {
                               { ranking.on(none) } -> std::same_as<Fallback>;
                               { ranking.on(any, any) } -> std::same_as<Fallback>;
                               { ranking.on(any, any, any) } -> std::same_as<Fallback>;
                             };
/// Nor one that takes an event in a form in which it never comes.
template <class R, class What>
concept HandlesProperly =
    Handles<R, What> || !(
                            requires(R ranking, What& what) { ranking.on(what); } ||
                            requires(R ranking, What&& what) { ranking.on(std::move(what)); });

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
SOMNUS_HAS_MEMBER(waits)
SOMNUS_HAS_MEMBER(tier)
SOMNUS_HAS_MEMBER(traits)
SOMNUS_HAS_MEMBER(config_errors)
SOMNUS_HAS_MEMBER(wakes_at)
SOMNUS_HAS_MEMBER(promises)
SOMNUS_HAS_MEMBER(holds_back)
#undef SOMNUS_HAS_MEMBER

template <class R>
consteval bool handles_events_only() {
  if constexpr (has_on<R>) {
    return HandlesNothingElse<R> && HandlesProperly<R, Configured> &&
           HandlesProperly<R, Submitted> && HandlesProperly<R, Started> &&
           HandlesProperly<R, Ended> && HandlesProperly<R, Changed> && HandlesProperly<R, Passed> &&
           HandlesProperly<R, Regrouped> && HandlesProperly<R, RoundEnded> &&
           HandlesProperly<R, JobEnded>;
  }
  return true;
}

}  // namespace detail

/// Refuses, in a sentence, what would compile and never be called.
template <Ranking R>
consteval void expect_all_hooks_are_known() {
  constexpr bool handles = Handles<R, Configured> || Handles<R, Submitted> || Handles<R, Started> ||
                           Handles<R, Ended> || Handles<R, Changed> || Handles<R, Passed> ||
                           Handles<R, Regrouped> || Handles<R, RoundEnded> || Handles<R, JobEnded>;
  static_assert(
      detail::handles_events_only<R>(),
      "each on() of a ranking takes one of Configured, Submitted, Started, Ended, Changed, Passed, "
      "Regrouped, RoundEnded and JobEnded by const reference, and nothing else");
  static_assert(handles || std::is_trivially_copyable_v<R>,
                "this ranking keeps a state and handles no event: is its on() misspelt?");
  static_assert(Handles<R, Changed> == detail::has_changes_at<R>,
                "a ranking has both changes_at() and on(const Changed&), or neither");
  static_assert(TimedRanking<R> == detail::has_changes_at<R>,
                "changes_at() of a ranking is `Time changes_at(const Unit&) const`");
  static_assert(PooledRanking<R> == (detail::has_pool<R> || detail::has_pool_key<R>),
                "a ranking of pools has PoolKey, `std::uint32_t pool(const Unit&) const` and "
                "`PoolKey pool_key(const Unit&) const`");
  static_assert(TargetedRanking<R> == detail::has_target_of<R>,
                "target_of() of a ranking is `std::optional<Target> target_of(const Unit&) const`");
  static_assert(WaitingRanking<R> == detail::has_waits<R>,
                "waits() of a ranking is `bool waits(const Key&) const`");
  static_assert(!detail::has_waits<R> || !PooledRanking<R>, "a ranking with waits() has no pools");
  static_assert((R::moves == KeyMoves::when_tasks_start_or_end) == detail::has_resort_per_task<R>,
                "a ranking has resort_per_task exactly if tasks' starts move its keys");
  static_assert(
      !detail::has_traits<R> || requires(const R ranking) {
        { ranking.traits() } -> std::same_as<OrderTraits>;
      }, "traits() of a ranking is `OrderTraits traits() const`");
  static_assert(
      !detail::has_config_errors<R> ||
          requires(const R ranking, const Environment& environment) {
            { ranking.config_errors(environment) } -> std::same_as<std::vector<ConfigError>>;
          },
      "config_errors() of a ranking is `std::vector<ConfigError> config_errors(const Environment&) "
      "const`");
  static_assert(TieredRanking<R> == detail::has_tier<R>,
                "tier() of a ranking is `std::uint32_t tier(const Unit&) const`");
  static_assert(WakingRanking<R> == detail::has_wakes_at<R>,
                "wakes_at() of a ranking is `Time wakes_at() const`");
  static_assert(!detail::has_promises<R> && !detail::has_holds_back<R>,
                "promises() and holds_back() are an Order's; nobody asks a ranking");
}

}  // namespace somnus
