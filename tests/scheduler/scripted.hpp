// A policy that does what a test says, and what it dies of.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "harness/builders.hpp"
#include "scheduler/engine.hpp"
#include "scheduler/registry.hpp"

namespace somnus::harness {

using Step = std::function<void(SchedulerContext&)>;

class OneStep final : public Policy {
 public:
  explicit OneStep(Step step) : step_(std::move(step)) {}
  void job_arrived(Time, JobId, const SchedulerView&) override {}
  void stage_runnable(Time, StageId, const SchedulerView&) override {}
  void stage_withdrawn(StageId, const SchedulerView&) override {}
  void task_ended(const TaskEnded&, StageId, const SchedulerView&) override {}
  void job_ended(JobId, const SchedulerView&) override {}
  void plan(Time, SchedulerContext& context) override { step_(context); }

 private:
  Step step_;
};

/// What it dies of when all jobs of the workload have arrived, on two nodes of two slots.
inline std::string death_of(const Workload& workload, Step step) {
  const Cluster nodes = cluster(2, 2);
  Scheduler scheduler =
      make_scheduler({.order = "fifo", .placement = "any-free", .feedback = "at-once"},
                     {.cluster = nodes, .queues = {}});
  scheduler.policy = std::make_unique<OneStep>(std::move(step));
  Engine engine(workload.catalogue, nodes, std::move(scheduler));
  const Time start = at(Duration::zero());
  for (std::uint32_t each = 0; each < workload.catalogue.jobs.size(); ++each) {
    engine.handle(start, JobArrived{JobId(each)});
  }
  try {
    static_cast<void>(engine.plan(start));
  } catch (const Bug& bug) {
    return bug.what();
  }
  return {};
}

}  // namespace somnus::harness
