// Small worlds in a line: `cluster(3)`, `workload().job("j1", {.at = 4s, .tasks = {4, 4}})`.
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

/// Durations of that many tasks.
[[nodiscard]] inline std::vector<double> alike(std::size_t count, double each_s = 1) {
  return std::vector<double>(count, each_s);
}

/// What a test says of a stage; durations are in seconds.
struct StageFields {
  std::vector<std::uint32_t> parents;
  std::vector<double> tasks;   // their durations
  std::vector<double> fresh;   // what they take after a task of another app or none
  std::vector<double> first;   // and of another stage
  double work = 0;             // of a divisible stage, instead of tasks
  std::vector<double> skew;    // its
  std::vector<double> demand;  // of each kind
  std::vector<std::uint32_t> prefers;
  bool gang = false;
};

/// What a test says of a job, and of its only stage.
struct JobFields {
  Duration at{};
  std::string user = "default";
  std::string queue = "default";
  double weight = 1;
  std::string after;
  Duration think{};
  std::string app;
  double warmup = 0;
  std::vector<double> progress;  // on 1, 2, ... slots
  std::vector<double> tasks;     // from here on of a stage 0; stages can be given instead
  std::vector<double> demand;
  std::vector<std::uint32_t> prefers;
};

/// Jobs as users write them; a stage belongs to the latest job.
class WorkloadBuilder {
 public:
  WorkloadBuilder& job(std::string name, JobFields fields = {});
  WorkloadBuilder& stage(std::uint32_t label, StageFields fields = {});
  WorkloadBuilder& user_weight(std::string user, double weight);
  WorkloadBuilder& resources(std::vector<std::string> names);

  [[nodiscard]] WorkloadSpec& spec() { return spec_; }
  [[nodiscard]] Workload build(std::uint64_t slots = 1) const;

 private:
  WorkloadSpec spec_;
};

[[nodiscard]] inline WorkloadBuilder workload() { return {}; }

/// The workload of Figures 2 and 3 of the CFQ paper, for three slots.
[[nodiscard]] WorkloadBuilder cfq_figure_2();

}  // namespace somnus::harness
