// Reads on in the log of a run that goes on, and keeps what a view of it needs.
#pragma once

#include <chrono>
#include <filesystem>
#include <vector>

#include "base/error.hpp"
#include "follow/view.hpp"
#include "log/reader.hpp"

namespace somnus {

class Follower {
 public:
  explicit Follower(std::filesystem::path log) : path_(std::move(log)) {}

  /// Takes in what has been written since the last look. Mistakes as of read_updates().
  [[nodiscard]] Checked<void> look();
  /// Whether nobody wrote the log any more when the last look began.
  [[nodiscard]] bool ended() const { return ended_; }
  /// After a look that found no mistake. most_jobs: of the slowest.
  [[nodiscard]] View view(std::size_t most_jobs) const;

 private:
  using Clock = std::chrono::steady_clock;

  void meet(const Log& news);
  void take(const Log& news);
  [[nodiscard]] ClusterView cluster_view() const;
  [[nodiscard]] std::vector<GroupView> groups(const std::vector<std::string>& names,
                                              std::uint32_t JobRow::* group_of) const;
  [[nodiscard]] std::vector<JobView> slowest(std::size_t most) const;
  [[nodiscard]] double running(std::size_t job) const;
  [[nodiscard]] double share_taken(const SampleRow& sample) const;

  struct Progress {
    double launched = 0;     // attempts
    double ended = 0;        // attempts
    double finished = 0;     // attempts
    double slot_time_s = 0;  // time of all that ended
  };

  std::filesystem::path path_;
  RowsSeen seen_;
  bool ended_ = false;
  LogHeader header_;
  LogTables tables_;  // /jobs and /ranks as of the last look
  double slots_ = 0;
  Amounts capacity_{};
  double until_s_ = 0;              // where the run ends at the latest; 0: nowhere
  std::vector<Progress> progress_;  // by job
  std::vector<double> finished_s_;  // by job: slot-time of finished tasks
  std::vector<SampleRow> samples_;  // the last ones
  double lag_max_ = nan_time;
  Clock::time_point last_news_ = Clock::now();
};

}  // namespace somnus
