#include "policies/batch_sampling.hpp"

#include <algorithm>
#include <cmath>

#include "scheduler/presets.hpp"
#include "scheduler/rows.hpp"

namespace somnus {

BatchSampling::BatchSampling(const Rules& rules, const Environment& environment)
    : rules_(rules), streams_(environment.seed) {
  const std::uint32_t count = environment.cluster.node_count();
  nodes_.reserve(count);
  for (std::uint32_t node = 0; node < count; ++node) nodes_.emplace_back(node);
}

void BatchSampling::stage_runnable(StageId stage, const PlacementView&) {
  const bool has_asked = samples_.contains(stage);  // and asks again for what is left then
  if (!has_asked) want_.push_back(stage);
}

void BatchSampling::round_begins(Time, Asking& nodes) {
  std::vector<StageId> stages;
  stages.swap(want_);
  std::ranges::sort(stages);
  stages.erase(std::ranges::unique(stages).begin(), stages.end());
  for (const StageId stage : stages) {
    const PlacementView view = nodes.view();
    const auto taken = std::ranges::count_if(
        turns_, [&](const Bound& turn) { return turn.stage == stage && view.nodes.up(turn.node); });
    const std::int64_t left = std::int64_t{view.stages.runnable(stage)} - taken;
    if (left > 0) ask_nodes(stage, static_cast<double>(left), nodes);
  }
}

void BatchSampling::ask_nodes(StageId stage, double tasks, Asking& nodes) {
  const PlacementView view = nodes.view();
  const auto preferred = view.stages.affinity_of(stage);
  RandomStream& stream = streams_.of(view.stages.job_of(stage));
  const auto wanted = static_cast<std::size_t>(std::ceil(rules_.ratio * tasks));
  const auto question = rules_.late_binding ? Question::reserve : Question::probe;
  // More probes than nodes bring nothing new; more reservations go round once more.
  const std::size_t rounds = rules_.late_binding ? (wanted - 1) / nodes_.size() + 1 : 1;
  std::size_t asked = 0;
  const auto ask = [&](NodeId node) {
    if (asked == wanted || !view.nodes.up(node)) return;
    nodes.request(Ask{.node = node, .stage = stage, .question = question});
    ++asked;
  };
  for (const NodeId node : preferred) ask(node);
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t at = 0; at < nodes_.size() && asked < wanted; ++at) {
      const auto last = static_cast<std::int64_t>(nodes_.size()) - 1;
      const std::int64_t drawn = stream.integer(static_cast<std::int64_t>(at), last);
      std::swap(nodes_[at], nodes_[static_cast<std::size_t>(drawn)]);
      const bool has_been =
          round == 0 && std::ranges::find(preferred, nodes_[at]) != preferred.end();
      if (!has_been) ask(nodes_[at]);
    }
  }
  if (asked == 0) {
    want_.push_back(stage);  // all nodes are lost
    return;
  }
  samples_[stage] = {.outstanding = static_cast<std::uint32_t>(asked), .candidates = {}};
}

void BatchSampling::node_answered(const NodeAnswered& answer, const PlacementView& view) {
  const auto found = samples_.find(answer.stage);
  if (answer.reply == Reply::ready) turns_.push_back({answer.stage, answer.node});
  if (found == samples_.end()) return;
  Sample& sample = found->second;
  --sample.outstanding;
  if (answer.reply == Reply::load) {
    const auto preferred = view.stages.affinity_of(answer.stage);
    sample.candidates.push_back(
        {.load = {.over = std::int64_t{answer.running} + answer.queued,
                  .under = view.nodes.slots(answer.node)},
         .preferred = std::ranges::find(preferred, answer.node) != preferred.end(),
         .node = answer.node});
  }
  if (sample.outstanding > 0) return;
  if (rules_.late_binding || sample.candidates.empty()) {
    samples_.erase(found);
    want_.push_back(answer.stage);  // for what is left by then
  } else {
    std::ranges::make_heap(sample.candidates, later);
    replied_.push_back(answer.stage);
  }
}

NodeId BatchSampling::choose(StageId stage, const PlacementView& view) {
  const auto found = samples_.find(stage);
  if (found == samples_.end() || found->second.outstanding > 0) return {};
  auto& candidates = found->second.candidates;
  while (!candidates.empty()) {
    std::ranges::pop_heap(candidates, later);
    Sample::Candidate least = candidates.back();
    candidates.pop_back();
    if (!view.nodes.usable(least.node)) continue;
    ++least.load.over;
    candidates.push_back(least);
    std::ranges::push_heap(candidates, later);
    return least.node;
  }
  return {};
}

Placement::Bound BatchSampling::bound(const PlacementView& view) {
  while (!turns_.empty()) {
    const Bound turn = turns_.back();
    turns_.pop_back();
    const bool useful = view.stages.runnable(turn.stage) > 0 && view.nodes.up(turn.node);
    if (useful) return turn;
    left_over_.push_back(turn);
  }
  return {};
}

void BatchSampling::round_ends(Asking& nodes) {
  for (const Bound& turn : left_over_) {
    nodes.request(Ask{.node = turn.node, .stage = turn.stage, .question = Question::decline});
  }
  left_over_.clear();
  for (const StageId stage : replied_) {
    samples_.erase(stage);
    if (nodes.view().stages.runnable(stage) > 0) want_.push_back(stage);
  }
  replied_.clear();
}

namespace {

const Registered<Part> batch_sampling = rows::placement<BatchSampling>(
    "batch-sampling", "the least loaded of a few random nodes for each task",
    "Sparrow section 3; Yaq section 6.3");
const Registered<Preset> sparrow = presets_of::distributed(
    "sparrow", "batch-sampling", "at-once", {},
    "Sparrow's batch sampling: each job probes two nodes a task", "Yaq section 6.3");

}  // namespace
}  // namespace somnus
