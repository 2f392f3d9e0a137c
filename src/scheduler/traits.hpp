// What parts of a scheduler state about themselves, so that no other code has to know them by name:
// the config asks which parts go together, audits ask what must hold. Each part says what differs
// from these defaults. (A feedback's are in src/scheduler.)
#pragma once

#include <optional>
#include <utility>

#include "base/describe.hpp"

namespace somnus {

/// The fluids of which a log has each job's end (src/fluid).
enum class Fluid { gps, ujf };
template <>
struct EnumNames<Fluid> {
  static constexpr std::pair<Fluid, const char*> names[] = {{Fluid::gps, "GPS"},
                                                            {Fluid::ujf, "UJF"}};
};

/// What bounds are made of: the longest task, the largest job's slot-time, all slots.
struct BoundTerms {
  double longest_task_s;
  double largest_job_s;
  double slots;
};

/// How much later than in a fluid a job may end, where jobs have one stage, estimates are exact,
/// all is reported to the scheduler at once and nodes are alike and never fail.
struct FluidBound {
  Fluid fluid = Fluid::gps;
  double (*allowed_s)(const BoundTerms&) = nullptr;
  const char* formula = "";  // the same in words
  const char* source = "";   // paper's theorem
  bool any_weights = true;   // else where all jobs weigh the same
  bool always_kept = true;   // else its paper claims it and is not always kept: noted, not asserted
};

/// Of an order.
struct OrderTraits {
  std::optional<FluidBound> bound{};
  bool work_conserving = true;    // never passes over all that could run
  bool counts_slots = false;      // of no use where there are none
  bool draws = false;             // at random, by the run's seed
  bool own_estimates = false;     // reads the estimate of each ended task by itself
  bool needs_limits = false;      // each job has to have one
  bool has_tiers = false;         // says who may take whose slots
  const char* tiers_by = "";      // if not: the parameter by which it would
  bool preempts = false;          // takes others' slots by itself, without scheduler.preemption
  bool suspends = false;          // and those go on from where they stopped
  bool by_single_tasks = false;   // lets jobs have so much and no more, which a gang would exceed
  const char* on_resources = "";  // what its name does not say of it where resources count
};

/// Of a placement.
struct PlacementTraits {
  bool places_gangs = false;   // else it knows tasks one by one only
  bool heeds_demands = false;  // else it counts slots, and is of no use where resources rule
  bool asks_nodes = false;     // places on those that it has asked, full or not, at any time
  bool reserves = false;       // nodes hold places for tasks that come later
  bool same_view = false;      // decides for all jobs at once, so their managers must see the same
  bool by_order = true;        // else some tasks go before those that the order would take
  bool draws = false;          // at random, by the run's seed
  bool finds_any_slot = true;  // else a round may leave a slot free while a task waits
};

/// Of a whole policy: what it says in the place of an order and of a placement.
struct PolicyTraits {
  OrderTraits order{};
  PlacementTraits placement{};
};

/// Of what cuts divisible stages.
struct PartitionerTraits {
  bool needs_estimates = false;  // of a stage's work, before it is cut
  bool counts_slots = false;     // of no use where there are none
};

}  // namespace somnus
