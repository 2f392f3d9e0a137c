#include "fluid/standalone.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <vector>

#include "base/bit_index.hpp"
#include "base/error.hpp"
#include "fluid/free_slots.hpp"

namespace somnus {
namespace {

Duration longest(std::span<const TrueDuration> tasks) {
  Duration most{};
  for (const TrueDuration task : tasks) most = std::max(most, task.value);
  return most;
}

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint32_t>::max();  // of a node's tasks

// How many tasks of that demand the empty cluster holds at once; any, if there is none.
std::uint64_t room_for(const Cluster* cluster, const Resources& demand) {
  if (cluster == nullptr) return no_limit;
  std::uint64_t tasks = 0;
  for (const NodeGroup& group : cluster->groups) {
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

// What a job has for itself: slots, and the resources of a cluster where these count.
struct Position {
  std::uint64_t slots = 0;           // 0: no limit
  const Cluster* cluster = nullptr;  // none: slots are all that counts
};

// One job on its own: tasks in order of stage and number. Where resources count the nodes are one
// pool; but of no stage more tasks run than fit on its nodes.
class Alone {
 public:
  Alone(const Catalogue& catalogue, const Truth& truth, const Position& place, JobId job,
        const Warmup& warmup)
      : catalogue_(catalogue),
        truth_(truth),
        id_(job),
        job_(catalogue[job]),
        slots_(place.slots > 0 ? place.slots : no_limit,
               place.slots > 0 ? FreeSlots::Limit::slots : FreeSlots::Limit::none, warmup),
        stages_(job_.stages),
        open_(job_.stages) {
    for (std::size_t at = 0; at < stages_.size(); ++at) {
      const Stage& stage = stage_at(at);
      stages_[at].waits_for = stage.parents;
      stages_[at].unfinished = stage.tasks;
      if (place.cluster != nullptr) stages_[at].demand = truth.demand(id_of(at));
      stages_[at].room = room_for(place.cluster, stages_[at].demand);
      least_ = at > 0 ? least_.common(stages_[at].demand) : stages_[at].demand;
      SOMNUS_CHECK(stages_[at].room > 0, "a task of stage {} fits no node", stage.label);
      open_if_it_is(at);
    }
    if (place.cluster != nullptr) free_ = place.cluster->capacity();
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
    FreeSlots::Started on;
    friend bool operator>(const Running& a, const Running& b) {  // as a node ends its tasks
      return a.end != b.end ? a.end > b.end : a.on.slot > b.on.slot;
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
        if (!slots_.any() || !free_.holds(least_)) return;
        if (!free_.holds(progress.demand)) break;
        const TaskId task(stage.first_task.index() + progress.next++);
        const FreeSlots::Started on = slots_.start(truth_.times(id_, task), id_of(at));
        running_.push({std::max(now, capped_sum(now, on.time)), at, on});
        ++progress.running;
        free_ -= progress.demand;
      }
      if (!is_open(at)) open_.erase(at);
    }
  }

  void end() {
    const std::size_t at = running_.top().stage;
    slots_.give_back(running_.top().on.slot, running_.top().on.past);
    running_.pop();
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
  JobId id_;
  const Job& job_;
  FreeSlots slots_;
  ResourceTotals free_;
  Resources least_;  // that any task asks for, of each kind
  std::vector<Progress> stages_;
  BitIndex open_;  // stages of which a task may start, if there is a slot
  std::priority_queue<Running, std::vector<Running>, std::greater<>> running_;
};

Duration longest_cold(const Catalogue& catalogue, const Truth& truth, JobId job,
                      const Warmup& warmup) {
  Duration most{};
  const Job& facts = catalogue[job];
  for (std::uint32_t at = 0; at < facts.tasks; ++at) {
    const TaskId task(facts.first_task.value() + at);
    most = std::max(most, warmup.intended(truth.times(job, task), {}, 1).time);
  }
  return most;
}

/// Whether all tasks of the job together find room.
bool holds_at_once(const Position& place, const Catalogue& catalogue, const Truth& truth,
                   const Job& job) {
  if (place.slots > 0 && job.tasks > place.slots) return false;
  if (place.cluster == nullptr) return true;
  ResourceTotals free = place.cluster->capacity();
  for (std::size_t at = 0; at < job.stages; ++at) {
    const StageId stage(job.first_stage.index() + at);
    const Resources demand = truth.demand(stage);
    if (catalogue[stage].tasks > room_for(place.cluster, demand)) return false;
    free.add(demand, -std::int64_t{catalogue[stage].tasks});
  }
  for (std::size_t kind = 0; kind < most_resource_kinds; ++kind) {
    if (free.millionths(kind) < 0) return false;
  }
  return true;
}

Duration alone_at(const Position& place, const Catalogue& catalogue, const Truth& truth, JobId job,
                  const Warmup& warmup) {
  const Job& facts = catalogue[job];
  const std::uint64_t room = place.cluster == nullptr
                                 ? place.slots
                                 : room_for(place.cluster, truth.demand(facts.first_stage));
  if (facts.stages == 1 && facts.tasks <= room) {
    return longest_cold(catalogue, truth, job, warmup);
  }
  if (warmup.row().nominal && holds_at_once(place, catalogue, truth, facts)) {
    return critical_path(catalogue, truth, job);
  }
  return Alone(catalogue, truth, place, job, warmup)();
}

}  // namespace

Duration alone(const Catalogue& catalogue, const Truth& truth, const Cluster& cluster, JobId job,
               const Warmup& warmup) {
  return alone_at({.slots = cluster.slot_count(), .cluster = &cluster}, catalogue, truth, job,
                  warmup);
}

Duration alone(const Catalogue& catalogue, const Truth& truth, std::uint64_t slots, JobId job,
               const Warmup& warmup) {
  SOMNUS_CHECK(slots > 0, "job {} alone on no slot", job.value());
  return alone_at({.slots = slots}, catalogue, truth, job, warmup);
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
