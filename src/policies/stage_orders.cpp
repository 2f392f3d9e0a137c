#include "policies/stage_orders.hpp"

#include "scheduler/rows.hpp"

namespace somnus {
namespace {

const Registered<Part> as_numbered =
    rows::within<void>("as-numbered", "stages in the order of their numbers", "Spark");
const Registered<Part> breadth_first =
    rows::within<BreadthFirst>("breadth-first", "stages by their level in the job's graph", "Tez");
const Registered<Part> critical_path = rows::within<CriticalPath>(
    "critical-path", "the stage that the longest way to the end begins with", "Carbyne section 2");

}  // namespace
}  // namespace somnus
