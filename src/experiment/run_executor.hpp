// What carries out an experiment's runs: the cores of this process, or the ranks of an MPI job.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "config/truncation.hpp"
#include "experiment/results.hpp"
#include "log/log.hpp"

namespace somnus {

struct RunSpec {
  Settings settings;
  std::string workload;  // its key: specs of one workload stand together
  Truncation truncation = {};
  std::uint32_t batches = 0;  // of its jobs, with figures of their own
  bool by_user = false;       // its result has the users, too
};

/// Neither figures nor error: it was asked to end.
struct RunOutcome {
  std::optional<RunResult> result;
  std::exception_ptr error;
};

/// Called once for each spec that was carried out, from one thread at a time.
using OnOutcome = std::function<void(std::size_t spec, RunOutcome outcome)>;

class RunExecutor {
 public:
  virtual ~RunExecutor() = default;
  /// Returns when all are carried out, or when it is asked to end and none is under way.
  virtual void carry_out(const std::vector<RunSpec>& specs, const OnOutcome& done) = 0;
};

/// This process' cores, `jobs` of them; 0: all. stop: not 0 asks it to end.
[[nodiscard]] std::unique_ptr<RunExecutor> local_executor(int jobs, std::atomic<int>* stop);

/// What a spec asks of its run's log. Throws UserError: the run has too few jobs for the batches.
[[nodiscard]] RunResult result_of(const RunSpec& spec, const Log& log);

/// One spec on the caller's thread: simulated, and measured.
[[nodiscard]] RunOutcome outcome_of(
    const RunSpec& spec, const std::function<std::shared_ptr<const Workload>()>& workload,
    std::atomic<int>* stop);

}  // namespace somnus
