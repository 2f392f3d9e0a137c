#include "metrics/summary_gangs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "log/log_tables.hpp"
#include "metrics/makespan.hpp"
#include "metrics/sample.hpp"
#include "model/event.hpp"

namespace somnus {
namespace {

constexpr double bound_s = 10;  // of bounded slowdown

bool has_ended(const JobRow& job) { return job.finish >= job.first_start; }

/// Of a stage that starts and ends as one.
std::uint64_t unit_attempt(const TaskRow& row) {
  return (std::uint64_t{row.stage} << 16U) | std::uint64_t{row.attempt};
}

void count_gangs(const LogTables& tables, GangSummary& summary) {
  std::vector<bool> has_gang(tables.jobs.size(), false);
  for (const GangRow& row : tables.gangs) {
    const StageRow& stage = tables.stages[row.stage];
    if (stage.tasks < 2) continue;
    has_gang[stage.job] = true;
    summary.widest_gang = std::max<double>(summary.widest_gang, stage.tasks);
  }
  summary.jobs_with_gangs = static_cast<double>(std::ranges::count(has_gang, true));
}

/// By job, when what it finished began: attempts that were lost, failed or gave up their slots were
/// in vain. Its first start where nothing has finished.
std::vector<double> beginnings_of(const Log& log) {
  std::vector<double> begins(log.tables.jobs.size(), infinity);
  for (const TaskRow& row : log.tasks) {
    const bool finished = row.outcome == static_cast<std::uint8_t>(Outcome::finished);
    if (finished) begins[row.job] = std::min(begins[row.job], row.start);
  }
  for (std::size_t at = 0; at < begins.size(); ++at) {
    if (begins[at] == infinity) begins[at] = log.tables.jobs[at].first_start;
  }
  return begins;
}

/// By job [s]: for how long suspended attempts ran before that, each gang as one.
std::vector<double> suspended_times_of(const Log& log, const std::vector<double>& before) {
  struct Span {
    std::uint32_t job = 0;
    double begin = infinity;
    double end = -infinity;
  };
  std::unordered_map<std::uint64_t, Span> spans;
  for (const TaskRow& row : log.tasks) {
    const bool suspended = row.outcome == static_cast<std::uint8_t>(Outcome::suspended);
    if (!suspended || !(row.start <= row.finish)) continue;
    Span& span = spans[unit_attempt(row)];
    span = {row.job, std::min(span.begin, row.start), std::max(span.end, row.finish)};
  }
  std::vector<double> times(log.tables.jobs.size());
  for (const auto& [attempt, span] : spans) {
    times[span.job] += std::max(0.0, std::min(span.end, before[span.job]) - span.begin);
  }
  return times;
}

/// Whether it came, and started in the end or still waits: a job may fail before it starts.
bool has_waited(const JobRow& job) {
  const auto state = static_cast<JobState>(job.state);
  const bool has_failed = state == JobState::failed || state == JobState::timed_out;
  return !std::isnan(job.submit) && !(has_failed && std::isnan(job.first_start));
}

// By submit, each started before some other that had come sooner.
void count_overtaking(const std::vector<JobRow>& jobs, GangSummary& summary) {
  std::vector<std::pair<double, double>> by_submit;  // and by start
  for (const JobRow& job : jobs) {
    if (!has_waited(job)) continue;
    by_submit.emplace_back(job.submit, std::isnan(job.first_start) ? infinity : job.first_start);
  }
  std::ranges::sort(by_submit);
  double started = 0;
  double overtook = 0;
  double latest = -infinity;          // start of those submitted before
  double latest_at_once = -infinity;  // and with this one
  double submit = -infinity;
  for (const auto& [at, start] : by_submit) {
    if (at > submit) latest = std::max(latest, latest_at_once);
    submit = at;
    latest_at_once = std::max(latest_at_once, start);
    if (start == infinity) continue;
    ++started;
    overtook += start < latest ? 1 : 0;
  }
  if (started > 0) summary.overtaking = overtook / started;
}

/// Of some time: so many slots were taken or given back, so many jobs began or ceased to wait.
struct Change {
  double time;
  double slots;
  double waiting;
};

/// When each attempt's slot came back: a gang's all at its last end. One that was lost may have
/// gone on after the gang had been given up.
std::vector<double> ends_of(const Log& log) {
  std::vector<bool> is_gang(log.tables.stages.size(), false);
  for (const GangRow& row : log.tables.gangs) is_gang[row.stage] = true;
  const auto ends_with_others = [&](const TaskRow& row) {
    const bool lost = row.outcome == static_cast<std::uint8_t>(Outcome::lost);
    return is_gang[row.stage] && row.finish >= row.start && !lost;
  };
  std::unordered_map<std::uint64_t, double> last;  // by stage and attempt
  for (const TaskRow& row : log.tasks) {
    if (!ends_with_others(row)) continue;
    const auto [found, is_new] = last.try_emplace(unit_attempt(row), row.finish);
    if (!is_new) found->second = std::max(found->second, row.finish);
  }
  std::vector<double> ends;
  ends.reserve(log.tasks.size());
  for (const TaskRow& row : log.tasks) {
    ends.push_back(ends_with_others(row) ? last.at(unit_attempt(row)) : row.finish);
  }
  return ends;
}

/// Slots that each attempt's start takes: of an exclusive stage all of its node at the first there.
std::vector<double> taken_by(const Log& log) {
  std::vector<bool> is_exclusive(log.tables.stages.size(), false);
  for (const GangRow& row : log.tables.gangs) is_exclusive[row.stage] = row.exclusive != 0;
  std::set<std::pair<std::uint64_t, std::uint32_t>> seen;  // attempts of stages, and nodes
  std::vector<double> taken(log.tasks.size(), 1);
  for (std::size_t at = 0; at < taken.size(); ++at) {
    const TaskRow& row = log.tasks[at];
    if (!is_exclusive[row.stage]) continue;
    const bool is_first = seen.insert({unit_attempt(row), row.node}).second;
    taken[at] = is_first ? log.tables.nodes[row.node].slots : 0;
  }
  return taken;
}

void measure_slots(const Log& log, GangSummary& summary) {
  const auto slots = static_cast<double>(slot_count(log));
  const Makespan whole = makespan_of(log);
  if (slots == 0 || !(whole.length() > 0)) return;
  const bool is_cut_off = std::ranges::any_of(log.tasks, [](const TaskRow& row) {
    return row.outcome == static_cast<std::uint8_t>(Outcome::unfinished);
  });
  if (is_cut_off) return;  // nobody knows when these started
  std::vector<Change> changes;
  const std::vector<double> ends = ends_of(log);
  const std::vector<double> taken = taken_by(log);
  for (std::size_t at = 0; at < log.tasks.size(); ++at) {
    const double start = log.tasks[at].start;
    if (!(start < ends[at])) continue;
    changes.push_back({start, taken[at], 0});
    changes.push_back({ends[at], -taken[at], 0});
  }
  for (const JobRow& job : log.tables.jobs) {
    if (!has_waited(job)) continue;
    changes.push_back({job.submit, 0, 1});
    if (!std::isnan(job.first_start)) changes.push_back({job.first_start, 0, -1});
  }
  std::ranges::sort(changes, {}, &Change::time);
  double held = 0;
  double lost = 0;
  double in_use = 0;
  double waiting = 0;
  double since = whole.from;
  for (const Change& change : changes) {
    const double span = whole.shared(since, change.time);
    held += span * in_use;
    if (waiting > 0) lost += span * std::max(0.0, slots - in_use);
    in_use += change.slots;
    waiting += change.waiting;
    since = change.time;
  }
  summary.held = held / (slots * whole.length());
  summary.capacity_lost = lost / (slots * whole.length());
}

void count_kept_reservations(const Log& log, GangSummary& summary) {
  struct Said {
    double time;   // when it was made
    double start;  // that it promised
    double started = infinity;
  };
  std::unordered_map<std::uint32_t, Said> first;  // by stage
  for (const auto& one : log.decisions.get<Stamped<Reservation>>()) {
    if (one.start == infinity) continue;
    first.try_emplace(one.stage.value(), Said{.time = one.time, .start = one.start});
  }
  for (const TaskRow& row : log.tasks) {
    const auto said = first.find(row.stage);
    if (said == first.end() || !(row.placed >= said->second.time)) continue;
    said->second.started = std::min(said->second.started, row.placed);
  }
  double started = 0;
  double kept = 0;
  for (const auto& [stage, said] : first) {
    if (said.started == infinity) continue;
    ++started;
    kept += said.started <= said.start ? 1 : 0;
  }
  if (started > 0) summary.reservations_kept = kept / started;
}

}  // namespace

JobWaits::JobWaits(const Log& log)
    : jobs_(log.tables.jobs),
      begins_(beginnings_of(log)),
      suspended_(suspended_times_of(log, begins_)) {}

void JobWaits::measure(std::span<const std::size_t> places, GangSummary& summary) const {
  Sample waits;
  Sample slowdowns;
  for (const std::size_t at : places) {
    const JobRow& job = jobs_[at];
    if (!has_ended(job)) continue;
    waits.add(job.first_start - job.submit);
    const double time = std::max(job.finish - begins_[at] + suspended_[at], bound_s);
    slowdowns.add(std::max(1.0, (job.finish - job.submit) / time));
  }
  waits.sort();
  slowdowns.sort();
  summary.wait_mean_s = waits.mean();
  summary.wait_p50_s = waits.quantile(0.5);
  summary.wait_p95_s = waits.quantile(0.95);
  summary.wait_max_s = waits.largest();
  summary.bounded_slowdown_mean = slowdowns.mean();
  summary.bounded_slowdown_p95 = slowdowns.quantile(0.95);
}

GangSummary gang_summary_of(const Log& log) {
  GangSummary summary;
  if (log.tables.gangs.empty()) return summary;
  count_gangs(log.tables, summary);
  std::vector<std::size_t> all(log.tables.jobs.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  JobWaits(log).measure(all, summary);
  count_overtaking(log.tables.jobs, summary);
  measure_slots(log, summary);
  count_kept_reservations(log, summary);
  return summary;
}

}  // namespace somnus
