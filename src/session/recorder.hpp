// The loop's observer: makes the log's rows from events and decisions, and keeps the figures of
// the progress line. Rows go to a writer (a file), or are kept (for a closing table without a
// file), or are not made at all.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/histogram.hpp"
#include "log/log.hpp"
#include "log/writer.hpp"
#include "model/message.hpp"
#include "model/workload.hpp"
#include "scheduler/engine.hpp"
#include "session/progress.hpp"
#include "session/target_rows.hpp"

namespace somnus {

/// Beside signal numbers, why a run stops early.
inline constexpr int stop_for_log = -1;

class Recorder {
 public:
  struct Options {
    LogWriter* writer = nullptr;   // the file, or
    Log* kept = nullptr;           // memory; neither: no rows of tasks, events, decisions, samples
    bool replay = true;            // events and decisions too
    bool targets = true;           // and what the policy means jobs to have, at samples
    bool measure_latency = false;  // of rounds, in real time
    Progress* progress = nullptr;
    std::function<void()> at_samples;  // what else is written then; may be empty
    std::atomic<int>* stop = nullptr;  // set to stop_for_log when the writer has failed
  };

  /// tables: as they stand before the run; all must outlive the recorder.
  Recorder(const Workload& workload, const Engine& engine, LogTables& tables, Options options);

  // The observer (src/runtime/loop.hpp).
  void round_begins() {
    looked();
    if (options_.measure_latency) round_began_ = std::chrono::steady_clock::now();
  }
  void submitted(JobId job, Time due) { tables_.jobs[job.index()].submit = in_seconds(due); }
  template <class Kind>
  void happened(Time now, std::uint32_t round, const Kind& event) {
    ++scheduler_.events;
    fetch(event);
    if (rows_ && options_.replay) {
      note_instant(now, round);
      add([&] { return Stamped<Kind>{{in_seconds(now), happened_++, round}, event}; });
    }
    note(event);
  }
  template <class Kind>
  void decided(Time now, std::uint32_t round, const Kind& decision) {
    note(now, decision);
    if (rows_ && options_.replay) {
      add([&] { return Stamped<Kind>{{in_seconds(now), decided_++, round}, decision}; });
    }
  }
  void ended(const CompletionMessage& completion);
  void given_up(Time now, TaskId task, std::uint16_t attempt, NodeId node);
  void handled(Duration late) {
    lag_.add(late);
    look_ = std::max(look_, late);
    if (late > lag_since_sample_) lag_since_sample_ = late;
  }
  void sample(Time now) { sample(now, lag_since_sample_); }
  /// One of a history that is replayed, with the lag that it had then.
  void sample(Time now, Duration lag);
  void instant(Time now);

  /// Attempts that still run get their rows (outcome unfinished); the scheduler's row is filled.
  void finish();

  [[nodiscard]] const Histogram& lag() const { return lag_; }
  /// The same of the latest that each round dealt with, where it was late at all: never under the
  /// virtual clock.
  [[nodiscard]] const Histogram& looks() const { return looks_; }

 private:
  void looked() {
    if (look_ > Duration::zero()) looks_.add(look_);
    look_ = {};
  }
  /// Asks for what the attempt's row will need, before it is needed.
  void fetch(const TaskEnded& event) {
    if (rows_) __builtin_prefetch(&placed_[event.task.index()]);
  }
  void fetch(const auto& /*event*/) {}
  void note(const JobArrived& event);
  void note(const auto& /*event*/) {}
  void note(Time now, const Launch& launch);
  void note(Time now, const TimeOut& timeout);
  void note(Time /*now*/, const auto& /*decision*/) {}  // /scheduler counts placed tasks
  /// Which nanosecond it is, where `time` does not say.
  void note_instant(Time now, std::uint32_t round) {
    if (now <= last_exact_instant || round == instant_of_round_) return;
    instant_of_round_ = round;
    add([&] {
      return InstantRow{.time_ns = static_cast<std::uint64_t>((now - start_of_time).count()),
                        .round = round};
    });
  }
  /// The row that make() returns.
  template <class Make>
  void add(Make&& make);
  /// When an attempt was placed where, and since when it could have been.
  struct Placed {
    Time ready;
    Time placed;
    NodeId node;
  };
  [[nodiscard]] Placed placed_of(TaskId task, std::uint16_t attempt, NodeId node) const;
  /// Of an attempt that is over: one of several of its task, or one that did not finish.
  [[nodiscard]] Placed placed_of_repeated(const CompletionMessage& end);
  /// Who won where two attempts ran, and what the other one took.
  void count_backups(const CompletionMessage& end);
  /// Attempts whose end was not heard.
  void add_open();
  /// Its attempt was the first of its stage to start, or finished its last task; job_changed: the
  /// job's row has to be written in any case.
  void note_span(const CompletionMessage& end, StageId stage, bool starts, bool job_changed);
  void add_end(const CompletionMessage& end, StageId stage);
  void add_without_end(TaskId task, std::uint16_t attempt, Outcome outcome, const Placed& placed);
  void look(Time now);
  /// Whether its row has to say so now, and did not before.
  bool notices_failure(JobId job);
  void update_job(JobId job);
  void update_stage(StageId stage);

  const Workload& workload_;
  const Catalogue& catalogue_;
  const Engine& engine_;
  LogTables& tables_;
  Options options_;
  bool rows_;
  using Attempt = std::pair<TaskId, std::uint16_t>;
  std::vector<Time> placed_;            // first attempts, by task
  std::map<Attempt, Placed> later_;     // all others, until they are over
  std::map<Attempt, Placed> given_up_;  // whose end was not heard yet
  std::set<Attempt> backups_;           // that are not over
  std::set<Attempt> wasted_;            // as another one finished their task; the same
  TargetRows targets_;
  std::unordered_map<TaskId, Time> ready_again_;  // those that lost an attempt
  /// Of attempts that ran, and tasks that finished.
  struct Span {
    Time first_start = never;
    Time last_end = start_of_time;
  };
  std::vector<Span> jobs_;          // by job
  std::vector<double> finished_s_;  // by job, if progress is shown: slot-time of finished tasks
  std::vector<Span> stages_;        // by stage
  SchedulerRow scheduler_;
  std::uint32_t happened_ = 0;  // events so far
  std::uint32_t decided_ = 0;   // decisions so far
  std::uint32_t instant_of_round_ = std::numeric_limits<std::uint32_t>::max();
  Histogram lag_;
  Histogram looks_;
  Duration look_{};  // the latest in this round
  Histogram decision_;
  Duration lag_since_sample_{};
  std::chrono::steady_clock::time_point round_began_;
};

template <class Make>
void Recorder::add(Make&& make) {
  if (options_.writer != nullptr) {
    options_.writer->add_made(std::forward<Make>(make));
    return;
  }
  rows_of<std::invoke_result_t<Make>>(*options_.kept).push_back(make());
}

}  // namespace somnus
