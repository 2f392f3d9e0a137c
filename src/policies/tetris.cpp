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

constexpr std::uint32_t nowhere = ~std::uint32_t{0};

bool is_remote(StageId stage, NodeId node, JobsView jobs) {
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

// --- events ---

void Tetris::job_arrived(Time, JobId job, const SchedulerView& view) {
  const Job& facts = view.jobs[job];
  if (job.index() >= standings_.size()) standings_.resize(job.index() + 1);
  const std::size_t stages = facts.first_stage.index() + facts.stages;
  if (stages > place_.size()) place_.resize(stages, nowhere);
  work_.job_arrived(job, view.jobs);
  standings_[job.index()] = {.weight = facts.weight, .work = work_.of(job).in_ns()};
  weights_ += facts.weight;
  ++weights_version_;
}

void Tetris::stage_runnable(Time, StageId stage, const SchedulerView& view) {
  const DemandId demand = view.jobs.demand(stage).id;
  fresh_.push_back(demand);
  if (place_[stage.index()] != nowhere) return;
  if (demand.index() >= runnable_.size()) runnable_.resize(demand.index() + 1);
  std::vector<RunnableStage>& stages = runnable_[demand.index()];
  place_[stage.index()] = static_cast<std::uint32_t>(stages.size());
  stages.push_back(runnable_stage(stage, view.jobs));
  waiting_.set(demand, true);
}

void Tetris::forget_if_none_is_runnable(StageId stage, JobsView jobs) {
  if (jobs.runnable(stage) > 0 || place_[stage.index()] == nowhere) return;
  const DemandId demand = jobs.demand(stage).id;
  std::vector<RunnableStage>& stages = runnable_[demand.index()];
  const std::uint32_t place = place_[stage.index()];
  place_[stages.back().stage.index()] = place;
  stages[place] = stages.back();
  stages.pop_back();
  place_[stage.index()] = nowhere;
  if (stages.empty()) waiting_.set(demand, false);
}

void Tetris::started_or_ended(StageId stage, JobsView jobs) {
  work_.changed(stage, jobs);
  const JobId job = jobs.job_of(stage);
  Standing& standing = standings_[job.index()];
  standing.work = work_.of(job).in_ns();
  standing.share = dimensions_.dominant_share(job, jobs);
  standing.reckoned = 0;
}

void Tetris::task_ended(const TaskEnded& /*end*/, StageId stage, const SchedulerView& view) {
  started_or_ended(stage, view.jobs);
}

void Tetris::job_ended(JobId job, const SchedulerView& view) {
  weights_ -= standings_[job.index()].weight;
  if (view.jobs.active_jobs() == 0) weights_ = 0;  // and no rounding is left over
  ++weights_version_;
}

void Tetris::node_changed(NodeId node, const SchedulerView&) { changed_.insert(node.value()); }

// --- candidates ---

Tetris::RunnableStage Tetris::runnable_stage(StageId id, JobsView jobs) const {
  const Stage& stage = jobs[id];
  const std::int64_t before =
      (whole_billionths(rules_.barrier) * std::int64_t{stage.tasks} + all_billionths - 1) /
      all_billionths;
  return {.stage = id,
          .job = stage.job,
          .position = jobs.position(id),
          .has_affinity = stage.affinity > 0,
          .most_unstarted = stage.children > 0 ? std::int64_t{stage.tasks} - before : -1,
          .preferred = rules_.priority ? share_of_stages_from(id, jobs) : 1};
}

double Tetris::alignment(const Resources& demand, NodeId node, const NodeView& nodes) const {
  double sum = 0;
  for (std::size_t kind = 0; kind < dimensions_.count(); ++kind) {
    const auto amount = static_cast<double>(dimensions_.only_slots() ? 1 : demand.millionths(kind));
    if (amount == 0) continue;
    const auto all = static_cast<double>(capacity(kind, node, nodes));
    sum += amount / all * (static_cast<double>(free(kind, node, nodes)) / all);
  }
  return sum;
}

Tetris::Standing& Tetris::current_standing(JobId job) {
  Standing& standing = standings_[job.index()];
  if (standing.reckoned != weights_version_) {
    standing.above = standing.share - standing.weight / weights_;
    standing.cell = share_cell(standing.above);
    standing.reckoned = weights_version_;
  }
  return standing;
}

void Tetris::find(NodeId node, const SchedulerView& view) {
  const NodeView& nodes = view.nodes;
  const JobsView jobs = view.jobs;
  candidates_.clear();
  competing_.clear();
  ++looked_;
  if (nodes.free_slots(node) == 0) return;
  const auto may_fit = [&](std::size_t block) { return nodes.may_fit(block, node); };
  waiting_.for_each(may_fit, [&](DemandId demand) {
    const Resources& amounts = jobs.demand(demand).amounts;
    if (!nodes.fits(node, amounts)) return;
    const double aligned = alignment(amounts, node, nodes);
    for (const RunnableStage& one : runnable_[demand.index()]) {
      Standing& standing = current_standing(one.job);
      if (std::exchange(standing.candidate, looked_) != looked_) {
        competing_.emplace_back(standing.cell, one.job);
      }
      double preferred = one.has_affinity && is_remote(one.stage, node, jobs) ? rules_.remote : 1;
      preferred *= one.preferred;
      candidates_.push_back({.stage = one.stage,
                             .job = one.job,
                             .position = one.position,
                             .last = jobs.unstarted(one.stage) <= one.most_unstarted,
                             .alignment = aligned * preferred,
                             .work = standing.work,
                             .above = standing.above});
    }
  });
}

void Tetris::restrict_by_fairness() {
  const auto count = static_cast<std::int64_t>(competing_.size());
  const std::int64_t kept = (all_billionths - whole_billionths(rules_.fairness)) * count;
  const std::int64_t served =
      std::clamp<std::int64_t>((kept + all_billionths - 1) / all_billionths, 1, count);
  if (served == count) return;
  const auto farthest = competing_.begin() + served - 1;
  std::ranges::nth_element(competing_, farthest);
  std::erase_if(candidates_, [&](const Candidate& one) {
    return std::pair(standings_[one.job.index()].cell, one.job) > *farthest;
  });
}

void Tetris::restrict_by_barrier() {
  if (std::ranges::none_of(candidates_, &Candidate::last)) return;
  std::erase_if(candidates_, [](const Candidate& one) { return !one.last; });
}

void Tetris::score() {
  double alignment = 0;
  double work = 0;
  for (const Candidate& one : candidates_) {
    alignment += one.alignment;
    work += one.work;
  }
  const double eps = work > 0 ? rules_.shortness * alignment / work : 0;
  for (Candidate& one : candidates_) one.score = one.alignment - eps * one.work;
}

std::span<const Tetris::Candidate> Tetris::candidates(NodeId node, const SchedulerView& view) {
  find(node, view);
  if (candidates_.empty()) return candidates_;
  restrict_by_fairness();
  restrict_by_barrier();
  score();
  return candidates_;
}

// --- who is next ---

void Tetris::fill(NodeId node, SchedulerContext& context) {
  const SchedulerView& view = context.scheduler_view();
  for (;;) {
    const std::span<const Candidate> all = candidates(node, view);
    if (all.empty()) return;
    const double most = std::ranges::max_element(all, {}, &Candidate::score)->score;
    const Candidate* best = nullptr;
    for (const Candidate& one : all) {
      if (one.score < most - 2 * share_cell_width) continue;  // nor is it in the cell
      if (share_cell(one.score) < share_cell(most)) continue;
      if (best == nullptr || one.position < best->position) best = &one;
    }
    const StageId stage = best->stage;
    context.place(stage, node);
    started_or_ended(stage, view.jobs);
    forget_if_none_is_runnable(stage, view.jobs);
  }
}

// On a node that has not changed since it was last filled, nothing fits but what is fresh.
NodeId Tetris::next(const SchedulerView& view) const {
  NodeId first(changed_.first());
  for (const DemandId demand : fresh_) {
    if (runnable_[demand.index()].empty()) continue;
    const NodeId node = view.nodes.first_with_room(view.jobs.demand(demand));
    if (node.valid()) first = std::min(first, node);
  }
  return first;
}

void Tetris::plan(Time, SchedulerContext& context) {
  const SchedulerView& view = context.scheduler_view();
  const NodeView& nodes = view.nodes;
  if (!nodes.any_usable()) return;
  std::ranges::sort(fresh_);
  fresh_.erase(std::ranges::unique(fresh_).begin(), fresh_.end());
  for (NodeId node = next(view); node.valid(); node = next(view)) {
    if (nodes.usable(node)) fill(node, context);
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
