#include "metrics/summary.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "config/config.hpp"
#include "log/log_tables.hpp"
#include "log/run_state.hpp"
#include "metrics/makespan.hpp"
#include "metrics/responses.hpp"
#include "metrics/sample.hpp"
#include "metrics/transient.hpp"
#include "model/event.hpp"
#include "model/offered_load.hpp"

namespace somnus {
namespace {

constexpr double lag_allowed = 0.01;  // of the median task

bool is_known(double value) { return !std::isnan(value); }

bool has(const TaskRow& row, Outcome outcome) {
  return row.outcome == static_cast<std::uint8_t>(outcome);
}

void conserve(const Log& log, Summary& summary) {
  std::set<std::uint32_t> users;
  std::vector<std::uint32_t> finished(log.tables.jobs.size(), 0);
  for (const TaskRow& row : log.tasks) {
    if (!has(row, Outcome::finished)) continue;
    if (row.job < finished.size()) ++finished[row.job];
    ++summary.tasks_finished;
  }
  for (std::size_t at = 0; at < log.tables.jobs.size(); ++at) {
    const JobRow& job = log.tables.jobs[at];
    const double tasks = job.tasks;
    const double left = tasks - finished[at];
    switch (static_cast<JobState>(job.state)) {
      case JobState::pending:
        continue;
      case JobState::active:
        ++summary.jobs_unfinished;
        summary.tasks_unfinished += left;
        break;
      case JobState::timed_out:
        ++summary.jobs_timed_out;
        [[fallthrough]];
      case JobState::failed:
        ++summary.jobs_failed;
        summary.tasks_failed += left;
        break;
      case JobState::finished:
        ++summary.jobs_finished;
        break;
    }
    ++summary.jobs_submitted;
    users.insert(job.user);
    summary.tasks_submitted += tasks;
  }
  summary.user_count = static_cast<double>(users.size());
}

void use_slots(const Log& log, const Makespan& whole, Summary& summary) {
  const auto slots = static_cast<double>(slot_count(log));
  if (slots == 0) return;
  const Makespan middle = whole.middle();
  double busy = 0;
  double busy_middle = 0;
  for (const TaskRow& row : log.tasks) {
    if (!(row.start < row.finish)) continue;
    busy += row.finish - row.start;
    busy_middle += middle.shared(row.start, row.finish);
  }
  summary.utilisation = busy / (slots * whole.length());
  summary.utilisation_middle = busy_middle / (slots * middle.length());
}

/// Where there are no slots, the fullest kind of resources stands for the cluster.
void use_resources(Summary& summary) {
  for (const ResourceSummary& one : summary.resources) {
    if (!is_known(one.utilisation) || one.utilisation <= summary.utilisation) continue;
    summary.utilisation = one.utilisation;
    summary.utilisation_middle = one.utilisation_middle;
  }
}

void use_cluster(const Log& log, Summary& summary) {
  const Makespan whole = makespan_of(log);
  summary.makespan_s = whole.length();
  if (!(summary.makespan_s > 0)) return;
  summary.jobs_per_minute = 60 * summary.jobs_finished / summary.makespan_s;
  use_slots(log, whole, summary);
  if (slot_count(log) == 0) use_resources(summary);
}

void count_attempts(const Log& log, bool warm_means_something, Summary& summary) {
  double started = 0;
  double warm = 0;
  double in_vain = 0;
  for (const TaskRow& row : log.tasks) {
    if (has(row, Outcome::failed)) ++summary.attempts_failed;
    if (has(row, Outcome::lost)) ++summary.attempts_lost;
    if (has(row, Outcome::returned)) ++summary.attempts_returned;
    if (has(row, Outcome::killed)) ++summary.attempts_killed;
    if (has(row, Outcome::killed) && row.start < row.finish) in_vain += row.finish - row.start;
    if (has(row, Outcome::suspended)) ++summary.attempts_suspended;
    if (!is_known(row.start)) continue;
    ++started;
    warm += row.warm;
  }
  if (summary.attempts_killed > 0) summary.killed_s = in_vain;
  if (warm_means_something && started > 0) summary.warm_share = warm / started;
}

void measure_waits(const Log& log, Summary& summary) {
  Sample waits;
  for (const TaskRow& row : log.tasks) {
    // One that reached a lost node has all its times at once, and never started.
    const bool started = has(row, Outcome::finished) || row.start < row.finish;
    if (started) waits.add(row.start - row.queued);
  }
  if (!(waits.largest() > 0)) return;
  waits.sort();
  summary.queuing_mean_s = waits.mean();
  summary.queuing_deviation_s = waits.standard_deviation();
  summary.queuing_p50_s = waits.quantile(0.5);
  summary.queuing_p95_s = waits.quantile(0.95);
}

void measure_tasks(const Log& log, Summary& summary) {
  Sample lateness;
  Sample placement;
  Sample intended;
  for (const TaskRow& row : log.tasks) {
    placement.add(row.start - row.placed);
    if (!has(row, Outcome::finished)) continue;
    lateness.add((row.finish - row.start) - row.intended);
    intended.add(row.intended);
  }
  summary.lateness_p50_s = lateness.quantile(0.5);
  summary.lateness_p99_s = lateness.quantile(0.99);
  summary.lateness_max_s = lateness.largest();
  summary.placement_p50_s = placement.quantile(0.5);
  summary.placement_p99_s = placement.quantile(0.99);
  summary.intended_p50_s = intended.quantile(0.5);
}

double rounded_down(double value, int digits) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - digits + 1);
  return std::floor(value / unit + 1e-9) * unit;
}

/// Where the longest lateness of that rank began: an attempt on its nodes that did not start or end
/// when it was due, or a sample of rank 0. NaN: none was late.
double stalled_at(const Log& log, double rank) {
  double longest = 0;
  double began = NAN;
  const auto look = [&](double due, double then) {
    if (!(then - due > longest)) return;  // of NaN, too
    longest = then - due;
    began = due;
  };
  if (rank == 0) {
    for (const SampleRow& sample : log.samples) look(sample.time - sample.lag, sample.time);
  }
  for (const TaskRow& row : log.tasks) {
    if (row.node >= log.tables.nodes.size() || log.tables.nodes[row.node].rank != rank) continue;
    look(row.placed, row.queued);
    look(row.start + row.intended, row.finish);
  }
  return began;
}

void measure_silence(const Log& log, Summary& summary) {
  for (const RankRow& rank : log.tables.ranks) {
    const double longest_s = std::fmax(summary.silent_max_s, remarkable_silence_s);
    if (rank.silent_max <= longest_s) continue;
    summary.silent_max_s = rank.silent_max;
    summary.most_silent_rank = rank.rank;
  }
  if (is_known(summary.silent_max_s)) {
    summary.silent_at_s = stalled_at(log, summary.most_silent_rank);
  }
}

void count_backups(const SchedulerRow& scheduler, Summary& summary) {
  summary.backups = static_cast<double>(scheduler.backups);
  summary.backups_won = static_cast<double>(scheduler.backups_won);
  summary.wasted_s = scheduler.wasted;
}

void measure_scheduler(const Log& log, Summary& summary) {
  summary.speed = log.header.speed;
  if (!log.tables.resumes.empty()) {
    summary.resumed = static_cast<double>(log.tables.resumes.size());
    summary.resumed_at_s = log.tables.resumes.front().time;
  }
  summary.lag_p50_s = log.tables.scheduler.lag_p50;
  summary.lag_p99_s = log.tables.scheduler.lag_p99;
  summary.lag_max_s = log.tables.scheduler.lag_max;
  summary.decision_p50_s = log.tables.scheduler.decision_p50;
  summary.decision_p99_s = log.tables.scheduler.decision_p99;
  double latest_s = summary.lag_p99_s;
  summary.latest_rank = 0;
  for (const RankRow& rank : log.tables.ranks) {
    summary.clock_uncertainty_s = std::fmax(summary.clock_uncertainty_s, rank.clock_uncertainty);
    if (rank.rank == 0) continue;
    summary.worker_late_p99_s = std::fmax(summary.worker_late_p99_s, rank.late_p99);
    summary.worker_late_max_s = std::fmax(summary.worker_late_max_s, rank.late_max);
    if (rank.late_p99 <= latest_s) continue;
    latest_s = rank.late_p99;
    summary.latest_rank = rank.rank;
  }
  const double allowed = lag_allowed * summary.intended_p50_s;
  summary.measured = log.header.complete || log.tables.scheduler.events > 0;
  const bool is_stalled = !std::isnan(summary.silent_max_s);
  const bool outran = allowed > 0 && latest_s > allowed && !is_stalled;
  if (!outran) return;
  summary.safe_speed = rounded_down(summary.speed * allowed / latest_s, 2);
}

void offer(const Log& log, const Cluster& cluster, Summary& summary) {
  const LogTables& tables = log.tables;
  LoadMeter meter(cluster);
  double first = infinity;
  double last = -infinity;
  for (const JobRow& job : tables.jobs) {
    if (job.after != no_job || !is_known(job.submit)) return;
    first = std::min(first, job.submit);
    last = std::max(last, job.submit);
  }
  for (std::size_t at = 0; at < tables.stages.size(); ++at) {
    const bool demands = at < tables.stage_demands.size();
    meter.add(tables.stages[at].slot_time, demands ? tables.stage_demands[at] : Amounts{});
  }
  const OfferedLoad load = meter.load(first, last, tables.jobs.size());
  if (!std::isfinite(load.share) || load.kind.empty()) return;
  summary.offered_load = load.share;
  summary.most_loaded = load.kind;
}

/// Jobs pile up, or do not; and those that came before that was so.
void stay(const std::vector<JobRow>& jobs, const Truncation& truncation, Summary& summary) {
  const JobsInSystem in_system = jobs_in_system(jobs);
  summary.jobs_in_system = in_system.mean;
  summary.jobs_in_system_growth = in_system.growth;
  if (!truncation.any()) return measure_responses(jobs, summary);
  const std::vector<JobRow> counted = without_transient(jobs, truncation);
  summary.jobs_truncated = summary.jobs_submitted - static_cast<double>(counted.size());
  measure_responses(counted, summary);
}

// settings: none if they can't be read.
Summary summarise(const Log& log, std::string label, const Settings* settings,
                  const Truncation& truncation) {
  Summary summary;
  static_cast<GangSummary&>(summary) = gang_summary_of(log);
  summary.label = std::move(label);
  summary.mode = log.header.mode;
  summary.complete = log.header.complete;
  summary.seed = log.header.seed;
  summary.scheduler = log.header.label;
  summary.resources = resources_of(log);
  conserve(log, summary);
  summary.jobs = log.tables.jobs.size();
  summary.rigid_jobs = log.header.rigid_jobs;
  if (settings != nullptr) offer(log, settings->cluster, summary);
  stay(log.tables.jobs, truncation, summary);
  use_cluster(log, summary);
  count_attempts(log, settings != nullptr && warmup_of(*settings).looks_back(), summary);
  if (settings != nullptr && settings->speculation.slowdown > 0) {
    count_backups(log.tables.scheduler, summary);
  }
  measure_waits(log, summary);
  measure_tasks(log, summary);
  if (summary.mode == "run") {
    measure_silence(log, summary);
    measure_scheduler(log, summary);
  }
  return summary;
}

}  // namespace

Summary summarise(const Log& log, std::string label, const Settings& settings,
                  const Truncation& truncation) {
  return summarise(log, std::move(label), &settings, truncation);
}

Summary summarise(const Log& log, std::string label) {
  const auto settings = parse_settings(log.header.config, "the log's config", {});
  return summarise(log, std::move(label), settings ? &*settings : nullptr, {});
}

}  // namespace somnus
