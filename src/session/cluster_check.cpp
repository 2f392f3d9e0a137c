#include "session/cluster_check.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "config/choices.hpp"
#include "config/gangs.hpp"
#include "config/tables.hpp"
#include "session/compose.hpp"
#include "session/workload_source.hpp"

namespace somnus {
namespace {

constexpr std::size_t most_listed = 20;

std::string in_words(const Resources& amounts, const std::vector<std::string>& kinds) {
  std::string words;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    words += fmt::format("{}{} = {}", kind > 0 ? ", " : "", kinds[kind], amounts.amount(kind));
  }
  return words;
}

std::string in_words(const Stage& stage, const Workload& workload, const WorkloadSettings& from) {
  return fmt::format("{}, job '{}', stage {}", from.origin(),
                     workload.names.jobs[stage.job.index()], stage.label);
}

void check_demands(const Workload& workload, const Settings& settings, Mistakes& mistakes) {
  const auto& groups = settings.cluster.groups;
  for (std::size_t at = 0; at < workload.truth.demands.size(); ++at) {
    const Stage& stage = workload.catalogue.stages[at];
    const Resources& demand = workload.truth.demands[at];
    const bool fits = std::ranges::any_of(
        groups, [&](const NodeGroup& group) { return demand.fits_in(group.capacity); });
    if (fits) continue;
    mistakes.add({.location = settings.workload.location,
                  .key = in_words(stage, workload, settings.workload),
                  .what = fmt::format("a task demands {}, which fits no node",
                                      in_words(demand, workload.resources)),
                  .hint = "give some node group of the cluster that much, or lower the demand"});
    if (mistakes.list().size() >= most_listed) return;
  }
}

void check_affinity(const Workload& workload, const Settings& settings, Mistakes& mistakes) {
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
        {.location = settings.workload.location,
         .key = in_words(stage, workload, settings.workload),
         .what = fmt::format("its affinity names node{} {}; the cluster has nodes 0 to {}",
                             missing.size() > 1 ? "s" : "", fmt::join(missing, ", "), nodes - 1)});
  }
}

/// Tasks of that demand that the idle cluster holds, at most `most`.
std::uint64_t room_for(const Resources& demand, std::uint64_t most, const Cluster& cluster) {
  std::uint64_t room = 0;
  for (const NodeGroup& group : cluster.groups) {
    const std::uint64_t slots = group.slots > 0 ? group.slots : most;
    const std::uint64_t each =
        cluster.resources.empty() ? slots : group.capacity.holds(demand, slots);
    room += each * group.count;
    if (room >= most) return most;
  }
  return room;
}

// A scheduler that knows tasks one by one would never start a gang.
void check_gangs(const Workload& workload, const Settings& settings, Mistakes& mistakes) {
  constexpr const char* one_by_one =
      "or read swf or sacct with rigid = false, so that tasks start one by one";
  const auto& stages = workload.catalogue.stages;
  const auto first = std::ranges::find(stages, true, &Stage::gang);
  const auto exclusive = std::ranges::find(stages, true, &Stage::exclusive);
  if (preempts(settings) && exclusive != stages.end()) {
    mistakes.add({.location = {.file = settings.origin},
                  .key = "scheduler.preemption",
                  .what = fmt::format("{} counts slots, and some have whole nodes: {}",
                                      in_quotes(settings.scheduler.preemption),
                                      in_words(*exclusive, workload, settings.workload)),
                  .hint = "leave \"exclusive\" out of the workload, or scheduler.preemption out"});
  }
  if (preempts(settings) && std::ranges::none_of(stages, &Stage::is_one_unit)) {
    mistakes.add(
        {.location = {.file = settings.origin},
         .key = "scheduler.preemption",
         .what = fmt::format("{} takes slots from gangs and stages of one task alone, and "
                             "there is none: {}",
                             in_quotes(settings.scheduler.preemption), settings.workload.origin()),
         .hint = "give stages \"gang\": true, or leave scheduler.preemption out"});
  }
  if (first == stages.end()) return;
  const std::string who = in_words(*first, workload, settings.workload);
  for (const Objection& objection : objections_to_gangs(settings)) {
    mistakes.add({.location = {.file = settings.origin},
                  .key = objection.key,
                  .what = fmt::format("{}; {} ({})", objection.what,
                                      first->exclusive ? "it is to have its nodes for itself"
                                                       : "the tasks of a gang start together",
                                      who),
                  .hint = fmt::format("{}; {}", objection.hint, one_by_one)});
  }
  std::size_t listed = 0;
  for (std::size_t at = 0; at < stages.size(); ++at) {
    const Stage& stage = stages[at];
    if (!stage.gang) continue;
    const Resources demand = estimated_demand(workload.truth.demand(StageId(at)), settings);
    const std::uint64_t room = room_for(demand, stage.tasks, settings.cluster);
    if (room == stage.tasks) continue;
    mistakes.add({.location = settings.workload.location,
                  .key = in_words(stage, workload, settings.workload),
                  .what = fmt::format("is a gang of {} task{}, and the cluster has room for {} of "
                                      "them at once",
                                      stage.tasks, stage.tasks > 1 ? "s" : "", room),
                  .hint = fmt::format("give the cluster more nodes, or leave such jobs out; {}",
                                      one_by_one)});
    if (++listed >= most_listed) return;
  }
}

// What may run for any time can't be counted on.
void check_limits(const Workload& workload, const Settings& settings, Mistakes& mistakes) {
  const SchedulerSettings& scheduler = settings.scheduler;
  const bool of_order = order_traits(composition_of(settings)).needs_limits;
  if (!of_order && !backfill_traits(scheduler.backfill).needs_limits) return;
  const Catalogue& catalogue = workload.catalogue;
  std::size_t without = 0;
  JobId first;
  for (std::uint32_t at = 0; at < catalogue.jobs.size(); ++at) {
    if (catalogue.limit(JobId(at))) continue;
    if (without++ == 0) first = JobId(at);
  }
  if (without == 0) return;
  mistakes.add({.location = {.file = settings.origin},
                .key = of_order ? "scheduler.order" : "scheduler.backfill",
                .what = fmt::format("{} counts on time limits, and {} of {} jobs have none: {}, "
                                    "job '{}'",
                                    in_quotes(of_order ? scheduler.order : scheduler.backfill),
                                    without, catalogue.jobs.size(), settings.workload.origin(),
                                    workload.names.jobs[first.index()]),
                .hint = "give jobs limit_s, or make limits: limits.model = \"factor\" or "
                        "\"rounded\""});
}

}  // namespace

Mistakes objections_to(const Workload& workload, const Settings& settings) {
  Mistakes mistakes;
  check_demands(workload, settings, mistakes);
  check_affinity(workload, settings, mistakes);
  check_gangs(workload, settings, mistakes);
  check_limits(workload, settings, mistakes);
  return mistakes;
}

}  // namespace somnus
