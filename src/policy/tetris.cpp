#include "policy/tetris.hpp"

#include <algorithm>
#include <cmath>

namespace somnus {
namespace {

// Of a share that users write in decimals; 0 is one, too.
std::int64_t whole_billionths(double share) { return std::llround(share * 1e9); }

constexpr std::int64_t all_billionths = 1'000'000'000;

// Scores and shares are within these of 0; cells of the grid count from 0.
Wide cell(Quad value) { return on_grid((value + Resources::most_kinds) * billion); }

std::uint32_t unstarted(StageId stage, const JobTable& jobs) {
  return jobs.unfinished(stage) - jobs.running(stage);
}

// Increasing in job and stage, as those in the table are.
std::vector<StageId> runnable_stages(const JobTable& jobs) {
  std::vector<StageId> stages;
  for (StageId stage = jobs.first_runnable(); stage.valid();
       stage = jobs.first_runnable(StageId(stage.value() + 1))) {
    stages.push_back(stage);
  }
  return stages;
}

}  // namespace

Tetris::Tetris(const Rules& rules, const Surroundings& surroundings)
    : rules_(rules),
      kinds_(surroundings.cluster.resources.size()),
      changed_(surroundings.cluster.node_count()) {
  if (kinds_ == 0) cluster_[0] = static_cast<Quad>(surroundings.cluster.slot_count());
  for (const NodeGroup& group : surroundings.cluster.groups) {
    for (std::size_t kind = 0; kind < kinds_; ++kind) {
      cluster_[kind] += static_cast<Quad>(group.capacity.millionths()[kind]) * group.count;
    }
  }
}

Tetris::Kinds Tetris::demand_of(const Stage& stage) const {
  return kinds_ == 0 ? Kinds{1} : stage.demand.millionths();
}
Tetris::Kinds Tetris::free_of(NodeId node, const NodeView& nodes) const {
  return kinds_ == 0 ? Kinds{nodes.free_slots(node)} : nodes.free(node).millionths();
}
Tetris::Kinds Tetris::capacity_of(NodeId node, const NodeView& nodes) const {
  return kinds_ == 0 ? Kinds{nodes.slots(node)} : nodes.capacity(node).millionths();
}

void Tetris::assess(JobId job, const Picture& picture) {
  const JobTable& jobs = picture.jobs;
  const Job& facts = jobs.catalogue()[job];
  Standing& standing = standings_[job.index()];
  standing.work = 0;
  std::array<Quad, Resources::most_kinds> taken{};
  for (std::uint32_t at = 0; at < facts.stages; ++at) {
    const StageId id(facts.first_stage.value() + at);
    const Stage& stage = jobs.catalogue()[id];
    const Kinds demand = demand_of(stage);
    Quad shares = 0;
    for (std::size_t kind = 0; kind < demand.size(); ++kind) {
      if (demand[kind] == 0) continue;
      const Quad share = static_cast<Quad>(demand[kind]) / cluster_[kind];
      shares += share;
      taken[kind] += share * jobs.running(id);
    }
    standing.work += exactly(jobs.slot_time(id)) * unstarted(id, jobs) / stage.tasks * shares;
  }
  standing.share = *std::ranges::max_element(taken);
}

void Tetris::job_arrived(Time, JobId job, const Picture& picture) {
  standings_.resize(picture.jobs.catalogue().jobs.size());
  Standing& standing = standings_[job.index()];
  standing.weight = static_cast<Quad>(billionths(picture.jobs.catalogue()[job].weight));
  weights_ += standing.weight;
  assess(job, picture);
}

void Tetris::stage_runnable(Time, StageId stage, const Picture&) { fresh_.push_back(stage); }

void Tetris::task_ended(const TaskEnded&, StageId stage, const Picture& picture) {
  assess(picture.jobs.catalogue()[stage].job, picture);
}

void Tetris::job_ended(JobId job, const Picture&) { weights_ -= standings_[job.index()].weight; }

void Tetris::node_changed(NodeId node, const Picture&) { changed_.insert(node.value()); }

std::vector<Tetris::Candidate> Tetris::candidates(NodeId node, const std::vector<StageId>& stages,
                                                  const Picture& picture) const {
  std::vector<Candidate> found;
  const NodeView& nodes = picture.nodes;
  if (nodes.free_slots(node) == 0) return found;
  const Catalogue& catalogue = picture.jobs.catalogue();
  const Kinds free = free_of(node, nodes);
  const Kinds capacity = capacity_of(node, nodes);
  for (const StageId id : stages) {
    const Stage& stage = catalogue[id];
    if (picture.jobs.runnable(id) == 0 || !nodes.fits(node, stage.demand)) continue;
    const Standing& standing = standings_[stage.job.index()];
    Candidate one{.stage = id,
                  .job = stage.job,
                  .alignment = 0,
                  .work = standing.work,
                  .above = standing.share - standing.weight / weights_,
                  .last = false};
    const Kinds demand = demand_of(stage);
    for (std::size_t kind = 0; kind < demand.size(); ++kind) {
      if (demand[kind] == 0) continue;
      const auto all = static_cast<Quad>(capacity[kind]);
      one.alignment += static_cast<Quad>(demand[kind]) * static_cast<Quad>(free[kind]) / all / all;
    }
    const auto preferred = catalogue.affinity_of(stage);
    const bool is_remote =
        !preferred.empty() && std::ranges::find(preferred, node) == preferred.end();
    if (is_remote) one.alignment *= static_cast<Quad>(whole_billionths(rules_.remote)) / billion;
    const std::int64_t started = stage.tasks - unstarted(id, picture.jobs);
    one.last = stage.children > 0 && started * all_billionths >= whole_billionths(rules_.barrier) *
                                                                     std::int64_t{stage.tasks};
    found.push_back(one);
  }
  return found;
}

std::vector<Tetris::Candidate> Tetris::restricted(std::vector<Candidate> candidates) const {
  std::vector<std::pair<Wide, JobId>> jobs;
  for (const Candidate& one : candidates) jobs.emplace_back(cell(one.above), one.job);
  std::ranges::sort(jobs);
  jobs.erase(std::ranges::unique(jobs).begin(), jobs.end());
  const auto count = static_cast<std::int64_t>(jobs.size());
  const std::int64_t kept = (all_billionths - whole_billionths(rules_.fairness)) * count;
  const std::int64_t served =
      std::clamp<std::int64_t>((kept + all_billionths - 1) / all_billionths, 1, count);
  const auto farthest = jobs[static_cast<std::size_t>(served) - 1];
  std::erase_if(candidates, [&](const Candidate& one) {
    return std::pair(cell(one.above), one.job) > farthest;
  });
  if (std::ranges::any_of(candidates, &Candidate::last)) {
    std::erase_if(candidates, [](const Candidate& one) { return !one.last; });
  }
  return candidates;
}

std::vector<Quad> Tetris::scores(const std::vector<Candidate>& candidates) const {
  Quad alignment = 0;
  Quad work = 0;
  for (const Candidate& one : candidates) {
    alignment += one.alignment;
    work += one.work;
  }
  const Quad eps = work > 0 ? Quad{rules_.shortness} * alignment / work : 0;
  std::vector<Quad> scores;
  scores.reserve(candidates.size());
  for (const Candidate& one : candidates) scores.push_back(one.alignment - eps * one.work);
  return scores;
}

void Tetris::fill(NodeId node, const std::vector<StageId>& stages, Desk& desk) {
  const Picture picture = desk.picture();
  for (;;) {
    std::vector<Candidate> all = candidates(node, stages, picture);
    if (all.empty()) return;
    all = restricted(std::move(all));
    const std::vector<Quad> by = scores(all);
    std::size_t best = 0;
    for (std::size_t at = 1; at < all.size(); ++at) {
      if (cell(-by[at]) < cell(-by[best])) best = at;
    }
    desk.place(all[best].stage, node);
    assess(all[best].job, picture);
  }
}

void Tetris::plan(Time, Desk& desk) {
  const Picture picture = desk.picture();
  const NodeView& nodes = picture.nodes;
  if (!nodes.any_usable()) return;
  std::ranges::sort(fresh_);
  fresh_.erase(std::ranges::unique(fresh_).begin(), fresh_.end());
  // On a node that has not changed since it was last filled, nothing fits but what is fresh.
  const auto next = [&](std::uint32_t from) {
    return fresh_.empty() ? NodeId(changed_.first(from)) : nodes.first_usable(NodeId(from));
  };
  for (NodeId node = next(0); node.valid(); node = next(node.value() + 1)) {
    if (nodes.usable(node)) {
      fill(node, changed_.contains(node.value()) ? runnable_stages(picture.jobs) : fresh_, desk);
    }
    changed_.erase(node.value());
  }
  fresh_.clear();
}

}  // namespace somnus
