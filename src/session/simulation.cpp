#include "session/simulation.hpp"

#include <fmt/format.h>

#include <chrono>
#include <future>
#include <optional>
#include <utility>

#include "runtime/virtual_clock.hpp"
#include "session/compose.hpp"
#include "session/fluid_ends.hpp"
#include "session/session.hpp"
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
  const std::string jobs =
      fmt::format("nothing can happen any more: {} of {} jobs have not ended",
                  engine.jobs().catalogue().jobs.size() - engine.jobs().ended_jobs(),
                  engine.jobs().catalogue().jobs.size());
  if (lost == 0) return jobs + ", and the scheduler starts none of their tasks";
  return fmt::format("{}, and {} of {} nodes are lost for good", jobs, lost,
                     engine.nodes().count());
}

/// run(clock, transport) runs rank 0's loop.
template <class Run>
Ending run_nodes(const Settings& settings, const std::optional<LateRanks>& late, Run&& run) {
  const NodeModel model = node_model_of(settings);
  if (late) {
    LateLoopback transport(settings.cluster, model, *late);
    LateClock clock;
    return run(clock, transport);
  }
  NodeSet nodes(settings.cluster, NodeId(0U), settings.cluster.node_count(), model);
  Loopback transport(nodes);
  VirtualClock clock;
  return run(clock, transport);
}

}  // namespace

std::string note_on_end(Ending ending, const Settings& settings, const Engine& engine) {
  if (ending == Ending::nothing_left) return why_nothing_is_left(engine);
  return note_on_end_of_time(ending, settings, engine.jobs());
}

Simulation simulate_one(const Settings& settings, const Workload& workload,
                        const SimulationOptions& options) {
  Simulation result;
  result.log.header = log_header(settings, workload, "simulate", 1);
  const bool logs = !settings.log.file.empty();
  result.log.tables = initial_tables(settings, workload, 0, Fluids::leave_out);
  std::future<FluidEnds> fluids;
  if (logs && !some_job_follows(result.log.tables)) {
    fluids = std::async([ends = FluidEnds(settings.cluster, result.log.tables)]() mutable {
      ends.work_out();
      return std::move(ends);
    });
  }
  Session session(
      settings, workload, result.log,
      {.outputs = options.outputs, .keep_rows = options.keep_rows, .stop = options.stop});
  const auto run = [&](auto& clock, auto& transport) {
    return session.loop(clock, transport).run();
  };

  const auto began = std::chrono::steady_clock::now();
  const Ending ending = run_nodes(settings, options.late, run);
  result.complete = ending != Ending::stopped;
  result.note = note_on_end(ending, settings, session.engine());
  result.took_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  session.finish();
  if (fluids.valid()) fluids.get().add_to(result.log.tables);
  result.log.header.complete = result.complete;
  if (logs) session.writer()->close(result.log.tables, result.complete);
  return result;
}

}  // namespace somnus
