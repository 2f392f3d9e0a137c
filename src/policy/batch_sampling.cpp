#include "policy/batch_sampling.hpp"

#include <algorithm>
#include <cmath>

namespace somnus {

BatchSampling::BatchSampling(const Rules& rules, const Surroundings& surroundings)
    : rules_(rules), streams_(surroundings.seed) {
  const std::uint32_t count = surroundings.cluster.node_count();
  nodes_.reserve(count);
  for (std::uint32_t node = 0; node < count; ++node) nodes_.emplace_back(node);
}

void BatchSampling::stage_runnable(StageId stage, const Picture&) {
  const bool has_asked = samples_.contains(stage);  // and asks again for what is left then
  if (!has_asked) want_.push_back(stage);
}

void BatchSampling::round_begins(Time, Desk& desk) {
  std::vector<StageId> stages;
  stages.swap(want_);
  std::ranges::sort(stages);
  stages.erase(std::ranges::unique(stages).begin(), stages.end());
  for (const StageId stage : stages) {
    const Picture picture = desk.picture();
    const auto taken = std::ranges::count_if(turns_, [&](const Bound& turn) {
      return turn.stage == stage && picture.nodes.up(turn.node);
    });
    const std::int64_t left = std::int64_t{picture.jobs.runnable(stage)} - taken;
    if (left > 0) ask_nodes(stage, static_cast<double>(left), desk);
  }
}

void BatchSampling::ask_nodes(StageId stage, double tasks, Desk& desk) {
  const Picture picture = desk.picture();
  const Catalogue& catalogue = picture.jobs.catalogue();
  const auto preferred = catalogue.affinity_of(catalogue[stage]);
  RandomStream& stream = streams_.of(catalogue[stage].job);
  const auto wanted = static_cast<std::size_t>(std::ceil(rules_.ratio * tasks));
  const auto question = rules_.late_binding ? Question::reserve : Question::probe;
  // More probes than nodes tell nothing new; more reservations go round once more.
  const std::size_t rounds = rules_.late_binding ? (wanted - 1) / nodes_.size() + 1 : 1;
  std::size_t asked = 0;
  const auto ask = [&](NodeId node) {
    if (asked == wanted || !picture.nodes.up(node)) return;
    desk.say(Ask{.node = node, .stage = stage, .question = question});
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

void BatchSampling::node_answered(const NodeAnswered& answer, const Picture& picture) {
  const auto found = samples_.find(answer.stage);
  if (answer.reply == Reply::ready) turns_.push_back({answer.stage, answer.node});
  if (found == samples_.end()) return;
  Sample& sample = found->second;
  --sample.outstanding;
  if (answer.reply == Reply::load) {
    const Catalogue& catalogue = picture.jobs.catalogue();
    const auto preferred = catalogue.affinity_of(catalogue[answer.stage]);
    sample.candidates.push_back(
        {.load = {.over = std::int64_t{answer.running} + answer.queued,
                  .under = picture.nodes.slots(answer.node)},
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

NodeId BatchSampling::choose(StageId stage, const Picture& picture) {
  const auto found = samples_.find(stage);
  if (found == samples_.end() || found->second.outstanding > 0) return {};
  auto& candidates = found->second.candidates;
  while (!candidates.empty()) {
    std::ranges::pop_heap(candidates, later);
    Sample::Candidate least = candidates.back();
    candidates.pop_back();
    if (!picture.nodes.usable(least.node)) continue;
    ++least.load.over;
    candidates.push_back(least);
    std::ranges::push_heap(candidates, later);
    return least.node;
  }
  return {};
}

Placement::Bound BatchSampling::bound(const Picture& picture) {
  while (!turns_.empty()) {
    const Bound turn = turns_.back();
    turns_.pop_back();
    const bool useful = picture.jobs.runnable(turn.stage) > 0 && picture.nodes.up(turn.node);
    if (useful) return turn;
    left_over_.push_back(turn);
  }
  return {};
}

void BatchSampling::round_ends(Desk& desk) {
  for (const Bound& turn : left_over_) {
    desk.say(Ask{.node = turn.node, .stage = turn.stage, .question = Question::decline});
  }
  left_over_.clear();
  for (const StageId stage : replied_) {
    samples_.erase(stage);
    if (desk.picture().jobs.runnable(stage) > 0) want_.push_back(stage);
  }
  replied_.clear();
}

}  // namespace somnus
