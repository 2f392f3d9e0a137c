// What Tables 1 and 2 of Carbyne count in a DAG, worked out from its edges alone.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/workload.hpp"

namespace somnus::test {

class DagMeasures {
 public:
  explicit DagMeasures(const JobSpec& job)
      : parents_(job.stages.size()), children_(job.stages.size()) {
    std::unordered_map<std::uint32_t, std::size_t> index_of;
    for (const StageSpec& stage : job.stages) index_of.emplace(stage.stage, index_of.size());
    for (std::size_t child = 0; child < job.stages.size(); ++child) {
      for (const std::uint32_t label : job.stages[child].parents) {
        parents_[child].push_back(index_of.at(label));
        children_[index_of.at(label)].push_back(child);
      }
    }
  }

  [[nodiscard]] std::size_t stages() const { return parents_.size(); }

  /// Stages with several parents.
  [[nodiscard]] std::size_t barriers() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(parents_, [](const auto& parents) { return parents.size() > 1; }));
  }

  /// Stages on the longest path.
  [[nodiscard]] std::size_t length() const {
    std::vector<std::size_t> known(stages());
    std::size_t longest = 0;
    for (std::size_t stage = 0; stage < stages(); ++stage) {
      longest = std::max(longest, length_to(stage, known));
    }
    return longest;
  }

  /// Fewest chains of stages, each before the next, that hold every stage: as many as stages can
  /// run side by side (Dilworth). Each stage that some other can follow in its chain saves one: a
  /// largest matching of stages with later ones, by augmenting paths, as in a maximum flow.
  [[nodiscard]] std::size_t disjoint_paths() const {
    Chains chains(stages());
    std::size_t followed = 0;
    for (std::size_t stage = 0; stage < stages(); ++stage) {
      std::vector<bool> seen(stages());
      if (find_next(stage, stage, chains, seen)) ++followed;
    }
    return stages() - followed;
  }

  /// Stages without parents.
  [[nodiscard]] std::size_t sources() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(parents_, [](const auto& parents) { return parents.empty(); }));
  }
  /// Stages without children.
  [[nodiscard]] std::size_t sinks() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(children_, [](const auto& children) { return children.empty(); }));
  }

 private:
  using Chains = std::vector<std::optional<std::size_t>>;  // what stands before each stage

  std::size_t length_to(std::size_t stage, std::vector<std::size_t>& known) const {
    if (known[stage] > 0) return known[stage];
    std::size_t before = 0;
    for (const std::size_t parent : parents_[stage]) {
      before = std::max(before, length_to(parent, known));
    }
    return known[stage] = before + 1;
  }

  // A next one for `stage`, among those below `from`.
  bool find_next(std::size_t stage, std::size_t from, Chains& before,
                 std::vector<bool>& seen) const {
    for (const std::size_t later : children_[from]) {
      if (seen[later]) continue;
      seen[later] = true;
      if (!before[later] || find_next(*before[later], *before[later], before, seen)) {
        before[later] = stage;
        return true;
      }
      if (find_next(stage, later, before, seen)) return true;
    }
    return false;
  }

  std::vector<std::vector<std::size_t>> parents_;
  std::vector<std::vector<std::size_t>> children_;
};

/// "50th/95th" of what `measure` says of each job's DAG.
inline std::string percentiles(const WorkloadSpec& workload,
                               std::size_t (DagMeasures::*measure)() const) {
  std::vector<std::size_t> all;
  for (const JobSpec& job : workload.jobs) all.push_back((DagMeasures(job).*measure)());
  std::ranges::sort(all);
  const auto at = [&](double share) {
    return all[static_cast<std::size_t>(std::ceil(share * static_cast<double>(all.size()))) - 1];
  };
  return fmt::format("{}/{}", at(0.50), at(0.95));
}

}  // namespace somnus::test
