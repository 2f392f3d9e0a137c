// What a job packs into its quota (Carbyne, section 3; policies.md 6.5): forward, to learn when it
// could have ended by itself; backward from that end, to learn how long each of its tasks can wait.
//
// Tasks of a stage are alike to a scheduler: each takes the stage's mean. Running tasks keep their
// place: from now until the end that was expected when they started, or no longer if that has
// passed.
//
// So that a packing does not take the longer the more tasks there are: where a stage has tasks for
// twice `most_waves` waves of the quota or more, several of them are packed as one that runs them
// in a row, so that between `most_waves` and twice as many are left. The last of these may have
// fewer tasks; it is packed as if it had not.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "packing/packer.hpp"
#include "scheduler/dimensions.hpp"

namespace somnus {

/// Running tasks of a stage that were started in one instant.
struct RunningTasks {
  StageId stage;
  Time end;  // expected
  std::uint32_t tasks = 0;
};

/// How long tasks of a stage can wait.
struct LatestStart {
  Time at;
  StageId stage;
  std::uint32_t tasks = 0;
};

/// The packings of one cluster's jobs, one after another.
class JobPacking {
 public:
  explicit JobPacking(const Cluster& cluster);

  [[nodiscard]] const Dimensions& dimensions() const { return dimensions_; }

  /// What is packed next: the job as it stands at that moment, inside that quota.
  void of(JobId job, JobsView jobs, Time now, std::span<const Wide> quota,
          std::span<const RunningTasks> running);

  /// Packs forward all that has not been started; when that and all that runs has ended.
  [[nodiscard]] Time forward_end();
  /// Packs forward; what starts at once, in the order of the job's stages.
  [[nodiscard]] std::vector<LatestStart> starts_now();
  /// Packs backward from that end: the latest start of each task that has not been started, the
  /// earliest first. None if they, or those that run, can't end by then; or if a task would start
  /// before a running one of a parent ends.
  [[nodiscard]] std::optional<std::vector<LatestStart>> latest_starts(Time end);
  /// The same of a forward packing: when each starts.
  [[nodiscard]] std::vector<LatestStart> forward_starts();

 private:
  enum class Direction : std::uint8_t { forward, backward };
  void prepare(Direction direction, Time end);
  void bundle(StageId stage);
  /// When tasks of a stage begin of which some are packed in a row.
  void unroll(const PackedStart& start, Time begin, std::vector<LatestStart>& starts) const;
  /// Leaves out, of starts in order of time, the last (or first) that are of no task.
  void trim(std::vector<LatestStart>& starts, Direction direction) const;
  [[nodiscard]] std::uint32_t unstarted(StageId stage) const { return jobs_->unstarted(stage); }

  static constexpr std::uint32_t most_waves = 32;

  Dimensions dimensions_;
  Packer packer_;
  Profile space_;

  std::optional<JobsView> jobs_;
  Time now_;
  std::span<const Wide> quota_;
  std::span<const RunningTasks> running_;
  std::vector<StageId> stages_;        // that have not ended, in the job's order
  std::vector<std::uint32_t> bundle_;  // by place in the job
  std::vector<Edge> edges_;            // from parents to children
  std::vector<Edge> turned_;
  std::vector<Bundle> bundles_;
  std::vector<std::uint32_t> in_a_row_;  // by bundle: of its stage's tasks, those packed as one
};

}  // namespace somnus
