// Who must be next, by the definitions of FIFO, FAIR, SRPT, CFQ, UJF and UWFQ and nothing else;
// virtual times are from the brute-force fluids.
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "harness/counting_oracle.hpp"
#include "harness/fluid_oracle.hpp"
#include "harness/uwfq_oracle.hpp"
#include "scheduler/unit.hpp"

namespace somnus::harness {

class OrderOracle final : public CountingOracle {
 public:
  OrderOracle(const Workload& workload, double slots, std::string_view order, Level level,
              const UwfqRules& rules = {})
      : CountingOracle(workload),
        order_(order),
        level_(level),
        fluid_(slots),
        uwfq_(slots, rules),
        virtual_finish_(stages()),
        first_of_all_(stages()) {}

  void job_arrived(Time now, JobId job) override {
    const Job& facts = catalogue_[job];
    const double slot_time = slot_time_s(facts);
    if (order_ == "uwfq") {
      uwfq_.job_arrived(job.value(), facts.user.value(), catalogue_[facts.user].weight,
                        in_seconds(now), slot_time, facts.weight);
    }
    if (level_ == Level::stage) return;
    const double finish = fluid_.arrive(job.value(), in_seconds(now), slot_time, facts.weight);
    for (std::uint32_t at = 0; at < facts.stages; ++at) {
      virtual_finish_[facts.first_stage.index() + at] = finish;
    }
  }

  void stage_runnable(Time now, StageId stage) override {
    const bool again = state(stage).seen;
    CountingOracle::stage_runnable(now, stage);
    if (again) return;
    const Stage& facts = catalogue_[stage];
    if (order_ == "uwfq") {
      first_of_all_[stage.index()] = uwfq_.stage_runnable(facts.job.value(), in_seconds(now));
    }
    if (level_ == Level::job) return;
    virtual_finish_[stage.index()] = fluid_.arrive(
        stage.value(), in_seconds(now), slot_time_s(facts), catalogue_[facts.job].weight);
  }

 private:
  struct Counts {
    double running = 0;
    double finished = 0;
    double tasks = 0;
    double slot_time = 0;
  };

  [[nodiscard]] Counts counts_of(StageId stage) const {
    const Job& job = catalogue_[catalogue_[stage].job];
    const std::size_t first = level_ == Level::job ? job.first_stage.index() : stage.index();
    const std::size_t count = level_ == Level::job ? job.stages : 1;
    Counts sum;
    for (std::size_t at = first; at < first + count; ++at) {
      sum.running += state(StageId(at)).running;
      sum.finished += state(StageId(at)).finished;
      sum.tasks += catalogue_.stages[at].tasks;
      sum.slot_time += slot_time_s(catalogue_.stages[at]);
    }
    return sum;
  }

  [[nodiscard]] double key(StageId stage) const {
    const Counts counts = counts_of(stage);
    if (counts_tasks()) return counts.running / catalogue_[catalogue_[stage].job].weight;
    if (order_ == "uwfq") {
      const bool first = first_of_all_[stage.index()];
      return first ? 0 : uwfq_.deadline(catalogue_[stage].job.value());
    }
    if (order_ == "srpt") {
      return counts.slot_time - counts.finished * counts.slot_time / counts.tasks;
    }
    if (order_ == "cfq") return virtual_finish_[stage.index()];
    return 0;  // fifo: ids alone
  }

  [[nodiscard]] UserId user_of(StageId stage) const {
    return catalogue_[catalogue_[stage].job].user;
  }

  // Running tasks of the stage's user for the user's weight.
  [[nodiscard]] double user_key(StageId stage) const {
    double running = 0;
    for (std::size_t at = 0; at < stages(); ++at) {
      running += user_of(StageId(at)) == user_of(stage) ? state(StageId(at)).running : 0;
    }
    return running / catalogue_[user_of(stage)].weight;
  }

  [[nodiscard]] bool before(StageId a, StageId b) const override {
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

  std::string order_;
  Level level_;
  FluidOracle fluid_;
  UwfqOracle uwfq_;
  std::vector<double> virtual_finish_;  // by stage
  std::vector<bool> first_of_all_;      // late, with late_stage = zero
};

}  // namespace somnus::harness
