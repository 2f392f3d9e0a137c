// YARN (Yaq, section 2): jobs first come, first served; nodes are filled at their heartbeats.
#include "scheduler/presets.hpp"

namespace somnus {
namespace {

const Registered<Preset> yarn = presets_of::centralized(
    "yarn", "any-free", "none", {}, "YARN: nodes are filled at their heartbeats", "Yaq section 2");
const Registered<Preset> yarn_q = presets_of::centralized(
    "yarn+q", "any-free", "worker",
    {.bound = QueueBound::length, .length = 4, .reorder = Reordering::named("fifo")},
    "YARN with plain queues of 4 tasks at nodes", "Yaq section 1");

}  // namespace
}  // namespace somnus
