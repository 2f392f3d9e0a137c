#include "formats/exports.hpp"

#include <algorithm>
#include <array>

#include "base/suggest.hpp"
#include "formats/export_check.hpp"

namespace somnus {
namespace {

struct FeatureRow {
  Feature what;
  const char* words;
  bool (*in_job)(const JobSpec& job);
};

bool any_stage(const JobSpec& job, bool (*holds)(const StageSpec& stage)) {
  return std::ranges::any_of(job.stages, holds);
}

constexpr std::array features = {
    FeatureRow{Feature::names, "names of jobs", [](const JobSpec&) { return true; }},
    FeatureRow{Feature::users, "users", [](const JobSpec& job) { return job.user != "default"; }},
    FeatureRow{Feature::queues, "queues",
               [](const JobSpec& job) { return job.queue != "default"; }},
    FeatureRow{Feature::accounting, "accounts, QOS and nice", has_accounting},
    FeatureRow{Feature::apps, "apps", [](const JobSpec& job) { return !job.app.empty(); }},
    FeatureRow{Feature::weights, "weights", [](const JobSpec& job) { return job.weight != 1; }},
    FeatureRow{Feature::estimates, "estimates",
               [](const JobSpec& job) { return job.estimate > 0; }},
    FeatureRow{Feature::limits, "time limits", [](const JobSpec& job) { return job.limit > 0; }},
    FeatureRow{Feature::demands, "demands",
               [](const JobSpec& job) {
                 return any_stage(job, [](const StageSpec& stage) {
                   return std::ranges::any_of(stage.demand, [](double of) { return of > 0; });
                 });
               }},
    FeatureRow{Feature::affinity, "affinity",
               [](const JobSpec& job) {
                 return any_stage(job,
                                  [](const StageSpec& stage) { return !stage.affinity.empty(); });
               }},
    FeatureRow{Feature::warmth, "warm-up of slots",
               [](const JobSpec& job) {
                 return job.warmup > 0 || any_stage(job, [](const StageSpec& stage) {
                          return !stage.fresh.empty() || !stage.first.empty();
                        });
               }},
    FeatureRow{Feature::curves, "curves of progress",
               [](const JobSpec& job) { return !job.curve.empty() || !job.progress.empty(); }},
    FeatureRow{Feature::gangs, "that tasks of a gang start together",
               [](const JobSpec& job) {
                 return any_stage(job, [](const StageSpec& stage) { return stage.gang; });
               }},
    FeatureRow{Feature::exclusive, "that exclusive gangs have their nodes for themselves",
               [](const JobSpec& job) {
                 return any_stage(job, [](const StageSpec& stage) { return stage.exclusive; });
               }},
};

}  // namespace

std::vector<std::string> lost_without(const WorkloadSpec& workload,
                                      const std::vector<Feature>& kept) {
  std::vector<std::string> lost;
  for (const FeatureRow& saying : features) {
    if (std::ranges::find(kept, saying.what) != kept.end()) continue;
    const bool of_users = saying.what == Feature::weights && !workload.users.empty();
    if (of_users || std::ranges::any_of(workload.jobs, saying.in_job)) {
      lost.emplace_back(saying.words);
    }
  }
  const bool keeps_rigid = std::ranges::find(kept, Feature::rigid) != kept.end();
  if (workload.rigid && !keeps_rigid) lost.emplace_back("that jobs held all their CPUs at once");
  return lost;
}

void refuse_job(MistakeCollector& report, const JobSpec& job, std::string what, std::string hint) {
  report.add(0, 0, fmt::format("job '{}'", job.job), std::move(what), std::move(hint));
}

void refuse_divisible(MistakeCollector& report, const JobSpec& job) {
  if (!any_stage(job, [](const StageSpec& stage) { return stage.work > 0; })) return;
  refuse_job(report, job, "expected tasks, found divisible work, which a partitioner cuts");
}

void refuse_following(MistakeCollector& report, const JobSpec& job) {
  if (job.after.empty()) return;
  refuse_job(report, job,
             fmt::format("expected a time of submit, found one that follows job '{}'", job.after));
}

std::span<const Export> exports() { return Registered<Export>::rows(); }

Checked<Exported> export_workload(const WorkloadSpec& workload, const std::string& format,
                                  const std::string& file) {
  const auto named = std::ranges::find(exports(), format, &Export::name);
  if (named != exports().end()) return named->write(workload, file);
  std::vector<std::string> names;
  for (const Export& one : exports()) names.emplace_back(one.name);
  return mistake({.key = "format",
                  .what = fmt::format("expected a format to export to, found '{}'", format),
                  .hint = suggest(format, names)});
}

}  // namespace somnus
