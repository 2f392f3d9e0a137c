// Runs of candidates with given seeds, kept in a folder as an experiment's are, so that what was
// stopped goes on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "experiment/campaign.hpp"
#include "experiment/plan.hpp"
#include "experiment/results.hpp"
#include "experiment/run_executor.hpp"

namespace somnus {

/// It was asked to end; what has ended is kept.
class StoppedEarly : public WorldError {
 public:
  using WorldError::WorldError;
};

struct TrialOptions {
  std::filesystem::path config;
  std::vector<Override> overrides;
  std::filesystem::path folder;
  bool replace = false;
  bool by_user = false;  // runs are kept with their users
  CampaignOptions campaign{};
};

class Trials {
 public:
  /// The executor outlives it.
  Trials(TrialOptions options, RunExecutor& executor)
      : options_(std::move(options)), executor_(executor) {}

  /// Runs those of them that there are not yet. Throws StoppedEarly; WorldError: a run failed for
  /// another reason than what it was to do.
  void carry_out(std::span<const std::string> labels, std::uint64_t first_seed, std::size_t seeds);
  /// Throws UserError, with the program's reason, if one of them could not be run.
  void require(std::span<const std::string> labels, std::uint64_t first_seed,
               std::size_t seeds) const;
  /// As an experiment that compares them with the first of them.
  [[nodiscard]] ExperimentPlan plan(std::span<const std::string> labels, std::uint64_t first_seed,
                                    std::size_t seeds, std::vector<std::string> metrics) const;

  /// nullptr: it has not been run, or could not be.
  [[nodiscard]] const RunResult* find(const std::string& label, std::uint64_t seed) const;
  /// Those of so many seeds, in their order.
  [[nodiscard]] std::vector<const RunResult*> find(const std::string& label,
                                                   std::uint64_t first_seed,
                                                   std::size_t seeds) const;
  /// Why a candidate could not be run.
  [[nodiscard]] const std::map<std::string, std::string>& refused() const { return refused_; }
  [[nodiscard]] std::size_t runs() const { return runs_.size(); }
  [[nodiscard]] const TrialOptions& options() const { return options_; }
  [[nodiscard]] RunExecutor& executor() { return executor_; }

 private:
  void note_failures(const Campaign& campaign);

  TrialOptions options_;
  RunExecutor& executor_;
  std::map<std::pair<std::string, std::uint64_t>, RunResult> runs_;
  std::map<std::string, std::string> refused_;
};

}  // namespace somnus
