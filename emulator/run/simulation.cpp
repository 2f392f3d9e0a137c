#include "emulator/run/simulation.hpp"

#include <chrono>
#include <memory>
#include <optional>

#include "emulator/compose/compose.hpp"
#include "emulator/run/recorder.hpp"
#include "emulator/run/tables.hpp"
#include "record/writer.hpp"
#include "runtime/loop.hpp"
#include "runtime/virtual_clock.hpp"
#include "workers/loopback.hpp"

namespace somnus {

Simulation simulate_one(const Settings& settings, const Workload& workload,
                        const SimulationOptions& options) {
  Simulation result;
  result.log.header = log_header(settings, workload, "simulate", 1);
  result.log.tables = initial_tables(settings, workload, 0);
  LogTables& tables = result.log.tables;

  std::unique_ptr<LogWriter> writer;
  if (!settings.log.file.empty()) {
    writer = std::make_unique<LogWriter>(settings.log.file, result.log.header, tables,
                                         log_options_of(settings, options.replace_log));
  }
  const Time until = settings.run.until_s > 0 ? at_seconds(settings.run.until_s) : never;
  std::optional<Progress> progress;
  if (options.show_progress) {
    progress.emplace(settings.scheduler.order, settings.cluster.slot_count(), until);
  }

  const std::unique_ptr<Engine> engine =
      engine_of(settings, workload.catalogue, workload.names.queues);
  const std::unique_ptr<Estimator> estimator = estimator_of(settings, workload);
  NodeSet nodes(settings.cluster, NodeId(0U), settings.cluster.node_count(),
                node_model_of(settings));
  Loopback transport(nodes);
  VirtualClock clock;
  const bool rows = writer != nullptr || options.keep_rows;
  Recorder recorder(workload, *engine, tables,
                    {.writer = writer.get(),
                     .kept = writer == nullptr && rows ? &result.log : nullptr,
                     .replay = settings.log.replay && writer != nullptr,
                     .progress = progress ? &*progress : nullptr,
                     .stop = options.stop});
  Loop loop(workload, *engine, *estimator, clock, transport, recorder,
            LoopOptions{.until = until,
                        .sample_interval = rows ? sample_interval(settings, workload) : Duration{},
                        .even_samples = even_samples(settings),
                        .stop = options.stop,
                        .job_managers = settings.job_manager,
                        .seed = settings.run.seed});

  const auto began = std::chrono::steady_clock::now();
  result.complete = loop.run() != Ending::stopped;
  result.took_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  recorder.finish();
  run_fluids_of_followers(settings.cluster, tables);
  result.log.header.complete = result.complete;
  if (writer != nullptr) writer->close(tables, result.complete);
  return result;
}

}  // namespace somnus
