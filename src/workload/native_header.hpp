// The first line of a native workload file, which says what is true of all its jobs.
#pragma once

#include "model/workload.hpp"
#include "text/json_line.hpp"

namespace somnus {

/// A workload without jobs. What is wrong is noted at the line.
[[nodiscard]] WorkloadSpec read_native_header(simdjson::dom::object object, JsonLine& line);

}  // namespace somnus
