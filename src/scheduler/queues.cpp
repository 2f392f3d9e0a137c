#include "queueing/reordered_queue.hpp"
#include "scheduler/rows.hpp"

namespace somnus {
namespace {

// What nodes do with tasks that they cannot start: see queueing/reordered_queue.hpp.
const Registered<Part> no_queue =
    rows::queue<void>("none", "a node holds no task that it can't start", "Spark");
const Registered<Part> worker_queue = rows::queue<ReorderedQueue>(
    "worker", "each node has a queue, by the rules of [queue]", "Yaq section 3");

}  // namespace
}  // namespace somnus
