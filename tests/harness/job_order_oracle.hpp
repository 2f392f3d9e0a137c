// Who must be next, by the definition of the job queue (Algorithm 3 over jobs) and of capacity
// sharing, and nothing else: counts of its own, slot-times from the truth (so estimates must be
// exact). Each decision is compared with all that could have been served instead.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/watched.hpp"
#include "model/workload.hpp"
#include "policies/job_order.hpp"

namespace somnus::harness {

struct JobOrderRules {
  JobsBy by = JobsBy::ejf;
  double starvation_s = infinity;
  double starvation_relative = infinity;
  std::map<std::string, double> capacities = {};  // empty: one queue for all
  double max_capacity = 1;
};

class JobOrderOracle final : public Witness {
 public:
  JobOrderOracle(const Workload& workload, double slots, const JobOrderRules& rules)
      : workload_(workload),
        catalogue_(workload.catalogue),
        slots_(slots),
        rules_(rules),
        arrival_(catalogue_.jobs.size(), never),
        stages_(catalogue_.stages.size()) {}

  /// One sentence for each decision that the definition forbids.
  [[nodiscard]] const std::vector<std::string>& violations() const { return violations_; }
  /// Decisions at which somebody else could have been served.
  [[nodiscard]] int choices() const { return choices_; }
  /// Of those, how often a starved job was there.
  [[nodiscard]] int choices_with_starved() const { return choices_with_starved_; }

  void job_arrived(Time now, JobId job) override { arrival_[job.index()] = now; }
  void stage_runnable(Time, StageId stage) override {
    if (std::exchange(stages_[stage.index()].seen, true)) return;  // an attempt was lost
    stages_[stage.index()].waiting = catalogue_[stage].tasks;
  }
  void task_ended(const TaskEnded& end, StageId stage) override {
    --stages_[stage.index()].placed;
    ++(end.outcome == Outcome::finished ? stages_[stage.index()].finished
                                        : stages_[stage.index()].waiting);
  }
  void planning(Time now) override { now_ = now; }

  void placing(StageId stage, NodeId, const SchedulerView& view) override {
    State& state = stages_[stage.index()];
    if (state.waiting == 0) add_error(fmt::format("stage {} has nothing to run", stage.value()));
    if (placed_of(stage) >= most_of(stage))
      add_error(fmt::format("stage {}: its queue is full", stage.value()));
    bool choice = false;
    for (std::size_t at = 0; at < stages_.size(); ++at) {
      const StageId other(at);
      if (other == stage || !could_run(other, view)) continue;
      choice = true;
      if (before(other, stage)) {
        add_error(fmt::format("at {} s stage {} was served before {}", in_seconds(now_),
                              stage.value(), at));
      }
    }
    choices_ += choice ? 1 : 0;
    choices_with_starved_ += choice && any_starved() ? 1 : 0;
    --state.waiting;
    ++state.placed;
  }

  void planned(const SchedulerView& view) override {
    for (std::size_t at = 0; at < stages_.size(); ++at) {
      if (could_run(StageId(at), view)) add_error(fmt::format("stage {} was left waiting", at));
    }
  }

 private:
  struct State {
    bool seen = false;
    std::uint32_t waiting = 0;
    std::uint32_t placed = 0;
    std::uint32_t finished = 0;
  };

  void add_error(std::string violation) { violations_.push_back(std::move(violation)); }

  [[nodiscard]] JobId job_of(StageId stage) const { return catalogue_[stage].job; }
  [[nodiscard]] QueueId queue_of(StageId stage) const { return catalogue_[job_of(stage)].queue; }

  [[nodiscard]] double placed_of(StageId stage) const {
    double placed = 0;
    for (std::size_t at = 0; at < stages_.size(); ++at) {
      if (queue_of(StageId(at)) == queue_of(stage)) placed += stages_[at].placed;
    }
    return placed;
  }
  [[nodiscard]] double capacity_of(QueueId queue) const {
    if (rules_.capacities.empty()) return 1;
    return rules_.capacities.at(workload_.names.queues[queue.index()]);
  }
  [[nodiscard]] double most_of(StageId stage) const {
    if (rules_.max_capacity == 1) return infinity;
    double sum = 0;
    for (std::uint32_t at = 0; at < catalogue_.queues; ++at) sum += capacity_of(QueueId(at));
    const double share = std::max(capacity_of(queue_of(stage)) / sum, rules_.max_capacity);
    return std::ceil(share * slots_ - 1e-6);
  }

  [[nodiscard]] double mean_task_s(StageId stage) const {
    const Stage& facts = catalogue_[stage];
    return in_seconds(somnus::slot_time(workload_.truth.of(facts))) / facts.tasks;
  }
  [[nodiscard]] bool starved(JobId job) const {
    const Job& facts = catalogue_[job];
    const double slot_time = in_seconds(somnus::slot_time(workload_.truth.of(facts)));
    const double relative = rules_.starvation_relative == infinity
                                ? infinity
                                : rules_.starvation_relative * slot_time / facts.tasks;
    // Times are multiples of 0.1 s and thresholds are not, but for 0.
    return in_seconds(now_ - arrival_[job.index()]) >= std::min(rules_.starvation_s, relative);
  }
  [[nodiscard]] bool any_starved() const {
    for (std::size_t at = 0; at < stages_.size(); ++at) {
      if (stages_[at].waiting > 0 && starved(job_of(StageId(at)))) return true;
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
      const std::uint32_t unfinished = catalogue_[stage].tasks - stages_[stage.index()].finished;
      work += mean_task_s(stage) * catalogue_[stage].tasks;
      remaining += mean_task_s(stage) * unfinished;
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

  [[nodiscard]] bool before(StageId a, StageId b) const {
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
    const double difference = rank(job_of(a)) - rank(job_of(b));
    // Whole nanoseconds of means differ from these by less than one a task.
    if (std::abs(difference) < 1e-6) return false;
    return difference < 0;
  }

  [[nodiscard]] bool could_run(StageId stage, const SchedulerView& view) const {
    if (stages_[stage.index()].waiting == 0 || placed_of(stage) >= most_of(stage)) return false;
    for (std::uint32_t node = 0; node < view.nodes.count(); ++node) {
      if (view.nodes.fits(NodeId(node), view.jobs.demand(stage).amounts)) return true;
    }
    return false;
  }

  const Workload& workload_;
  const Catalogue& catalogue_;
  double slots_;
  JobOrderRules rules_;
  Time now_;
  std::vector<Time> arrival_;  // by job
  std::vector<State> stages_;
  std::vector<std::string> violations_;
  int choices_ = 0;
  int choices_with_starved_ = 0;
};

}  // namespace somnus::harness
