#include "policies/random_placement.hpp"

#include "scheduler/rows.hpp"

namespace somnus {
namespace {

const Registered<Part> random_placement = rows::placement<RandomPlacement>(
    "random", "a random free slot, or else a random node with room", "Yaq section 6.5.2");

}  // namespace
}  // namespace somnus
