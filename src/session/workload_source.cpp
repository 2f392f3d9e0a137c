#include "session/workload_source.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "config/choices.hpp"
#include "config/config.hpp"
#include "formats/formats.hpp"
#include "generators/generators.hpp"
#include "model/limits.hpp"
#include "model/offered_load.hpp"
#include "model/rigid_jobs.hpp"
#include "session/bounds.hpp"
#include "session/cluster_check.hpp"
#include "session/compose.hpp"
#include "session/limit_models.hpp"

namespace somnus {
namespace {

/// Demands in the cluster's kinds and order. Where only slots count they mean nothing, which is
/// noted; else one for a kind that the cluster lacks is a mistake, unless it is to be ignored.
class Demands {
 public:
  Demands(const WorkloadSpec& spec, const Settings& settings)
      : theirs_(spec.resources), is_uncounted_(spec.resources.size()) {
    const std::vector<std::string>& ours = settings.cluster.resources;
    const std::vector<std::string>& ignored = settings.workload.ignore_kinds;
    for (const std::string& kind : theirs_) {
      const auto found = std::ranges::find(ours, kind);
      const bool may_lack = std::ranges::find(ignored, kind) != ignored.end();
      to_.push_back(found != ours.end() ? static_cast<std::size_t>(found - ours.begin())
                    : may_lack          ? nowhere
                    : ours.empty()      ? uncounted
                                        : lacking);
    }
    kinds_ = ours.size();
  }

  /// Calls lacks(kind) for each that it asks for and the cluster lacks, and notes those that do not
  /// count because only slots do.
  template <class Lacks>
  void translate(StageSpec& stage, Lacks&& lacks) {
    std::vector<double> demand(kinds_);
    for (std::size_t kind = 0; kind < stage.demand.size(); ++kind) {
      if (stage.demand[kind] == 0 || to_[kind] == nowhere) continue;
      if (to_[kind] == lacking) {
        lacks(theirs_[kind]);
      } else if (to_[kind] == uncounted) {
        is_uncounted_[kind] = true;
      } else {
        demand[to_[kind]] = stage.demand[kind];
      }
    }
    stage.demand = std::move(demand);
  }
  /// Kinds that any stage demands and that do not count, and that are not to be ignored.
  [[nodiscard]] std::vector<std::string> uncounted_kinds() const {
    std::vector<std::string> kinds;
    for (std::size_t kind = 0; kind < theirs_.size(); ++kind) {
      if (is_uncounted_[kind]) kinds.push_back(theirs_[kind]);
    }
    return kinds;
  }

 private:
  static constexpr std::size_t nowhere = ~std::size_t{0};
  static constexpr std::size_t lacking = nowhere - 1;
  static constexpr std::size_t uncounted = nowhere - 2;
  std::vector<std::string> theirs_;
  std::vector<std::size_t> to_;  // by the workload's kind: the cluster's
  std::vector<bool> is_uncounted_;
  std::size_t kinds_ = 0;
};

/// Gives the kinds of uncounted_kinds().
std::vector<std::string> translate_demands(WorkloadSpec& spec, const Settings& settings,
                                           Mistakes& mistakes) {
  Demands demands(spec, settings);
  std::set<std::string> reported;
  for (JobSpec& job : spec.jobs) {
    for (StageSpec& stage : job.stages) {
      demands.translate(stage, [&](const std::string& kind) {
        if (!reported.insert(kind).second) return;
        mistakes.add(
            {.location = settings.workload.location,
             .key = fmt::format("{}, job '{}', stage {}", settings.workload.origin(), job.job,
                                stage.stage),
             .what = fmt::format("a task demands '{}', of which the cluster's nodes have none; "
                                 "they have {}",
                                 kind, fmt::join(settings.cluster.resources, ", ")),
             .hint = fmt::format("name it in cluster.resources, or let it not count: "
                                 "workload.ignore_kinds = [\"{}\"]",
                                 kind)});
      });
    }
  }
  spec.resources = settings.cluster.resources;
  return demands.uncounted_kinds();
}

void check_ignored(const WorkloadSpec& spec, const Settings& settings, Mistakes& mistakes) {
  const auto has = [](const std::vector<std::string>& kinds, const std::string& kind) {
    return std::ranges::find(kinds, kind) != kinds.end();
  };
  for (const std::string& kind : settings.workload.ignore_kinds) {
    const bool ours = has(settings.cluster.resources, kind);
    if (has(spec.resources, kind) && !ours) continue;
    mistakes.add(
        {.location = {.file = settings.origin},
         .key = "workload.ignore_kinds",
         .what = ours ? fmt::format("'{}' is a kind of the cluster's resources", kind)
                      : fmt::format("the workload demands no '{}'; it has {}", kind,
                                    spec.resources.empty()
                                        ? "no kinds"
                                        : fmt::format("{}", fmt::join(spec.resources, ", ")))});
  }
}

// An estimator's factor of each job's true work; empty: the truth.
std::vector<double> estimate_factors(const Settings& settings, const WorkloadSpec& spec) {
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
  partitioning.estimate_factors = estimate_factors(settings, spec);
  return partitioning;
}

void check_partitioning(const Settings& settings, const WorkloadSpec& spec,
                        const Partitioning& partitioning, Mistakes& mistakes) {
  const std::string& partitioner = settings.scheduler.partitioner;
  const PartitionerTraits traits =
      partitioner_traits(partitioner, settings.scheduler.partitioner_parameters);
  const bool by_estimate = traits.needs_estimates;
  if (by_estimate && settings.estimate.model == EstimateModel::naive) {
    mistakes.add({.location = {.file = settings.origin},
                  .key = "scheduler.partitioner",
                  .what = partitioner +
                          " needs an estimate of a stage's work, and estimate.model = "
                          "\"naive\" has one only when the number of tasks is known",
                  .hint = "choose another estimate.model, or scheduler.partitioner = " +
                          parts_that(PartKind::partitioner, [](const Part& part) {
                            return !std::get<PartitionerPart>(part.as).traits({}).needs_estimates;
                          })});
  }
  const bool cuts = std::ranges::any_of(spec.jobs, [](const JobSpec& job) {
    return std::ranges::any_of(job.stages, [](const StageSpec& stage) { return stage.work > 0; });
  });
  if (cuts && traits.counts_slots && settings.cluster.slot_count() == 0) {
    mistakes.add({.location = {.file = settings.origin},
                  .key = fmt::format("scheduler.{}", partitioner),
                  .what = "cuts a divisible stage into as many tasks as there are slots, and this "
                          "cluster has resources and no slots",
                  .hint = fmt::format("say into how many: scheduler.{}.partitions; or give "
                                      "slots_per_node beside resources",
                                      partitioner)});
    return;
  }
  std::uint64_t tasks = 0;
  for (std::size_t job = 0; job < spec.jobs.size(); ++job) {
    for (const StageSpec& stage : spec.jobs[job].stages) {
      if (stage.work > 0) tasks += partitioning.parts(job, stage.work);
      if (tasks <= most_tasks) continue;
      mistakes.add({.location = {.file = settings.origin},
                    .key = fmt::format("scheduler.{}", settings.scheduler.partitioner),
                    .what = fmt::format("cuts the workload into more than {} tasks", most_tasks),
                    .hint = "let tasks be longer, or fewer"});
      return;
    }
  }
}

void check_faults(const Settings& settings, Mistakes& mistakes) {
  for (const FaultEvent& event : settings.faults.events) {
    if (event.node < settings.cluster.node_count()) continue;
    mistakes.add({.location = {.file = settings.origin},
                  .key = "faults.event",
                  .what = fmt::format("there is no node {}; the cluster has nodes 0 to {}",
                                      event.node, settings.cluster.node_count() - 1)});
  }
}

// Empty if runtime partitioning was not asked for, or had something to cut.
std::string note_on_partitioning(const Settings& settings, const Workload& workload) {
  const bool cuts = std::ranges::any_of(workload.catalogue.stages, &Stage::divisible);
  const std::string& partitioner = settings.scheduler.partitioner;
  const Parameters& parameters = settings.scheduler.partitioner_parameters;
  if (!partitioner_traits(partitioner, parameters).needs_estimates || cuts) return {};
  return fmt::format(
      "partitioner {} had nothing to cut: no stage of the workload is divisible (has `work`)",
      partitioner);
}

// Empty if the workload's own estimates were not asked for, or some job has one.
std::string note_on_estimates(const Settings& settings, const Workload& workload) {
  const bool given =
      std::ranges::any_of(workload.catalogue.jobs, [](const Job& job) { return job.estimate > 0; });
  if (settings.estimate.model != EstimateModel::given || given) return {};
  return "estimate.model = \"given\" is as \"exact\" here: no job of the workload has an "
         "`estimate`";
}

// Empty if its name says what it is.
std::string note_on_order(const Settings& settings, const Workload& workload) {
  const bool resources_count = std::ranges::any_of(
      workload.truth.demands, [](const Resources& demand) { return !demand.zero(); });
  return resources_count ? order_traits(composition_of(settings)).on_resources : "";
}

// None where jobs follow others: when they come is not the workload's to say.
OfferedLoad load_of(const Workload& workload, const Cluster& cluster) {
  const Catalogue& catalogue = workload.catalogue;
  const bool some_follow =
      std::ranges::any_of(catalogue.jobs, [](const Job& job) { return job.after.valid(); });
  if (some_follow || catalogue.jobs.empty()) return {};
  LoadMeter meter(cluster);
  for (std::size_t at = 0; at < catalogue.stages.size(); ++at) {
    meter.add(in_seconds(slot_time(workload.truth.of(catalogue.stages[at]))),
              workload.truth.demand(StageId(at)).amounts());
  }
  return meter.load(in_seconds(catalogue.jobs.front().submit),
                    in_seconds(catalogue.jobs.back().submit), catalogue.jobs.size());
}

}  // namespace

std::string workload_key(const Settings& settings) {
  const bool draws = !settings.workload.generator.empty() || settings.workload.resample > 0 ||
                     settings.estimate.model == EstimateModel::uniform;
  Settings read;  // what workload_of() reads of them
  read.cluster = settings.cluster;
  read.scheduler.partitioner = settings.scheduler.partitioner;
  read.scheduler.partitioner_parameters = settings.scheduler.partitioner_parameters;
  read.estimate = settings.estimate;
  read.faults = settings.faults;
  read.workload = settings.workload;
  if (draws) read.run.seed = settings.run.seed;
  const std::string limits = fmt::format("{} {}", static_cast<int>(settings.limits.model),
                                         settings.limits.factor);  // whoever reads them
  return workload_path(settings).string() + '\n' + limits + '\n' + to_toml(read);
}

Mistakes objections_to_shared(const Workload& workload, const Settings& settings) {
  Mistakes mistakes = objections_to(workload, settings);
  mistakes.append(config_errors_of(settings, workload.names));
  return mistakes;
}

std::vector<std::string> notes_on_scheduler(const Settings& settings, const Workload& workload) {
  std::vector<std::string> notes;
  for (std::string note :
       {note_on_partitioning(settings, workload), note_on_estimates(settings, workload),
        note_on_order(settings, workload)}) {
    if (!note.empty()) notes.push_back(std::move(note));
  }
  return notes;
}

std::string note_on_demands(const Workload& workload) {
  const std::vector<std::string>& kinds = workload.uncounted_kinds;
  if (kinds.empty()) return {};
  return fmt::format(
      "DEMANDS DO NOT COUNT: tasks demand {}, but the cluster has slots alone, so each takes one "
      "slot whatever it demands (cluster.resources gives nodes amounts; workload.ignore_kinds = "
      "[\"{}\"] says that it is meant so)",
      fmt::join(kinds, ", "), fmt::join(kinds, "\", \""));
}

std::vector<std::string> notes_on_workload(const Settings& settings, const Workload& workload) {
  std::vector<std::string> notes;
  for (std::string note : {note_on_rigid_jobs(workload.rigid_jobs, workload.catalogue.jobs.size()),
                           note_on_load(load_of(workload, settings.cluster))}) {
    if (!note.empty()) notes.push_back(std::move(note));
  }
  return notes;
}

Checked<WorkloadSpec> workload_spec_of(const Settings& settings) {
  const WorkloadSettings& workload = settings.workload;
  const std::uint64_t seed = settings.run.seed;
  Checked<WorkloadSpec> spec =
      workload.generator.empty()
          ? read_workload(workload_path(settings), workload.format, workload.parameters,
                          workload.location)
          : generate(workload.generator, workload.parameters, seed, workload.location,
                     std::filesystem::path(settings.origin).parent_path());
  if (!spec) return spec;
  return shaped(std::move(*spec), workload, settings.cluster, seed, workload.location);
}

Checked<Workload> flattened(const Settings& settings, const WorkloadSpec& spec) {
  Mistakes mistakes;
  const Partitioning partitioning = partitioning_of(settings, spec);
  check_partitioning(settings, spec, partitioning, mistakes);
  if (mistakes.any()) return tl::unexpected(std::move(mistakes));
  return assemble(spec, partitioning);
}

Checked<Workload> workload_of(const Settings& settings) {
  Checked<WorkloadSpec> spec = workload_spec_of(settings);
  if (!spec) return tl::unexpected(std::move(spec.error()));
  return workload_of(settings, std::move(*spec));
}

Checked<Workload> workload_of(const Settings& settings, WorkloadSpec spec) {
  Mistakes mistakes;
  check_ignored(spec, settings, mistakes);
  std::vector<std::string> uncounted_kinds = translate_demands(spec, settings, mistakes);
  const Partitioning partitioning = partitioning_of(settings, spec);
  check_partitioning(settings, spec, partitioning, mistakes);
  if (mistakes.any()) return tl::unexpected(std::move(mistakes));
  Workload workload = assemble(spec, partitioning);
  workload.uncounted_kinds = std::move(uncounted_kinds);
  set_limits(workload, settings.limits);
  check_bounds(workload, settings, mistakes);
  mistakes.append(objections_to_shared(workload, settings));
  check_faults(settings, mistakes);
  if (mistakes.any()) return tl::unexpected(std::move(mistakes));
  return workload;
}

std::vector<std::filesystem::path> files_read_by(const Settings& settings) {
  const WorkloadSettings& workload = settings.workload;
  std::vector<std::filesystem::path> files =
      files_read_by(workload.generator, workload.parameters,
                    std::filesystem::path(settings.origin).parent_path());
  if (workload.generator.empty()) files.push_back(workload_path(settings));
  if (!settings.origin.empty()) files.emplace_back(settings.origin);
  return files;
}

bool workload_may_change(const Settings& settings) {
  if (settings.workload.generator.empty()) return true;
  const Generator* const generator = find_generator(settings.workload.generator);
  return generator != nullptr && generator->reads_files;
}

}  // namespace somnus
