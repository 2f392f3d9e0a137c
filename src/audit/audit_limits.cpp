// Time limits, and reservations, which rest on them.
#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "audit/audit.hpp"
#include "audit/in_order.hpp"
#include "base/time.hpp"

namespace somnus::audit {
namespace {

Duration grace_of(const Facts& facts) {
  return facts.settings ? seconds(facts.settings->limits.grace_s) : Duration::zero();
}

/// By job: when its time began for the last time, by the rule of scheduler/time_limits.hpp. Never:
/// it has no launch.
std::vector<Time> last_beginnings(const Facts& facts) {
  const Catalogue& catalogue = facts.catalogue;
  const Duration grace = grace_of(facts);
  struct Job {
    Time begins = never;
    std::uint32_t running = 0;
    bool has_finished_some = false;
    std::uint32_t killed_in = std::numeric_limits<std::uint32_t>::max();  // round of its timeout
    std::set<StageId> suspended = {};                                     // and not launched again
    std::optional<Duration> had = {};  // while its time stands still
  };
  std::vector<Job> jobs(catalogue.jobs.size());
  for (const Stamped<TimeOut>& timeout : facts.log.decisions.get<Stamped<TimeOut>>()) {
    jobs[timeout.job.index()].killed_in = timeout.round;
  }
  std::set<std::pair<TaskId, std::uint32_t>> running;
  const auto launched = [&](const Stamped<Launch>& launch) {
    Job& job = jobs[catalogue[launch.stage].job.index()];
    if (job.had) {
      job.begins = at_seconds(launch.time) - *std::exchange(job.had, {});
    } else if (job.running == 0 && !job.has_finished_some) {
      job.begins = at_seconds(launch.time);
    }
    job.suspended.erase(launch.stage);
    ++job.running;
    running.insert({launch.task, launch.attempt});
  };
  const auto ended = [&](const Stamped<TaskEnded>& end) {
    const StageId stage = catalogue.stage_of[end.task.index()];
    Job& job = jobs[catalogue[stage].job.index()];
    const bool ran = running.erase({end.task, end.attempt}) > 0;
    if (!ran || end.round >= job.killed_in) return;
    --job.running;
    job.has_finished_some |= end.outcome == Outcome::finished;
    if (end.outcome == Outcome::suspended) job.suspended.insert(stage);
    const bool stands_still = job.running == 0 && !job.suspended.empty();
    const Duration had = at_seconds(end.time) - job.begins;
    const auto limit = catalogue.limit(catalogue[stage].job);
    if (stands_still && limit && had < *limit + grace) job.had = had;
  };
  InOrder(facts).to_the_end(launched, ended);
  std::vector<Time> begins;
  for (const Job& job : jobs) begins.push_back(job.begins);
  return begins;
}

/// When the time of each job began, for the last time; never: it has none, or the log does not say,
/// as it has no events and the time may have begun anew.
std::vector<Time> beginnings(const Facts& facts) {
  std::vector<Time> begins(facts.catalogue.jobs.size(), never);
  std::vector<bool> may_be_anew(begins.size(), false);
  for (const TaskRow& row : facts.log.tasks) {
    begins[row.job] = std::min(begins[row.job], at_seconds(row.placed));
    const bool was_lost = row.outcome == static_cast<std::uint8_t>(Outcome::lost);
    const bool failed = row.outcome == static_cast<std::uint8_t>(Outcome::failed);
    const bool was_killed = row.outcome == static_cast<std::uint8_t>(Outcome::killed) ||
                            row.outcome == static_cast<std::uint8_t>(Outcome::suspended);
    const bool may_be_preempted = facts.preempts && was_killed;
    if (row.attempt > 0 || was_lost || failed || may_be_preempted) may_be_anew[row.job] = true;
  }
  const bool is_said = !facts.log.events.empty() && !facts.launches.empty();
  if (std::ranges::none_of(may_be_anew, std::identity())) return begins;
  const std::vector<Time> last = is_said ? last_beginnings(facts) : std::vector<Time>();
  for (std::size_t at = 0; at < begins.size(); ++at) {
    if (may_be_anew[at]) begins[at] = is_said ? last[at] : never;
  }
  return begins;
}

/// When the scheduler heard the latest end of each job's tasks; the start of time: of none.
std::vector<Time> last_ends_heard(const Facts& facts) {
  std::vector<Time> heard(facts.catalogue.jobs.size(), start_of_time);
  for (const Stamped<TaskEnded>& end : facts.log.events.get<Stamped<TaskEnded>>()) {
    const StageId stage = facts.catalogue.stage_of[end.task.index()];
    heard[facts.catalogue[stage].job.index()] = at_seconds(end.time);
  }
  return heard;
}

/// The scheduler's first round at that time or later; never: there is none, or the log has no
/// events.
Time first_round_from(const Facts& facts, Time from) {
  Time first = never;
  facts.log.events.for_each([&](const auto& rows) {
    const auto time = [](const auto& row) { return at_seconds(row.time); };
    const auto found = std::ranges::lower_bound(rows, from, {}, time);
    if (found != rows.end()) first = std::min(first, time(*found));
  });
  return first;
}

std::string when_it_looked(const Facts& facts, Time looks) {
  if (facts.simulated) return "";
  if (looks == never) return ", and the scheduler did not look from then on";
  return fmt::format(", and the scheduler looked at {} s", in_seconds(looks));
}

/// The first time from that one on at which the scheduler decides: at multiples of its cycle, if it
/// has one.
Time decides_from(const Facts& facts, Time from) {
  const Duration cycle = facts.settings ? seconds(facts.settings->scheduler.cycle_s) : Duration();
  if (cycle <= Duration::zero()) return from;
  const Duration beyond = (from - start_of_time) % cycle;
  return beyond == Duration::zero() ? from : from + (cycle - beyond);
}

/// From then on a job may hold slots for longer than its limit, or there are fewer slots.
Time first_surprise(const Facts& facts) {
  Time first = never;
  const auto& lost = facts.log.events.get<Stamped<NodeLost>>();
  if (!lost.empty()) first = at_seconds(lost.front().time);
  std::vector<Time> begins(facts.catalogue.jobs.size(), never);
  std::vector<std::int64_t> running(begins.size());  // when the log ends
  for (const Stamped<Launch>& launch : facts.launches) {
    const std::size_t job = facts.catalogue[launch.stage].job.index();
    begins[job] = std::min(begins[job], at_seconds(launch.time));
    ++running[job];
  }
  for (const Stamped<TaskEnded>& end : facts.log.events.get<Stamped<TaskEnded>>()) {
    const JobId job = facts.catalogue[facts.catalogue.stage_of[end.task.index()]].job;
    --running[job.index()];
    const auto limit = facts.catalogue.limit(job);
    if (!limit) continue;
    const Time believed = begins[job.index()] + *limit;
    if (at_seconds(end.time) > believed || end.attempt > 0) first = std::min(first, believed);
  }
  for (const Stamped<TimeOut>& timeout : facts.log.decisions.get<Stamped<TimeOut>>()) {
    first = std::min(first, at_seconds(timeout.time));
  }
  for (std::uint32_t at = 0; at < running.size(); ++at) {
    const auto limit = facts.catalogue.limit(JobId(at));
    if (limit && running[at] > 0) first = std::min(first, begins[at] + *limit);
  }
  return first;
}

}  // namespace

// On one clock a job ends, or is killed, by its time. A run's scheduler kills at the first moment
// at which it looks from then on, and that may be late: ends that it has heard by then come before.
Finding limits_are_kept(const Facts& facts) {
  FindingBuilder finding("who runs for longer than its limit and the grace is killed, nobody else");
  const bool known_when_it_looks = facts.simulated || !facts.log.events.empty();
  if (!known_when_it_looks) {
    finding.note("without events it is not known when the scheduler looked");
  }
  const std::vector<Time> begins = beginnings(facts);
  const std::vector<Time> heard = last_ends_heard(facts);
  std::vector<Time> timeouts(begins.size(), never);
  for (const Stamped<TimeOut>& timeout : facts.log.decisions.get<Stamped<TimeOut>>()) {
    timeouts[timeout.job.index()] = at_seconds(timeout.time);
  }
  const auto& jobs = facts.log.tables.jobs;
  for (std::size_t at = 0; at < jobs.size(); ++at) {
    const bool killed = static_cast<JobState>(jobs[at].state) == JobState::timed_out;
    const bool known = !facts.log.decisions.empty() && facts.complete;
    finding.expect(!known || killed == (timeouts[at] != never), [&] {
      return fmt::format("/jobs row {}: state {}, and {} a row in {}", at, jobs[at].state,
                         timeouts[at] != never ? "has" : "lacks", path_of<Stamped<TimeOut>>());
    });
    const auto limit = facts.catalogue.limit(JobId(static_cast<std::uint32_t>(at)));
    if (!limit || begins[at] == never || !known_when_it_looks) continue;
    const Time latest = begins[at] + *limit + grace_of(facts);
    const Duration dust = float64_dust(in_seconds(latest));
    const Time looks = facts.simulated ? latest + dust : first_round_from(facts, latest + dust);
    const bool finished = is(jobs[at].finish);
    const Time ends = finished && facts.simulated ? at_seconds(jobs[at].finish) : heard[at];
    finding.expect(!finished || ends <= looks, [&] {
      return fmt::format("/jobs row {}: ends at {} s, it had time until {} s{}", at,
                         in_seconds(ends), in_seconds(latest), when_it_looked(facts, looks));
    });
    const bool in_time = timeouts[at] + dust >= latest && timeouts[at] <= looks;
    finding.expect(timeouts[at] == never || in_time, [&] {
      return fmt::format("/jobs row {}: killed at {} s, it had time until {} s{}", at,
                         in_seconds(timeouts[at]), in_seconds(latest),
                         when_it_looked(facts, looks));
    });
  }
  return std::move(finding).finding();
}

// EASY never delays its heads' reservations, conservative nobody's, as long as what they count on
// holds: no job runs for longer than its limit, and no node is lost.
Finding reservations_are_kept(const Facts& facts) {
  FindingBuilder finding("while limits hold, who has a reservation starts no later than it says");
  const Time surprise = first_surprise(facts);
  if (surprise != never) {
    finding.note(fmt::format("they held until {} s", in_seconds(surprise)));
  }
  const auto& made = facts.log.decisions.get<Stamped<Reservation>>();
  std::unordered_map<StageId, double> latest;
  std::size_t next = 0;
  for (const Stamped<Launch>& launch : facts.launches) {
    for (; next < made.size() && made[next].number < launch.number; ++next) {
      latest[made[next].stage] = made[next].start;
    }
    const auto found = latest.find(launch.stage);
    if (found == latest.end()) continue;
    const double start = found->second;
    latest.erase(found);
    const bool counts = start != infinity && at_seconds(start) < surprise;
    const bool in_time =
        !counts || at_seconds(launch.time) <= decides_from(facts, at_seconds(start));
    finding.expect(in_time, [&] {
      return fmt::format("stage {}: starts at {} s, its reservation said {} s",
                         launch.stage.value(), launch.time, start);
    });
  }
  return std::move(finding).finding();
}

}  // namespace somnus::audit
