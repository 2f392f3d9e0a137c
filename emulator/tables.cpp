#include "emulator/tables.hpp"

#include <algorithm>

#include "config/config.hpp"
#include "emulator/compose.hpp"
#include "emulator/version.hpp"
#include "fluid/gps.hpp"
#include "fluid/standalone.hpp"
#include "runtime/cluster_link.hpp"

namespace somnus {
namespace {

std::vector<JobRow> job_rows(const Settings& settings, const Workload& workload) {
  const Catalogue& catalogue = workload.catalogue;
  std::vector<FluidJob> fluid;
  std::vector<JobRow> rows;
  rows.reserve(catalogue.jobs.size());
  for (std::uint32_t at = 0; at < catalogue.jobs.size(); ++at) {
    const JobId id(at);
    const Job& job = catalogue[id];
    const double slot_time_s = in_seconds(slot_time(workload.truth.of(job)));
    const double warmup = workload.truth.warmup[at];
    const bool jvm = settings.jvm.model != JvmModel::none;
    const double cold = jvm && warmup > 0 ? warmup : cold_factor_of(settings);
    fluid.push_back(
        {.submit = in_seconds(job.submit), .slot_time = slot_time_s, .weight = job.weight});
    rows.push_back(
        {.job = at,
         .user = job.user.value(),
         .queue = job.queue.value(),
         .app = job.app.value(),
         .tasks = job.tasks,
         .stages = static_cast<std::uint16_t>(job.stages),
         .weight = job.weight,
         .warmup = warmup,
         .submit = in_seconds(job.submit),
         .slot_time = slot_time_s,
         .critical_path = in_seconds(critical_path(catalogue, workload.truth, id)),
         .alone = in_seconds(alone(catalogue, workload.truth, settings.cluster, id, cold))});
  }
  const auto slots = static_cast<double>(settings.cluster.slot_count());
  const std::vector<double> finish = gps_finish_times(slots, fluid);
  for (std::size_t at = 0; at < rows.size(); ++at) rows[at].gps_finish = finish[at];
  return rows;
}

void add_stages(const Workload& workload, LogTables& tables) {
  const Catalogue& catalogue = workload.catalogue;
  for (std::uint32_t at = 0; at < catalogue.stages.size(); ++at) {
    const Stage& stage = catalogue.stages[at];
    tables.stages.push_back({.job = stage.job.value(),
                             .stage = stage.label,
                             .tasks = stage.tasks,
                             .partitions = stage.divisible ? stage.tasks : 0,
                             .slot_time = in_seconds(slot_time(workload.truth.of(stage)))});
    for (const StageId parent : catalogue.parents_of(stage)) {
      tables.stage_parents.push_back(
          {.job = stage.job.value(), .stage = at, .parent = parent.value()});
    }
    auto& demand = tables.stage_demands.emplace_back();
    for (std::size_t kind = 0; kind < workload.resources.size(); ++kind) {
      demand[kind] = stage.demand.amount(kind);
    }
  }
}

void add_nodes(const Cluster& cluster, int worker_ranks, LogTables& tables) {
  int worker = 0;
  for (std::uint32_t node = 0; node < cluster.node_count(); ++node) {
    while (worker < worker_ranks &&
           node >= first_node_of(worker + 1, worker_ranks, cluster.node_count())) {
      ++worker;
    }
    const GroupId group = cluster.group_of(NodeId(node));
    const NodeGroup& facts = cluster.groups[group.index()];
    NodeRow row{.node = node,
                .group = group.value(),
                .rank = worker_ranks > 0 ? static_cast<std::uint32_t>(worker) + 1 : 0,
                .slots = facts.slots,
                .slowdown = facts.slowdown};
    for (std::size_t kind = 0; kind < cluster.resources.size(); ++kind) {
      row.resources[kind] = facts.capacity.amount(kind);
    }
    tables.nodes.push_back(row);
  }
  for (const NodeGroup& group : cluster.groups) tables.names.groups.push_back(group.name);
}

}  // namespace

LogTables initial_tables(const Settings& settings, const Workload& workload, int worker_ranks) {
  LogTables tables;
  tables.jobs = job_rows(settings, workload);
  add_stages(workload, tables);
  add_nodes(settings.cluster, worker_ranks, tables);
  for (const User& user : workload.catalogue.users) {
    const auto id = static_cast<std::uint32_t>(tables.users.size());
    tables.users.push_back({.user = id, .weight = user.weight});
  }
  tables.names.jobs = workload.names.jobs;
  tables.names.users = workload.names.users;
  tables.names.queues = workload.names.queues;
  tables.names.apps = workload.names.apps;
  tables.ranks.resize(static_cast<std::size_t>(worker_ranks) + 1);
  return tables;
}

LogHeader log_header(const Settings& settings, const Workload& workload, std::string mode,
                     int ranks) {
  return {.mode = std::move(mode),
          .somnus_version = somnus_version,
          .commit = somnus_commit,
          .config = to_toml(settings),
          .workload_name = workload.name,
          .workload_digest = workload.digest,
          .seed = settings.run.seed,
          .speed = settings.run.speed,
          .ranks = static_cast<std::uint32_t>(ranks),
          .resources = settings.cluster.resources};
}

LogOptions log_options_of(const Settings& settings) {
  return {.compression = static_cast<int>(settings.log.compression), .replay = settings.log.replay};
}

Duration sample_interval(const Settings& settings, const Workload& workload) {
  if (settings.log.sample_interval_s > 0) return seconds(settings.log.sample_interval_s);
  const auto& jobs = workload.catalogue.jobs;
  const Duration span = jobs.empty() ? Duration{} : jobs.back().submit - start_of_time;
  return std::max(seconds(1), span / 1000);
}

}  // namespace somnus
