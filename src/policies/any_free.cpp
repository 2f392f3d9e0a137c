#include "policies/any_free.hpp"

#include "scheduler/rows.hpp"

namespace somnus {
namespace {

const Registered<Part> any_free =
    rows::placement<AnyFree>("any-free", "the first node with room", "Spark");

}  // namespace
}  // namespace somnus
