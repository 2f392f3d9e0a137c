#include "emulator/compose/compose.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "config/choices.hpp"
#include "config/config.hpp"
#include "workload/formats.hpp"
#include "workload/generators.hpp"

namespace somnus {
namespace {

// Nobody means to emulate more; a typing error in a partitioner would fill the memory.
constexpr std::uint64_t most_tasks_if_cut = 100'000'000;

Duration milliseconds(double count) { return seconds(count / 1000); }

Checked<WorkloadSpec> spec_of(const Settings& settings) {
  const WorkloadSettings& workload = settings.workload;
  if (workload.generator.empty()) {
    return read_workload(workload_path(settings), workload.format, workload.parameters,
                         workload.place);
  }
  return generate(workload.generator, workload.parameters, settings.run.seed, workload.place,
                  std::filesystem::path(settings.origin).parent_path());
}

// Demands in the cluster's kinds and order. Where only slots count they mean nothing.
void translate_demands(WorkloadSpec& spec, const Cluster& cluster) {
  std::vector<std::size_t> source;  // by the cluster's kind: the workload's kind
  for (const std::string& kind : cluster.resources) {
    const auto found = std::ranges::find(spec.resources, kind);
    source.push_back(static_cast<std::size_t>(found - spec.resources.begin()));
  }
  for (JobSpec& job : spec.jobs) {
    for (StageSpec& stage : job.stages) {
      std::vector<double> demand;
      for (const std::size_t kind : source) {
        demand.push_back(kind < stage.demand.size() ? stage.demand[kind] : 0);
      }
      stage.demand = std::move(demand);
    }
  }
  spec.resources = cluster.resources;
}

std::string in_words(const Resources& amounts, const std::vector<std::string>& kinds) {
  std::string words;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    words += fmt::format("{}{} = {}", kind > 0 ? ", " : "", kinds[kind], amounts.amount(kind));
  }
  return words;
}

// What an estimator will believe of each job's work, of the true work; empty: the truth.
std::vector<double> believed(const Settings& settings, const WorkloadSpec& spec) {
  std::vector<double> factors;
  switch (settings.estimate.model) {
    case EstimateModel::exact:
    case EstimateModel::stage_mean:
    case EstimateModel::naive:  // refused with a partitioner that asks
      break;
    case EstimateModel::uniform:
      return uniform_factors(spec.jobs.size(), settings.estimate.error, settings.run.seed);
    case EstimateModel::given:
      for (const JobSpec& job : spec.jobs) {
        double work = 0;
        for (const StageSpec& stage : job.stages) {
          work += std::accumulate(stage.durations.begin(), stage.durations.end(), stage.work);
        }
        factors.push_back(job.estimate > 0 && work > 0 ? job.estimate / work : 1);
      }
  }
  return factors;
}

Partitioning partitioning_of(const Settings& settings, const WorkloadSpec& spec) {
  Partitioning partitioning = make_partitioning(
      settings.scheduler.partitioner, settings.scheduler.partitioner_parameters, settings.cluster);
  partitioning.estimate_factors = believed(settings, spec);
  return partitioning;
}

void check_partitioning(const Settings& settings, const WorkloadSpec& spec,
                        const Partitioning& partitioning, Mistakes& mistakes) {
  const std::string& partitioner = settings.scheduler.partitioner;
  const bool by_estimate = partitioner_traits(partitioner).needs_estimates;
  if (by_estimate && settings.estimate.model == EstimateModel::naive) {
    mistakes.add({.place = {.file = settings.origin},
                  .key = "scheduler.partitioner",
                  .what = partitioner +
                          " needs an estimate of a stage's work, and estimate.model = "
                          "\"naive\" has one only when the number of tasks is known",
                  .hint = "choose another estimate.model, or scheduler.partitioner = " +
                          parts_that(PartKind::partitioner, [](const Part& part) {
                            return !std::get<PartitionerPart>(part.as).traits.needs_estimates;
                          })});
  }
  std::uint64_t tasks = 0;
  for (std::size_t job = 0; job < spec.jobs.size(); ++job) {
    for (const StageSpec& stage : spec.jobs[job].stages) {
      if (stage.work > 0) tasks += partitioning.parts(job, stage.work);
      if (tasks <= most_tasks_if_cut) continue;
      mistakes.add(
          {.place = {.file = settings.origin},
           .key = fmt::format("scheduler.{}", settings.scheduler.partitioner),
           .what = fmt::format("cuts the workload into more than {} tasks", most_tasks_if_cut),
           .hint = "let tasks be longer, or fewer"});
      return;
    }
  }
}

std::string in_words(const Stage& stage, const Workload& workload, const WorkloadSettings& from) {
  return fmt::format("{}, job '{}', stage {}", from.generator.empty() ? from.file : from.generator,
                     workload.names.jobs[stage.job.index()], stage.label);
}

void check_demands(const Workload& workload, const Settings& settings, Mistakes& mistakes) {
  constexpr std::size_t most_listed = 20;
  const auto& groups = settings.cluster.groups;
  for (const Stage& stage : workload.catalogue.stages) {
    const bool fits = std::ranges::any_of(
        groups, [&](const NodeGroup& group) { return stage.demand.fits_in(group.capacity); });
    if (fits) continue;
    mistakes.add({.place = settings.workload.place,
                  .key = in_words(stage, workload, settings.workload),
                  .what = fmt::format("a task demands {}, which fits no node",
                                      in_words(stage.demand, workload.resources)),
                  .hint = "give some node group of the cluster that much, or lower the demand"});
    if (mistakes.list().size() >= most_listed) return;
  }
}

Surroundings surroundings_of(const Settings& settings, std::span<const std::string> queues) {
  return {.cluster = settings.cluster, .queues = queues, .seed = settings.run.seed};
}

void check_affinity(const Workload& workload, const Settings& settings, Mistakes& mistakes) {
  constexpr std::size_t most_listed = 20;
  const std::uint64_t nodes = settings.cluster.node_count();
  std::size_t listed = 0;
  for (const Stage& stage : workload.catalogue.stages) {
    std::vector<std::uint32_t> missing;
    for (const NodeId node : workload.catalogue.affinity_of(stage)) {
      if (node.index() >= nodes) missing.push_back(node.value());
    }
    if (missing.empty()) continue;
    if (++listed > most_listed) return;
    mistakes.add(
        {.place = settings.workload.place,
         .key = in_words(stage, workload, settings.workload),
         .what = fmt::format("its affinity names node{} {}; the cluster has nodes 0 to {}",
                             missing.size() > 1 ? "s" : "", fmt::join(missing, ", "), nodes - 1)});
  }
}

void check_faults(const Settings& settings, Mistakes& mistakes) {
  for (const FaultEvent& event : settings.faults.events) {
    if (event.node < settings.cluster.node_count()) continue;
    mistakes.add({.place = {.file = settings.origin},
                  .key = "faults.event",
                  .what = fmt::format("there is no node {}; the cluster has nodes 0 to {}",
                                      event.node, settings.cluster.node_count() - 1)});
  }
}

}  // namespace

std::unique_ptr<Engine> engine_of(const Settings& settings, const Catalogue& catalogue,
                                  std::span<const std::string> queues) {
  return std::make_unique<Engine>(
      catalogue, settings.cluster,
      make_scheduler(composition_of(settings), surroundings_of(settings, queues)));
}

Mistakes misfits_of(const Settings& settings, std::span<const std::string> queues) {
  Mistakes mistakes;
  for (Misfit& misfit : misfits_of(composition_of(settings), surroundings_of(settings, queues))) {
    mistakes.add({.place = {.file = settings.origin},
                  .key = "scheduler." + misfit.parameter,
                  .what = std::move(misfit.what)});
  }
  return mistakes;
}

std::unique_ptr<Estimator> estimator_of(const Settings& settings, const Workload& workload) {
  switch (settings.estimate.model) {
    case EstimateModel::exact:
      return exact_estimator(workload);
    case EstimateModel::uniform:
      return scaled_estimator(
          workload, uniform_factors(workload.catalogue.jobs.size(), settings.estimate.error,
                                    settings.run.seed));
    case EstimateModel::given:
      return scaled_estimator(workload, given_factors(workload));
    case EstimateModel::naive:
      return naive_estimator(workload, settings.estimate.default_task_s);
    case EstimateModel::stage_mean:
      return stage_mean_estimator(workload);
  }
  throw Bug("an estimate model without an estimator");
}

NodeModel node_model_of(const Settings& settings) {
  const Composition composition = composition_of(settings);
  const FeedbackTraits feedback = feedback_traits(composition.feedback);
  NodeModel model{
      .jvm_reuse = settings.jvm.model == JvmModel::reuse,
      .cold_factor = settings.jvm.factor,
      .heartbeats = feedback.heartbeats || composition.queue.has_value(),
      .ends_wait = feedback.ends_with_them,
      .random_phase = settings.heartbeat.phase == HeartbeatPhase::random,
      .heartbeat_interval = seconds(settings.heartbeat.interval_s),
      .heartbeat_delay = milliseconds(settings.heartbeat.delay_ms),
      .network = {.mean = milliseconds(settings.network.delay_ms),
                  .jitter = settings.network.jitter},
      .task_failure_probability = settings.faults.task_failure_probability,
      .make_queue = queue_part(settings.scheduler.queue).make,
      .queue = settings.queue,
      .seed = settings.run.seed,
  };
  for (const FaultEvent& event : settings.faults.events) {
    model.faults.push_back(
        {.at = at_seconds(event.at_s),
         .node = NodeId(event.node),
         .news = event.kind == FaultKind::node_lost ? NodeNews::lost : NodeNews::returned});
  }
  std::ranges::stable_sort(model.faults, {}, &NodeFault::at);
  return model;
}

double cold_factor_of(const Settings& settings) {
  return settings.jvm.model == JvmModel::none ? 1 : settings.jvm.factor;
}

std::string workload_key(const Settings& settings) {
  const bool draws =
      !settings.workload.generator.empty() || settings.estimate.model == EstimateModel::uniform;
  Settings read;  // what workload_of() reads of them
  read.cluster = settings.cluster;
  read.scheduler.partitioner = settings.scheduler.partitioner;
  read.scheduler.partitioner_parameters = settings.scheduler.partitioner_parameters;
  read.estimate = settings.estimate;
  read.faults = settings.faults;
  read.workload = settings.workload;
  if (draws) read.run.seed = settings.run.seed;
  return workload_path(settings).string() + '\n' + to_toml(read);
}

std::string note_on_partitioning(const Settings& settings, const Workload& workload) {
  const bool cuts = std::ranges::any_of(workload.catalogue.stages, &Stage::divisible);
  const std::string& partitioner = settings.scheduler.partitioner;
  if (!partitioner_traits(partitioner).needs_estimates || cuts) return {};
  return fmt::format(
      "partitioner {} had nothing to cut: no stage of the workload is divisible (has `work`)",
      partitioner);
}

std::string note_on_estimates(const Settings& settings, const Workload& workload) {
  const bool told =
      std::ranges::any_of(workload.catalogue.jobs, [](const Job& job) { return job.estimate > 0; });
  if (settings.estimate.model != EstimateModel::given || told) return {};
  return "estimate.model = \"given\" is as \"exact\" here: no job of the workload has an "
         "`estimate`";
}

Checked<Workload> workload_of(const Settings& settings) {
  Checked<WorkloadSpec> spec = spec_of(settings);
  if (!spec) return tl::unexpected(std::move(spec.error()));
  translate_demands(*spec, settings.cluster);
  const Partitioning partitioning = partitioning_of(settings, *spec);
  Mistakes mistakes;
  check_partitioning(settings, *spec, partitioning, mistakes);
  if (mistakes.any()) return tl::unexpected(std::move(mistakes));
  Workload workload = assemble(*spec, partitioning);
  check_demands(workload, settings, mistakes);
  check_affinity(workload, settings, mistakes);
  check_faults(settings, mistakes);
  mistakes.append(misfits_of(settings, workload.names.queues));
  if (mistakes.any()) return tl::unexpected(std::move(mistakes));
  return workload;
}

}  // namespace somnus
