// Lives through the past of a run again: scheduler, estimator and recorder come to know all that
// they knew when it was cut off, and the recorder writes a log that begins with the same rows.
#pragma once

#include "config/settings.hpp"
#include "emulator/run/past.hpp"
#include "emulator/run/recorder.hpp"
#include "engine/engine.hpp"
#include "estimate/estimator.hpp"
#include "model/workload.hpp"
#include "runtime/resumption.hpp"

namespace somnus {

/// All three are as new; the workload must outlive what is returned. A past that the scheduler
/// can't have lived through, which replay_log() would have told, is a Bug.
[[nodiscard]] Resumption relive(const Past& past, const Settings& settings,
                                const Workload& workload, Engine& engine, Estimator& estimator,
                                Recorder& recorder);

}  // namespace somnus
