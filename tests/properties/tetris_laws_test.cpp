// Each decision of Tetris against its definition (policies.md 6.2), worked out anew from the
// view in doubles, in random worlds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "harness/property.hpp"
#include "harness/scenarios.hpp"
#include "harness/watched.hpp"

namespace somnus::harness {
namespace {

struct Rules {
  double fairness = 0.25;
  double barrier = 0.9;
  double remote = 0.9;
  double shortness = 1;
};

constexpr double rounding = 1e-9;  // of what would be equal but for rounding

class Definition final : public Witness {
 public:
  Definition(const Cluster& cluster, const Rules& rules) : cluster_(cluster), rules_(rules) {}

  std::vector<std::string> violations;
  int decisions = 0;
  int choices = 0;  // with more than one candidate

  void job_arrived(Time, JobId job) override { jobs_.push_back(job); }
  void placing(StageId stage, NodeId node, const SchedulerView& view) override {
    ++decisions;
    for (std::uint32_t lower = 0; lower < node.value(); ++lower) {
      if (!fitting(NodeId(lower), view).empty()) add_error("a machine before it has room", stage);
    }
    std::vector<StageId> left = fitting(node, view);
    choices += left.size() > 1 ? 1 : 0;
    left = of_the_last(of_the_poorest(left, view), view);
    double alignments = 0;
    double works = 0;
    for (const StageId each : left) {
      alignments += alignment(each, node, view);
      works += work(job_of(each, view), view);
    }
    std::map<StageId, double> scores;
    double best = -1e300;
    for (const StageId each : left) {
      double& score = scores[each];
      score = alignment(each, node, view);
      if (works > 0) {
        score -= rules_.shortness * work(job_of(each, view), view) * alignments / works;
      }
      best = std::max(best, score);
    }
    const auto first = std::ranges::find_if(
        left, [&](StageId each) { return scores.at(each) >= best - rounding; });
    if (first == left.end() || *first != stage) add_error("another stage is before it", stage);
  }

  void planned(const SchedulerView& view) override {
    for (std::uint32_t node = 0; node < view.nodes.count(); ++node) {
      if (!fitting(NodeId(node), view).empty()) add_error("room is left for it", StageId());
    }
  }

 private:
  static JobId job_of(StageId stage, const SchedulerView& view) { return view.jobs.job_of(stage); }

  void add_error(const char* why, StageId stage) {
    violations.push_back(fmt::format("stage {}: {}", stage.value(), why));
  }

  // A slot is the one resource, where there are no others.
  [[nodiscard]] std::size_t kinds() const {
    return std::max<std::size_t>(1, cluster_.resources.size());
  }
  [[nodiscard]] double demand(StageId stage, std::size_t kind, const SchedulerView& view) const {
    if (cluster_.resources.empty()) return 1;
    return view.jobs.demand(stage).amounts.amount(kind);
  }
  [[nodiscard]] double free(NodeId node, std::size_t kind, const SchedulerView& view) const {
    if (cluster_.resources.empty()) return view.nodes.free_slots(node);
    return view.nodes.free(node).amount(kind);
  }
  [[nodiscard]] double capacity(NodeId node, std::size_t kind) const {
    const NodeGroup& group = cluster_.node(node);
    return cluster_.resources.empty() ? group.slots : group.capacity.amount(kind);
  }
  [[nodiscard]] double whole_cluster(std::size_t kind) const {
    double sum = 0;
    for (std::uint32_t node = 0; node < cluster_.node_count(); ++node) {
      sum += capacity(NodeId(node), kind);
    }
    return sum;
  }

  // Runnable stages whose tasks fit, in their order.
  [[nodiscard]] std::vector<StageId> fitting(NodeId node, const SchedulerView& view) const {
    std::vector<StageId> stages;
    if (!view.nodes.usable(node) || view.nodes.free_slots(node) == 0) return stages;
    StageId stage = view.jobs.first_runnable();
    for (; stage.valid(); stage = view.jobs.next_runnable(stage)) {
      bool fits = true;
      for (std::size_t kind = 0; kind < kinds(); ++kind) {
        fits &= demand(stage, kind, view) <= free(node, kind, view) + rounding;
      }
      if (fits) stages.push_back(stage);
    }
    return stages;
  }

  [[nodiscard]] double alignment(StageId stage, NodeId node, const SchedulerView& view) const {
    double sum = 0;
    for (std::size_t kind = 0; kind < kinds(); ++kind) {
      const double all = capacity(node, kind);
      if (all == 0) continue;
      sum += demand(stage, kind, view) / all * free(node, kind, view) / all;
    }
    const auto preferred = view.jobs.affinity_of(stage);
    const bool elsewhere =
        !preferred.empty() && std::ranges::find(preferred, node) == preferred.end();
    return elsewhere ? sum * rules_.remote : sum;
  }

  // Visits (stage, task) of the job's tasks.
  template <class Visit>
  static void for_each_task(JobId job, const SchedulerView& view, Visit&& visit) {
    const Job& facts = view.jobs[job];
    for (std::uint32_t at = 0; at < facts.tasks; ++at) {
      const TaskId task(facts.first_task.value() + at);
      visit(view.jobs.stage_of(task), task);
    }
  }

  [[nodiscard]] double work(JobId job, const SchedulerView& view) const {
    double sum = 0;
    for_each_task(job, view, [&](StageId stage, TaskId task) {
      if (view.jobs.state(task) != TaskState::waiting) return;
      const double mean_s = in_seconds(view.jobs.slot_time(stage)) / view.jobs[stage].tasks;
      for (std::size_t kind = 0; kind < kinds(); ++kind) {
        const double all = whole_cluster(kind);
        if (all > 0) sum += mean_s * demand(stage, kind, view) / all;
      }
    });
    return sum;
  }

  [[nodiscard]] double above_fair_share(JobId job, const SchedulerView& view) const {
    double weights = 0;
    for (const JobId each : jobs_) {
      if (!view.jobs.ended(each)) weights += view.jobs[each].weight;
    }
    double most = 0;
    for (std::size_t kind = 0; kind < kinds(); ++kind) {
      double taken = 0;
      for_each_task(job, view, [&](StageId stage, TaskId task) {
        if (view.jobs.state(task) == TaskState::running) taken += demand(stage, kind, view);
      });
      if (whole_cluster(kind) > 0) most = std::max(most, taken / whole_cluster(kind));
    }
    return most - view.jobs[job].weight / weights;
  }

  [[nodiscard]] std::vector<StageId> of_the_poorest(std::vector<StageId> stages,
                                                    const SchedulerView& view) const {
    std::map<JobId, double> above;
    for (const StageId stage : stages) {
      above[job_of(stage, view)] = above_fair_share(job_of(stage, view), view);
    }
    const double kept = (1 - rules_.fairness) * static_cast<double>(above.size());
    const auto served = std::max<std::int64_t>(1, std::llround(std::ceil(kept - rounding)));
    const auto is_served = [&](JobId job) {
      const auto before = std::ranges::count_if(above, [&](const auto& other) {
        const double ahead = above.at(job) - other.second;
        return ahead > rounding || (ahead > -rounding && other.first < job);
      });
      return before < served;
    };
    std::erase_if(stages, [&](StageId stage) { return !is_served(job_of(stage, view)); });
    return stages;
  }

  [[nodiscard]] std::vector<StageId> of_the_last(std::vector<StageId> stages,
                                                 const SchedulerView& view) const {
    const auto is_last = [&](StageId stage) {
      if (view.jobs.children_of(stage).empty()) return false;
      double started = 0;
      for_each_task(job_of(stage, view), view, [&](StageId of, TaskId task) {
        started += of == stage && view.jobs.state(task) != TaskState::waiting ? 1 : 0;
      });
      return started >= rules_.barrier * view.jobs[stage].tasks - rounding;
    };
    if (std::ranges::none_of(stages, is_last)) return stages;
    std::erase_if(stages, [&](StageId stage) { return !is_last(stage); });
    return stages;
  }

  const Cluster& cluster_;
  Rules rules_;
  std::vector<JobId> jobs_;  // that have arrived
};

TEST(TetrisLaws, EachTaskIsTheBestThatFitsTheFirstMachineWithRoomAndNoneIsLeftThatFits) {
  int choices = 0;
  check_law({.cases = 1000}, [&] {
    Scenario scenario = any_scenario({});
    const Rules rules{.fairness = *rc::gen::element(0.0, 0.25, 0.5, 0.7, 1.0),
                      .barrier = *rc::gen::element(0.0, 0.3, 0.5, 0.9, 1.0),
                      .remote = *rc::gen::element(0.5, 0.9, 1.0),
                      .shortness = *rc::gen::element(0.0, 0.5, 1.0, 3.0)};
    for (JobSpec& job : scenario.jobs.jobs) {
      for (StageSpec& stage : job.stages) {
        if (draw::coin()) continue;
        const int last = static_cast<int>(scenario.cluster.node_count()) - 1;
        stage.affinity = {static_cast<std::uint32_t>(draw::integer(0, last))};
      }
    }
    scenario.conditions.order = "tetris";
    const bool beats = scenario.conditions.feedback == "heartbeat";
    if (beats && draw::coin()) scenario.conditions.feedback = "any-heartbeat";
    scenario.conditions.of_order = {{"fairness", rules.fairness},
                                    {"barrier", rules.barrier},
                                    {"remote", rules.remote},
                                    {"shortness", rules.shortness}};
    Definition definition(scenario.cluster, rules);
    scenario.conditions.wrap = [&](std::unique_ptr<Policy> policy) {
      return std::make_unique<Watched>(std::move(policy), definition);
    };
    const World world = run(scenario);
    RC_ASSERT(definition.violations == std::vector<std::string>());
    RC_ASSERT(static_cast<std::size_t>(definition.decisions) == world.decisions.size());
    choices += definition.choices;
  });
  EXPECT_GT(choices, 500) << "the worlds left nothing to decide";
}

}  // namespace
}  // namespace somnus::harness
