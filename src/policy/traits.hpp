// What parts of a scheduler say of themselves, so that nobody else has to know them by name: config
// asks what goes together, audits ask what must hold. Each part says what differs from these
// defaults. (A feedback's are in src/knowledge.)
#pragma once

namespace somnus {

/// A fluid behind which no job ends by more than 2 l_max + L_max / M, if estimates are exact.
enum class FluidBound {
  none,
  gps,        // kept (CFQ, Theorem 1)
  ujf_noted,  // claimed by its paper and not always kept: noted, not asserted (UWFQ, corollary A.5)
};

/// Of an order.
struct OrderTraits {
  FluidBound bound = FluidBound::none;
  bool work_conserving = true;  // never passes over all that could run
};

/// Of a placement.
struct PlacementTraits {
  bool heeds_demands = false;  // else it counts slots, and is of no use where resources rule
  bool asks_nodes = false;     // places on those that it has asked, full or not, at any time
  bool reserves = false;       // nodes hold places for tasks that come later
};

/// Of what nodes do with tasks that they cannot start.
struct QueueTraits {
  bool holds_tasks = false;
};

/// Of what cuts divisible stages.
struct PartitionerTraits {
  bool needs_estimates = false;  // of a stage's work, before it is cut
};

}  // namespace somnus
