// The results of an experiment's runs, as kept in its folder: a journal gets a line when a run has
// ended, so that an interrupted experiment goes on where it was. Each share of a divided experiment
// writes a journal of its own and reads them all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "experiment/plan.hpp"
#include "experiment/share.hpp"
#include "metrics/figure.hpp"
#include "metrics/summary.hpp"
#include "metrics/user_figures.hpp"
#include "output/locked_file.hpp"

namespace somnus {

/// The name by which a journal's first line is known. That line says what the experiment is of, for
/// those who follow it.
inline constexpr const char* experiment_header = "somnus_experiment";

/// A run's figures: the summary's, in its order. NaN: it has none.
using RunFigures = std::vector<double>;

[[nodiscard]] RunFigures run_figures(const Summary& summary);
/// By batch of the run's jobs, one after another; empty: it was not asked for them.
using BatchFigures = std::vector<RunFigures>;
/// Of a batch: those that are over jobs.
[[nodiscard]] RunFigures batch_figures(const Summary& batch);
/// Their descriptions, in that order.
[[nodiscard]] const std::vector<FigureInfo>& figure_infos();
/// Which has to be one of them.
[[nodiscard]] std::size_t figure_index(const std::string& name);

/// What is kept of a run.
struct RunResult {
  RunFigures figures;
  BatchFigures batches = {};
  std::optional<FiguresByUser> users = std::nullopt;  // nobody asked for them
};

/// Whether an experiment has written there, so that its files may be replaced by those of one.
[[nodiscard]] bool holds_results(const std::filesystem::path& folder);

class Results {
 public:
  /// Opens the folder, or makes it, and takes over what is there of these points. Throws UserError:
  /// another process does this share there; without `replace`: it holds other experiments' results
  /// only, or files of other programs by the names of ours; WorldError: it can't be written.
  Results(std::filesystem::path folder, const ExperimentPlan& plan, const Share& share,
          bool replace);

  /// One that lacks what the plan asks for, batches or users, is none.
  [[nodiscard]] bool has(std::size_t point, std::uint64_t seed) const;
  /// How many runs are others', or of an earlier start.
  [[nodiscard]] std::size_t found() const { return found_; }
  /// Takes over what others have written since. A run that is here already stays as it is, unless
  /// it lacks what the plan asks for.
  void look_at_others();
  /// Throws WorldError. result: with all that the plan asks for.
  void add(std::size_t point, std::uint64_t seed, RunResult result);

  /// One figure of a point's runs, in order of seeds, or of their batches where the experiment has
  /// such and the figure is over jobs; NaN for those that are missing.
  [[nodiscard]] std::vector<double> values(std::size_t point, std::size_t figure,
                                           std::span<const std::uint64_t> seeds) const;
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  /// What the experiment reads, and nothing of it may replace.
  [[nodiscard]] const std::vector<std::filesystem::path>& inputs() const { return inputs_; }
  /// nullptr: not there.
  [[nodiscard]] const RunResult* find(std::size_t point, std::uint64_t seed) const;

 private:
  using RunKey = std::pair<std::size_t, std::uint64_t>;  // point and seed
  using Runs = std::map<RunKey, RunResult>;

  [[nodiscard]] std::size_t count() const;
  /// Whether it has what the plan asks for.
  [[nodiscard]] bool has_all(const RunResult& result) const;
  void take(const RunKey& run, RunResult result);
  void require_own_or_free(bool replace) const;
  /// Takes over the runs of a journal. Gives its lines of points that this experiment does not
  /// have.
  std::vector<std::string> read(const std::filesystem::path& journal);
  void append(const std::string& line);

  std::filesystem::path folder_;
  const ExperimentPlan& plan_;
  std::filesystem::path journal_;
  std::vector<std::filesystem::path> inputs_;
  std::optional<LockedFile> out_;  // the journal
  Runs runs_;
  std::size_t found_ = 0;
};

}  // namespace somnus
