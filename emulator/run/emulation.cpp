#include "emulator/run/emulation.hpp"

#include <csignal>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include "config/config.hpp"
#include "emulator/compose/compose.hpp"
#include "emulator/run/recorder.hpp"
#include "emulator/run/tables.hpp"
#include "record/writer.hpp"
#include "runtime/cluster_link.hpp"
#include "runtime/loop.hpp"
#include "workers/worker_rank.hpp"

namespace somnus {
namespace {

// How long workers may take to say goodbye. mpirun gives us a second if it wants us to end.
constexpr RealDuration patience_at_end = std::chrono::seconds(10);
constexpr RealDuration patience_when_stopped = std::chrono::milliseconds(500);

RealDuration poll_of(const Settings& settings) {
  return RealDuration(static_cast<std::int64_t>(settings.run.poll_us * 1000));
}

bool spins(const Settings& settings, bool has_own_core) {
  switch (settings.run.poll) {
    case Poll::spin:
      return true;
    case Poll::sleep:
      return false;
    case Poll::automatic:
      return has_own_core;
  }
  throw Bug("a poll mode that nobody knows");
}

double cpu_share(double real_s) {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  const double cpu_s = static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
  return real_s > 0 ? cpu_s / real_s : 0;
}

void fill_ranks(const ClusterLink& link, double real_s, LogTables& tables) {
  const SchedulerRow& rank_0 = tables.scheduler;
  tables.ranks.clear();
  tables.ranks.push_back({.rank = 0,
                          .late_p50 = rank_0.lag_p50,
                          .late_p99 = rank_0.lag_p99,
                          .late_max = rank_0.lag_max,
                          .messages_in = link.messages_in(),
                          .messages_out = link.messages_out(),
                          .cpu = cpu_share(real_s)});
  std::map<std::uint64_t, std::uint32_t> hosts;
  for (const WorkerFacts& facts : link.workers()) {
    const auto host =
        hosts.try_emplace(facts.ready.host, static_cast<std::uint32_t>(hosts.size())).first->second;
    tables.ranks.push_back({.rank = static_cast<std::uint32_t>(tables.ranks.size()),
                            .host = host,
                            .nodes = facts.ready.nodes,
                            .slots = facts.ready.slots,
                            .clock_offset = static_cast<double>(facts.sync.offset()) / 1e9,
                            .clock_uncertainty = static_cast<double>(facts.uncertainty) / 1e9,
                            .sleep_error_p50 = facts.farewell.sleep_error_p50,
                            .sleep_error_p99 = facts.farewell.sleep_error_p99,
                            .late_p50 = facts.farewell.late_p50,
                            .late_p99 = facts.farewell.late_p99,
                            .late_max = facts.farewell.late_max,
                            .messages_in = facts.farewell.messages_in,
                            .messages_out = facts.farewell.messages_out,
                            .cpu = facts.farewell.cpu});
  }
}

std::string words_for_stop(int stop, const LogWriter* writer) {
  if (stop == stop_for_log && writer != nullptr) return writer->failure();
  return stop == SIGUSR1 ? "stopped" : fmt::format("stopped by {}", strsignal(stop));
}

void end_early(Emulation& emulation, std::string why) {
  emulation.complete = false;
  emulation.why = std::move(why);
}

void part_with_workers(ClusterLink& link, Emulation& emulation) {
  emulation.lost_ranks = link.stop(emulation.complete ? patience_at_end : patience_when_stopped);
  if (emulation.lost_ranks.empty()) return;
  end_early(emulation, fmt::format("rank {} is lost: it does not answer any more ({})",
                                   fmt::join(emulation.lost_ranks, ", "), emulation.why));
}

void close_log(LogWriter& log, Emulation& emulation) {
  if (!log.failed()) {
    log.close(emulation.tables, emulation.complete);
    return;
  }
  end_early(emulation, emulation.why.empty() ? log.failure() : emulation.why);
}

}  // namespace

Emulation emulate(const Settings& settings, const Workload& workload, Wire& wire,
                  const EmulationOptions& options) {
  Emulation result{.tables = initial_tables(settings, workload, wire.size() - 1)};
  Outputs outputs(settings, log_header(settings, workload, "run", wire.size()), result.tables,
                  options.outputs);
  const std::unique_ptr<Engine> engine =
      engine_of(settings, workload.catalogue, workload.names.queues);
  const std::unique_ptr<Estimator> estimator = estimator_of(settings, workload);
  ClusterLink link(
      wire, settings.cluster,
      {.spin = spins(settings, options.spin), .poll = poll_of(settings), .stop = options.stop});
  Recorder recorder(workload, *engine, result.tables,
                    {.writer = outputs.log(),
                     .replay = settings.log.replay,
                     .targets = settings.log.targets,
                     .measure_latency = true,
                     .progress = outputs.progress(),
                     .stop = options.stop});
  RealTime began = ScaledClock::real_now();
  try {
    link.meet(to_toml(settings));
    LinkedClock clock(link.start(settings.run.speed));
    began = ScaledClock::real_now();
    Loop loop(workload, *engine, *estimator, clock, link, recorder,
              loop_options_of(settings, workload, options.stop));
    const bool stopped = loop.run() == Ending::stopped;
    if (stopped) end_early(result, words_for_stop(options.stop->load(), outputs.log()));
  } catch (const WorldError& error) {
    end_early(result, error.what());
  }
  const double real_s = std::chrono::duration<double>(ScaledClock::real_now() - began).count();
  outputs.end_progress();
  part_with_workers(link, result);
  recorder.finish();
  run_fluids_of_followers(settings.cluster, result.tables);
  fill_ranks(link, real_s, result.tables);
  if (outputs.log() != nullptr) close_log(*outputs.log(), result);
  return result;
}

void dismiss_workers(Wire& wire) {
  for (int rank = 1; rank < wire.size(); ++rank) wire.send(rank, packet(Stop{}));
}

void work(Wire& wire, bool spin, const std::atomic<int>* stop) {
  const auto build = [spin](std::string_view text, int worker, int workers) {
    const Settings settings = value_or_throw(parse_settings(text, "rank 0's settings", {}));
    const std::uint32_t nodes = settings.cluster.node_count();
    const std::uint32_t first = first_node_of(worker, workers, nodes);
    NodeModel model = node_model_of(settings);
    model.external_sleep = settings.run.executor == ExecutorKind::thread;
    return WorkerParts{.nodes = std::make_unique<NodeSet>(
                           settings.cluster, NodeId(first),
                           first_node_of(worker + 1, workers, nodes) - first, model),
                       .thread_executor = model.external_sleep,
                       .spin = spins(settings, spin),
                       .poll = poll_of(settings)};
  };
  WorkerRank(wire, build, stop).live();
}

}  // namespace somnus
