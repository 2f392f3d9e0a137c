// Small worlds in a line: `cluster(3)`, `workload().job("j1").at(4s).tasks({4, 4})`.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "model/cluster.hpp"
#include "model/workload.hpp"

namespace somnus::harness {

/// Like nodes that only count slots.
[[nodiscard]] inline Cluster cluster(std::uint32_t nodes, std::uint32_t slots_per_node = 1) {
  return {.groups = {{.count = nodes, .slots = slots_per_node}}, .resources = {}};
}

[[nodiscard]] inline Resources amounts(std::initializer_list<double> of_each_kind) {
  Resources made;
  std::size_t kind = 0;
  for (const double amount : of_each_kind) made.set(kind++, amount);
  return made;
}

/// Jobs as users write them, one call a property. Whatever is set belongs to the latest job() or
/// stage(); a job that names no stage has one, with label 0. Durations are in seconds.
class WorkloadBuilder {
 public:
  WorkloadBuilder& job(std::string name) {
    spec_.jobs.push_back({.job = std::move(name)});
    return *this;
  }
  WorkloadBuilder& at(Duration submit) {
    latest().submit = in_seconds(submit);
    return *this;
  }
  WorkloadBuilder& weight(double weight) {
    latest().weight = weight;
    return *this;
  }
  WorkloadBuilder& queue(std::string queue) {
    latest().queue = std::move(queue);
    return *this;
  }
  WorkloadBuilder& user(std::string user) {
    latest().user = std::move(user);
    return *this;
  }
  /// `think` after the end of that job.
  WorkloadBuilder& after(std::string job, Duration think) {
    latest().after = std::move(job);
    latest().think = in_seconds(think);
    return *this;
  }
  WorkloadBuilder& user_weight(std::string user, double weight) {
    spec_.users.push_back({.user = std::move(user), .weight = weight});
    return *this;
  }
  WorkloadBuilder& app(std::string app) {
    latest().app = std::move(app);
    return *this;
  }
  WorkloadBuilder& warmup(double factor) {
    latest().warmup = factor;
    return *this;
  }
  WorkloadBuilder& stage(std::uint32_t label, std::vector<std::uint32_t> parents = {}) {
    latest().stages.push_back({.stage = label, .parents = std::move(parents)});
    return *this;
  }
  WorkloadBuilder& tasks(std::vector<double> durations) {
    latest_stage().durations = std::move(durations);
    return *this;
  }
  WorkloadBuilder& divisible(double work, std::vector<double> skew = {}) {
    latest_stage().work = work;
    latest_stage().skew = std::move(skew);
    return *this;
  }
  WorkloadBuilder& demand(std::vector<double> of_each_kind) {
    latest_stage().demand = std::move(of_each_kind);
    return *this;
  }
  WorkloadBuilder& prefers(std::vector<std::uint32_t> nodes) {
    latest_stage().affinity = std::move(nodes);
    return *this;
  }
  WorkloadBuilder& resources(std::vector<std::string> names) {
    spec_.resources = std::move(names);
    return *this;
  }

  [[nodiscard]] WorkloadSpec& spec() { return spec_; }
  [[nodiscard]] Workload build(std::uint64_t slots = 1) const { return assemble(spec_, slots); }

 private:
  JobSpec& latest() { return spec_.jobs.back(); }
  StageSpec& latest_stage() {
    if (latest().stages.empty()) stage(0);
    return latest().stages.back();
  }

  WorkloadSpec spec_;
};

[[nodiscard]] inline WorkloadBuilder workload() { return {}; }

/// The workload of Figures 2 and 3 of the CFQ paper, for three slots.
[[nodiscard]] inline WorkloadBuilder cfq_figure_2() {
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
