// What `scheduler.preemption` may say (scheduler/preemptor.hpp has the rules).
#pragma once

#include <memory>

#include "scheduler/preemptor.hpp"

namespace somnus {

/// Who runs, runs to its end.
struct NoPreemption {
  static constexpr WorkDone done = WorkDone::lost;
  [[nodiscard]] static std::unique_ptr<Preemptor> made() { return nullptr; }
};

template <WorkDone what>
struct GivesUpSlots {
  static constexpr WorkDone done = what;
  [[nodiscard]] static std::unique_ptr<Preemptor> made() {
    return std::make_unique<Preemptor>(what);
  }
};

/// Who has to give up its slots starts again later, from its beginning.
using Requeue = GivesUpSlots<WorkDone::lost>;

/// Who has to give up its slots goes on later from where it stopped, on any nodes.
using Suspend = GivesUpSlots<WorkDone::kept>;

}  // namespace somnus
