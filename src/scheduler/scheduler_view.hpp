// What parts of a scheduler see when they are called: what the scheduler knows, no more. No task's
// true duration is in it.
#pragma once

#include "scheduler/jobs_view.hpp"
#include "scheduler/node_view.hpp"

namespace somnus {

/// What the scheduler knows at this instant: jobs that have arrived, and of nodes what the
/// feedback lets their users see.
struct SchedulerView {
  JobsView jobs;
  const NodeView& nodes;
};

}  // namespace somnus
