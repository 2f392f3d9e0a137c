#include "fluid/standalone.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <vector>

#include "base/bit_index.hpp"
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

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint32_t>::max();  // of a node's tasks

// How many tasks of that demand the empty cluster holds at once.
std::uint64_t room_for(const Cluster& cluster, const Resources& demand) {
  std::uint64_t tasks = 0;
  for (const NodeGroup& group : cluster.groups) {
    std::uint64_t fit = group.slots > 0 ? group.slots : no_limit;
    for (std::size_t kind = 0; kind < most_resource_kinds; ++kind) {
      const std::int64_t each = demand.millionths(kind);
      if (each == 0) continue;
      fit = std::min(fit, static_cast<std::uint64_t>(group.capacity.millionths(kind) / each));
    }
    tasks += fit * group.count;
  }
  return tasks;
}

// One job on its own: slots that are warm or not, tasks in order of stage and number. Where
// resources count the nodes are one pool; but of no stage more tasks run than fit on its nodes.
class Alone {
 public:
  Alone(const Catalogue& catalogue, const Truth& truth, const Cluster& cluster, JobId job,
        double cold_factor)
      : catalogue_(catalogue),
        truth_(truth),
        job_(catalogue[job]),
        cold_factor_(cold_factor),
        slots_(cluster.slot_count() > 0 ? cluster.slot_count() : no_limit),
        free_(cluster.capacity()),
        stages_(job_.stages),
        open_(job_.stages) {
    for (std::size_t at = 0; at < stages_.size(); ++at) {
      const Stage& stage = stage_at(at);
      stages_[at].waits_for = stage.parents;
      stages_[at].unfinished = stage.tasks;
      stages_[at].demand = truth.demand(id_of(at));
      stages_[at].room = room_for(cluster, stages_[at].demand);
      least_ = at > 0 ? least_.common(stages_[at].demand) : stages_[at].demand;
      SOMNUS_CHECK(stages_[at].room > 0, "a task of stage {} fits no node", stage.label);
      open_if_it_is(at);
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
    Resources demand;
  };

  [[nodiscard]] StageId id_of(std::size_t at) const {
    return StageId(job_.first_stage.index() + at);
  }

  [[nodiscard]] const Stage& stage_at(std::size_t at) const { return catalogue_[id_of(at)]; }

  [[nodiscard]] bool is_open(std::size_t at) const {
    const Progress& progress = stages_[at];
    return progress.waits_for == 0 && progress.next < stage_at(at).tasks &&
           progress.running < progress.room;
  }
  void open_if_it_is(std::size_t at) {
    if (is_open(at)) open_.insert(static_cast<std::uint32_t>(at));
  }

  void launch(Duration now) {
    for (std::uint32_t at = open_.first(); at != BitIndex::none; at = open_.first(at + 1)) {
      Progress& progress = stages_[at];
      const Stage& stage = stage_at(at);
      while (is_open(at)) {
        if (running_.size() == slots_ || !free_.holds(least_)) return;
        if (!free_.holds(progress.demand)) break;
        const bool warm = warm_slots_ > 0;
        if (warm) --warm_slots_;
        const Duration duration = truth_[TaskId(stage.first_task.index() + progress.next++)];
        running_.push({now + stretched(duration, warm ? 1 : cold_factor_), at});
        ++progress.running;
        free_ -= progress.demand;
      }
      if (!is_open(at)) open_.erase(at);
    }
  }

  void end() {
    const std::size_t at = running_.top().stage;
    running_.pop();
    ++warm_slots_;
    --stages_[at].running;
    free_ += stages_[at].demand;
    open_if_it_is(at);
    if (--stages_[at].unfinished > 0) return;
    for (const StageId child : catalogue_.children_of(stage_at(at))) {
      const std::size_t next = child.index() - job_.first_stage.index();
      --stages_[next].waits_for;
      open_if_it_is(next);
    }
  }

  const Catalogue& catalogue_;
  const Truth& truth_;
  const Job& job_;
  double cold_factor_;
  std::uint64_t slots_;
  ResourceTotals free_;
  Resources least_;  // that any task asks for, of each kind
  std::vector<Progress> stages_;
  BitIndex open_;  // stages of which a task may start, if there is a slot
  std::uint64_t warm_slots_ = 0;
  std::priority_queue<Running, std::vector<Running>, std::greater<>> running_;
};

}  // namespace

Duration alone(const Catalogue& catalogue, const Truth& truth, const Cluster& cluster, JobId job,
               double cold_factor) {
  const Job& facts = catalogue[job];
  const bool one_wave =
      facts.stages == 1 && facts.tasks <= room_for(cluster, truth.demand(facts.first_stage));
  if (one_wave) return stretched(longest(truth.of(facts)), cold_factor);
  return Alone(catalogue, truth, cluster, job, cold_factor)();
}

Duration critical_path(const Catalogue& catalogue, const Truth& truth, JobId job) {
  const Job& facts = catalogue[job];
  if (facts.stages == 1) return longest(truth.of(facts));
  const std::size_t first = facts.first_stage.index();
  std::vector<Duration> start(facts.stages);  // where the longest path to each stage ends
  std::vector<std::uint32_t> waits_for;
  std::vector<StageId> ready;
  for (std::size_t at = 0; at < facts.stages; ++at) {
    waits_for.push_back(catalogue.stages[first + at].parents);
    if (waits_for.back() == 0) ready.emplace_back(first + at);
  }
  Duration most{};
  while (!ready.empty()) {
    const StageId id = ready.back();
    ready.pop_back();
    const Duration end = start[id.index() - first] + longest(truth.of(catalogue[id]));
    most = std::max(most, end);
    for (const StageId child : catalogue.children_of(catalogue[id])) {
      Duration& latest = start[child.index() - first];
      latest = std::max(latest, end);
      if (--waits_for[child.index() - first] == 0) ready.push_back(child);
    }
  }
  return most;
}

}  // namespace somnus
