#include "fuzz/worlds.hpp"

#include <vector>

#include "config/config.hpp"
#include "runtime/loop.hpp"
#include "runtime/virtual_clock.hpp"
#include "session/compose.hpp"
#include "session/recorder.hpp"
#include "session/tables.hpp"
#include "session/workload_source.hpp"
#include "transport/node_message_check.hpp"

namespace somnus::fuzz {
namespace {

World world_of(const std::string& name, const std::string& more) {
  const std::string toml =
      "[cluster]\nnodes = 4\nslots_per_node = 2\n[workload]\ngenerator = \"fixed\"\njobs = 5\n"
      "tasks = 3\nstages = 2\nduration_s = 2\ninterval_s = 1\n[run]\nuntil_s = 200\n" +
      more;
  World world{name, value_or_throw(parse_settings(toml, name, {})), {}};
  world.workload = value_or_throw(workload_of(world.settings));
  return world;
}

/// All workers in this process, one call away; writes down what is said.
class RecordedNodes {
 public:
  RecordedNodes(const World& world, Ran& ran) : world_(world), talk_(ran) {
    for (int rank = 1; rank <= workers; ++rank) nodes_.push_back(nodes_of(world, rank));
  }

  template <CommandMessage Command>
  void send(Time now, const Command& command) {
    const int rank = rank_of(command.node);
    if (rank == 1) talk_.of_rank_0.say(1, packet(command));
    nodes_[static_cast<std::size_t>(rank) - 1].send(now, command);
  }
  void announce(const JobUpdate& update) {
    talk_.of_rank_0.say(1, packet(update));
    for (NodeSet& nodes : nodes_) nodes.announce(update);
  }
  void flush() {}
  void receive(Time now, Reports& reports) {
    pass(now);
    for (int rank = 1; rank <= workers; ++rank) {
      Reports own;
      nodes_[static_cast<std::size_t>(rank) - 1].advance(now, own);
      own.for_each([&]<class Report>(const std::vector<Report>& all) {
        if (!all.empty()) talk_.of_workers.say(rank, packet(std::span<const Report>(all)));
      });
      reports.append(own);
    }
  }
  [[nodiscard]] Time go_on(Time until) const { return std::min(until, next()); }
  [[nodiscard]] Time next() const {
    Time first = never;
    for (const NodeSet& nodes : nodes_) first = std::min(first, nodes.next());
    return first;
  }

 private:
  [[nodiscard]] int rank_of(NodeId node) const {
    const std::uint32_t all = world_.settings.cluster.node_count();
    return node.value() < first_node_of(1, workers, all) ? 1 : 2;
  }
  void pass(Time now) {
    if (now == heard_) return;
    talk_.of_workers.pause(now - heard_);
    talk_.of_rank_0.pause(now - heard_);
    heard_ = now;
  }

  const World& world_;
  std::vector<NodeSet> nodes_;
  Ran& talk_;
  Time heard_ = start_of_time;
};

}  // namespace

std::span<const World> worlds() {
  static const std::vector<World> all = {
      world_of("cfq", "[scheduler]\npolicy = \"cfq\"\n"),
      world_of("tetris", "[scheduler]\npolicy = \"tetris\"\n"),
      world_of("failures",
               "[scheduler]\npolicy = \"srpt\"\n[estimate]\nmodel = \"naive\"\n[faults]\n"
               "task_failure_probability = 0.2\ntask_attempts = 2\nnode_mtbf_s = 20\n"
               "node_repair_s = 2\n"),
      world_of("lives",
               "[scheduler]\npolicy = \"fair\"\nfeedback = \"heartbeat\"\n[heartbeat]\n"
               "interval_s = 0.5\n[faults]\nmissed_heartbeats = 2\nnode_mtbf_s = 20\n"
               "node_repair_s = 3\ncut_off_share = 0.5\n"),
      world_of("queues", "[scheduler]\npolicy = \"yaq-c\"\n[heartbeat]\ninterval_s = 0.5\n"),
      world_of("rebalanced",
               "[scheduler]\npolicy = \"yaq-d\"\n[heartbeat]\ninterval_s = 0.5\n[queue]\n"
               "rebalance_interval_s = 0.5\nrebalance_low = 0.1\n[job_manager]\nlaunch_s = 0.1\n"
               "[network]\ndelay_ms = 20\n"),
      world_of("probes",
               "[scheduler]\npolicy = \"sparrow\"\nbatch-sampling.late_binding = true\n"
               "[heartbeat]\ninterval_s = 0.5\n")};
  return all;
}

NodeSet nodes_of(const World& world, int rank) {
  const Cluster& cluster = world.settings.cluster;
  const std::uint32_t first = first_node_of(rank - 1, workers, cluster.node_count());
  const std::uint32_t end = first_node_of(rank, workers, cluster.node_count());
  return {cluster, NodeId(first), end - first, node_model_of(world.settings)};
}

Ran ran(const World& world) {
  const Settings& settings = world.settings;
  const Workload& workload = world.workload;
  Ran result;
  Log& log = result.log;
  log.header = log_header(settings, workload, "simulate", 1);
  log.tables = initial_tables(settings, workload, 0);
  const auto engine = engine_of(settings, workload.catalogue, workload.names);
  const auto estimator = estimator_of(settings, workload);
  RecordedNodes nodes(world, result);
  VirtualClock clock;
  Recorder recorder(workload, *engine, log.tables, {.kept = &log});
  Loop loop(workload, *engine, *estimator, clock, nodes, recorder,
            loop_options_of(settings, workload, nullptr));
  loop.run();
  recorder.finish();
  log.header.complete = true;
  return result;
}

}  // namespace somnus::fuzz
