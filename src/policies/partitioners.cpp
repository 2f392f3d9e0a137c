#include "policies/partitioners.hpp"

#include "scheduler/rows.hpp"

namespace somnus {
namespace {

const Registered<Part> by_size = rows::partitioner<BySize>(
    "by-size", "divisible stages are cut into equal parts of their input", "Spark");
const Registered<Part> by_runtime = rows::partitioner<ByRuntime>(
    "by-runtime", "divisible stages are cut into tasks of about the same run time",
    "UWFQ section IV");

}  // namespace
}  // namespace somnus
