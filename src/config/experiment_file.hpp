// An experiment as a user writes it: a config, and what is to be varied in it.
//
//   [experiment]
//   config = "google.toml"
//   seeds = 10
//   [axes]                              # crossed, the last one turns fastest
//   policy = ["fair", "cfq", "yaq-c+queue.length=8"]
//   workload.load = [0.5, 0.7, 0.9]
//   [[zip]]                             # one axis, whose keys turn together
//   cluster.nodes = [100, 200]
//   workload.scale_tasks = [1, 2]
//   [set]                               # in all runs
//   workload.jobs = 2000
//   [baseline]                          # what others are compared with
//   policy = "fair"
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/describe.hpp"
#include "base/error.hpp"
#include "config/config.hpp"
#include "config/truncation.hpp"

namespace somnus {

enum class KeepLogs { none, first, all };
template <>
struct EnumNames<KeepLogs> {
  static constexpr std::pair<KeepLogs, const char*> names[] = {
      {KeepLogs::none, "none"}, {KeepLogs::first, "first"}, {KeepLogs::all, "all"}};
};

enum class ExperimentMode { simulate, run };
template <>
struct EnumNames<ExperimentMode> {
  static constexpr std::pair<ExperimentMode, const char*> names[] = {
      {ExperimentMode::simulate, "simulate"}, {ExperimentMode::run, "run"}};
};

struct ExperimentKeys {
  std::string config;
  ExperimentMode mode = ExperimentMode::simulate;
  std::uint32_t seeds = 10;
  std::uint64_t first_seed = 1;
  double precision = 0;
  std::uint32_t most_seeds = 200;
  std::vector<std::string> metrics = {"response_mean_s", "slowdown_mean", "utilisation"};
  double margin = 0;
  std::map<std::string, double> margins;  // by figure
  std::vector<std::string> decide;        // figures
  TruncationRule truncate = TruncationRule::none;
  std::uint32_t truncate_jobs = 0;
  std::uint32_t batches = 0;
  KeepLogs keep = KeepLogs::none;

  [[nodiscard]] Truncation truncation() const { return {.rule = truncate, .jobs = truncate_jobs}; }
  /// Of that figure.
  [[nodiscard]] double margin_of(const std::string& figure) const {
    const auto own = margins.find(figure);
    return own == margins.end() ? margin : own->second;
  }

  static constexpr auto fields() {
    using S = ExperimentKeys;
    return in_order(
        required(field("config", &S::config, "", "the config, relative to this file's folder")),
        field("mode", &S::mode, "",
              "simulate: side by side; run: emulated in real time under mpirun, one after another"),
        field("seeds", &S::seeds, "1", "how many runs of each point, each with the next seed",
              Range{.low = 1, .high = 1e6}),
        field("first_seed", &S::first_seed, "1", "run.seed of the first"),
        field("precision", &S::precision, "1",
              "more seeds until the 95 % interval of the first metric's mean is at most that share "
              "of it to either side; 0: `seeds` are enough",
              Range{.low = 0, .high = 1}),
        field("most_seeds", &S::most_seeds, "1",
              "of any point, whatever is not precise or decided yet", Range{.low = 1, .high = 1e6}),
        field("metrics", &S::metrics, "",
              "what the closing table and the figures show, by their names in somnus summary "
              "--json; the results have all"),
        field(
            "margin", &S::margin, "1",
            "the least difference that matters, as a share of the baseline's mean: who differs by "
            "more is named, and who is sure to differ by less is tied; 0: any difference matters",
            Range{.low = 0, .high = 10}),
        field("margins", &S::margins, "1", "the same of single figures, by name, instead",
              Range{.low = 0, .high = 10}),
        field(
            "decide", &S::decide, "",
            "more seeds until it is decided of these figures who differs from the baseline, or "
            "ties with it within the margin; without a baseline, until it is decided who is best"),
        field("truncate", &S::truncate, "",
              "the transient at the beginning of each run, whose jobs response times and slowdowns "
              "leave out: none, or what the rule MSER-5 finds"),
        field("truncate_jobs", &S::truncate_jobs, "1",
              "so many jobs are left out instead, the first that were submitted",
              Range{.low = 0, .high = 1e9}),
        field(
            "batches", &S::batches, "1",
            "one run a point instead of seeds, whose jobs are cut into so many batches, one after "
            "another; figures over jobs have intervals over these; 0: no batches",
            Range{.low = 0, .high = 1e4}),
        field("keep", &S::keep, "", "logs of the runs: of none, of each point's first, of all"));
  }
};

/// Keys that turn together through as many values each.
struct Axis {
  std::vector<std::string> keys;                 // of a config; "policy": a label
  std::vector<std::vector<std::string>> values;  // by step, then by key; as TOML, a label as it is
  std::vector<std::vector<SourceLocation>> locations;  // where each is written

  [[nodiscard]] std::size_t size() const { return values.size(); }
};

/// A figure of a run that a file names, as it is written there.
struct NamedFigure {
  std::string key;  // "experiment.metrics"
  std::string name;
  SourceLocation location;
};

struct ExperimentFile {
  std::string origin;  // its path
  ExperimentKeys keys;
  std::vector<NamedFigure> figures;  // all that it names
  std::vector<Override> set;
  std::vector<Axis> axes;
  std::map<std::string, std::string> baseline;  // by key, a value of its axis; empty: none

  [[nodiscard]] std::filesystem::path config() const {
    return std::filesystem::path(origin).parent_path() / keys.config;
  }
};

[[nodiscard]] Checked<ExperimentFile> load_experiment(const std::filesystem::path& file);
[[nodiscard]] Checked<ExperimentFile> parse_experiment(std::string_view toml, std::string origin);

}  // namespace somnus
