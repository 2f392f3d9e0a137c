// Who must be next, by the definitions of FIFO, FAIR, SRPT, CFQ, UJF and UWFQ and nothing else:
// counts of its own, slot-times from the truth (so estimates must be exact), virtual times from the
// brute-force fluids. Each decision is compared with all that could have been served instead.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "harness/fluid_oracle.hpp"
#include "harness/uwfq_oracle.hpp"
#include "harness/watched.hpp"
#include "model/workload.hpp"
#include "scheduler/unit.hpp"

namespace somnus::harness {

class OrderOracle final : public Witness {
 public:
  OrderOracle(const Workload& workload, double slots, std::string_view order, Level level,
              const UwfqRules& rules = {})
      : workload_(workload),
        catalogue_(workload.catalogue),
        order_(order),
        level_(level),
        fluid_(slots),
        uwfq_(slots, rules),
        stages_(catalogue_.stages.size()) {}

  /// One sentence for each decision that the definition forbids.
  [[nodiscard]] const std::vector<std::string>& violations() const { return violations_; }
  [[nodiscard]] int decisions() const { return decisions_; }
  /// Decisions at which somebody else could have been served.
  [[nodiscard]] int choices() const { return choices_; }

  void job_arrived(Time now, JobId job) override {
    const Job& facts = catalogue_[job];
    const double slot_time = in_seconds(somnus::slot_time(workload_.truth.of(facts)));
    if (order_ == "uwfq") {
      uwfq_.job_arrived(job.value(), facts.user.value(), catalogue_[facts.user].weight,
                        in_seconds(now), slot_time, facts.weight);
    }
    if (level_ == Level::stage) return;
    const double finish = fluid_.arrive(job.value(), in_seconds(now), slot_time, facts.weight);
    for (std::uint32_t at = 0; at < facts.stages; ++at) {
      stages_[facts.first_stage.index() + at].virtual_finish = finish;
    }
  }

  void stage_runnable(Time now, StageId stage) override {
    const Stage& facts = catalogue_[stage];
    State& state = stages_[stage.index()];
    if (state.seen) return;  // an attempt was lost; counted at its end
    state.seen = true;
    state.waiting = facts.tasks;
    if (order_ == "uwfq") {
      state.first_of_all = uwfq_.stage_runnable(facts.job.value(), in_seconds(now));
    }
    if (level_ == Level::job) return;
    const double slot_time = in_seconds(somnus::slot_time(workload_.truth.of(facts)));
    state.virtual_finish =
        fluid_.arrive(stage.value(), in_seconds(now), slot_time, catalogue_[facts.job].weight);
  }

  void task_ended(const TaskEnded& end, StageId stage) override {
    State& state = stages_[stage.index()];
    --state.running;
    if (end.outcome == Outcome::finished) {
      ++state.completed;
    } else {
      ++state.waiting;
    }
  }

  void placing(StageId stage, NodeId, const SchedulerView& view) override {
    State& state = stages_[stage.index()];
    ++decisions_;
    if (state.waiting == 0) {
      violations_.push_back(fmt::format("stage {} has nothing to run", stage.value()));
    }
    bool choice = false;
    for (std::size_t at = 0; at < stages_.size(); ++at) {
      const StageId other(at);
      if (other == stage || stages_[at].waiting == 0 || !finds_room(other, view)) continue;
      choice = true;
      if (before(other, stage)) {
        violations_.push_back(fmt::format("{}: stage {} (key {}) was served before {} (key {})",
                                          order_, stage.value(), key(stage), other.value(),
                                          key(other)));
      }
    }
    choices_ += choice ? 1 : 0;
    --state.waiting;
    ++state.running;
  }

  void planned(const SchedulerView& view) override {
    for (std::size_t at = 0; at < stages_.size(); ++at) {
      if (stages_[at].waiting == 0 || !finds_room(StageId(at), view)) continue;
      violations_.push_back(fmt::format("stage {} fits a node and was left waiting", at));
    }
  }

 private:
  struct State {
    bool seen = false;
    std::uint32_t waiting = 0;
    std::uint32_t running = 0;
    std::uint32_t completed = 0;
    double virtual_finish = 0;
    bool first_of_all = false;  // late, with late_stage = zero
  };
  struct Counts {
    double running = 0;
    double completed = 0;
    double tasks = 0;
    double slot_time = 0;
  };

  [[nodiscard]] Counts counts_of(StageId stage) const {
    const Job& job = catalogue_[catalogue_[stage].job];
    const std::size_t first = level_ == Level::job ? job.first_stage.index() : stage.index();
    const std::size_t count = level_ == Level::job ? job.stages : 1;
    Counts sum;
    for (std::size_t at = first; at < first + count; ++at) {
      sum.running += stages_[at].running;
      sum.completed += stages_[at].completed;
      sum.tasks += catalogue_.stages[at].tasks;
      sum.slot_time += in_seconds(somnus::slot_time(workload_.truth.of(catalogue_.stages[at])));
    }
    return sum;
  }

  [[nodiscard]] double key(StageId stage) const {
    const Counts counts = counts_of(stage);
    if (order_ == "fair" || order_ == "ujf") {
      return counts.running / catalogue_[catalogue_[stage].job].weight;
    }
    if (order_ == "uwfq") {
      const bool first = stages_[stage.index()].first_of_all;
      return first ? 0 : uwfq_.deadline(catalogue_[stage].job.value());
    }
    if (order_ == "srpt") {
      return counts.slot_time - counts.completed * counts.slot_time / counts.tasks;
    }
    if (order_ == "cfq") return stages_[stage.index()].virtual_finish;
    return 0;  // fifo: ids alone
  }

  [[nodiscard]] UserId user_of(StageId stage) const {
    return catalogue_[catalogue_[stage].job].user;
  }

  // Running tasks of the stage's user for the user's weight.
  [[nodiscard]] double user_key(StageId stage) const {
    double running = 0;
    for (std::size_t at = 0; at < stages_.size(); ++at) {
      running += user_of(StageId(at)) == user_of(stage) ? stages_[at].running : 0;
    }
    return running / catalogue_[user_of(stage)].weight;
  }

  [[nodiscard]] bool before(StageId a, StageId b) const {
    if (order_ == "ujf" && user_of(a) != user_of(b)) {
      return std::pair(user_key(a), user_of(a)) < std::pair(user_key(b), user_of(b));
    }
    if (order_ == "uwfq" &&
        (uwfq_.doubtful(catalogue_[a].job.value()) || uwfq_.doubtful(catalogue_[b].job.value()))) {
      return false;
    }
    const double key_a = key(a);
    const double key_b = key(b);
    const double tolerance = 1e-9 * std::max({1.0, std::abs(key_a), std::abs(key_b)});
    if (std::abs(key_a - key_b) > tolerance) return key_a < key_b;
    // Keys that only rounding distinguishes may be served in either order.
    const bool same_unit = level_ == Level::job && catalogue_[a].job == catalogue_[b].job;
    const bool exact = order_ == "fifo" || (counts_tasks() && key_a == key_b);
    return (same_unit || exact) && a < b;
  }

  [[nodiscard]] bool counts_tasks() const { return order_ == "fair" || order_ == "ujf"; }

  [[nodiscard]] bool finds_room(StageId stage, const SchedulerView& view) const {
    for (std::uint32_t node = 0; node < view.nodes.count(); ++node) {
      if (view.nodes.fits(NodeId(node), view.jobs.demand(stage).amounts)) return true;
    }
    return false;
  }

  const Workload& workload_;
  const Catalogue& catalogue_;
  std::string order_;
  Level level_;
  FluidOracle fluid_;
  UwfqOracle uwfq_;
  std::vector<State> stages_;
  std::vector<std::string> violations_;
  int decisions_ = 0;
  int choices_ = 0;
};

}  // namespace somnus::harness
