// Orders of batch systems, for rigid jobs: by the time limit r that a job asked for [s], its width
// n [slots], when it was submitted s [s] and how long it has waited w [s] (policies.md 9.3). None
// preempts; with scheduler.backfill = "easy" they say who is the head.
//
// shortest-limit  r: as EASY-SJBF tries others (easy.shortest_first), here of the head as well.
//                 (Tsafrir, Etsion and Feitelson, Backfilling using system-generated predictions,
//                 IEEE TPDS 18(6), 2007; the simplest of its kind.)
// wfp3            (w / r)^3 n, the most first: short ones gain as they wait, wide ones are not left
//                 behind. (Tang, Lan, Desai and Buettner, Fault-aware, utility-based job scheduling
//                 on Blue Gene/P, Cluster 2009.)
// unicef          w / (log2(n) r), the most first; of a job of one slot, as if log2(n) were next to
//                 nothing: it goes first. (The same authors.)
// f1              log10(r) n + 870 log10(s), the least first: fitted to simulations of what starts
//                 early and slows others least. s counts from the run's start. (Carastan-Santos and
//                 de Camargo, Obtaining dynamic scheduling policies with simulation and machine
//                 learning, SC 2017.)
//
// A logarithm's argument is at least 1.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "scheduler/ranking.hpp"
#include "scheduler/traits.hpp"

namespace somnus {

struct ShortestLimit {
  static constexpr Level level = Level::job;
  static constexpr auto fields() { return in_order(); }
  [[nodiscard]] static OrderTraits traits() { return {.needs_limits = true}; }

  using Key = Duration;
  static constexpr KeyMoves moves = KeyMoves::not_at_all;
  [[nodiscard]] static Key key(const Unit& job) { return job.limit(); }
};
static_assert(Ranking<ShortestLimit>);

/// Of how long each has waited by now.
struct ByWait {
  static constexpr Level level = Level::job;
  static constexpr auto fields() { return in_order(); }
  [[nodiscard]] static OrderTraits traits() { return {.needs_limits = true}; }

  using Key = double;
  static constexpr KeyMoves moves = KeyMoves::not_at_all;
  void on(const Passed& passed) { now_ = passed.now; }

 protected:
  /// s.
  [[nodiscard]] double waited(const Unit& job) const {
    return in_seconds(std::max(now_ - job.arrival(), Duration::zero()));
  }
  [[nodiscard]] static double limit(const Unit& job) { return in_seconds(job.limit()); }

 private:
  Time now_;
};

struct Wfp3 : ByWait {
  [[nodiscard]] Key key(const Unit& job) const {
    return -std::pow(waited(job) / limit(job), 3) * job.width();
  }
};
static_assert(Ranking<Wfp3>);

struct Unicef : ByWait {
  [[nodiscard]] Key key(const Unit& job) const {
    const double narrow = std::max(std::log2(job.width()), std::numeric_limits<double>::min());
    return -waited(job) / (narrow * limit(job));
  }
};
static_assert(Ranking<Unicef>);

struct F1 {
  static constexpr Level level = Level::job;
  static constexpr auto fields() { return in_order(); }
  [[nodiscard]] static OrderTraits traits() { return {.needs_limits = true}; }

  using Key = double;
  static constexpr KeyMoves moves = KeyMoves::not_at_all;
  [[nodiscard]] static Key key(const Unit& job) {
    const auto log10_of = [](double value) { return std::log10(std::max(value, 1.0)); };
    return log10_of(in_seconds(job.limit())) * job.width() +
           870 * log10_of(in_seconds(job.arrival()));
  }
};
static_assert(Ranking<F1>);

}  // namespace somnus
