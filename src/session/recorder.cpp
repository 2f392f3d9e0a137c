#include "session/recorder.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace somnus {
namespace {

double seconds_or_nan(Time time) { return time == never ? nan_time : in_seconds(time); }

}  // namespace

Recorder::Recorder(const Workload& workload, const Engine& engine, LogTables& tables,
                   Options options)
    : workload_(workload),
      catalogue_(workload.catalogue),
      engine_(engine),
      tables_(tables),
      options_(std::move(options)),
      rows_(options_.writer != nullptr || options_.kept != nullptr),
      placed_(rows_ ? catalogue_.tasks : 0),
      targets_(engine),
      jobs_(catalogue_.jobs.size()),
      finished_s_(options_.progress != nullptr ? catalogue_.jobs.size() : 0),
      stages_(catalogue_.stages.size()) {
  if (options_.kept != nullptr) rows_of<TaskRow>(*options_.kept).reserve(catalogue_.tasks);
}

void Recorder::note(const JobArrived& event) {
  if (options_.targets) targets_.job_arrived(event.job);
  JobRow& row = tables_.jobs[event.job.index()];
  row.state = static_cast<std::uint8_t>(JobState::active);
  row.estimate = in_seconds(engine_.jobs().slot_time(event.job));
  update_job(event.job);
}

void Recorder::ended(const CompletionMessage& end) {
  const StageId stage_id = catalogue_.stage_of[end.task.index()];
  const JobId job = catalogue_[stage_id].job;
  const bool finished = end.outcome == Outcome::finished;
  Span& span = stages_[stage_id.index()];
  const bool ran = finished || end.started < end.finished;
  const bool starts = ran && end.started < span.first_start;
  if (finished && end.finished > span.last_end) span.last_end = end.finished;
  const bool is_last =
      finished && engine_.jobs().unfinished(stage_id) == 0 && engine_.jobs().finished(stage_id);
  const bool fails = notices_failure(job);
  if (finished && options_.progress != nullptr) {
    finished_s_[job.index()] += in_seconds(workload_.truth[end.task]);
  }
  if (!backups_.empty() || !wasted_.empty()) count_backups(end);
  if (rows_) add_end(end, stage_id);
  // Behind the attempt's row, so that a log that is cut off has no end whose row it lacks.
  if (starts || is_last) note_span(end, stage_id, starts, fails);
  if (fails && !starts && !is_last) update_job(job);
}

void Recorder::note_span(const CompletionMessage& end, StageId stage_id, bool starts,
                         bool job_changed) {
  const JobTable& jobs = engine_.jobs();
  const JobId job_id = catalogue_[stage_id].job;
  Span& of_stage = stages_[stage_id.index()];
  Span& of_job = jobs_[job_id.index()];
  StageRow& stage = tables_.stages[stage_id.index()];
  JobRow& job = tables_.jobs[job_id.index()];
  if (starts) {
    of_stage.first_start = end.started;
    stage.first_start = in_seconds(end.started);
    if (end.started < of_job.first_start) {
      of_job.first_start = end.started;
      job.first_start = in_seconds(end.started);
      job_changed = true;
    }
  }
  if (jobs.finished(stage_id)) {
    of_job.last_end = std::max(of_job.last_end, of_stage.last_end);
    stage.finish = in_seconds(of_stage.last_end);
    if (jobs.ended(job_id) && !jobs.failed(job_id)) {
      job.finish = in_seconds(of_job.last_end);
      job.state = static_cast<std::uint8_t>(JobState::finished);
      job_changed = true;
    }
  }
  stage.ready = in_seconds(jobs.ready_time(stage_id));
  update_stage(stage_id);
  if (job_changed) update_job(job_id);
}

void Recorder::add_end(const CompletionMessage& end, StageId stage_id) {
  const Stage& stage = catalogue_[stage_id];
  const bool plain = end.attempt == 0 && end.outcome == Outcome::finished && given_up_.empty();
  const Placed placed =
      plain ? placed_of(end.task, end.attempt, end.node) : placed_of_repeated(end);
  add([&] {
    return TaskRow{.job = stage.job.value(),
                   .stage = stage_id.value(),
                   .index = end.task.value() - stage.first_task.value(),
                   .node = end.node.value(),
                   .slot = end.slot,
                   .attempt = end.attempt,
                   .warm = end.warm ? std::uint8_t{1} : std::uint8_t{0},
                   .outcome = static_cast<std::uint8_t>(end.outcome),
                   .ready = in_seconds(placed.ready),
                   .placed = in_seconds(placed.placed),
                   .queued = seconds_or_nan(end.queued),
                   .start = seconds_or_nan(end.started),
                   .finish = seconds_or_nan(end.finished),
                   .intended = in_seconds(end.intended),
                   .nominal = in_seconds(workload_.truth[end.task])};
  });
}

void Recorder::note(Time now, const Launch& launch) {
  ++scheduler_.decisions;
  const OtherAttempt* const other = engine_.jobs().other(launch.task);
  const bool is_backup = other != nullptr && other->state == OtherAttempt::State::running;
  if (is_backup) {
    ++scheduler_.backups;
    backups_.insert({launch.task, launch.attempt});
  }
  if (!rows_) return;
  if (launch.attempt == 0) {
    placed_[launch.task.index()] = now;
    return;
  }
  later_[{launch.task, launch.attempt}] = {
      .ready = is_backup ? other->since : ready_again_.at(launch.task),
      .placed = now,
      .node = launch.node};
}

void Recorder::note(Time /*now*/, const TimeOut& timeout) {
  tables_.jobs[timeout.job.index()].state = static_cast<std::uint8_t>(JobState::timed_out);
  update_job(timeout.job);
}

void Recorder::count_backups(const CompletionMessage& end) {
  const bool was_backup = backups_.erase({end.task, end.attempt}) > 0;
  if (end.outcome == Outcome::finished) {
    if (was_backup) ++scheduler_.backups_won;
    const OtherAttempt* const late = engine_.jobs().other(end.task);
    if (late != nullptr) wasted_.insert({end.task, late->attempt});
    return;
  }
  const bool was_unwanted = wasted_.erase({end.task, end.attempt}) > 0;
  const bool has_run = end.started < end.finished && end.finished != never;
  if (was_unwanted && has_run && end.outcome == Outcome::killed) {
    scheduler_.wasted += in_seconds(end.finished) - in_seconds(end.started);
  }
}

Recorder::Placed Recorder::placed_of_repeated(const CompletionMessage& end) {
  Placed placed = placed_of(end.task, end.attempt, end.node);
  if (end.attempt > 0) later_.erase({end.task, end.attempt});
  if (const auto before = given_up_.extract({end.task, end.attempt})) {
    placed = before.mapped();
  } else if (end.outcome != Outcome::finished) {
    ready_again_[end.task] = end.due;
  }
  return placed;
}

Recorder::Placed Recorder::placed_of(TaskId task, std::uint16_t attempt, NodeId node) const {
  if (attempt > 0) return later_.at({task, attempt});
  return {.ready = engine_.jobs().ready_time(catalogue_.stage_of[task.index()]),
          .placed = placed_[task.index()],
          .node = node};
}

bool Recorder::notices_failure(JobId job) {
  std::uint8_t& state = tables_.jobs[job.index()].state;
  if (!engine_.jobs().failed(job) || is_failure(state)) return false;
  state = static_cast<std::uint8_t>(JobState::failed);
  return true;
}

void Recorder::given_up(Time now, TaskId task, std::uint16_t attempt, NodeId node) {
  const JobId job = catalogue_[catalogue_.stage_of[task.index()]].job;
  if (notices_failure(job)) update_job(job);  // its other attempt had failed before
  if (!rows_) return;
  given_up_[{task, attempt}] = placed_of(task, attempt, node);
  ready_again_[task] = now;
}

void Recorder::sample(Time now, Duration lag) {
  if (options_.progress != nullptr) options_.progress->expect_look();
  look(now);
  if (!rows_) return;
  const JobTable& jobs = engine_.jobs();
  const NodeTable& nodes = engine_.nodes();
  SampleRow row{.time = in_seconds(now),
                .busy_slots = static_cast<std::uint32_t>(nodes.busy_slots()),
                .pending_tasks = static_cast<std::uint32_t>(jobs.runnable_tasks()),
                .queued_tasks = static_cast<std::uint32_t>(nodes.queued_tasks()),
                .active_jobs = jobs.active_jobs(),
                .active_users = jobs.active_users(),
                .lag = in_seconds(lag)};
  for (std::size_t kind = 0; kind < workload_.resources.size(); ++kind) {
    row.allocated[kind] = nodes.allocated().amount(kind);
  }
  lag_since_sample_ = {};
  add([&] { return row; });
  for (const TargetRow& target : targets_.at(now)) add([&] { return target; });
  if (options_.at_samples) options_.at_samples();
}

void Recorder::instant(Time now) {
  ++scheduler_.rounds;
  if (options_.measure_latency) decision_.add(std::chrono::steady_clock::now() - round_began_);
  look(now);
}

void Recorder::look(Time now) {
  if (options_.progress != nullptr) {
    options_.progress->look(now, engine_, lag_, tables_.jobs, finished_s_);
  }
  const bool log_is_lost = options_.writer != nullptr && options_.writer->failed();
  if (log_is_lost && options_.stop != nullptr) options_.stop->store(stop_for_log);
}

void Recorder::add_open() {
  for (std::uint32_t at = 0; at < catalogue_.tasks; ++at) {
    const TaskId task(at);
    engine_.jobs().for_each_on_node(task, [&](std::uint16_t attempt, NodeId node) {
      add_without_end(task, attempt, Outcome::unfinished, placed_of(task, attempt, node));
    });
  }
  for (const auto& [of, placed] : given_up_) {
    add_without_end(of.first, of.second, Outcome::lost, placed);
  }
}

void Recorder::add_without_end(TaskId task, std::uint16_t attempt, Outcome outcome,
                               const Placed& placed) {
  const StageId stage = catalogue_.stage_of[task.index()];
  add([&] {
    return TaskRow{.job = catalogue_[stage].job.value(),
                   .stage = stage.value(),
                   .index = task.value() - catalogue_[stage].first_task.value(),
                   .node = placed.node.value(),
                   .attempt = attempt,
                   .outcome = static_cast<std::uint8_t>(outcome),
                   .ready = in_seconds(placed.ready),
                   .placed = in_seconds(placed.placed),
                   .nominal = in_seconds(workload_.truth[task])};
  });
}

void Recorder::finish() {
  looked();
  if (rows_) add_open();
  for (std::uint32_t at = 0; at < catalogue_.stages.size(); ++at) {
    const Time ready = engine_.jobs().ready_time(StageId(at));
    if (ready != never) tables_.stages[at].ready = in_seconds(ready);
  }
  scheduler_.lag_p50 = in_seconds(lag_.quantile(0.5));
  scheduler_.lag_p99 = in_seconds(lag_.quantile(0.99));
  scheduler_.lag_max = in_seconds(lag_.most());
  scheduler_.decision_p50 = in_seconds(decision_.quantile(0.5));
  scheduler_.decision_p99 = in_seconds(decision_.quantile(0.99));
  scheduler_.decision_max = in_seconds(decision_.most());
  tables_.scheduler = scheduler_;
}

void Recorder::update_job(JobId job) {
  if (options_.writer != nullptr) options_.writer->set(tables_.jobs[job.index()]);
}

void Recorder::update_stage(StageId stage) {
  if (options_.writer != nullptr) {
    options_.writer->set(stage, tables_.stages[stage.index()]);
  }
}

}  // namespace somnus
