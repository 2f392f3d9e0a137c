#include "experiment/run_executor.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <mutex>

#include "experiment/shared_workloads.hpp"
#include "log/reader.hpp"
#include "metrics/batches.hpp"
#include "session/simulation.hpp"

namespace somnus {
namespace {

class LocalExecutor final : public RunExecutor {
 public:
  LocalExecutor(int jobs, std::atomic<int>* stop) : stop_(stop) {
    if (jobs > 0) {
      limit_.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(jobs));
    }
  }

  void carry_out(const std::vector<RunSpec>& specs, const OnOutcome& done) override {
    SharedWorkloads workloads;
    for (const RunSpec& spec : specs) workloads.expect(spec.workload);
    std::mutex reporting;
    std::atomic<std::size_t> next = 0;
    // Each takes the next one: workloads are shared by neighbours, and none waits at the end.
    const auto work = [&](std::size_t) {
      for (std::size_t at = next++; at < specs.size(); at = next++) {
        if (stop_ != nullptr && stop_->load() != 0) return;
        const RunSpec& spec = specs[at];
        RunOutcome outcome =
            outcome_of(spec, [&] { return workloads.take(spec.workload, spec.settings); }, stop_);
        workloads.give_back(spec.workload);
        const std::scoped_lock lock(reporting);
        done(at, std::move(outcome));
      }
    };
    const std::size_t workers =
        tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
    tbb::parallel_for(std::size_t{0}, workers, work, tbb::simple_partitioner());
  }

 private:
  std::optional<tbb::global_control> limit_;
  std::atomic<int>* stop_;
};

}  // namespace

std::unique_ptr<RunExecutor> local_executor(int jobs, std::atomic<int>* stop) {
  return std::make_unique<LocalExecutor>(jobs, stop);
}

RunResult result_of(const RunSpec& spec, const Log& log) {
  RunResult result{.figures = run_figures(summarise(log, "", spec.settings, spec.truncation))};
  if (spec.batches > 0) {
    const auto batches = value_or_throw(batches_of(log, spec.truncation, spec.batches));
    for (const Summary& batch : batches) result.batches.push_back(batch_figures(batch));
  }
  if (spec.by_user) result.users = figures_by_user(log, spec.truncation);
  return result;
}

RunOutcome outcome_of(const RunSpec& spec,
                      const std::function<std::shared_ptr<const Workload>()>& workload,
                      std::atomic<int>* stop) {
  RunOutcome outcome;
  const Settings& settings = spec.settings;
  try {
    const std::shared_ptr<const Workload> jobs = workload();
    const std::string& file = settings.log.file;
    const Simulation done = simulate_one(
        settings, *jobs, {.keep_rows = true, .outputs = {.replace_log = true}, .stop = stop});
    if (!done.complete) return outcome;
    outcome.result =
        file.empty() ? result_of(spec, done.log) : result_of(spec, value_or_throw(read_log(file)));
  } catch (const std::exception&) {
    outcome.error = std::current_exception();
  }
  return outcome;
}

}  // namespace somnus
