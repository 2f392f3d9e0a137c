// Yaq (sections 2.4 and 2.5): short queues at nodes, the shortest remaining job first in them;
// placed by one manager of all jobs (yaq-c) or by one for each (yaq-d).
#include "scheduler/presets.hpp"

namespace somnus {
namespace {

const Registered<Preset> yaq_c = presets_of::centralized(
    "yaq-c", "queue-wait", "worker",
    {.bound = QueueBound::length, .length = 4, .reorder = Reordering::named("srjf")},
    "YARN with short queues at nodes, the shortest remaining job first in them", "Yaq section 2.4");
const Registered<Preset> yaq_d = presets_of::distributed(
    "yaq-d", "queue-wait", "monitor",
    {.reorder = Reordering::named("srjf"),
     .starvation_s = 10,
     .rebalance = Rebalance::wait,
     .rebalance_low = 0.5,
     .rebalance_high = infinity},
    "each job places by estimated waits; queues are reordered and rebalanced", "Yaq section 2.5");

}  // namespace
}  // namespace somnus
