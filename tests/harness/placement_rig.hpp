// A scheduler of first come, first served and the placement under test, with events by hand:
// `PlacementRig rig(jobs, cluster(3), {.placement = "queue-length"})`. It answers with the
// nodes that it chose. Estimates are exact.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/builders.hpp"
#include "scheduler/engine.hpp"
#include "scheduler/estimator.hpp"
#include "scheduler/registry.hpp"

namespace somnus::harness {

using NodeList = std::vector<std::uint32_t>;

class PlacementRig {
 public:
  struct Setup {
    std::string placement;
    Parameters parameters;
    std::string feedback = "at-once";
    std::optional<QueueRules> queue = QueueRules{};
    std::string order = "fifo";
    std::uint64_t seed = 1;
  };
  PlacementRig(const WorkloadBuilder& jobs, const Cluster& cluster, const Setup& setup)
      : workload_(jobs.build(cluster.slot_count())),
        cluster_(cluster),
        estimator_(exact_estimator(workload_)),
        engine_(workload_.catalogue, cluster_,
                make_scheduler({.order = setup.order,
                                .placement = setup.placement,
                                .of_placement = setup.parameters,
                                .feedback = setup.feedback,
                                .queue = setup.queue},
                               {.cluster = cluster_, .queues = {}, .seed = setup.seed})) {}

  // Events.
  void arrive(Duration now, std::uint32_t job) {
    const Job& facts = workload_.catalogue[JobId(job)];
    for (std::uint32_t at = 0; at < facts.stages; ++at) {
      const StageId stage(facts.first_stage.value() + at);
      handle(now, StageEstimated{stage, estimator_->slot_time(stage), estimator_->demand(stage)});
    }
    handle(now, JobArrived{JobId(job)});
  }
  struct Load {
    std::uint32_t node = 0;
    std::uint32_t running = 0;
    std::uint32_t queued = 0;
    double wait_s = 0;
  };
  void report(Duration now, const Load& load) {
    handle(now, NodeOffered{.node = NodeId(load.node),
                            .running = load.running,
                            .queued = load.queued,
                            .wait = Estimate{load.wait_s}});
  }
  void end(Duration now, std::uint32_t task, Outcome outcome = Outcome::finished) {
    const JobTable& jobs = engine_.jobs();
    handle(now, TaskEnded{.task = TaskId(task),
                          .node = jobs.node(TaskId(task)),
                          .attempt = jobs.attempt(TaskId(task)),
                          .outcome = outcome});
  }
  void handle(Duration now, const Event& event) { engine_.handle(start_of_time + now, event); }

  /// The nodes of the tasks that are launched now, in the order of the decisions.
  NodeList plan(Duration now) {
    plan_ = engine_.plan(start_of_time + now);
    NodeList nodes;
    for (const Launch& launch : launches()) nodes.push_back(launch.node.value());
    return nodes;
  }
  /// Of the last plan().
  [[nodiscard]] NodeList nodes_of(std::uint32_t job) const {
    NodeList nodes;
    for (const Launch& launch : launches()) {
      if (workload_.catalogue[launch.stage].job == JobId(job)) nodes.push_back(launch.node.value());
    }
    return nodes;
  }
  [[nodiscard]] const std::vector<Launch>& launches() const { return plan_.get<Launch>(); }
  [[nodiscard]] const Plan& last_plan() const { return plan_; }
  [[nodiscard]] const Engine& engine() const { return engine_; }

 private:
  Workload workload_;
  Cluster cluster_;
  std::unique_ptr<Estimator> estimator_;
  Engine engine_;
  Plan plan_;
};

/// One job of like tasks.
[[nodiscard]] inline WorkloadBuilder job_of(std::size_t tasks, double duration_s = 1,
                                            std::vector<std::uint32_t> prefers = {}) {
  return workload().job(
      "j", {.tasks = std::vector<double>(tasks, duration_s), .prefers = std::move(prefers)});
}

[[nodiscard]] inline NodeList sorted(NodeList nodes) {
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

/// Pearson's statistic of counts that should be equal.
[[nodiscard]] inline double chi_square(const std::vector<double>& counts) {
  double sum = 0;
  for (const double count : counts) sum += count;
  const double expected = sum / static_cast<double>(counts.size());
  double statistic = 0;
  for (const double count : counts) {
    statistic += (count - expected) * (count - expected) / expected;
  }
  return statistic;
}

}  // namespace somnus::harness
