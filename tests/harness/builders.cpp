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

WorkloadBuilder& WorkloadBuilder::job(std::string name) {
  spec_.jobs.push_back({.job = std::move(name)});
  return *this;
}

WorkloadBuilder& WorkloadBuilder::at(Duration submit) {
  latest().submit = in_seconds(submit);
  return *this;
}

WorkloadBuilder& WorkloadBuilder::weight(double weight) {
  latest().weight = weight;
  return *this;
}

WorkloadBuilder& WorkloadBuilder::queue(std::string queue) {
  latest().queue = std::move(queue);
  return *this;
}

WorkloadBuilder& WorkloadBuilder::user(std::string user) {
  latest().user = std::move(user);
  return *this;
}

WorkloadBuilder& WorkloadBuilder::after(std::string job, Duration think) {
  latest().after = std::move(job);
  latest().think = in_seconds(think);
  return *this;
}

WorkloadBuilder& WorkloadBuilder::user_weight(std::string user, double weight) {
  spec_.users.push_back({.user = std::move(user), .weight = weight});
  return *this;
}

WorkloadBuilder& WorkloadBuilder::app(std::string app) {
  latest().app = std::move(app);
  return *this;
}

WorkloadBuilder& WorkloadBuilder::progress(std::vector<double> by_slots) {
  latest().progress = std::move(by_slots);
  return *this;
}
WorkloadBuilder& WorkloadBuilder::warmup(double factor) {
  latest().warmup = factor;
  return *this;
}

WorkloadBuilder& WorkloadBuilder::stage(std::uint32_t label, std::vector<std::uint32_t> parents) {
  latest().stages.push_back({.stage = label, .parents = std::move(parents)});
  return *this;
}

WorkloadBuilder& WorkloadBuilder::tasks(std::vector<double> durations) {
  latest_stage().durations = std::move(durations);
  return *this;
}

WorkloadBuilder& WorkloadBuilder::fresh(std::vector<double> durations) {
  latest_stage().fresh = std::move(durations);
  return *this;
}

WorkloadBuilder& WorkloadBuilder::first(std::vector<double> durations) {
  latest_stage().first = std::move(durations);
  return *this;
}

WorkloadBuilder& WorkloadBuilder::divisible(double work, std::vector<double> skew) {
  latest_stage().work = work;
  latest_stage().skew = std::move(skew);
  return *this;
}

WorkloadBuilder& WorkloadBuilder::demand(std::vector<double> of_each_kind) {
  latest_stage().demand = std::move(of_each_kind);
  return *this;
}

WorkloadBuilder& WorkloadBuilder::prefers(std::vector<std::uint32_t> nodes) {
  latest_stage().affinity = std::move(nodes);
  return *this;
}

WorkloadBuilder& WorkloadBuilder::resources(std::vector<std::string> names) {
  spec_.resources = std::move(names);
  return *this;
}

Workload WorkloadBuilder::build(std::uint64_t slots) const { return assemble(spec_, slots); }

JobSpec& WorkloadBuilder::latest() { return spec_.jobs.back(); }

StageSpec& WorkloadBuilder::latest_stage() {
  if (latest().stages.empty()) stage(0);
  return latest().stages.back();
}

WorkloadBuilder cfq_figure_2() {
  using namespace std::chrono_literals;
  return workload()
      .job("job1")
      .at(0s)
      .tasks({9})
      .job("job2")
      .at(0s)
      .tasks({4, 4, 4, 4})
      .job("job3")
      .at(4s)
      .tasks({4, 4});
}

}  // namespace somnus::harness
