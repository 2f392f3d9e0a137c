// What the oracles of orders have in common: counts of their own of what waits, runs and has
// finished, slot-times from the truth (so estimates must be exact), and that each decision is
// compared with all that could have been served instead.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "harness/watched.hpp"
#include "model/workload.hpp"

namespace somnus::harness {

class CountingOracle : public Witness {
 public:
  explicit CountingOracle(const Workload& workload)
      : workload_(workload), catalogue_(workload.catalogue), stages_(catalogue_.stages.size()) {}

  /// One sentence for each decision that the definition forbids.
  [[nodiscard]] const std::vector<std::string>& violations() const { return violations_; }
  [[nodiscard]] int decisions() const { return decisions_; }
  /// Decisions at which somebody else could have been served.
  [[nodiscard]] int choices() const { return choices_; }

  void stage_runnable(Time, StageId stage) override {
    State& state = stages_[stage.index()];
    if (std::exchange(state.seen, true)) return;  // an attempt was lost; counted at its end
    state.waiting = catalogue_[stage].tasks;
  }
  void task_ended(const TaskEnded& end, StageId stage) override {
    State& state = stages_[stage.index()];
    --state.running;
    ++(end.outcome == Outcome::finished ? state.finished : state.waiting);
  }
  void placing(StageId stage, NodeId, const SchedulerView& view) override {
    State& state = stages_[stage.index()];
    ++decisions_;
    if (state.waiting == 0 || !may_have_more(stage)) {
      add_error(fmt::format("stage {} has nothing to run", stage.value()));
    }
    bool choice = false;
    for (std::size_t at = 0; at < stages_.size(); ++at) {
      const StageId other(at);
      if (other == stage || !could_run(other, view)) continue;
      choice = true;
      if (before(other, stage)) {
        add_error(fmt::format("stage {} was served before {}", stage.value(), at));
      }
    }
    choices_ += choice ? 1 : 0;
    --state.waiting;
    ++state.running;
  }
  void planned(const SchedulerView& view) override {
    for (std::size_t at = 0; at < stages_.size(); ++at) {
      if (could_run(StageId(at), view)) {
        add_error(fmt::format("stage {} fits a node and was left waiting", at));
      }
    }
  }

 protected:
  struct State {
    bool seen = false;
    std::uint32_t waiting = 0;
    std::uint32_t running = 0;
    std::uint32_t finished = 0;
  };

  [[nodiscard]] virtual bool before(StageId a, StageId b) const = 0;
  /// Whether its queue is not full, where queues have limits.
  [[nodiscard]] virtual bool may_have_more(StageId) const { return true; }

  [[nodiscard]] const State& state(StageId stage) const { return stages_[stage.index()]; }
  [[nodiscard]] std::size_t stages() const { return stages_.size(); }
  /// Of a job or of a stage.
  [[nodiscard]] double slot_time_s(const auto& facts) const {
    return in_seconds(somnus::slot_time(workload_.truth.of(facts)));
  }

  const Workload& workload_;
  const Catalogue& catalogue_;

 private:
  void add_error(std::string violation) { violations_.push_back(std::move(violation)); }

  [[nodiscard]] bool could_run(StageId stage, const SchedulerView& view) const {
    if (state(stage).waiting == 0 || !may_have_more(stage)) return false;
    for (std::uint32_t node = 0; node < view.nodes.count(); ++node) {
      if (view.nodes.fits(NodeId(node), view.jobs.demand(stage).amounts)) return true;
    }
    return false;
  }

  std::vector<State> stages_;
  std::vector<std::string> violations_;
  int decisions_ = 0;
  int choices_ = 0;
};

}  // namespace somnus::harness
