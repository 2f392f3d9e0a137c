#include "session/tables.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "config/config.hpp"
#include "fluid/standalone.hpp"
#include "runtime/cluster_link.hpp"
#include "session/compose.hpp"
#include "session/fluid_ends.hpp"
#include "session/workload_source.hpp"
#include "version/version.hpp"

namespace somnus {
namespace {

std::vector<JobRow> job_rows(const Settings& settings, const Workload& workload) {
  const Catalogue& catalogue = workload.catalogue;
  const Warmup warmup = warmup_of(settings);
  std::vector<JobRow> rows;
  rows.reserve(catalogue.jobs.size());
  for (std::uint32_t at = 0; at < catalogue.jobs.size(); ++at) {
    const JobId id(at);
    const Job& job = catalogue[id];
    const double slot_time_s = in_seconds(slot_time(workload.truth.of(job)));
    rows.push_back(
        {.job = at,
         .user = job.user.value(),
         .queue = job.queue.value(),
         .app = job.app.value(),
         .after = job.after.valid() ? job.after.value() : no_job,
         .tasks = job.tasks,
         .stages = job.stages,
         .think = in_seconds(job.think),
         .weight = job.weight,
         .warmup = workload.truth.warmup[at],
         .submit = job.after.valid() ? nan_time : in_seconds(job.submit),
         .slot_time = slot_time_s,
         .critical_path = in_seconds(critical_path(catalogue, workload.truth, id)),
         .alone = in_seconds(alone(catalogue, workload.truth, settings.cluster, id, warmup))});
  }
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
    if (stage.gang) {
      tables.gangs.push_back(
          {.stage = at, .exclusive = stage.exclusive ? std::uint8_t{1} : std::uint8_t{0}});
    }
    for (const StageId parent : catalogue.parents_of(stage)) {
      tables.stage_parents.push_back(
          {.job = stage.job.value(), .stage = at, .parent = parent.value()});
    }
    for (const NodeId node : catalogue.affinity_of(stage)) {
      tables.stage_affinity.push_back({.stage = at, .node = node.value()});
    }
  }
}

void add_limits(const Catalogue& catalogue, LogTables& tables) {
  for (std::uint32_t job = 0; job < catalogue.jobs.size(); ++job) {
    const auto limit = catalogue.limit(JobId(job));
    if (limit) tables.limits.push_back({.job = job, .limit = in_seconds(*limit)});
  }
}

void add_accounting(const Catalogue& catalogue, LogTables& tables) {
  for (std::uint32_t job = 0; job < catalogue.accounting.size(); ++job) {
    const Accounting& of = catalogue.accounting[job];
    if (of == Accounting()) continue;
    tables.accounting.push_back({.job = job,
                                 .account = of.account.value(),
                                 .qos = of.qos.value(),
                                 .nice = static_cast<double>(of.nice)});
  }
}

void add_curves(const Catalogue& catalogue, LogTables& tables) {
  for (std::uint32_t job = 0; job < catalogue.curves.size(); ++job) {
    const ProgressCurve& curve = catalogue.curves[job];
    for (std::uint32_t slots = 1; slots <= curve.degree(); ++slots) {
      const bool corner =
          slots == curve.degree() || curve.gain_after(slots) != curve.gain_after(slots - 1);
      if (!corner) continue;
      const auto gain = static_cast<double>(curve.gain_after(slots - 1));
      tables.curves.push_back(
          {.job = job, .slots = slots, .gain = gain / static_cast<double>(ProgressCurve::whole)});
    }
  }
}

void add_demands(const Workload& workload, LogTables& tables) {
  for (const Resources& demand : workload.truth.demands) {
    tables.stage_demands.push_back(demand.amounts());
  }
}

void add_cold_tasks(const Workload& workload, LogTables& tables) {
  for (const ColdDurations& cold : workload.truth.cold) {
    tables.cold_tasks.push_back({.fresh = in_seconds(cold.fresh), .first = in_seconds(cold.first)});
  }
}

void add_nodes(const Cluster& cluster, const FaultModel& fault_model, int worker_ranks,
               LogTables& tables) {
  int worker = 0;
  for (std::uint32_t node = 0; node < cluster.node_count(); ++node) {
    while (worker < worker_ranks &&
           node >= first_node_of(worker + 1, worker_ranks, cluster.node_count())) {
      ++worker;
    }
    const GroupId group = cluster.group_of(NodeId(node));
    const NodeGroup& facts = cluster.groups[group.index()];
    const NodeRow row{.node = node,
                      .group = group.value(),
                      .rank = worker_ranks > 0 ? static_cast<std::uint32_t>(worker) + 1 : 0,
                      .slots = facts.slots,
                      .slowdown = facts.slowdown * fault_model.slowness(NodeId(node)),
                      .resources = facts.capacity.amounts()};
    tables.nodes.push_back(row);
  }
  for (const NodeGroup& group : cluster.groups) tables.names.groups.push_back(group.name);
}

void run_fluids(const Cluster& cluster, LogTables& tables) {
  FluidEnds ends(cluster, tables);
  ends.work_out();
  ends.add_to(tables);
}

Duration sample_interval(const Workload& workload) {
  const auto& jobs = workload.catalogue.jobs;
  const Duration span = jobs.empty() ? Duration{} : jobs.back().submit - start_of_time;
  return std::max(seconds(1), span / 1000);
}

}  // namespace

bool some_job_follows(const LogTables& tables) {
  return std::ranges::any_of(tables.jobs, [](const JobRow& row) { return row.after != no_job; });
}

void run_fluids_of_followers(const Cluster& cluster, LogTables& tables) {
  if (some_job_follows(tables)) run_fluids(cluster, tables);
}

LogTables initial_tables(const Settings& settings, const Workload& workload, int worker_ranks,
                         Fluids fluids) {
  LogTables tables;
  tables.jobs = job_rows(settings, workload);
  add_stages(workload, tables);
  add_curves(workload.catalogue, tables);
  add_accounting(workload.catalogue, tables);
  add_limits(workload.catalogue, tables);
  add_demands(workload, tables);
  add_cold_tasks(workload, tables);
  add_nodes(settings.cluster, fault_model_of(settings), worker_ranks, tables);
  for (const User& user : workload.catalogue.users) {
    const auto id = static_cast<std::uint32_t>(tables.users.size());
    tables.users.push_back({.user = id, .weight = user.weight});
  }
  if (fluids == Fluids::run && !some_job_follows(tables)) run_fluids(settings.cluster, tables);
  tables.names.jobs = workload.names.jobs;
  tables.names.users = workload.names.users;
  tables.names.queues = workload.names.queues;
  tables.names.accounts = workload.names.accounts;
  tables.names.qos = workload.names.qos;
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
          .config_path = std::filesystem::absolute(settings.origin).string(),
          .label = label_of(settings),
          .workload_name = workload.name,
          .workload_digest = workload.digest,
          .seed = settings.run.seed,
          .speed = settings.run.speed,
          .ranks = static_cast<std::uint32_t>(ranks),
          .resources = settings.cluster.resources,
          .rigid_jobs = workload.rigid_jobs};
}

LogOptions log_options_of(const Settings& settings, bool replace) {
  return {.compression = static_cast<int>(settings.log.compression),
          .replay = settings.log.replay,
          .replace = replace,
          .inputs = files_read_by(settings)};
}

Time end_of(const Settings& settings) {
  return settings.run.until_s > 0 ? at_seconds(settings.run.until_s) : never;
}

std::string note_on_end_of_time(Ending ending, const Settings& settings, const JobTable& jobs) {
  if (ending != Ending::until_reached || end_of(settings) != never) return {};
  return fmt::format(
      "the run reached {:g} s of emulated time, the most there is: {} of {} jobs have not ended",
      last_seconds, jobs.catalogue().jobs.size() - jobs.ended_jobs(), jobs.catalogue().jobs.size());
}

LoopOptions loop_options_of(const Settings& settings, const Workload& workload,
                            const std::atomic<int>* stop) {
  const bool asked_for = settings.log.sample_interval_s > 0;
  const bool logs_events = settings.log.replay && !settings.log.file.empty();
  return {.until = end_of(settings),
          .sample_interval =
              asked_for ? seconds(settings.log.sample_interval_s) : sample_interval(workload),
          .even_samples = asked_for ? 10'000'000U : 4'000U,
          .stop = stop,
          .job_managers = settings.job_manager,
          .silence = silence_of(settings),
          .last_words = last_words_of(settings),
          .seed = settings.run.seed,
          .own_estimates = logs_events || order_traits(composition_of(settings)).own_estimates};
}

}  // namespace somnus
