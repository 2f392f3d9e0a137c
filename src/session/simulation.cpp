#include "session/simulation.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "runtime/loop.hpp"
#include "runtime/virtual_clock.hpp"
#include "session/compose.hpp"
#include "session/recorder.hpp"
#include "session/tables.hpp"
#include "workers/late_loopback.hpp"
#include "workers/loopback.hpp"

namespace somnus {
namespace {

std::string why_nothing_is_left(const Engine& engine) {
  std::uint32_t lost = 0;
  for (std::uint32_t node = 0; node < engine.nodes().count(); ++node) {
    if (!engine.nodes().up(NodeId(node))) ++lost;
  }
  return fmt::format(
      "nothing can happen any more: {} of {} jobs have not ended, and {} of {} nodes "
      "are lost for good",
      engine.jobs().catalogue().jobs.size() - engine.jobs().ended_jobs(),
      engine.jobs().catalogue().jobs.size(), lost, engine.nodes().count());
}

/// live(clock, transport) is rank 0's life.
template <class Live>
Ending run_nodes(const Settings& settings, const std::optional<LateRanks>& late, Live&& live) {
  const NodeModel model = node_model_of(settings);
  if (late) {
    LateLoopback transport(settings.cluster, model, *late);
    LateClock clock;
    return live(clock, transport);
  }
  NodeSet nodes(settings.cluster, NodeId(0U), settings.cluster.node_count(), model);
  Loopback transport(nodes);
  VirtualClock clock;
  return live(clock, transport);
}

}  // namespace

Simulation simulate_one(const Settings& settings, const Workload& workload,
                        const SimulationOptions& options) {
  Simulation result;
  result.log.header = log_header(settings, workload, "simulate", 1);
  const bool logs = !settings.log.file.empty();
  result.log.tables = initial_tables(settings, workload, 0, logs ? Fluids::run : Fluids::leave_out);
  LogTables& tables = result.log.tables;
  Outputs outputs(settings, result.log.header, tables, options.outputs);

  const std::unique_ptr<Engine> engine =
      engine_of(settings, workload.catalogue, workload.names.queues);
  const std::unique_ptr<Estimator> estimator = estimator_of(settings, workload);
  const bool rows = outputs.log() != nullptr || options.keep_rows;
  Recorder recorder(workload, *engine, tables,
                    {.writer = outputs.log(),
                     .kept = outputs.log() == nullptr && rows ? &result.log : nullptr,
                     .replay = settings.log.replay && outputs.log() != nullptr,
                     .targets = settings.log.targets && outputs.log() != nullptr,
                     .progress = outputs.progress(),
                     .stop = options.stop});
  LoopOptions loop_options = loop_options_of(settings, workload, options.stop);
  if (!rows) loop_options.sample_interval = {};
  const auto live = [&](auto& clock, auto& transport) {
    return Loop(workload, *engine, *estimator, clock, transport, recorder, loop_options).run();
  };

  const auto began = std::chrono::steady_clock::now();
  const Ending ending = run_nodes(settings, options.late, live);
  result.complete = ending != Ending::stopped;
  result.note = note_on_end_of_time(ending, settings, engine->jobs());
  if (ending == Ending::nothing_left) result.note = why_nothing_is_left(*engine);
  result.took_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  recorder.finish();
  if (logs) run_fluids_of_followers(settings.cluster, tables);
  result.log.header.complete = result.complete;
  if (outputs.log() != nullptr) outputs.log()->close(tables, result.complete);
  return result;
}

}  // namespace somnus
