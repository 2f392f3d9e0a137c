// Replays the history of a run: scheduler, estimator and recorder get the state that they had when
// it was cut off, and the recorder writes a log that begins with the same rows.
#pragma once

#include "config/settings.hpp"
#include "model/workload.hpp"
#include "runtime/resumption.hpp"
#include "scheduler/engine.hpp"
#include "scheduler/estimator.hpp"
#include "session/recorder.hpp"
#include "session/run_history.hpp"

namespace somnus {

/// All three are as new; the workload must outlive what is returned. A history that the scheduler
/// can't have had, which replay_log() would have found, is a Bug.
[[nodiscard]] Resumption recover_state(const RunHistory& history, const Settings& settings,
                                       const Workload& workload, Engine& engine,
                                       Estimator& estimator, Recorder& recorder);

}  // namespace somnus
