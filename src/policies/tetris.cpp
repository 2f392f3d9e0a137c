#include "policies/tetris.hpp"

#include <algorithm>
#include <cmath>

#include "base/share_grid.hpp"
#include "scheduler/presets.hpp"
#include "scheduler/rows.hpp"

namespace somnus {
namespace {

// Of a share that users write in decimals; 0 is one, too.
std::int64_t whole_billionths(double share) { return std::llround(share * 1e9); }

constexpr std::int64_t all_billionths = 1'000'000'000;

// Job by job, in the order of its stages.
std::vector<StageId> runnable_stages(JobsView jobs) {
  std::vector<StageId> stages;
  for (StageId stage = jobs.first_runnable(); stage.valid(); stage = jobs.next_runnable(stage)) {
    stages.push_back(stage);
  }
  return stages;
}

bool is_remote(StageId stage, NodeId node, JobsView jobs) {
  if (jobs[stage].affinity == 0) return false;
  const auto preferred = jobs.affinity_of(stage);
  return std::ranges::find(preferred, node) == preferred.end();
}

// 1 for the first stage of its job, 1 / S for the last of S.
double share_of_stages_from(StageId stage, JobsView jobs) {
  const Job& job = jobs[jobs.job_of(stage)];
  const std::uint32_t position = jobs.position(stage) - job.first_stage.value();
  return static_cast<double>(job.stages - position) / job.stages;
}

}  // namespace

Tetris::Tetris(const Rules& rules, const Environment& environment)
    : rules_(rules),
      dimensions_(environment.cluster),
      work_(environment.cluster),
      changed_(environment.cluster.node_count()) {}

void Tetris::job_arrived(Time, JobId job, const SchedulerView& view) {
  const Job& facts = view.jobs[job];
  if (job.index() >= standings_.size()) standings_.resize(job.index() + 1);
  Standing& standing = standings_[job.index()];
  standing.weight = facts.weight;
  weights_ += facts.weight;
  work_.job_arrived(job, view.jobs);
}

void Tetris::stage_runnable(Time, StageId stage, const SchedulerView&) { fresh_.push_back(stage); }

void Tetris::task_ended(const TaskEnded& /*end*/, StageId stage, const SchedulerView& view) {
  work_.changed(stage, view.jobs);
  const JobId job = view.jobs.job_of(stage);
  standings_[job.index()].share = dimensions_.dominant_share(job, view.jobs);
}

void Tetris::job_ended(JobId job, const SchedulerView& view) {
  weights_ -= standings_[job.index()].weight;
  if (view.jobs.active_jobs() == 0) weights_ = 0;  // and no rounding is left over
}

void Tetris::node_changed(NodeId node, const SchedulerView&) { changed_.insert(node.value()); }

double Tetris::alignment(StageId stage, NodeId node, const SchedulerView& view) const {
  const NodeView& nodes = view.nodes;
  if (!nodes.fits(node, view.jobs.demand(stage).amounts)) return -1;
  double sum = 0;
  for (std::size_t kind = 0; kind < dimensions_.count(); ++kind) {
    const auto amount = static_cast<double>(dimensions_.asked(kind, stage, view.jobs));
    if (amount == 0) continue;
    const auto all = static_cast<double>(capacity(kind, node, nodes));
    sum += amount / all * (static_cast<double>(free(kind, node, nodes)) / all);
  }
  return sum;
}

std::vector<Tetris::Candidate> Tetris::candidates(NodeId node, std::span<const StageId> stages,
                                                  const SchedulerView& view) const {
  std::vector<Candidate> found;
  const NodeView& nodes = view.nodes;
  JobsView jobs = view.jobs;
  if (nodes.free_slots(node) == 0) return found;
  ++asked_;
  for (const StageId id : stages) {
    if (jobs.runnable(id) == 0) continue;
    const std::size_t demand = jobs.demand(id).id.index();
    if (demand >= alignments_.size()) alignments_.resize(demand + 1);
    Aligned& aligned = alignments_[demand];
    if (aligned.asked != asked_) aligned = {asked_, alignment(id, node, view)};
    if (aligned.value < 0) continue;
    const Stage& stage = jobs[id];
    const Standing& standing = standings_[stage.job.index()];
    double preferred = is_remote(id, node, jobs) ? rules_.remote : 1;
    if (rules_.priority) preferred *= share_of_stages_from(id, jobs);
    const std::int64_t started = stage.tasks - jobs.unstarted(id);
    const bool last =
        stage.children > 0 &&
        started * all_billionths >= whole_billionths(rules_.barrier) * std::int64_t{stage.tasks};
    found.push_back({.stage = id,
                     .job = stage.job,
                     .alignment = aligned.value * preferred,
                     .work = work_.of(stage.job).in_ns(),
                     .above = standing.share - standing.weight / weights_,
                     .last = last});
  }
  return found;
}

std::vector<Tetris::Candidate> Tetris::restricted(std::vector<Candidate> candidates) const {
  std::vector<std::pair<std::int64_t, JobId>> jobs;
  for (const Candidate& one : candidates) {
    if (jobs.empty() || jobs.back().second != one.job)
      jobs.emplace_back(share_cell(one.above), one.job);
  }
  const auto count = static_cast<std::int64_t>(jobs.size());
  const std::int64_t kept = (all_billionths - whole_billionths(rules_.fairness)) * count;
  const std::int64_t served =
      std::clamp<std::int64_t>((kept + all_billionths - 1) / all_billionths, 1, count);
  if (served < count) {
    const auto farthest = jobs.begin() + served - 1;
    std::ranges::nth_element(jobs, farthest);
    std::erase_if(candidates, [&](const Candidate& one) {
      return std::pair(share_cell(one.above), one.job) > *farthest;
    });
  }
  if (std::ranges::any_of(candidates, &Candidate::last)) {
    std::erase_if(candidates, [](const Candidate& one) { return !one.last; });
  }
  return candidates;
}

std::vector<double> Tetris::scores(const std::vector<Candidate>& candidates) const {
  double alignment = 0;
  double work = 0;
  for (const Candidate& one : candidates) {
    alignment += one.alignment;
    work += one.work;
  }
  const double eps = work > 0 ? rules_.shortness * alignment / work : 0;
  std::vector<double> scores;
  scores.reserve(candidates.size());
  for (const Candidate& one : candidates) scores.push_back(one.alignment - eps * one.work);
  return scores;
}

void Tetris::fill(NodeId node, std::span<const StageId> stages, SchedulerContext& context) {
  const SchedulerView view = context.scheduler_view();
  for (;;) {
    std::vector<Candidate> all = candidates(node, stages, view);
    if (all.empty()) return;
    all = restricted(std::move(all));
    const std::vector<double> by = scores(all);
    std::size_t best = 0;
    for (std::size_t at = 1; at < all.size(); ++at) {
      if (share_cell(by[at]) > share_cell(by[best])) best = at;
    }
    const JobId job = all[best].job;
    context.place(all[best].stage, node);
    work_.changed(all[best].stage, view.jobs);
    standings_[job.index()].share = dimensions_.dominant_share(job, view.jobs);
  }
}

// On a node that has not changed since it was last filled, nothing fits but what is fresh.
NodeId Tetris::next(const SchedulerView& view) const {
  NodeId first(changed_.first());
  for (const StageId stage : fresh_) {
    if (view.jobs.runnable(stage) == 0) continue;
    const NodeId node = view.nodes.first_with_room(view.jobs.demand(stage));
    if (node.valid()) first = std::min(first, node);
  }
  return first;
}

void Tetris::plan(Time, SchedulerContext& context) {
  const SchedulerView view = context.scheduler_view();
  const NodeView& nodes = view.nodes;
  if (!nodes.any_usable()) return;
  std::ranges::sort(fresh_, {}, [&](StageId stage) { return view.jobs.position(stage); });
  fresh_.erase(std::ranges::unique(fresh_).begin(), fresh_.end());
  std::vector<StageId> all;
  for (NodeId node = next(view); node.valid(); node = next(view)) {
    const bool changed = changed_.contains(node.value());
    if (changed && all.empty()) all = runnable_stages(view.jobs);
    if (nodes.usable(node)) fill(node, changed ? all : fresh_, context);
    changed_.erase(node.value());
  }
  fresh_.clear();
}

namespace {

const Registered<Part> tetris_policy =
    rows::policy<Tetris>(
        "tetris", "what fits the machine best, weighed against the work that is left of its job",
        "Tetris, SIGCOMM 2014; Carbyne section 5")
        .with_examples({{{"fairness", 0.6}, {"barrier", 0.5}}});
const Registered<Preset> tetris_preset = presets_of::whole_policy(
    "tetris", "tetris", "packing by several resources, weighed against shortest remaining work",
    "Tetris, SIGCOMM 2014; Carbyne section 5");
const Registered<Preset> tetris_fair_preset = presets_of::whole_policy(
    "tetris-fair", "tetris", "Tetris for the job alone that is farthest below its fair share",
    "Carbyne section 5.3", {{"tetris", {{"fairness", 1.0}}}});

}  // namespace
}  // namespace somnus
