// The workload of a log's run: read or generated again, or as it follows from the attempts.
#include <algorithm>
#include <filesystem>

#include "audit/audit.hpp"
#include "base/time.hpp"
#include "config/config.hpp"
#include "log/held_columns.hpp"
#include "log/log_tables.hpp"
#include "session/workload_source.hpp"
#include "version/version.hpp"

namespace somnus::audit {
namespace {

/// What the log's config would have us read; empty if it makes the workload by itself.
std::filesystem::path file_to_read(const Settings& settings) {
  if (settings.workload.generator.empty()) return workload_path(settings);
  const auto library = settings.workload.parameters.find("library");
  if (library == settings.workload.parameters.end()) return {};
  const std::string* const name = library->second.text();
  if (name == nullptr) return {};
  return std::filesystem::path(settings.origin).parent_path() / *name;
}

/// Where the config names a generator or a file that is there. A pipe would be waited for.
std::optional<Workload> at_hand(const Facts& facts) {
  const Settings& settings = *facts.settings;
  std::error_code ignored;
  const std::filesystem::path file = file_to_read(settings);
  if (!file.empty() && !std::filesystem::is_regular_file(file, ignored)) return {};
  Checked<Workload> workload = workload_of(settings);
  if (!workload) return {};
  return std::move(*workload);
}

}  // namespace

KnownWorkload::KnownWorkload(const Facts& facts)
    : jobs_(facts.catalogue.jobs.size(), true), stages_(facts.catalogue.stages.size(), true) {
  if (std::optional<Workload> found = at_hand(facts)) {
    is_whole_ = found->digest == facts.log.header.workload_digest;
    if (is_whole_) {
      workload_ = std::move(*found);
      return;
    }
    digest_of_other_ = found->digest;
  }
  recall(facts);
}

bool KnownWorkload::fits(const Facts& facts) const {
  const Catalogue& made = workload_.catalogue;
  if (made.jobs.size() != facts.catalogue.jobs.size()) return false;
  return std::ranges::equal(made.stages, facts.catalogue.stages, {}, &Stage::tasks, &Stage::tasks);
}

void KnownWorkload::recall(const Facts& facts) {
  workload_ = {.name = facts.log.header.workload_name,
               .resources = facts.log.header.resources,
               .catalogue = facts.catalogue,
               .names = {.jobs = facts.log.tables.names.jobs,
                         .users = facts.log.tables.names.users,
                         .queues = facts.log.tables.names.queues,
                         .accounts = facts.log.tables.names.accounts,
                         .qos = facts.log.tables.names.qos,
                         .apps = facts.log.tables.names.apps},
               .digest = facts.log.header.workload_digest};
  Truth& truth = workload_.truth;
  truth.tasks.resize(facts.catalogue.tasks, {Duration(-1)});
  for (const Amounts& amounts : facts.log.tables.stage_demands) truth.demands.emplace_back(amounts);
  for (const JobRow& job : facts.log.tables.jobs) truth.warmup.push_back(job.warmup);
  truth.cold = cold_durations_of(facts.log);
  for (const TaskRow& row : facts.log.tasks) {
    if (is(row.nominal)) truth.tasks[facts.task_of(row).index()] = {seconds(row.nominal)};
  }
  for (std::size_t task = 0; task < truth.tasks.size(); ++task) {
    if (truth.tasks[task].value >= Duration::zero()) continue;
    truth.tasks[task] = {};
    const StageId stage = facts.catalogue.stage_of[task];
    stages_[stage.index()] = false;
    jobs_[facts.catalogue[stage].job.index()] = false;
    all_times_ = false;
  }
}

Finding workload_is_still_there(const Facts& facts, const KnownWorkload& known) {
  FindingBuilder finding("the workload that the config names is the one of the run");
  const bool may_change = workload_may_change(*facts.settings);
  const bool ours = facts.log.header.somnus_version == somnus_version;
  finding.asserted(!may_change && ours);
  if (known.is_other()) {
    finding.note(may_change ? "a file may have changed since, or the log was"
                            : "another version of somnus may have made it otherwise");
  }
  finding.expect(!known.is_other(), [&] {
    return fmt::format(
        "root attribute workload_digest is {}, that of {} is {}", facts.log.header.workload_digest,
        may_change ? "the file now" : "what the generator makes", known.digest_of_other());
  });
  return std::move(finding).finding();
}

namespace {

const HeldColumns held_by_workload[] = {
    {"", "workload_digest", Held::sealed, "check: the workload, if it is there"},
    {"", "workload_name", Held::sealed, "check: the workload, if it is generated"},
    {"", "rigid_jobs", Held::sealed, "the workload's mark, which is in no digest"},
};

}  // namespace

}  // namespace somnus::audit
