#include "advice/trials.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace somnus {

ExperimentPlan Trials::plan(std::span<const std::string> labels, std::uint64_t first_seed,
                            std::size_t seeds, std::vector<std::string> metrics) const {
  ExperimentFile file;
  file.origin = options_.config.string();
  file.keys.config = options_.config.filename().string();
  file.keys.first_seed = first_seed;
  file.keys.seeds = static_cast<std::uint32_t>(seeds);
  file.keys.metrics = std::move(metrics);
  file.set = options_.overrides;
  Axis axis{.keys = {"policy"}, .values = {}, .locations = {}};
  for (const std::string& label : labels) {
    axis.values.push_back({label});
    axis.locations.emplace_back(1);
  }
  file.axes.push_back(std::move(axis));
  file.baseline["policy"] = labels.front();
  ExperimentPlan plan = value_or_throw(plan_of(std::move(file), {}));
  plan.by_user = options_.by_user;
  return plan;
}

void Trials::carry_out(std::span<const std::string> labels, std::uint64_t first_seed,
                       std::size_t seeds) {
  const ExperimentPlan runs = plan(labels, first_seed, seeds, {"response_mean_s"});
  Results results(options_.folder, runs, options_.campaign.share, options_.replace);
  options_.replace = false;
  const Campaign campaign = run_campaign(runs, results, executor_, options_.campaign);
  if (!campaign.complete) throw StoppedEarly("stopped early; the same command goes on");
  note_failures(campaign);
  for (std::size_t point = 0; point < runs.points.size(); ++point) {
    for (const std::uint64_t seed : campaign.seeds[point]) {
      const RunResult* const result = results.find(point, seed);
      if (result != nullptr) runs_[{runs.points[point].values.front(), seed}] = *result;
    }
  }
}

void Trials::require(std::span<const std::string> labels, std::uint64_t first_seed,
                     std::size_t seeds) const {
  Mistakes mistakes;
  for (const std::string& label : labels) {
    const auto why = refused_.find(label);
    if (why != refused_.end()) {
      mistakes.add({.location = {}, .key = "", .what = why->second, .hint = ""});
      continue;
    }
    for (std::size_t run = 0; run < seeds; ++run) {
      SOMNUS_CHECK(find(label, first_seed + run) != nullptr, "{} has no run of seed {}", label,
                   first_seed + run);
    }
  }
  if (mistakes.any()) throw UserError(std::move(mistakes));
}

void Trials::note_failures(const Campaign& campaign) {
  for (const FailedRun& failure : campaign.failures) {
    try {
      std::rethrow_exception(failure.error);
    } catch (const UserError&) {  // such as jobs without limits under EASY
      refused_.try_emplace(failure.label, failure.what);
    }
  }
}

const RunResult* Trials::find(const std::string& label, std::uint64_t seed) const {
  const auto found = runs_.find({label, seed});
  return found == runs_.end() ? nullptr : &found->second;
}

std::vector<const RunResult*> Trials::find(const std::string& label, std::uint64_t first_seed,
                                           std::size_t seeds) const {
  std::vector<const RunResult*> all;
  for (std::size_t run = 0; run < seeds; ++run) all.push_back(find(label, first_seed + run));
  return all;
}

}  // namespace somnus
