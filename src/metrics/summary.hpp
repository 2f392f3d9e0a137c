// The closing table: what a log says in a few dozen figures, several logs side by side.
//
// Quantiles are by nearest rank: the q-quantile of n sorted values is the one at place ceil(q n),
// counted from 1. The worst 10 % of n values are the int(0.1 n) largest; of n response times in
// ascending order, those of the first 80 % are the int(0.8 n) shortest, those of the next 15 %
// follow up to place int(0.95 n), and the rest are those of the last 5 %. So each job is in one
// group, and with few jobs a group may be empty. NaN: the log does not say (printed "-", null in
// JSON).
//
// These are the figures that every run can have. What compares runs, groups jobs by user or queue,
// or counts as one paper does is in the Python package `analysis`.
#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "config/truncation.hpp"
#include "log/log.hpp"
#include "metrics/figure.hpp"
#include "metrics/summary_gangs.hpp"
#include "metrics/summary_resources.hpp"
#include "print/text_table.hpp"

namespace somnus {

struct Settings;

/// Whether a run kept up with its machine, by its log alone.
enum class Pace : std::uint8_t { exact, unknown, kept_up, outran, stalled, resumed };

template <>
struct EnumNames<Pace> {
  static constexpr std::pair<Pace, const char*> names[] = {
      {Pace::exact, "exact"},     {Pace::unknown, "not measured"},
      {Pace::kept_up, "kept up"}, {Pace::outran, "outran its machine"},
      {Pace::stalled, "stalled"}, {Pace::resumed, "not comparable"}};
};

constexpr double clock_tick_s = 1e-9;

struct Summary : GangSummary {
  std::string label;  // the log's name; may be empty
  std::string mode;
  std::string scheduler;  // the log's label
  bool complete = false;
  std::uint64_t seed = 0;
  double speed = NAN;    // of a run
  double resumed = NAN;  // how often, of a run that was

  double jobs_submitted = 0;
  double jobs_finished = 0;
  double jobs_failed = 0;
  double jobs_timed_out = 0;  // of those that failed
  double jobs_unfinished = 0;
  double tasks_submitted = 0;
  double tasks_finished = 0;
  double tasks_failed = 0;
  double tasks_unfinished = 0;
  double user_count = 0;  // with a job submitted
  double rigid_jobs = 0;  // wider than one slot
  double offered_load = NAN;

  double jobs_truncated =
      0;  // that came, and are left out of the figures down to wide_slowdown_mean
  double jobs_in_system = NAN;
  double jobs_in_system_growth = NAN;

  double response_mean_s = NAN;
  double response_p50_s = NAN;
  double response_p95_s = NAN;
  double response_p99_s = NAN;
  double response_worst_tenth_s = NAN;
  double response_0_80_mean_s = NAN;
  double response_80_95_mean_s = NAN;
  double response_95_100_mean_s = NAN;
  double jct_mean_s = NAN;
  double jct_p50_s = NAN;
  double jct_p95_s = NAN;
  double slowdown_mean = NAN;
  double slowdown_p50 = NAN;
  double slowdown_p95 = NAN;
  double slowdown_p99 = NAN;
  double slowdown_worst_tenth = NAN;
  double progress_mean = NAN;             // alone / response time (PAF, section 2)
  double progress_from_start_mean = NAN;  // alone / (finish - first start)

  double narrow_jobs = 0;
  double narrow_response_mean_s = NAN;
  double narrow_slowdown_mean = NAN;
  double medium_jobs = 0;
  double medium_response_mean_s = NAN;
  double medium_slowdown_mean = NAN;
  double wide_jobs = 0;
  double wide_response_mean_s = NAN;
  double wide_slowdown_mean = NAN;

  double makespan_s = NAN;  // first submit to last finish
  double jobs_per_minute = NAN;
  double utilisation = NAN;
  double utilisation_middle = NAN;
  double queuing_mean_s = NAN;
  double queuing_deviation_s = NAN;
  double queuing_p50_s = NAN;
  double queuing_p95_s = NAN;
  double attempts_failed = 0;
  double attempts_lost = 0;
  double attempts_returned = 0;
  double attempts_killed = 0;
  double killed_s = NAN;  // slot-time that they had
  double attempts_suspended = 0;
  double backups = NAN;  // and the next, where attempts get them
  double backups_won = NAN;
  double wasted_s = NAN;  // slot-time of attempts whose task another finished
  double warm_share = NAN;

  double lateness_p50_s = NAN;
  double lateness_p99_s = NAN;
  double lateness_max_s = NAN;
  double placement_p50_s = NAN;
  double placement_p99_s = NAN;
  double lag_p50_s = NAN;
  double lag_p99_s = NAN;
  double lag_max_s = NAN;
  double worker_late_p99_s = NAN;  // of the latest worker rank
  double worker_late_max_s = NAN;
  double latest_rank = NAN;     // by p99, rank 0 or a worker
  double decision_p50_s = NAN;  // real time, and so are the next three
  double decision_p99_s = NAN;
  double clock_uncertainty_s = NAN;
  double silent_max_s = NAN;  // where some rank was silent for remarkably long
  double most_silent_rank = NAN;
  double intended_p50_s = NAN;
  double safe_speed = NAN;  // only of a run that outran its machine, and had no silent rank

  std::uint64_t jobs = 0;                  // of the workload, submitted or not
  bool measured = false;                   // how late its ranks were; not of a run that was killed
  double silent_at_s = NAN;                // where that silence began, as its rank's tasks show
  double resumed_at_s = NAN;               // the first time
  std::string most_loaded;                 // the kind that the offered load is of
  std::vector<ResourceSummary> resources;  // where they count

  static constexpr auto fields() {
    using S = Summary;
    constexpr auto* less = figure<Better::less, Over::run>;
    constexpr auto* more = figure<Better::more, Over::run>;
    constexpr auto* neither = figure<Better::neither, Over::run>;
    constexpr auto* jobs_less = figure<Better::less, Over::jobs>;
    constexpr auto* jobs_more = figure<Better::more, Over::jobs>;
    return in_order(
        headline(neither("speed", &S::speed, "x", "speed")),
        headline(neither("resumed", &S::resumed, "1", "cut off and resumed, times")),
        headline(neither("jobs_submitted", &S::jobs_submitted, "1", "jobs submitted")),
        headline(more("jobs_finished", &S::jobs_finished, "1", "  = finished")),
        headline(trivial_up_to(0, less("jobs_failed", &S::jobs_failed, "1", "  + failed"))),
        headline(trivial_up_to(
            0, less("jobs_timed_out", &S::jobs_timed_out, "1", "    of these at their limit"))),
        headline(
            trivial_up_to(0, less("jobs_unfinished", &S::jobs_unfinished, "1", "  + unfinished"))),
        neither("tasks_submitted", &S::tasks_submitted, "1", "tasks submitted"),
        more("tasks_finished", &S::tasks_finished, "1", "  = finished"),
        trivial_up_to(0, less("tasks_failed", &S::tasks_failed, "1", "  + of failed jobs")),
        trivial_up_to(0, less("tasks_unfinished", &S::tasks_unfinished, "1", "  + unfinished")),
        trivial_up_to(1, neither("user_count", &S::user_count, "1", "users")),
        headline(trivial_up_to(
            0, neither("rigid_jobs", &S::rigid_jobs, "1", "rigid jobs, run as independent tasks"))),
        headline(trivial_up_to(
            0, neither("jobs_with_gangs", &S::jobs_with_gangs, "1", "jobs with gangs"))),
        trivial_up_to(0, neither("widest_gang", &S::widest_gang, "1", "  tasks of the widest")),
        headline(trivial_up_to(1, neither("offered_load", &S::offered_load, "x", "offered load"))),
        less("jobs_in_system", &S::jobs_in_system, "x", "jobs in the system, while jobs come"),
        less("jobs_in_system_growth", &S::jobs_in_system_growth, "x",
             "  from the second third to the last"),
        trivial_up_to(0, neither("jobs_truncated", &S::jobs_truncated, "1",
                                 "jobs left out of the next as transient")),
        headline(jobs_less("response_mean_s", &S::response_mean_s, "s", "response time, mean")),
        headline(jobs_less("response_p50_s", &S::response_p50_s, "s", "  median")),
        headline(jobs_less("response_p95_s", &S::response_p95_s, "s", "  p95")),
        headline(jobs_less("response_p99_s", &S::response_p99_s, "s", "  p99")),
        jobs_less("response_worst_tenth_s", &S::response_worst_tenth_s, "s",
                  "  mean of the worst 10 %"),
        jobs_less("response_0_80_mean_s", &S::response_0_80_mean_s, "s",
                  "  mean of the fastest 80 %"),
        jobs_less("response_80_95_mean_s", &S::response_80_95_mean_s, "s",
                  "  mean of the next 15 %"),
        jobs_less("response_95_100_mean_s", &S::response_95_100_mean_s, "s",
                  "  mean of the slowest 5 %"),
        headline(jobs_less("wait_mean_s", &S::wait_mean_s, "s", "wait for the first start, mean")),
        jobs_less("wait_p50_s", &S::wait_p50_s, "s", "  median"),
        headline(jobs_less("wait_p95_s", &S::wait_p95_s, "s", "  p95")),
        less("wait_max_s", &S::wait_max_s, "s", "  longest"),
        headline(jobs_less("bounded_slowdown_mean", &S::bounded_slowdown_mean, "x",
                           "bounded slowdown (10 s), mean")),
        jobs_less("bounded_slowdown_p95", &S::bounded_slowdown_p95, "x", "  p95"),
        neither("overtaking", &S::overtaking, "%", "jobs that overtook another"),
        more("reservations_kept", &S::reservations_kept, "%", "started by their first reservation"),
        jobs_less("jct_mean_s", &S::jct_mean_s, "s", "completion from first start, mean"),
        jobs_less("jct_p50_s", &S::jct_p50_s, "s", "  median"),
        jobs_less("jct_p95_s", &S::jct_p95_s, "s", "  p95"),
        headline(
            jobs_less("slowdown_mean", &S::slowdown_mean, "x", "slowdown against alone, mean")),
        headline(jobs_less("narrow_slowdown_mean", &S::narrow_slowdown_mean, "x",
                           "  of jobs of 1-10 tasks")),
        headline(jobs_less("medium_slowdown_mean", &S::medium_slowdown_mean, "x",
                           "  of jobs of 11-50 tasks")),
        headline(jobs_less("wide_slowdown_mean", &S::wide_slowdown_mean, "x",
                           "  of jobs of more than 50 tasks")),
        jobs_less("slowdown_p50", &S::slowdown_p50, "x", "  median of all"),
        jobs_less("slowdown_p95", &S::slowdown_p95, "x", "  p95"),
        jobs_less("slowdown_p99", &S::slowdown_p99, "x", "  p99"),
        jobs_less("slowdown_worst_tenth", &S::slowdown_worst_tenth, "x",
                  "  mean of the worst 10 %"),
        jobs_more("progress_mean", &S::progress_mean, "%", "progress rate, mean"),
        jobs_more("progress_from_start_mean", &S::progress_from_start_mean, "%",
                  "  counted from the first start"),
        trivial_up_to(0, more("narrow_jobs", &S::narrow_jobs, "1", "jobs of 1-10 tasks, finished")),
        jobs_less("narrow_response_mean_s", &S::narrow_response_mean_s, "s",
                  "  mean response time"),
        trivial_up_to(0,
                      more("medium_jobs", &S::medium_jobs, "1", "jobs of 11-50 tasks, finished")),
        jobs_less("medium_response_mean_s", &S::medium_response_mean_s, "s",
                  "  mean response time"),
        trivial_up_to(
            0, more("wide_jobs", &S::wide_jobs, "1", "jobs of more than 50 tasks, finished")),
        jobs_less("wide_response_mean_s", &S::wide_response_mean_s, "s", "  mean response time"),
        headline(less("makespan_s", &S::makespan_s, "s", "makespan")),
        more("jobs_per_minute", &S::jobs_per_minute, "1/min", "jobs finished a minute"),
        headline(neither("utilisation", &S::utilisation, "%", "cluster in use, over the makespan")),
        neither("utilisation_middle", &S::utilisation_middle, "%", "  in its middle 80 %"),
        neither("held", &S::held, "%", "  held, by gangs until their last end"),
        headline(less("capacity_lost", &S::capacity_lost, "%", "  free while jobs waited")),
        less("queuing_mean_s", &S::queuing_mean_s, "s", "wait in a node's queue, mean"),
        less("queuing_deviation_s", &S::queuing_deviation_s, "s", "  standard deviation"),
        less("queuing_p50_s", &S::queuing_p50_s, "s", "  median"),
        less("queuing_p95_s", &S::queuing_p95_s, "s", "  p95"),
        headline(
            trivial_up_to(0, less("attempts_failed", &S::attempts_failed, "1", "attempts failed"))),
        headline(trivial_up_to(
            0, less("attempts_lost", &S::attempts_lost, "1", "attempts lost with their node"))),
        trivial_up_to(0, neither("attempts_returned", &S::attempts_returned, "1",
                                 "attempts returned by rebalancing")),
        trivial_up_to(0, less("attempts_killed", &S::attempts_killed, "1", "attempts killed")),
        less("killed_s", &S::killed_s, "s", "  slot-time that they had"),
        trivial_up_to(
            0, neither("attempts_suspended", &S::attempts_suspended, "1", "attempts suspended")),
        neither("backups", &S::backups, "1", "backups of attempts that took long"),
        neither("backups_won", &S::backups_won, "1", "  that finished their task"),
        less("wasted_s", &S::wasted_s, "s", "  slot-time of attempts that lost"),
        more("warm_share", &S::warm_share, "%", "attempts on a warm slot"),
        headline(trivial_up_to(clock_tick_s, less("lateness_p50_s", &S::lateness_p50_s, "s",
                                                  "task lateness, median"))),
        headline(trivial_up_to(
            clock_tick_s, less("lateness_p99_s", &S::lateness_p99_s, "s", "task lateness, p99"))),
        trivial_up_to(clock_tick_s,
                      less("lateness_max_s", &S::lateness_max_s, "s", "task lateness, largest")),
        trivial_up_to(clock_tick_s, less("placement_p50_s", &S::placement_p50_s, "s",
                                         "placed to started, median")),
        trivial_up_to(clock_tick_s,
                      less("placement_p99_s", &S::placement_p99_s, "s", "placed to started, p99")),
        headline(less("lag_p50_s", &S::lag_p50_s, "s", "lag of rank 0, median")),
        headline(less("lag_p99_s", &S::lag_p99_s, "s", "  p99")),
        less("lag_max_s", &S::lag_max_s, "s", "  largest"),
        less("worker_late_p99_s", &S::worker_late_p99_s, "s", "lag of the latest worker, p99"),
        less("worker_late_max_s", &S::worker_late_max_s, "s", "  largest of any"),
        neither("latest_rank", &S::latest_rank, "1", "rank with the largest lag, by p99"),
        less("decision_p50_s", &S::decision_p50_s, "s", "round of decisions, median"),
        less("decision_p99_s", &S::decision_p99_s, "s", "  p99"),
        less("clock_uncertainty_s", &S::clock_uncertainty_s, "s", "clock uncertainty of ranks"),
        less("silent_max_s", &S::silent_max_s, "s", "longest silence of a rank"),
        neither("most_silent_rank", &S::most_silent_rank, "1", "  of which rank"),
        neither("intended_p50_s", &S::intended_p50_s, "s", "median task, as intended"),
        neither("safe_speed", &S::safe_speed, "x", "outran its machine; safe speed"));
  }

  [[nodiscard]] bool conserved() const {
    return jobs_submitted == jobs_finished + jobs_failed + jobs_unfinished &&
           tasks_submitted == tasks_finished + tasks_failed + tasks_unfinished;
  }
  /// Some rank was later than 1 % of the median task, in 1 % of what it did.
  [[nodiscard]] bool outran() const { return !std::isnan(safe_speed); }
  [[nodiscard]] Pace pace() const {
    if (mode != "run") return Pace::exact;
    if (!std::isnan(resumed)) return Pace::resumed;
    if (!std::isnan(silent_max_s)) return Pace::stalled;
    if (outran()) return Pace::outran;
    return measured && intended_p50_s > 0 ? Pace::kept_up : Pace::unknown;
  }
};

/// A few sentences: what the log says of the run's pace, and what to do about it.
[[nodiscard]] std::string pace_in_words(const Summary& summary);

/// Response time: finish - submit, of finished jobs; completion from first start: finish -
/// first_start, as papers on worker queues count it. Slowdown: response time / the job's time
/// alone. Utilisation: what nodes measured, the time that attempts had a slot / (slots x makespan);
/// attempts that the run's end cut off count as nothing, as no node has reported their start. In
/// a cluster without slots: that of the kind of resources that is used most. Wait in a node's
/// queue: start - queued, of attempts that started; NaN if none ever waited. Offered load: of all
/// jobs, also those that a run did not get to (model/offered_load.hpp); NaN if all come at once or
/// some follow others. Jobs in the system: metrics/transient.hpp.
[[nodiscard]] Summary summarise(const Log& log, std::string label);
/// The same of a run with these settings: its config need not be read again. Response times,
/// slowdowns and progress rates are without the jobs of the transient.
[[nodiscard]] Summary summarise(const Log& log, std::string label, const Settings& settings,
                                const Truncation& truncation = {});

enum class Rows : std::uint8_t { headlines, all };

/// One column a log, one line a figure in the same unit; lines that no log can fill are left out,
/// and so are those that are trivial in all logs: counts of what never happened, the number of
/// users if all have one, loads that the cluster can do, the lateness of a simulation. Below them,
/// what none of it should be read without: rigid jobs, a load above 1, who outran its machine and
/// which rank fell silent.
[[nodiscard]] std::string to_text(std::span<const Summary> summaries, Rows rows,
                                  std::size_t width = usual_width);
/// One line a kind of resources and log, and below them which kind binds. Empty if only slots count
/// in all logs.
[[nodiscard]] std::string resources_to_text(std::span<const Summary> summaries);
/// An array of objects; names end in their unit, times are in seconds. Each has its `resources` if
/// they count.
[[nodiscard]] nlohmann::json to_json(std::span<const Summary> summaries);

}  // namespace somnus
