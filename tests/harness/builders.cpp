#include "harness/builders.hpp"

#include <chrono>
#include <utility>

namespace somnus::harness {

Cluster cluster(std::uint32_t nodes, std::uint32_t slots_per_node) {
  return {.groups = {{.count = nodes, .slots = slots_per_node}}, .resources = {}};
}

Resources amounts(std::initializer_list<double> of_each_kind) {
  Resources made;
  std::size_t kind = 0;
  for (const double amount : of_each_kind) made.set(kind++, amount);
  return made;
}

std::vector<double> durations_of(const Workload& jobs, StageId stage) {
  std::vector<double> durations;
  for (const TrueDuration& task : jobs.truth.of(jobs.catalogue[stage])) {
    durations.push_back(in_seconds(task.value));
  }
  return durations;
}

WorkloadBuilder& WorkloadBuilder::job(std::string name, JobFields fields) {
  spec_.jobs.push_back({.job = std::move(name),
                        .user = std::move(fields.user),
                        .queue = std::move(fields.queue),
                        .app = std::move(fields.app),
                        .submit = in_seconds(fields.at),
                        .after = std::move(fields.after),
                        .think = in_seconds(fields.think),
                        .weight = fields.weight,
                        .warmup = fields.warmup,
                        .progress = std::move(fields.progress)});
  if (fields.tasks.empty()) return *this;
  return stage(0, {.tasks = std::move(fields.tasks),
                   .demand = std::move(fields.demand),
                   .prefers = std::move(fields.prefers)});
}

WorkloadBuilder& WorkloadBuilder::stage(std::uint32_t label, StageFields fields) {
  spec_.jobs.back().stages.push_back({.stage = label,
                                      .parents = std::move(fields.parents),
                                      .durations = std::move(fields.tasks),
                                      .fresh = std::move(fields.fresh),
                                      .first = std::move(fields.first),
                                      .demand = std::move(fields.demand),
                                      .work = fields.work,
                                      .skew = std::move(fields.skew),
                                      .affinity = std::move(fields.prefers),
                                      .gang = fields.gang});
  return *this;
}

WorkloadBuilder& WorkloadBuilder::user_weight(std::string user, double weight) {
  spec_.users.push_back({.user = std::move(user), .weight = weight});
  return *this;
}

WorkloadBuilder& WorkloadBuilder::resources(std::vector<std::string> names) {
  spec_.resources = std::move(names);
  return *this;
}

Workload WorkloadBuilder::build(std::uint64_t slots) const { return assemble(spec_, slots); }

WorkloadBuilder cfq_figure_2() {
  return workload()
      .job("job1", {.tasks = {9}})
      .job("job2", {.tasks = {4, 4, 4, 4}})
      .job("job3", {.at = std::chrono::seconds(4), .tasks = {4, 4}});
}

}  // namespace somnus::harness
