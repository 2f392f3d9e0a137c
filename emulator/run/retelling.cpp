#include "emulator/run/retelling.hpp"

#include <fmt/format.h>

#include <cmath>

namespace somnus {
namespace {

bool same(double a, double b) { return std::isnan(a) ? std::isnan(b) : a == b; }

}  // namespace

void Retelling::round_begins(Time now) {
  const auto& samples = log_.samples;
  for (; next_sample_ < samples.size() && at_seconds(samples[next_sample_].time) < now;
       ++next_sample_, matched_ = false) {
    leave(samples[next_sample_]);
  }
  look_for_sample(now);
  expect(log_.header.mode != "simulate" || engine_.wakes_at() >= now, [&] {
    return fmt::format("the policy wanted to be asked at {} s, the log goes on at {} s",
                       in_seconds(engine_.wakes_at()), in_seconds(now));
  });
}

void Retelling::planning(Time now) {
  expect(engine_.wakes_at() > now, [&] {
    return fmt::format("the policy wanted to be asked at {} s, but at {} s there is no such event",
                       in_seconds(engine_.wakes_at()), in_seconds(now));
  });
}

void Retelling::planned(Time now) { look_for_sample(now); }

// Of several rounds in one instant nobody says behind which a sample was taken.
void Retelling::look_for_sample(Time now) {
  if (next_sample_ == log_.samples.size()) return;
  const SampleRow& next = log_.samples[next_sample_];
  matched_ = matched_ || (at_seconds(next.time) == now && shows_now(next));
}

void Retelling::leave(const SampleRow& sample) {
  const JobTable& jobs = engine_.jobs();
  const NodeTable& nodes = engine_.nodes();
  expect(matched_ || shows_now(sample), [&] {
    return fmt::format(
        "/samples row {} at {} s: {} slots busy, {} tasks pending, {} queued, {} jobs and {} users "
        "active, allocated {} ...; by the events before: {}, {}, {}, {}, {}, {} ...",
        next_sample_, sample.time, sample.busy_slots, sample.pending_tasks, sample.queued_tasks,
        sample.active_jobs, sample.active_users, sample.allocated[0], nodes.busy_slots(),
        jobs.runnable_tasks(), nodes.queued_tasks(), jobs.active_jobs(), jobs.active_users(),
        nodes.allocated().amount(0));
  });
}

bool Retelling::shows_now(const SampleRow& sample) const {
  const JobTable& jobs = engine_.jobs();
  const NodeTable& nodes = engine_.nodes();
  for (std::size_t kind = 0; kind < log_.header.resources.size(); ++kind) {
    if (sample.allocated[kind] != nodes.allocated().amount(kind)) return false;
  }
  return sample.busy_slots == nodes.busy_slots() && sample.pending_tasks == jobs.runnable_tasks() &&
         sample.queued_tasks == nodes.queued_tasks() && sample.active_jobs == jobs.active_jobs() &&
         sample.active_users == jobs.active_users();
}

void Retelling::happened(Time now, const JobArrived& event) {
  const JobId job = event.job;
  const JobRow& row = log_.tables.jobs[job.index()];
  const bool simulated = log_.header.mode == "simulate";
  const bool known = !std::isnan(row.estimate) || log_.header.complete;
  const double estimate = in_seconds(engine_.jobs().slot_time(job));
  expect(!known || same(row.estimate, estimate), [&] {
    return fmt::format("/jobs row {}: estimate {} s, its stages' estimates were {} s in all",
                       row.job, row.estimate, estimate);
  });
  const Time submit = std::isnan(row.submit) ? never : at_seconds(row.submit);
  // Rank 0 hears of it late in a run; how late at most, the closed log says.
  const bool in_time =
      submit <= now && (!simulated || submit == now) &&
      (!log_.header.complete || in_seconds(now - submit) <= log_.tables.scheduler.lag_max + 1e-9);
  expect(!known || in_time, [&] {
    return fmt::format("/jobs row {}: submit {} s, but it arrived at {} s", row.job, row.submit,
                       in_seconds(now));
  });
}

void Retelling::ends(std::uint64_t events, std::uint32_t rounds) {
  if (!log_.header.complete) return;
  for (; next_sample_ < log_.samples.size(); ++next_sample_, matched_ = false) {
    leave(log_.samples[next_sample_]);
  }
  ready_times();
  const SchedulerRow& told = log_.tables.scheduler;
  const auto count = [&](const char* what, std::uint64_t then, std::uint64_t now) {
    expect(then == now,
           [&] { return fmt::format("/scheduler row 0: {} {}, the log has {}", then, what, now); });
  };
  count("events", told.events, events);
  count("decisions", told.decisions, log_.decisions.get<Stamped<Launch>>().size());
  count("rounds", told.rounds, rounds);
}

void Retelling::ready_times() {
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

}  // namespace somnus
