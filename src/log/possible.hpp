// Whether the numbers of a log's tables are possible: checked before they are used.
#pragma once

#include <string>

#include "log/log.hpp"

namespace somnus {

/// The first number of /jobs, /stages, /users, /nodes, /tasks, /samples, /targets, /instants,
/// /ranks and /resumes, and of the header, that no run can have logged, as "/jobs row 7: weight -1,
/// expected 0.001 to 1000"; empty if all can be. Times that are no further from the run's start
/// than they may be can be added and subtracted a few times as a Duration.
[[nodiscard]] std::string number_error(const Log& log);

}  // namespace somnus
