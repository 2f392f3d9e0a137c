#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>

#include "audit/audit.hpp"
#include "base/time.hpp"
#include "log/held_columns.hpp"

namespace somnus::audit {
namespace {

struct Span {
  double first_start = NAN;
  double finish = NAN;  // of the last finished attempt
  std::uint32_t attempts = 0;
  std::uint32_t finished = 0;

  void add(const TaskRow& row) {
    ++attempts;
    // One that reached a lost node never started: its times are all when that was found out.
    const bool ran = ran_to_its_end(row) || row.start < row.finish;
    if (ran) first_start = std::fmin(first_start, row.start);  // passes over NaN
    if (!ran_to_its_end(row)) return;
    ++finished;
    finish = std::fmax(finish, row.finish);
  }
};

/// What the attempts say of each job or stage, by id.
std::vector<Span> spans(const Facts& facts, std::size_t count, std::uint32_t TaskRow::* column) {
  std::vector<Span> all(count);
  for (const TaskRow& row : facts.log.tasks) all[row.*column].add(row);
  return all;
}

bool same(double a, double b) {
  return is(a) == is(b) && (!is(a) || at_seconds(a) == at_seconds(b));
}

bool span_matches(const Span& span, bool has_finished, double first_start, double finish) {
  const double end = has_finished ? span.finish : NAN;
  return same(first_start, span.first_start) && same(finish, end);
}

template <class Row>
std::string span_text(const char* table, std::size_t at, const Row& row, const Span& span) {
  return fmt::format("{} row {}: {} s to {} s, its {} tasks: {} s to {} s, {} finished", table, at,
                     row.first_start, row.finish, row.tasks, span.first_start, span.finish,
                     span.finished);
}

}  // namespace

Finding jobs_are_conserved(const Facts& facts) {
  FindingBuilder finding("jobs submitted = finished + failed + unfinished, and so are their tasks");
  const auto& jobs = facts.log.tables.jobs;
  const auto all = spans(facts, jobs.size(), &TaskRow::job);
  for (std::size_t at = 0; at < jobs.size(); ++at) {
    const bool all_finished = all[at].finished >= jobs[at].tasks;
    bool holds = false;
    switch (static_cast<JobState>(jobs[at].state)) {
      case JobState::pending:
        holds = all[at].attempts == 0;
        break;
      case JobState::finished:
        holds = all[at].finished == jobs[at].tasks;
        break;
      case JobState::active:
      case JobState::failed:
        holds = !all_finished;
        break;
      case JobState::timed_out:
        holds = true;  // its tasks may have finished before the kill reached them
        break;
    }
    finding.expect(holds, [&] {
      return fmt::format("/jobs row {}: state {} with {} attempts, {} of {} tasks finished", at,
                         jobs[at].state, all[at].attempts, all[at].finished, jobs[at].tasks);
    });
  }
  return std::move(finding).finding();
}

Finding tasks_finish_once(const Facts& facts) {
  FindingBuilder finding("no task finishes twice, every task of a finished job does once");
  const auto& jobs = facts.log.tables.jobs;
  std::vector<std::uint8_t> finished(facts.catalogue.tasks, 0);
  for (std::uint32_t at = 0; at < facts.log.tasks.size(); ++at) {
    const TaskRow& row = facts.log.tasks[at];
    if (!ran_to_its_end(row)) continue;
    std::uint8_t& times = finished[facts.task_of(row).index()];
    const bool once = times++ == 0;
    finding.expect(once, [&] { return text(at, row) + " finishes a finished task"; });
  }
  if (!facts.complete) return std::move(finding).finding();
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    if (static_cast<JobState>(jobs[job].state) != JobState::finished) continue;
    const Job& facts_of_job = facts.catalogue.jobs[job];
    for (std::uint32_t at = 0; at < facts_of_job.tasks; ++at) {
      const std::size_t task = facts_of_job.first_task.index() + at;
      finding.expect(finished[task] > 0, [&] {
        return fmt::format("/jobs row {}: finished, but its task {} has not", job, at);
      });
    }
  }
  return std::move(finding).finding();
}

/// Whether a killed task of it may start again: as its gang does, or as it gave up its slot.
static bool starts_again(const Facts& facts, const Stage& stage) {
  return stage.gang || (facts.preempts && stage.is_one_unit());
}

Finding attempts_are_numbered(const Facts& facts) {
  const bool may_run_twice = speculates(facts);
  FindingBuilder finding(
      may_run_twice ? "a task's attempts are 0, 1, 2, ..., and only the last may finish, or "
                      "the one whose backup that is"
                    : "a task's attempts are 0, 1, 2, ..., and only the last may finish");
  for_each_task(facts, [&](TaskId task, std::span<const std::uint32_t> rows) {
    std::uint32_t next = 0;
    for (std::size_t at = 0; at < rows.size(); ++at) {
      const TaskRow& row = facts.log.tasks[rows[at]];
      const bool again = row.outcome == static_cast<std::uint8_t>(Outcome::failed) ||
                         (row.outcome == static_cast<std::uint8_t>(Outcome::killed) &&
                          starts_again(facts, facts.catalogue.stages[row.stage])) ||
                         row.outcome == static_cast<std::uint8_t>(Outcome::lost) ||
                         row.outcome == static_cast<std::uint8_t>(Outcome::suspended) ||
                         row.outcome == static_cast<std::uint8_t>(Outcome::returned);
      const bool last = at + 1 == rows.size();
      const bool beside_another = facts.may_be_backup(task, row.attempt + 1U);
      while (next < row.attempt && facts.may_lack(task, next)) ++next;
      finding.expect(row.attempt == next && (again || last || beside_another), [&] {
        return fmt::format("{}, outcome {}, is number {} of {}", text(rows[at], row), row.outcome,
                           at, rows.size());
      });
      next = row.attempt + 1U;
    }
  });
  return std::move(finding).finding();
}

// It has no finish that could be waited for.
static bool has_failed(const JobRow& job) { return is_failure(job.state); }

bool some_job_follows(const Facts& facts) {
  return std::ranges::any_of(facts.log.tables.jobs,
                             [](const JobRow& job) { return job.after != no_job; });
}

Finding followers_wait(const Facts& facts) {
  FindingBuilder finding(
      "no job comes before the one that it follows has ended, and its think time");
  finding.note(facts.tolerance());
  const auto& jobs = facts.log.tables.jobs;
  for (const JobRow& job : jobs) {
    if (job.after == no_job || !is(job.submit) || has_failed(jobs[job.after])) continue;
    const double earliest = jobs[job.after].finish + job.think;
    const double dust = 1e-9 * (1 + job.submit);  // of the sum
    finding.expect(job.submit + dust + in_seconds(facts.uncertainty) >= earliest, [&] {
      return fmt::format(
          "/jobs row {}: submit {} s, but job {} ended at {} s and {} s pass between", job.job,
          job.submit, job.after, jobs[job.after].finish, job.think);
    });
  }
  return std::move(finding).finding();
}

Finding placed_when_ready(const Facts& facts) {
  FindingBuilder finding("no task is ready before its job's submit, or placed before it is ready");
  finding.note(facts.tolerance());
  for (std::uint32_t at = 0; at < facts.log.tasks.size(); ++at) {
    const TaskRow& row = facts.log.tasks[at];
    const double submit = facts.log.tables.jobs[row.job].submit;
    const bool has_come = is(submit) || facts.complete;  // else its row was flushed before that
    const bool in_order = (!has_come || submit <= row.ready) &&
                          at_seconds(row.ready) <= at_seconds(row.placed) + facts.uncertainty;
    finding.expect(in_order, [&] {
      return fmt::format("{}: submit {} s, ready {} s, placed {} s", text(at, row), submit,
                         row.ready, row.placed);
    });
  }
  return std::move(finding).finding();
}

Finding queued_when_placed(const Facts& facts) {
  FindingBuilder finding("no task reaches its node before it was placed");
  finding.asserted(facts.simulated).note(facts.tolerance());
  for (std::uint32_t at = 0; at < facts.log.tasks.size(); ++at) {
    const TaskRow& row = facts.log.tasks[at];
    if (!is(row.queued)) continue;
    finding.expect(at_seconds(row.queued) + facts.uncertainty >= at_seconds(row.placed), [&] {
      return fmt::format("{}: placed {} s, queued {} s", text(at, row), row.placed, row.queued);
    });
  }
  return std::move(finding).finding();
}

Finding started_when_queued(const Facts& facts) {
  FindingBuilder finding("no task starts before it reached its node, or ends before it started");
  for (std::uint32_t at = 0; at < facts.log.tasks.size(); ++at) {
    const TaskRow& row = facts.log.tasks[at];
    if (!is(row.start)) continue;
    const bool ended = !is(row.finish) || row.start <= row.finish;
    finding.expect(row.queued <= row.start && ended, [&] {
      return fmt::format("{}: queued {} s, start {} s, finish {} s", text(at, row), row.queued,
                         row.start, row.finish);
    });
  }
  return std::move(finding).finding();
}

Finding parents_first(const Facts& facts) {
  FindingBuilder finding("no task starts before all tasks of its parent stages have finished");
  finding.note(facts.tolerance());
  const auto stages = spans(facts, facts.catalogue.stages.size(), &TaskRow::stage);
  for (std::uint32_t at = 0; at < facts.log.tasks.size(); ++at) {
    const TaskRow& row = facts.log.tasks[at];
    if (!is(row.start)) continue;
    for (const StageId id : facts.catalogue.parents_of(facts.catalogue.stages[row.stage])) {
      const Span& parent = stages[id.index()];
      const bool finished = parent.finished >= facts.catalogue[id].tasks;
      const bool in_time =
          finished && at_seconds(row.start) + facts.uncertainty >= at_seconds(parent.finish);
      finding.expect(in_time, [&] {
        return fmt::format("{}: start {} s, its parent stage {} finishes {}", text(at, row),
                           row.start, id.value(),
                           finished ? fmt::format("at {} s", parent.finish) : "never");
      });
    }
  }
  return std::move(finding).finding();
}

Finding slept_as_intended(const Facts& facts) {
  FindingBuilder finding(facts.simulated ? "each finished attempt takes exactly what was intended"
                                         : "no finished attempt takes less than was intended");
  const Duration tolerance =
      facts.simulated ? Duration::zero() : seconds(1e-6 * facts.log.header.speed);
  if (!facts.simulated) finding.note("a sleep may only be late, to a real microsecond");
  for (std::uint32_t at = 0; at < facts.log.tasks.size(); ++at) {
    const TaskRow& row = facts.log.tasks[at];
    if (!ran_to_its_end(row)) continue;
    const auto holds = [&] {
      if (!is(row.start) || !is(row.finish) || !is(row.intended)) return false;
      const Duration took = at_seconds(row.finish) - at_seconds(row.start);
      const Duration intended = seconds(row.intended);
      const Duration dust = float64_dust(row.finish);
      const bool equal = std::chrono::abs(took - intended) <= dust;
      return facts.simulated ? equal : took + tolerance + dust >= intended;
    };
    finding.expect(holds(), [&] {
      return fmt::format("{}: took {} s, intended {} s", text(at, row), row.finish - row.start,
                         row.intended);
    });
  }
  return std::move(finding).finding();
}

Finding jobs_span_their_tasks(const Facts& facts) {
  FindingBuilder finding("a job starts with its first attempt and finishes with its last task");
  const auto& jobs = facts.log.tables.jobs;
  const auto all = spans(facts, jobs.size(), &TaskRow::job);
  for (std::size_t at = 0; at < jobs.size(); ++at) {
    const bool has_finished = all[at].finished == jobs[at].tasks && !is_failure(jobs[at].state);
    finding.expect(span_matches(all[at], has_finished, jobs[at].first_start, jobs[at].finish),
                   [&] { return span_text("/jobs", at, jobs[at], all[at]); });
  }
  return std::move(finding).finding();
}

Finding stages_span_their_tasks(const Facts& facts) {
  FindingBuilder finding("a stage starts with its first attempt and finishes with its last task");
  const auto& stages = facts.log.tables.stages;
  const auto all = spans(facts, stages.size(), &TaskRow::stage);
  for (std::size_t at = 0; at < stages.size(); ++at) {
    const bool has_finished = all[at].finished == stages[at].tasks;
    finding.expect(span_matches(all[at], has_finished, stages[at].first_start, stages[at].finish),
                   [&] { return span_text("/stages", at, stages[at], all[at]); });
  }
  return std::move(finding).finding();
}

namespace {

const HeldColumns held_by_attempts[] = {
    {"/jobs", "state first_start finish", Held::recomputed, "check: the attempts"},
    {"/stages", "first_start finish", Held::recomputed, "check: the attempts"},
    {"/tasks", "slot", Held::recomputed, "check: slots exist and are not shared"},
    {"/tasks", "outcome", Held::recomputed,
     "check: the attempts after it, the job's state; failures by the seed"},
    {"/tasks", "queued start", Held::sealed, "measured at the node; check: bounds only"},
};

}  // namespace

}  // namespace somnus::audit
