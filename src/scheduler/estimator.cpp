#include "scheduler/estimator.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "model/limits.hpp"

namespace somnus {
namespace {

class Exact : public Estimator {
 public:
  explicit Exact(const Workload& workload) : workload_(workload) {}
  [[nodiscard]] Estimate slot_time(StageId stage) const override {
    return {in_seconds(somnus::slot_time(truth().of(catalogue()[stage])))};
  }
  [[nodiscard]] Amounts demand(StageId stage) const override {
    return truth().demand(stage).amounts();
  }
  [[nodiscard]] Estimate own(TaskId task) const override { return {in_seconds(truth()[task])}; }

 protected:
  [[nodiscard]] const Catalogue& catalogue() const { return workload_.catalogue; }
  [[nodiscard]] const Truth& truth() const { return workload_.truth; }
  [[nodiscard]] JobId job_of(TaskId task) const {
    return catalogue()[catalogue().stage_of[task.index()]].job;
  }

 private:
  const Workload& workload_;
};

class Scaled final : public Exact {
 public:
  Scaled(const Workload& workload, std::vector<double> factors)
      : Exact(workload), factor_(std::move(factors)) {}
  [[nodiscard]] Estimate slot_time(StageId stage) const override {
    return {Exact::slot_time(stage).seconds * factor_[catalogue()[stage].job.index()]};
  }
  [[nodiscard]] Estimate own(TaskId task) const override {
    return {Exact::own(task).seconds * factor_[job_of(task).index()]};
  }

 private:
  std::vector<double> factor_;  // by job
};

class Naive final : public Exact {
 public:
  Naive(const Workload& workload, double default_task_s)
      : Exact(workload), mean_at_arrival_(workload.catalogue.jobs.size(), default_task_s) {}
  void job_arrived(JobId job) override {
    if (finished_ == 0) return;
    const double most_s = most_slot_time_s / catalogue().tasks;  // of all tasks, what fits
    mean_at_arrival_[job.index()] = std::min(total_s_ / static_cast<double>(finished_), most_s);
  }
  void task_finished(Duration took) override {
    total_s_ += in_seconds(took);
    ++finished_;
  }
  [[nodiscard]] Estimate slot_time(StageId id) const override {
    const Stage& stage = catalogue()[id];
    return {mean_at_arrival_[stage.job.index()] * stage.tasks};
  }
  [[nodiscard]] Estimate own(TaskId task) const override {
    return {mean_at_arrival_[job_of(task).index()]};
  }

 private:
  std::vector<double> mean_at_arrival_;  // by job
  double total_s_ = 0;
  std::uint64_t finished_ = 0;
};

class StageMean final : public Exact {
 public:
  using Exact::Exact;
  [[nodiscard]] Estimate own(TaskId task) const override {
    const StageId stage = catalogue().stage_of[task.index()];
    return {slot_time(stage).seconds / catalogue()[stage].tasks};
  }
};

class MisjudgedDemands final : public Estimator {
 public:
  MisjudgedDemands(std::unique_ptr<Estimator> estimator, double factor, const Workload& workload,
                   const Cluster& cluster)
      : estimator_(std::move(estimator)),
        factor_(factor),
        truth_(workload.truth),
        cluster_(cluster) {}
  void job_arrived(JobId job) override { estimator_->job_arrived(job); }
  [[nodiscard]] Estimate slot_time(StageId stage) const override {
    return {estimator_->slot_time(stage).seconds / factor_};
  }
  [[nodiscard]] Amounts demand(StageId stage) const override {
    return misjudged(truth_.demand(stage), factor_, cluster_).amounts();
  }
  [[nodiscard]] Estimate own(TaskId task) const override {
    return {estimator_->own(task).seconds / factor_};
  }
  void task_finished(Duration took) override { estimator_->task_finished(took); }

 private:
  std::unique_ptr<Estimator> estimator_;
  double factor_;
  const Truth& truth_;
  const Cluster& cluster_;
};

}  // namespace

std::unique_ptr<Estimator> exact_estimator(const Workload& workload) {
  return std::make_unique<Exact>(workload);
}

std::unique_ptr<Estimator> scaled_estimator(const Workload& workload, std::vector<double> factors) {
  return std::make_unique<Scaled>(workload, std::move(factors));
}

std::vector<double> uniform_factors(std::size_t jobs, double error, std::uint64_t seed) {
  RandomStream draws(seed, "estimate");
  std::vector<double> factors;
  factors.reserve(jobs);
  for (std::size_t job = 0; job < jobs; ++job) {
    factors.push_back(draws.uniform(1 - error, 1 + error));
  }
  return factors;
}

std::vector<double> given_factors(const Workload& workload) {
  std::vector<double> factors;
  factors.reserve(workload.catalogue.jobs.size());
  for (const Job& job : workload.catalogue.jobs) {
    const double truth = in_seconds(slot_time(workload.truth.of(job)));
    factors.push_back(job.estimate > 0 && truth > 0 ? job.estimate / truth : 1);
  }
  return factors;
}

std::unique_ptr<Estimator> naive_estimator(const Workload& workload, double default_task_s) {
  return std::make_unique<Naive>(workload, default_task_s);
}

std::unique_ptr<Estimator> stage_mean_estimator(const Workload& workload) {
  return std::make_unique<StageMean>(workload);
}

Resources misjudged(const Resources& demand, double factor, const Cluster& cluster) {
  const auto group = std::ranges::find_if(
      cluster.groups, [&](const NodeGroup& each) { return demand.fits_in(each.capacity); });
  Amounts amounts = demand.amounts();
  for (std::size_t kind = 0; kind < amounts.size(); ++kind) {
    amounts[kind] *= factor;
    if (group == cluster.groups.end()) continue;
    amounts[kind] = std::min(amounts[kind], group->capacity.amount(kind));
  }
  return Resources(amounts);
}

std::unique_ptr<Estimator> misjudged_demands(std::unique_ptr<Estimator> estimator, double factor,
                                             const Workload& workload, const Cluster& cluster) {
  return std::make_unique<MisjudgedDemands>(std::move(estimator), factor, workload, cluster);
}

}  // namespace somnus
