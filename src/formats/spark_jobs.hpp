// Jobs of Spark and their stages as an event log has them, with the tasks that succeeded.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace somnus {

inline constexpr double never_ms = std::numeric_limits<double>::infinity();

struct SparkJob {
  int line = 0;
  std::uint64_t number = 0;
  double submit_ms = 0;
  double end_ms = never_ms;  // where it succeeded
  std::string pool;
  std::vector<std::uint32_t> stages;  // that no earlier job had
};

struct SparkTask {
  std::uint64_t attempt = 0;  // of the stage
  std::uint64_t index = 0;
  std::string executor;
  double launch_ms = 0;
  double finish_ms = 0;
};

struct SparkStage {
  std::uint64_t last_attempt = 0;
  std::uint64_t size = 0;  // tasks that the last attempt has to run
  bool is_submitted = false;
  std::vector<std::uint32_t> parents;
  std::vector<SparkTask> tasks;

  /// Of two attempts that both succeeded, as speculation may have it, the first stays. How many
  /// have gone.
  std::size_t put_in_order() {
    std::ranges::stable_sort(tasks, {}, [](const SparkTask& task) {
      return std::tuple(task.attempt, task.index, task.finish_ms);
    });
    const auto doubles = std::ranges::unique(
        tasks, {}, [](const SparkTask& task) { return std::tuple(task.attempt, task.index); });
    const std::size_t count = doubles.size();
    tasks.erase(doubles.begin(), doubles.end());
    return count;
  }

  /// How many tasks of the last attempt have finished. Those that an earlier attempt finishes
  /// meanwhile need not run again.
  [[nodiscard]] std::uint64_t finished() const {
    double begin_ms = never_ms;
    for (const SparkTask& task : tasks) {
      if (task.attempt >= last_attempt) begin_ms = std::min(begin_ms, task.launch_ms);
    }
    const auto count = std::ranges::count_if(tasks, [&](const SparkTask& task) {
      return task.attempt >= last_attempt || task.finish_ms > begin_ms;
    });
    return std::min(static_cast<std::uint64_t>(count), size);
  }
};

}  // namespace somnus
