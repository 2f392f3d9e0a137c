// What happens when the order's next one does not fit (policies.md 9.3).
//
// first-fit     others start before it: what is wide may starve. Needs no limits.
// none          nobody starts before it: with fifo that is FCFS.
// easy          The first `heads` that do not fit have a reservation each: the earliest time at
//               which there are slots for it, if jobs run up to their limits. Others start before
//               them if that delays no reservation: they end before it, or use slots that it
//               leaves. Reservations are made anew in each round, so with one head it starts
//               no later than any round said. (Lifka, The ANL/IBM SP scheduling system, 1995; with
//               several heads Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, and Maui.) With
//               `shortest_first` others are tried by limit, the shortest first: EASY-SJBF
//               (Tsafrir, Etsion and Feitelson, IEEE TPDS 18(6), 2007).
// conservative  Each that does not fit has a reservation, and keeps it or gets an earlier one: in
//               each round, in order, each is taken out and put back as early as all others let
//               it be. (Mu'alem and Feitelson, the same.)
// slurm         As the scheduler of that name does: up to the first that does not fit in each
//               round, and backfill in cycles, with reservations that keep whole nodes
//               (policies.md 9.4).
//
// A unit is a gang, or a single task of any other stage. Limits: how long a job may run from the
// launch of its first task; what it starts later counts with what is left of that.
#pragma once

#include <cstdint>
#include <memory>

#include "base/describe.hpp"
#include "scheduler/backfill.hpp"
#include "scheduler/environment.hpp"
#include "scheduler/node_reserving_backfill.hpp"
#include "scheduler/reserving_backfill.hpp"
#include "scheduler/slurm_backfill.hpp"
#include "scheduler/unplanned_backfill.hpp"

namespace somnus {

struct FirstFit {
  static constexpr BackfillTraits traits{};
  static constexpr auto fields() { return in_order(); }
  [[nodiscard]] static std::unique_ptr<Backfill> made(const Environment&) { return nullptr; }
};

struct NoBackfill {
  static constexpr BackfillTraits traits{};
  static constexpr auto fields() { return in_order(); }
  [[nodiscard]] static std::unique_ptr<Backfill> made(const Environment&) {
    return std::make_unique<Unplanned>(Unplanned::Next::is_waited_for);
  }
};

/// Of slots, or of nodes where it matters which have room.
[[nodiscard]] inline std::unique_ptr<Backfill> with_reservations(const ReservationRules& rules,
                                                                 const Environment& environment) {
  const bool all_slots_are_alike =
      environment.cluster.resources.empty() && !environment.whole_nodes;
  if (all_slots_are_alike) return std::make_unique<ReservingBackfill>(rules);
  return std::make_unique<NodeReservingBackfill>(rules);
}

struct Easy {
  std::uint32_t heads = 1;
  bool shortest_first = false;

  static constexpr BackfillTraits traits{.needs_limits = true};
  static constexpr auto fields() {
    return in_order(field("heads", &Easy::heads, "1", "so many that do not fit have a reservation",
                          Range{.low = 1, .high = 1e6}),
                    field("shortest_first", &Easy::shortest_first, "",
                          "true: others are tried by limit, the shortest first (EASY-SJBF)"));
  }
  [[nodiscard]] std::unique_ptr<Backfill> made(const Environment& environment) const {
    return with_reservations({.most = heads, .kept = false, .shortest_first = shortest_first},
                             environment);
  }
};

struct Conservative {
  static constexpr BackfillTraits traits{.needs_limits = true};
  static constexpr auto fields() { return in_order(); }
  [[nodiscard]] static std::unique_ptr<Backfill> made(const Environment& environment) {
    return with_reservations({}, environment);
  }
};

struct SlurmCycles : SlurmRules {
  static constexpr BackfillTraits traits{
      .needs_limits = true, .counts_slots = true, .keeps_word = false};
  [[nodiscard]] std::unique_ptr<Backfill> made(const Environment&) const {
    return std::make_unique<SlurmBackfill>(*this);
  }
};

}  // namespace somnus
