// Reads on in the journals of an experiment's folder, of all its shares, and keeps what a view of
// it needs.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace somnus {

/// Of a run: a value a metric, or each batch's; NaN: it has none.
using ObservedFigures = std::vector<std::vector<double>>;

struct PointProgress {
  std::string name;                               // "cfq 0.9"
  std::map<std::uint64_t, ObservedFigures> runs;  // by seed
};

struct ExperimentProgress {
  std::string folder;
  std::vector<std::string> metrics;                          // of the experiment's file
  std::vector<PointProgress> points;                         // in its order
  std::size_t runs = 0;                                      // that have ended
  std::size_t planned = 0;                                   // of the first round
  std::size_t batches = 0;                                   // of each run; 0: runs are whole
  bool adds_seeds = false;                                   // there may be further rounds
  bool ended = false;                                        // nobody writes a journal any more
  double left_s = std::numeric_limits<double>::quiet_NaN();  // of the first round

  [[nodiscard]] bool complete() const { return runs >= planned; }
};

class ExperimentFollower {
 public:
  explicit ExperimentFollower(std::filesystem::path folder);

  /// Takes in what has been written since. A mistake: there is no journal of an experiment yet.
  [[nodiscard]] Checked<void> look();
  [[nodiscard]] const ExperimentProgress& progress() const { return progress_; }

 private:
  using Clock = std::chrono::steady_clock;

  void begin_again();
  void read(const std::filesystem::path& journal, std::uintmax_t size);
  void take(const std::string& line);
  void meet(const nlohmann::json& header);

  std::filesystem::path folder_;
  ExperimentProgress progress_;
  std::map<std::filesystem::path, std::uintmax_t> read_;  // bytes of whole lines
  std::map<std::string, std::size_t> places_;             // of points, by digest
  std::string header_;
  Clock::time_point first_look_ = Clock::now();
  std::size_t first_runs_ = std::numeric_limits<std::size_t>::max();
};

/// Lines that fit a terminal: the first metric's mean and interval at each point so far.
[[nodiscard]] std::string to_text(const ExperimentProgress& progress, std::size_t columns,
                                  std::size_t lines);
[[nodiscard]] std::string to_line(const ExperimentProgress& progress);
[[nodiscard]] nlohmann::json to_json(const ExperimentProgress& progress);

}  // namespace somnus
