// What `scheduler.preemption` may say (scheduler/preemptor.hpp has the rules).
#pragma once

#include <memory>

#include "scheduler/preemptor.hpp"

namespace somnus {

/// Who runs, runs to its end.
struct NoPreemption {
  [[nodiscard]] static std::unique_ptr<Preemptor> made() { return nullptr; }
};

/// Who has to give up its slots starts again later, from its beginning.
struct Requeue {
  [[nodiscard]] static std::unique_ptr<Preemptor> made() { return std::make_unique<Preemptor>(); }
};

}  // namespace somnus
