// Who must be next, by the definition of the job queue (Algorithm 3 over jobs) and of capacity
// sharing, and nothing else.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/counting_oracle.hpp"
#include "policies/job_order.hpp"

namespace somnus::harness {

struct JobOrderRules {
  JobsBy by = JobsBy::ejf;
  double starvation_s = infinity;
  double starvation_relative = infinity;
  std::map<std::string, double> capacities = {};  // empty: one queue for all
  double max_capacity = 1;
};

class JobOrderOracle final : public CountingOracle {
 public:
  JobOrderOracle(const Workload& workload, double slots, const JobOrderRules& rules)
      : CountingOracle(workload),
        slots_(slots),
        rules_(rules),
        arrival_(catalogue_.jobs.size(), never) {}

  /// Of the choices, how often a starved job was there.
  [[nodiscard]] int choices_with_starved() const { return choices_with_starved_; }

  void job_arrived(Time now, JobId job) override { arrival_[job.index()] = now; }
  void planning(Time now) override { now_ = now; }
  void placing(StageId stage, NodeId node, const SchedulerView& view) override {
    const int so_far = choices();
    const bool starved = any_starved();
    CountingOracle::placing(stage, node, view);
    choices_with_starved_ += choices() > so_far && starved ? 1 : 0;
  }

 private:
  [[nodiscard]] JobId job_of(StageId stage) const { return catalogue_[stage].job; }
  [[nodiscard]] QueueId queue_of(StageId stage) const { return catalogue_[job_of(stage)].queue; }

  [[nodiscard]] double placed_of(StageId stage) const {
    double placed = 0;
    for (std::size_t at = 0; at < stages(); ++at) {
      if (queue_of(StageId(at)) == queue_of(stage)) placed += state(StageId(at)).running;
    }
    return placed;
  }
  [[nodiscard]] double capacity_of(QueueId queue) const {
    if (rules_.capacities.empty()) return 1;
    return rules_.capacities.at(workload_.names.queues[queue.index()]);
  }
  [[nodiscard]] bool may_have_more(StageId stage) const override {
    if (rules_.max_capacity == 1) return true;
    double sum = 0;
    for (std::uint32_t at = 0; at < catalogue_.queues; ++at) sum += capacity_of(QueueId(at));
    const double share = std::max(capacity_of(queue_of(stage)) / sum, rules_.max_capacity);
    return placed_of(stage) < std::ceil(share * slots_ - 1e-6);
  }

  [[nodiscard]] bool starved(JobId job) const {
    const double mean_task_s = slot_time_s(catalogue_[job]) / catalogue_[job].tasks;
    const double relative = rules_.starvation_relative == infinity
                                ? infinity
                                : rules_.starvation_relative * mean_task_s;
    // Times are multiples of 0.1 s and thresholds are not, but for 0.
    return in_seconds(now_ - arrival_[job.index()]) >= std::min(rules_.starvation_s, relative);
  }
  [[nodiscard]] bool any_starved() const {
    for (std::size_t at = 0; at < stages(); ++at) {
      if (state(StageId(at)).waiting > 0 && starved(job_of(StageId(at)))) return true;
    }
    return false;
  }

  [[nodiscard]] double rank(JobId job) const {
    double work = 0;
    double remaining = 0;
    double tasks = 0;
    const Job& facts = catalogue_[job];
    for (std::size_t at = 0; at < facts.stages; ++at) {
      const StageId stage(facts.first_stage.index() + at);
      const Stage& of = catalogue_[stage];
      const std::uint32_t unfinished = of.tasks - state(stage).finished;
      const double mean_task_s = slot_time_s(of) / of.tasks;
      work += mean_task_s * of.tasks;
      remaining += mean_task_s * unfinished;
      tasks += unfinished;
    }
    switch (rules_.by) {
      case JobsBy::ejf:
        return in_seconds(arrival_[job.index()]);
      case JobsBy::srjf:
        return remaining;
      case JobsBy::lrtf:
        return tasks;
      case JobsBy::sjf:
        return work;
    }
    return 0;
  }

  [[nodiscard]] bool before(StageId a, StageId b) const override {
    if (queue_of(a) != queue_of(b) && !rules_.capacities.empty()) {
      const auto key = [&](StageId stage) {
        return std::pair(placed_of(stage) / capacity_of(queue_of(stage)), queue_of(stage));
      };
      return key(a) < key(b);
    }
    if (job_of(a) == job_of(b)) return a < b;
    const bool a_starves = starved(job_of(a));
    const bool b_starves = starved(job_of(b));
    if (a_starves != b_starves) return a_starves;
    if (a_starves) return job_of(a) < job_of(b);  // ids are in order of arrival
    // Whole nanoseconds of means differ from these by less than one a task.
    return rank(job_of(a)) - rank(job_of(b)) <= -1e-6;
  }

  double slots_;
  JobOrderRules rules_;
  Time now_;
  std::vector<Time> arrival_;  // by job
  int choices_with_starved_ = 0;
};

}  // namespace somnus::harness
