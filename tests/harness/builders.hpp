// Small worlds in a line: `cluster(3)`, `workload().job("j1").at(4s).tasks({4, 4})`.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "model/cluster.hpp"
#include "model/workload.hpp"
#include "warmup/warmup.hpp"

namespace somnus::harness {

/// `reuse` with that factor.
[[nodiscard]] inline Warmup reuse_warmup(double factor) { return {"reuse", {{"factor", factor}}}; }
/// `executor` with that.
[[nodiscard]] inline Warmup executor_warmup(double start_s, double factor, double decay_tasks) {
  return {"executor", {{"start_s", start_s}, {"factor", factor}, {"decay_tasks", decay_tasks}}};
}
[[nodiscard]] inline Warmup measured_warmup() { return {"measured", {}}; }

[[nodiscard]] inline Time at(Duration since_start) { return start_of_time + since_start; }

/// Like nodes that only count slots.
[[nodiscard]] Cluster cluster(std::uint32_t nodes, std::uint32_t slots_per_node = 1);

[[nodiscard]] Resources amounts(std::initializer_list<double> of_each_kind);

/// In seconds, in the order of its tasks.
[[nodiscard]] std::vector<double> durations_of(const Workload& jobs, StageId stage);

/// Jobs as users write them, one call a property. Whatever is set belongs to the latest job() or
/// stage(); a job that names no stage has one, with label 0. Durations are in seconds.
class WorkloadBuilder {
 public:
  WorkloadBuilder& job(std::string name);
  WorkloadBuilder& at(Duration submit);
  WorkloadBuilder& weight(double weight);
  WorkloadBuilder& queue(std::string queue);
  WorkloadBuilder& user(std::string user);
  /// `think` after the end of that job.
  WorkloadBuilder& after(std::string job, Duration think);
  WorkloadBuilder& user_weight(std::string user, double weight);
  WorkloadBuilder& app(std::string app);
  WorkloadBuilder& warmup(double factor);
  /// On 1, 2, ... slots.
  WorkloadBuilder& progress(std::vector<double> by_slots);
  WorkloadBuilder& stage(std::uint32_t label, std::vector<std::uint32_t> parents = {});
  WorkloadBuilder& tasks(std::vector<double> durations);
  /// What they take after a task of another app or none, and of another stage; after tasks().
  WorkloadBuilder& fresh(std::vector<double> durations);
  WorkloadBuilder& first(std::vector<double> durations);
  WorkloadBuilder& divisible(double work, std::vector<double> skew = {});
  WorkloadBuilder& demand(std::vector<double> of_each_kind);
  WorkloadBuilder& prefers(std::vector<std::uint32_t> nodes);
  WorkloadBuilder& resources(std::vector<std::string> names);

  [[nodiscard]] WorkloadSpec& spec() { return spec_; }
  [[nodiscard]] Workload build(std::uint64_t slots = 1) const;

 private:
  JobSpec& latest();
  StageSpec& latest_stage();

  WorkloadSpec spec_;
};

[[nodiscard]] inline WorkloadBuilder workload() { return {}; }

/// The workload of Figures 2 and 3 of the CFQ paper, for three slots.
[[nodiscard]] WorkloadBuilder cfq_figure_2();

}  // namespace somnus::harness
