#include "policies/dag_packing.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/share_grid.hpp"
#include "packing/packer.hpp"
#include "policies/paths.hpp"
#include "policies/stage_orders.hpp"
#include "scheduler/presets.hpp"
#include "scheduler/rows.hpp"

namespace somnus {
namespace {

constexpr std::size_t most_thresholds = 8;

/// A job's stages, by place in the job, as packers want them.
struct Dag {
  std::vector<Bundle> stages;
  std::vector<Edge> edges;
  std::vector<std::uint32_t> parents_first;
};

Dag dag_of(JobId id, JobsView jobs, const Dimensions& dimensions) {
  const Job& job = jobs[id];
  const std::uint32_t first = job.first_stage.value();
  Dag dag;
  for (std::uint32_t at = 0; at < job.stages; ++at) {
    const StageId stage(first + at);
    dag.stages.push_back({.tasks = jobs[stage].tasks,
                          .duration = jobs.task_estimate(stage),
                          .demand = dimensions.demand(stage, jobs)});
    for (const StageId child : jobs.children_of(stage)) {
      dag.edges.push_back({.before = at, .after = child.value() - first});
    }
  }
  for (const StageId stage : parents_first(id, jobs)) {
    dag.parents_first.push_back(stage.value() - first);
  }
  return dag;
}

using Members = std::vector<bool>;  // by stage

bool none_of(const Members& set) { return std::ranges::find(set, true) == set.end(); }

/// Where tasks stand in the space.
class Schedule {
 public:
  Schedule(const Dag& dag, const Dimensions& dimensions, std::span<Profile> space)
      : dag_(&dag),
        space_(space),
        packer_(dimensions.totals()),
        begin_(dag.stages.size(), Duration::max()),
        end_(dag.stages.size(), Duration::min()) {}

  [[nodiscard]] Duration span() const { return pieces_.empty() ? Duration() : last_ - first_; }
  [[nodiscard]] Duration begin(std::size_t stage) const { return begin_[stage]; }
  [[nodiscard]] bool placed(std::size_t stage) const { return end_[stage] != Duration::min(); }

  /// Each stage as early as what is placed lets it, or as late.
  void place(const Members& set, bool forward) {
    if (none_of(set)) return;
    const std::vector<PackedStart> starts = packed(set, forward);
    // The first set stands at the beginning of the space either way.
    const Duration shift = pieces_.empty() && !forward ? packer_.end() : Duration::zero();
    for (const PackedStart& start : starts) {
      const Duration span = dag_->stages[start.bundle].duration;
      const Duration begin = forward ? start.begin : shift - start.begin - span;
      pieces_.push_back(start);
      pieces_.back().begin = begin;
      begin_[start.bundle] = std::min(begin_[start.bundle], begin);
      end_[start.bundle] = std::max(end_[start.bundle], begin + span);
      first_ = std::min(first_, begin);
      last_ = std::max(last_, begin + span);
    }
  }
  /// The shorter of the two, forward if they are the same.
  void place_shorter(const Members& set) {
    Schedule backward = *this;
    backward.place(set, false);
    place(set, true);
    if (backward.span() < span()) *this = std::move(backward);
  }
  /// As its neighbours that are placed let it.
  void place_between(const Members& set) {
    bool has_parents = false;
    bool has_children = false;
    for (const Edge& edge : dag_->edges) {
      has_parents |= set[edge.after] && placed(edge.before);
      has_children |= set[edge.before] && placed(edge.after);
    }
    if (has_parents || has_children) {
      place(set, has_parents);
    } else {
      place_shorter(set);
    }
  }

 private:
  // Backward, times are before 0.
  std::vector<PackedStart> packed(const Members& set, bool forward) {
    for (Profile& part : space_) part.clear();
    for (const PackedStart& piece : pieces_) {
      const Bundle& stage = dag_->stages[piece.bundle];
      const Duration end = piece.begin + stage.duration;
      space_[piece.machine].take(forward ? piece.begin : -end, forward ? end : -piece.begin,
                                 stage.demand, piece.tasks);
    }
    const Duration edge_of_space = pieces_.empty() ? Duration::zero() : (forward ? first_ : -last_);
    std::vector<Bundle> bundles = dag_->stages;
    std::vector<Edge> edges;
    std::vector<bool> bound(bundles.size());
    for (std::size_t at = 0; at < bundles.size(); ++at) {
      if (!set[at]) bundles[at].tasks = 0;
    }
    for (const Edge& edge : dag_->edges) {
      const std::uint32_t before = forward ? edge.before : edge.after;
      const std::uint32_t after = forward ? edge.after : edge.before;
      if (!set[after]) continue;
      if (set[before]) edges.push_back({.before = before, .after = after});
      if (set[before] || !placed(before)) continue;
      bundles[after].ready =
          std::max(bundles[after].ready, forward ? end_[before] : -begin_[before]);
      bound[after] = true;
    }
    Duration from = Duration::max();
    for (std::size_t at = 0; at < bundles.size(); ++at) {
      if (!set[at]) continue;
      if (!bound[at]) bundles[at].ready = edge_of_space;
      from = std::min(from, bundles[at].ready);
    }
    const auto starts = packer_.pack(space_, bundles, edges, from);
    return {starts.begin(), starts.end()};
  }

  const Dag* dag_;
  std::span<Profile> space_;  // of all schedules
  Packer packer_;
  std::vector<PackedStart> pieces_;
  std::vector<Duration> begin_;  // by stage
  std::vector<Duration> end_;
  Duration first_ = Duration::max();
  Duration last_ = Duration::min();
};

/// The hard stages, and how the others stand to them.
struct Parts {
  Members hard, before, after, rest;
};

Parts parts_of(const Dag& dag, Members hard) {
  const std::size_t count = dag.stages.size();
  Members under(count);  // below a hard one
  Members over(count);
  std::vector<std::vector<std::uint32_t>> children(count);
  for (const Edge& edge : dag.edges) children[edge.before].push_back(edge.after);
  for (const std::uint32_t at : dag.parents_first) {
    for (const std::uint32_t child : children[at]) {
      if (hard[at] || under[at]) under[child] = true;
    }
  }
  for (std::size_t place = count; place-- > 0;) {
    const std::uint32_t at = dag.parents_first[place];
    for (const std::uint32_t child : children[at]) {
      if (hard[child] || over[child]) over[at] = true;
    }
  }
  Parts parts{std::move(hard), Members(count), Members(count), Members(count)};
  for (std::size_t at = 0; at < count; ++at) {
    if (under[at] && over[at]) parts.hard[at] = true;
    if (parts.hard[at]) continue;
    (over[at] ? parts.before : under[at] ? parts.after : parts.rest)[at] = true;
  }
  return parts;
}

/// Of the distinct values, in order, at most that many, spread evenly.
template <class Value>
std::vector<Value> thresholds(const std::vector<Value>& values) {
  const std::set<Value> sorted(values.begin(), values.end());
  const std::vector<Value> distinct(sorted.begin(), sorted.end());
  if (distinct.size() <= most_thresholds) return distinct;
  std::vector<Value> some;
  for (std::size_t at = 0; at < most_thresholds; ++at) {
    some.push_back(distinct[at * (distinct.size() - 1) / (most_thresholds - 1)]);
  }
  return some;
}

std::int64_t fragmentation(const Bundle& stage, const Dimensions& dimensions) {
  Wide at_once = stage.tasks;
  double work = 0;
  for (std::size_t kind = 0; kind < stage.demand.size(); ++kind) {
    if (stage.demand[kind] == 0) continue;
    const Wide all = dimensions.total(kind);
    at_once = std::min(at_once, std::max<Wide>(all / stage.demand[kind], 1));
    work = std::max(work, static_cast<double>(stage.tasks) *
                              static_cast<double>(stage.demand[kind]) / static_cast<double>(all));
  }
  const Wide waves = (stage.tasks + at_once - 1) / at_once;
  return share_cell(work / static_cast<double>(waves));
}

Schedule shortest(const Dag& dag, const Dimensions& dimensions, std::span<Profile> space) {
  std::vector<Duration> long_scores;
  std::vector<std::int64_t> frag_scores;
  for (const Bundle& stage : dag.stages) {
    long_scores.push_back(stage.duration);
    frag_scores.push_back(fragmentation(stage, dimensions));
  }
  std::set<Members> seen;
  std::optional<Schedule> best;
  for (const Duration least : thresholds(long_scores)) {
    for (const std::int64_t most : thresholds(frag_scores)) {
      Members hard(dag.stages.size());
      for (std::size_t at = 0; at < hard.size(); ++at) {
        hard[at] = long_scores[at] >= least || frag_scores[at] <= most;
      }
      const Parts parts = parts_of(dag, std::move(hard));
      if (!seen.insert(parts.hard).second) continue;
      Schedule hard_first(dag, dimensions, space);
      hard_first.place_shorter(parts.hard);
      constexpr std::array<const char*, 4> orders{"OCP", "OPC", "POC", "COP"};
      for (const char* order : orders) {
        Schedule schedule = hard_first;
        for (const char* which = order; *which != '\0'; ++which) {
          if (*which == 'P') schedule.place(parts.before, false);
          if (*which == 'C') schedule.place(parts.after, true);
          if (*which == 'O') schedule.place_between(parts.rest);
        }
        if (!best || schedule.span() < best->span()) best = std::move(schedule);
      }
    }
  }
  return *std::move(best);
}

}  // namespace

Machines::Machines(const Cluster& cluster) : dimensions_(cluster) {
  if (dimensions_.only_slots()) {
    alike_.push_back({.capacity = dimensions_.totals(), .count = 1});
    return;
  }
  for (const NodeGroup& group : cluster.groups) {
    Alike& machines = alike_.emplace_back();
    machines.count = group.count;
    for (std::size_t kind = 0; kind < dimensions_.count(); ++kind) {
      machines.capacity.push_back(group.capacity.millionths(kind));
    }
  }
}

// They are filled one after another, so there are never tasks on more of them than run at once.
std::vector<Profile> Machines::empty_for(std::uint32_t tasks) const {
  std::vector<Profile> machines;
  for (const Alike& some : alike_) {
    machines.insert(machines.end(), std::min(some.count, tasks), Profile(some.capacity));
  }
  return machines;
}

std::vector<StageId> PackedForward::stages_of(JobId job, JobsView jobs) const {
  const Dimensions& dimensions = machines_.dimensions();
  const Dag dag = dag_of(job, jobs, dimensions);
  std::vector<Profile> space = machines_.empty_for(jobs[job].tasks);
  Schedule schedule(dag, dimensions, space);
  schedule.place(Members(dag.stages.size(), true), true);
  return stages_by(job, jobs, [&](std::uint32_t at) { return schedule.begin(at); });
}

std::vector<StageId> Dagps::stages_of(JobId job, JobsView jobs) const {
  const Dimensions& dimensions = machines_.dimensions();
  const Dag dag = dag_of(job, jobs, dimensions);
  std::vector<Profile> space = machines_.empty_for(jobs[job].tasks);
  const Schedule schedule = shortest(dag, dimensions, space);
  return stages_by(job, jobs, [&](std::uint32_t at) { return schedule.begin(at); });
}

namespace {

const Registered<Part> packed_forward = rows::within<PackedForward>(
    "packing", "the stage that starts first where the job alone is packed into the cluster",
    "Carbyne section 3; Tetris, SIGCOMM 2014");
const Registered<Part> dagps_within = rows::within<Dagps>(
    "dagps", "the same, packed with what is hard to pack first and the rest around it",
    "Graphene, OSDI 2016; Carbyne section 5");

/// Tetris with stages in the order of DAGPS, which weighs in its scores.
Preset tetris_with_dagps() {
  Preset made = presets_of::whole_policy(
      "dagps", "tetris", "Tetris, which prefers the stages that DAGPS puts first",
      "Graphene, OSDI 2016; Carbyne section 5", {{"tetris", {{"priority", true}}}});
  made.within = "dagps";
  return made;
}
const Registered<Preset> dagps_preset = tetris_with_dagps();

}  // namespace
}  // namespace somnus
