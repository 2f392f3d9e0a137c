#include "session/session.hpp"

#include "session/compose.hpp"
#include "session/tables.hpp"

namespace somnus {
namespace {

Recorder::Options recorder_options(const Settings& settings, const SessionOptions& options,
                                   Outputs& outputs, Log& log) {
  const bool to_file = outputs.log() != nullptr;
  return {.writer = outputs.log(),
          .kept = !to_file && options.keep_rows ? &log : nullptr,
          .replay = settings.log.replay && to_file,
          .targets = settings.log.targets && to_file,
          .measure_latency = options.measure_latency,
          .progress = outputs.progress(),
          .at_samples = options.at_samples,
          .stop = options.stop};
}

}  // namespace

Session::Session(const Settings& settings, const Workload& workload, Log& log,
                 const SessionOptions& options)
    : settings_(settings),
      workload_(workload),
      log_(log),
      outputs_(settings, log.header, log.tables, options.outputs),
      engine_(engine_of(settings, workload.catalogue, workload.names)),
      estimator_(estimator_of(settings, workload)),
      recorder_(workload, *engine_, log.tables, recorder_options(settings, options, outputs_, log)),
      loop_options_(loop_options_of(settings, workload, options.stop)) {
  const bool nobody_sees_samples = writer() == nullptr && !options.keep_rows;
  if (nobody_sees_samples) loop_options_.sample_interval = {};
}

void Session::finish() {
  recorder_.finish();
  if (writer() != nullptr) run_fluids_of_followers(settings_.cluster, log_.tables);
}

}  // namespace somnus
