#include "fluid/standalone.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <vector>

#include "base/error.hpp"

namespace somnus {
namespace {

Duration stretched(Duration duration, double factor) {
  return factor == 1 ? duration : seconds(in_seconds(duration) * factor);
}

Duration longest(std::span<const TrueDuration> tasks) {
  Duration most{};
  for (const TrueDuration task : tasks) most = std::max(most, task.value);
  return most;
}

// How many tasks of that demand the empty cluster holds at once.
std::uint64_t room_for(const Cluster& cluster, const Resources& demand) {
  if (demand.zero()) return cluster.slot_count();
  std::uint64_t tasks = 0;
  for (const NodeGroup& group : cluster.groups) {
    Resources left = group.capacity;
    std::uint64_t fits = 0;
    for (; fits < group.slots && demand.fits_in(left); ++fits) left -= demand;
    tasks += fits * group.count;
  }
  return tasks;
}

// One job on its own: slots that are warm or not, tasks in order of stage and number.
class Alone {
 public:
  Alone(const Catalogue& catalogue, const Truth& truth, const Cluster& cluster, JobId job,
        double cold_factor)
      : catalogue_(catalogue),
        truth_(truth),
        job_(catalogue[job]),
        cold_factor_(cold_factor),
        slots_(cluster.slot_count()),
        stages_(job_.stages) {
    for (std::size_t at = 0; at < stages_.size(); ++at) {
      const Stage& stage = stage_at(at);
      stages_[at].waits_for = stage.parents;
      stages_[at].unfinished = stage.tasks;
      stages_[at].room = room_for(cluster, stage.demand);
      SOMNUS_CHECK(stages_[at].room > 0, "a task of stage {} fits no node", stage.label);
    }
  }

  Duration operator()() {
    Duration now{};
    for (;;) {
      launch(now);
      if (running_.empty()) return now;
      now = running_.top().end;
      while (!running_.empty() && running_.top().end == now) end();
    }
  }

 private:
  struct Running {
    Duration end;
    std::size_t stage;
    friend bool operator>(const Running& a, const Running& b) {
      return a.end != b.end ? a.end > b.end : a.stage > b.stage;
    }
  };
  struct Progress {
    std::uint32_t waits_for = 0;
    std::uint32_t unfinished = 0;
    std::uint32_t next = 0;
    std::uint64_t running = 0;
    std::uint64_t room = 0;
  };

  [[nodiscard]] const Stage& stage_at(std::size_t at) const {
    return catalogue_.stages[job_.first_stage.index() + at];
  }

  void launch(Duration now) {
    for (std::size_t at = 0; at < stages_.size(); ++at) {
      Progress& progress = stages_[at];
      const Stage& stage = stage_at(at);
      while (progress.waits_for == 0 && progress.next < stage.tasks && running_.size() < slots_ &&
             progress.running < progress.room) {
        const bool warm = warm_slots_ > 0;
        if (warm) --warm_slots_;
        const Duration duration = truth_[TaskId(stage.first_task.index() + progress.next++)];
        running_.push({now + stretched(duration, warm ? 1 : cold_factor_), at});
        ++progress.running;
      }
    }
  }

  void end() {
    const std::size_t at = running_.top().stage;
    running_.pop();
    ++warm_slots_;
    --stages_[at].running;
    if (--stages_[at].unfinished > 0) return;
    for (const StageId child : catalogue_.children_of(stage_at(at))) {
      --stages_[child.index() - job_.first_stage.index()].waits_for;
    }
  }

  const Catalogue& catalogue_;
  const Truth& truth_;
  const Job& job_;
  double cold_factor_;
  std::uint64_t slots_;
  std::vector<Progress> stages_;
  std::uint64_t warm_slots_ = 0;
  std::priority_queue<Running, std::vector<Running>, std::greater<>> running_;
};

}  // namespace

Duration alone(const Catalogue& catalogue, const Truth& truth, const Cluster& cluster, JobId job,
               double cold_factor) {
  const Job& facts = catalogue[job];
  const Stage& first = catalogue[facts.first_stage];
  const bool one_wave = facts.stages == 1 && facts.tasks <= room_for(cluster, first.demand);
  if (one_wave) return stretched(longest(truth.of(facts)), cold_factor);
  return Alone(catalogue, truth, cluster, job, cold_factor)();
}

Duration critical_path(const Catalogue& catalogue, const Truth& truth, JobId job) {
  const Job& facts = catalogue[job];
  if (facts.stages == 1) return longest(truth.of(facts));
  std::map<StageId, Duration> until;  // the end of the longest path into and through each stage
  const std::function<Duration(StageId)> end_of = [&](StageId id) {
    if (const auto known = until.find(id); known != until.end()) return known->second;
    Duration start{};
    for (const StageId parent : catalogue.parents_of(catalogue[id])) {
      start = std::max(start, end_of(parent));
    }
    return until[id] = start + longest(truth.of(catalogue[id]));
  };
  Duration most{};
  for (std::size_t at = 0; at < facts.stages; ++at) {
    most = std::max(most, end_of(StageId(facts.first_stage.index() + at)));
  }
  return most;
}

}  // namespace somnus
