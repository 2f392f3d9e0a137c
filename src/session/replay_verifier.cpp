#include "session/replay_verifier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include "log/held_columns.hpp"

namespace somnus {
namespace {

bool same(double a, double b) { return std::isnan(a) ? std::isnan(b) : a == b; }
bool same(const TargetRow& a, const TargetRow& b) {
  return a.job == b.job && same(a.entitled, b.entitled) && same(a.target, b.target) &&
         same(a.allocated, b.allocated) && same(a.promised, b.promised);
}

std::string words(const TargetRow& row) {
  return fmt::format("job {}, entitled {}, target {}, allocated {}, promised {} s", row.job,
                     row.entitled, row.target, row.allocated, row.promised);
}

}  // namespace

void ReplayVerifier::round_begins(Time now) {
  const auto& samples = log_.samples;
  for (; next_sample_ < samples.size() && was_before(samples[next_sample_], now); ++next_sample_) {
    compare(samples[next_sample_]);
  }
  expect(log_.header.mode != "simulate" || engine_.wakes_at() >= now, [&] {
    return fmt::format("the policy wanted to be asked at {} s, the log goes on at {} s",
                       in_seconds(engine_.wakes_at()), in_seconds(now));
  });
}

// Late ones may be written as the same time as rounds before and after: then it is where it fits.
bool ReplayVerifier::was_before(const SampleRow& sample, Time now) {
  const double now_s = in_seconds(now);
  if (sample.time != now_s || now <= last_exact_instant) return sample.time < now_s;
  return shows_now(sample) && other_target(sample).empty();
}

void ReplayVerifier::planning(Time now) {
  expect(engine_.wakes_at() > now, [&] {
    return fmt::format("the policy wanted to be asked at {} s, but at {} s there is no such event",
                       in_seconds(engine_.wakes_at()), in_seconds(now));
  });
}

// A sample is taken when all rounds of its instant are over.
void ReplayVerifier::compare(const SampleRow& sample) {
  const JobTable& jobs = engine_.jobs();
  const NodeTable& nodes = engine_.nodes();
  expect(shows_now(sample), [&] {
    return fmt::format(
        "/samples row {} at {} s: {} slots busy, {} tasks pending, {} queued, {} jobs and {} users "
        "active, allocated {} ...; by the events before: {}, {}, {}, {}, {}, {} ...",
        next_sample_, sample.time, sample.busy_slots, sample.pending_tasks, sample.queued_tasks,
        sample.active_jobs, sample.active_users, sample.allocated[0], nodes.busy_slots(),
        jobs.runnable_tasks(), nodes.queued_tasks(), jobs.active_jobs(), jobs.active_users(),
        nodes.allocated().amount(0));
  });
  std::string other = other_target(sample);
  expect(other.empty(), [&] { return std::move(other); });
  next_target_ += targets_sent(sample).size();
}

std::span<const TargetRow> ReplayVerifier::targets_sent(const SampleRow& sample) const {
  const std::span<const TargetRow> rest = std::span(log_.targets).subspan(next_target_);
  std::size_t count = 0;
  while (count < rest.size() && rest[count].time == sample.time) ++count;
  return rest.first(count);
}

std::string ReplayVerifier::other_target(const SampleRow& sample) {
  if (has_targets_ == Targets::not_known) return {};
  const std::span<const TargetRow> recorded = targets_sent(sample);
  const std::span<const TargetRow> now = has_targets_ == Targets::some
                                             ? targets_.at(at_seconds(sample.time))
                                             : std::span<const TargetRow>();
  for (std::size_t at = 0; at < std::max(recorded.size(), now.size()); ++at) {
    const std::size_t row = next_target_ + at;
    const bool cut_off = !log_.header.complete && row >= log_.targets.size();
    if (cut_off || (at < recorded.size() && at < now.size() && same(recorded[at], now[at])))
      continue;
    return fmt::format("/targets row {} at {} s: {}; by the events before: {}", row, sample.time,
                       at < recorded.size() ? words(recorded[at]) : "of another time",
                       at < now.size() ? words(now[at]) : "none");
  }
  return {};
}

bool ReplayVerifier::shows_now(const SampleRow& sample) const {
  const JobTable& jobs = engine_.jobs();
  const NodeTable& nodes = engine_.nodes();
  for (std::size_t kind = 0; kind < log_.header.resources.size(); ++kind) {
    if (sample.allocated[kind] != nodes.allocated().amount(kind)) return false;
  }
  return sample.busy_slots == nodes.busy_slots() && sample.pending_tasks == jobs.runnable_tasks() &&
         sample.queued_tasks == nodes.queued_tasks() && sample.active_jobs == jobs.active_jobs() &&
         sample.active_users == jobs.active_users();
}

void ReplayVerifier::happened(Time now, const JobArrived& event) {
  const JobId job = event.job;
  targets_.job_arrived(job);
  const JobRow& row = log_.tables.jobs[job.index()];
  const bool simulated = log_.header.mode == "simulate";
  const bool known = !std::isnan(row.estimate) || log_.header.complete;
  const double estimate = in_seconds(engine_.jobs().slot_time(job));
  expect(!known || same(row.estimate, estimate), [&] {
    return fmt::format("/jobs row {}: estimate {} s, its stages' estimates were {} s in all",
                       row.job, row.estimate, estimate);
  });
  const double now_s = in_seconds(now);
  // In a run rank 0 gets it late; how late at most, the closed log says.
  const double rounding = 1e-9 + 4.5e-16 * now_s;
  const bool in_time =
      row.submit <= now_s && (!simulated || row.submit == now_s) &&
      (!log_.header.complete || now_s - row.submit <= log_.tables.scheduler.lag_max + rounding);
  expect(!known || in_time, [&] {
    return fmt::format("/jobs row {}: submit {} s, but it arrived at {} s", row.job, row.submit,
                       in_seconds(now));
  });
}

void ReplayVerifier::ends(std::uint64_t events, std::uint32_t rounds) {
  if (!log_.header.complete) return;
  for (; next_sample_ < log_.samples.size(); ++next_sample_) compare(log_.samples[next_sample_]);
  expect(has_targets_ == Targets::not_known || next_target_ == log_.targets.size(), [&] {
    return fmt::format("/targets row {} at {} s is of no sample", next_target_,
                       log_.targets[next_target_].time);
  });
  ready_times();
  const SchedulerRow& recorded = log_.tables.scheduler;
  const auto count = [&](const char* what, std::uint64_t then, std::uint64_t now) {
    expect(then == now,
           [&] { return fmt::format("/scheduler row 0: {} {}, the log has {}", then, what, now); });
  };
  count("events", recorded.events, events);
  count("decisions", recorded.decisions, log_.decisions.get<Stamped<Launch>>().size());
  count("rounds", recorded.rounds, rounds);
}

void ReplayVerifier::ready_times() {
  const auto ready = [&](std::size_t stage) {
    const Time time = engine_.jobs().ready_time(StageId(stage));
    return time == never ? nan_time : in_seconds(time);
  };
  for (std::size_t stage = 0; stage < log_.tables.stages.size(); ++stage) {
    expect(same(log_.tables.stages[stage].ready, ready(stage)), [&] {
      return fmt::format("/stages row {}: ready {} s, by its parents' ends {} s", stage,
                         log_.tables.stages[stage].ready, ready(stage));
    });
  }
  for (std::size_t at = 0; at < log_.tasks.size(); ++at) {
    const TaskRow& row = log_.tasks[at];
    if (row.attempt > 0 || row.stage >= log_.tables.stages.size()) continue;
    expect(same(row.ready, ready(row.stage)), [&] {
      return fmt::format("/tasks row {}: ready {} s, its stage at {} s", at, row.ready,
                         ready(row.stage));
    });
  }
}

namespace {

const HeldColumns held_by_replay[] = {
    {"/jobs", "submit", Held::recomputed, "replay: the arrival in /events"},
    {"/jobs", "estimate", Held::recomputed, "replay: the estimates in /events"},
    {"/stages", "ready", Held::recomputed, "replay: the ends of its parents in /events"},
    {"/tasks", "ready", Held::recomputed, "replay: the stage's, of first attempts"},
    {"/samples", "busy_slots pending_tasks queued_tasks active_jobs active_users allocated_*",
     Held::recomputed, "replay: the events up to then"},
    {"/samples", "time", Held::sealed, "chosen by the run"},
    {"/samples", "lag", Held::sealed, "measured"},
    {"/targets", "time", Held::recomputed, "replay: the sample's"},
    {"/targets", "*", Held::recomputed, "replay: the events up to then"},
    {"/instants", "round", Held::recomputed, "replay: each late round has one"},
    {"/instants", "time_ns", Held::sealed, "chosen by the run; replay: the time of its rows"},
    {"/scheduler", "events decisions rounds", Held::recomputed,
     "replay: counted in /events and /decisions"},
    {"/scheduler", "*", Held::sealed, "measured"},
    {"/events/woken", "time", Held::recomputed,
     "replay: simulated, when the policy wanted to be asked"},
    {"/events/*", "round", Held::recomputed, "replay: the decisions that follow from it"},
    {"/events", "*", Held::sealed, "what the scheduler gets; replay: only what it decides by"},
    {"/decisions", "*", Held::recomputed, "replay: decided again"},
};

}  // namespace

}  // namespace somnus
