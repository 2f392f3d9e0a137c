#include "policies/paf.hpp"

#include <algorithm>
#include <utility>

#include "policies/exchange.hpp"
#include "policies/fair.hpp"
#include "policies/max_min.hpp"
#include "scheduler/presets.hpp"
#include "scheduler/rows.hpp"

namespace somnus {

void Paf::on(const Submitted& event) {
  const JobId job = event.unit.job();
  active_.insert(std::ranges::upper_bound(active_, job), job);
  if (job.index() >= shares_.size()) shares_.resize(job.index() + 1);
  shares_[job.index()].most = event.unit.jobs().parallelism(job);
  arrived_ = true;
}

void Paf::on(const Regrouped& event) {
  std::erase_if(active_, [&](JobId job) { return event.jobs.ended(job); });
  if (!std::exchange(arrived_, false) && recompute == Recompute::once) return;
  std::vector<Claim> claims;
  for (const JobId job : active_) {
    claims.push_back({.weight = event.jobs[job].weight, .most = shares_[job.index()].most});
  }
  const std::vector<std::uint32_t> fair = max_min_shares(slots_, claims);
  std::vector<Trader> traders;
  for (std::size_t at = 0; at < active_.size(); ++at) {
    traders.push_back({.curve = &event.jobs.curve(active_[at]), .fair = fair[at]});
  }
  const std::vector<std::uint32_t> targets = exchange_slots(traders, alpha);
  for (std::size_t at = 0; at < active_.size(); ++at) {
    Share& share = shares_[active_[at].index()];
    share.fair = fair[at];
    if (std::exchange(share.target, targets[at]) != targets[at]) event.moved(active_[at]);
  }
}

Paf::Key Paf::key(const Unit& job) const {
  const std::uint32_t target = shares_[job.index()].target;
  const std::int64_t running = job.running();
  if (surplus == Surplus::leave && running >= std::max(target, 1U)) {
    return {Turn::waits, {.over = 0, .under = 1}};
  }
  if (target == 0) return {Turn::no_target, {.over = running, .under = 1}};
  if (fill == Fill::weight && running < target) {
    return {Turn::below_target, fair_key(job.running(), job.weight())};
  }
  return {Turn::by_target, {.over = running, .under = target}};
}

std::optional<Target> Paf::target_of(const Unit& job) const {
  const Share& share = shares_[job.index()];
  const auto slots = static_cast<double>(slots_);
  return Target{.entitled = share.fair / slots, .target = share.target / slots};
}

namespace {

const Registered<Part> paf_order =
    rows::order<Paf>("paf",
                     "fewest running tasks for its target: its fair share, after jobs that lose "
                     "little by it gave slots to jobs that gain much",
                     "PAF, Algorithm 1")
        .with_examples({{{"alpha", 0.5}, {"recompute", "once"}},
                        {{"fill", "weight"}},
                        {{"fill", "weight"}, {"recompute", "once"}, {"surplus", "leave"}}});
const Registered<Preset> paf_preset =
    presets_of::spark("paf",
                      "performance-aware fair scheduling: jobs near the flat end of their curves "
                      "give slots to those that gain more",
                      "PAF section 3");

}  // namespace
}  // namespace somnus
