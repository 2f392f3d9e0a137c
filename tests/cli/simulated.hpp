// Logs as `simulate` would write them, of forty small jobs on six slots.
#pragma once

#include <string>

#include "base/random.hpp"
#include "config/config.hpp"
#include "runtime/loop.hpp"
#include "runtime/virtual_clock.hpp"
#include "session/compose.hpp"
#include "session/recorder.hpp"
#include "session/tables.hpp"
#include "workers/loopback.hpp"

namespace somnus {

/// Whether every fourth of the jobs comes only when the one before it has ended.
enum class Arriving : std::uint8_t { by_submit, some_follow };

/// Forty jobs of one to three stages; every third job's last stage waits for both others. Tasks
/// demand up to half of a node of packing_config(), where resources are of interest.
inline Workload workload(std::uint64_t seed, const std::vector<std::string>& resources = {},
                         Arriving arriving = Arriving::by_submit) {
  RandomStream draw(seed, "workload");
  RandomStream demands(seed, "demands");
  WorkloadSpec spec{.name = "forty", .resources = resources};
  for (int at = 0; at < 40; ++at) {
    JobSpec job{.job = fmt::format("j{}", at),
                .user = fmt::format("u{}", at % 3),
                .queue = at % 3 == 0 ? "A" : "B",
                .app = fmt::format("a{}", at % 5),
                .submit = 0.5 * (at / 2)};
    if (arriving == Arriving::some_follow && at % 4 == 3) {
      job.after = spec.jobs.back().job;
      job.think = 0.25;
    }
    for (std::uint32_t stage = 0; stage <= static_cast<std::uint32_t>(at % 3); ++stage) {
      StageSpec one{.stage = 10 + stage};
      if (stage == 2) one.parents = {10, 11};
      const double tasks = draw.uniform(1, 9);
      for (int task = 0; task < tasks; ++task) one.durations.push_back(draw.uniform(0, 4));
      for (std::size_t kind = 0; kind < resources.size(); ++kind) {
        one.demand.push_back(demands.uniform(0, 4));
      }
      job.stages.push_back(std::move(one));
    }
    spec.jobs.push_back(std::move(job));
  }
  return assemble(spec, 1);
}

inline std::string config(const std::string& policy, const std::string& more) {
  return "[cluster]\nnodes = 3\nslots_per_node = 2\n[scheduler]\npolicy = \"" + policy + "\"\n" +
         more + "\n[workload]\nfile = \"forty.jsonl\"\n";
}

inline std::string packing_config(const std::string& more, const std::string& policy = "tetris") {
  return "[cluster]\nnodes = 3\nresources = { cpu = 8, mem_gb = 8 }\n[scheduler]\n"
         "policy = \"" +
         policy + "\"\n" + more + "\n[workload]\nfile = \"forty.jsonl\"\n";
}

// What may go wrong while they run, and what else makes logs differ.
inline constexpr const char* reported_faults =
    "[faults]\nnode_mtbf_s = 9\nnode_repair_s = 2\nstraggler_probability = 0.1\n"
    "task_failure_probability = 0.2";
inline constexpr const char* silent_faults =
    "[faults]\nnode_mtbf_s = 9\nnode_repair_s = 2\ncut_off_share = 0.4\nmissed_heartbeats = 3\n"
    "heartbeat_loss_probability = 0.1\n[heartbeat]\ninterval_s = 0.3\n[network]\ndelay_ms = 20";
inline constexpr const char* backups =
    "[faults]\nnode_mtbf_s = 9\nnode_repair_s = 2\nstraggler_probability = 0.3\n"
    "straggler_factor = 5\ntask_failure_probability = 0.1\n[network]\ndelay_ms = 20\n"
    "[speculation]\nslowdown = 1.2\nquantile = 0.25\nleast_s = 0";
inline constexpr const char* warm =
    "[jvm]\nmodel = \"reuse\"\nfactor = 3\n[estimate]\nmodel = \"naive\"";

inline LoopOptions every_second(const Settings& settings) {
  return {.until = end_of(settings),
          .sample_interval = seconds(1),
          .job_managers = settings.job_manager,
          .silence = silence_of(settings),
          .seed = settings.run.seed};
}

/// What `simulate` would log.
inline Log simulated(const Settings& settings, const Workload& work) {
  Log log;
  log.header = log_header(settings, work, "simulate", 1);
  log.tables = initial_tables(settings, work, 0);
  const auto engine = engine_of(settings, work.catalogue, work.names);
  const auto estimator = estimator_of(settings, work);
  NodeSet nodes(settings.cluster, NodeId(0U), settings.cluster.node_count(),
                node_model_of(settings));
  Loopback transport(nodes);
  VirtualClock clock;
  Recorder recorder(work, *engine, log.tables, {.kept = &log});
  Loop loop(work, *engine, *estimator, clock, transport, recorder, every_second(settings));
  loop.run();
  recorder.finish();
  log.header.complete = true;
  return log;
}
inline Log simulated(const std::string& toml, std::uint64_t seed = 1) {
  const Settings settings = value_or_throw(parse_settings(toml, "test.toml", {}));
  return simulated(settings, workload(seed, settings.cluster.resources));
}

}  // namespace somnus
