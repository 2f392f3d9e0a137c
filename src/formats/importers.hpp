// Workloads in other people's formats. Every reader takes plain or gzip files, reports all mistakes
// at once, and shifts submits so that the first job comes at 0 s.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/describe.hpp"
#include "base/error.hpp"
#include "model/workload.hpp"
#include "text/text_file.hpp"

namespace somnus {

/// The .tr format of the Sparrow, Hawk and Eagle simulators, one job a line, all in seconds:
/// submit, number of tasks n, mean task duration, d_1 ... d_n. The mean is checked to be a number
/// and otherwise ignored. Jobs are named "0", "1", ... by line and put in order of submit.
[[nodiscard]] Checked<WorkloadSpec> read_tr(const std::filesystem::path& path);
[[nodiscard]] Checked<WorkloadSpec> parse_tr(const TextFile& file);

struct CarbyneOptions {
  double interarrival_s = 0;

  static constexpr auto fields() {
    return in_order(field("interarrival_s", &CarbyneOptions::interarrival_s, "s",
                          "between the submits of two DAGs whose headers give none",
                          Range{.low = 0, .high = 1e5}));
  }
};

/// The query DAGs of the Carbyne simulator, blank separated; '#' begins a comment between DAGs:
///     stages id [arrival [queue]]
///     name duration r1 r2 r3 r4 r5 r6 tasks       one line a stage; s, shares of a machine
///     edges
///     parent child kind                           one line an edge; the kind is not looked at
/// A DAG is a job named by its id. Demands are of cpu, mem, io1, io2, io3 and io4. Where two stages
/// of a DAG have one name (BigBench's query 7 in queries_bb), edges mean the last; the other stands
/// alone.
[[nodiscard]] Checked<WorkloadSpec> read_carbyne(const std::filesystem::path& path,
                                                 const CarbyneOptions& options = {});
[[nodiscard]] Checked<WorkloadSpec> parse_carbyne(const TextFile& file,
                                                  const CarbyneOptions& options = {});

struct GoogleUwfqOptions {
  double scale = 20;
  double filter = 5;
  bool chain = true;
  double load_s = 0.1;
  double collect_s = 0.02;
  bool name_users = true;
  double estimate_factor = 1;

  static constexpr auto fields() {
    using O = GoogleUwfqOptions;
    constexpr Range time{.low = 0, .high = 1e5};
    return in_order(
        field("scale", &O::scale, "1",
              "core-seconds a core-second of the trace; the paper's 20, 2 for hetero",
              Range{.low = 1e-6, .high = 1e6}),
        field("filter", &O::filter, "1",
              "jobs of that many times the median work are left out; 0: none is; the paper's text "
              "says 10, its runs had 5",
              Range{.low = 0, .high = 1e9}),
        field("chain", &O::chain, "",
              "true: a row is a chain load, divisible work, collect; false: a task"),
        field("load_s", &O::load_s, "s", "the one task before each chain's work", time),
        field("collect_s", &O::collect_s, "s", "the one task after it", time),
        field("name_users", &O::name_users, "",
              "true: users are user_1, user_2, ... by first row; false: hashes"),
        field("estimate_factor", &O::estimate_factor, "1",
              "a job's estimate is that many times its slot-time; 1: none is given; what the "
              "authors' estimator said came to about 3.6",
              Range{.low = 1e-6, .high = 1e3}));
  }
};

/// The UWFQ paper's windows of the Google trace (macro_benchmarks_*.csv, one row a task). A
/// workflow is a job. A row that asked for a share a of the largest machine for r seconds is a
/// sub-job of r * a * scale core-seconds (policies: 3.9). With `chain` it becomes what the paper's
/// Spark ran, a SparkChain of that much work, beside the job's others; else a one-slot task of that
/// many seconds in the job's one stage. Users are user_1, user_2, ... in the order of their first
/// rows, as the authors number them: also users whose jobs are all left out have a number.
[[nodiscard]] Checked<WorkloadSpec> read_google_uwfq(const std::filesystem::path& path,
                                                     const GoogleUwfqOptions& options = {});
[[nodiscard]] Checked<WorkloadSpec> parse_google_uwfq(const TextFile& file,
                                                      const GoogleUwfqOptions& options = {});

struct Alibaba2018Options {
  bool skip_broken = false;
  std::uint32_t jobs = 0;

  static constexpr auto fields() {
    using O = Alibaba2018Options;
    return in_order(
        field("skip_broken", &O::skip_broken, "",
              "true: jobs with a row that can't be used are left out; false: each is a mistake"),
        field("jobs", &O::jobs, "1", "the first so many by submit; 0: all",
              Range{.low = 0, .high = 1e9}));
  }
};

/// Alibaba's cluster-trace-v2018, batch_task.csv: one row a task of so many instances, its columns
///     task_name,instance_num,job_name,task_type,status,start_time,end_time,plan_cpu,plan_mem
/// without a first line that names them, or with one, which may then have them in any order and
/// others beside. A job's rows may stand anywhere. A row becomes a stage of instance_num equal
/// tasks, each of mean_instance_duration_s where such a column says so, else of end - start; a task
/// demands plan_cpu / 100 of cpu, in cores, and plan_mem of mem, which the trace gives on a scale
/// of its own from 0 to 100. A job is submitted when its first task starts: the trace says nothing
/// else.
///
/// The name has the DAG: R4_2_3 is task 4, after 2 and 3; the letters are its kind and not looked
/// at, nor are pieces that begin with a letter, such as the Stg8 of M1_Stg8. A task whose name does
/// not begin with letters and a number, such as MergeTask or task_Nzg3, stands alone.
///
/// The trace has rows that can't be used: tasks that failed or still run, without plan_cpu, parents
/// that are not in the job, numbers twice, cycles. Each is a mistake, or with `skip_broken` leaves
/// out its job, since the rest of a DAG is another DAG; the workload's name then says how many.
[[nodiscard]] Checked<WorkloadSpec> read_alibaba2018(const std::filesystem::path& path,
                                                     const Alibaba2018Options& options = {});
[[nodiscard]] Checked<WorkloadSpec> parse_alibaba2018(const TextFile& file,
                                                      const Alibaba2018Options& options = {});
/// By the first line.
[[nodiscard]] bool looks_alibaba2018(std::string_view text);

struct DecimaOptions {
  std::uint32_t executors = 0;
  std::uint64_t seed = 1;
  double warmup_delay_s = 1;
  double interarrival_s = 0;

  static constexpr auto fields() {
    using O = DecimaOptions;
    return in_order(
        field("executors", &O::executors, "1",
              "durations as measured with that many, or the next fewer that a stage has, or else "
              "its fewest; 0: its fewest",
              Range{.low = 0, .high = 1e9}),
        field("seed", &O::seed, "1", "of the draws of durations"),
        field("warmup_delay_s", &O::warmup_delay_s, "s",
              "what a fresh executor adds where none was measured", Range{.low = 0, .high = 1e5}),
        field("interarrival_s", &O::interarrival_s, "s", "between the submits of two DAGs",
              Range{.low = 0, .high = 1e5}));
  }
};

/// Decima's measured TPC-H runs on Spark as JSON Lines, one query at one input size a line:
///     {"query": 7, "size_gb": 50, "num_stages": S, "stages": [{"stage": 0, "num_tasks": n,
///       "parents": [...], "spark_stage_id": [...],
///       "executors": {"20": {"fresh": [ms ...], "first": [ms ...], "rest": [ms ...]}, ...}}, ...]}
/// `rest` are durations of tasks after the first wave on that many executors, `first` those of the
/// first wave, and `fresh` those of `first` whose executor had run nothing of the query. A line is
/// a job, q7-50g. Each of a stage's num_tasks tasks has durations (from rest), first (from first
/// without fresh) and fresh: one draw says at which share of each list, in order, they stand. As in
/// Decima's simulator an empty first is that of fewer executors, else fresh; an empty rest is
/// first; an empty fresh is first and warmup_delay_s more.
[[nodiscard]] Checked<WorkloadSpec> read_decima(const std::filesystem::path& path,
                                                const DecimaOptions& options = {});
[[nodiscard]] Checked<WorkloadSpec> parse_decima(const TextFile& file,
                                                 const DecimaOptions& options = {});
/// By the first line.
[[nodiscard]] bool looks_decima(std::string_view text);

struct SwfOptions {
  bool skip_broken = false;
  bool estimates = true;
  double from_day = 0;
  double until_day = 0;
  std::uint32_t jobs = 0;

  static constexpr auto fields() {
    using O = SwfOptions;
    constexpr Range of_a_log{.low = 0, .high = 1e5};
    return in_order(
        field("skip_broken", &O::skip_broken, "",
              "true: jobs without a run time or processors, which never ran, are left out; false: "
              "each is a mistake"),
        field("estimates", &O::estimates, "",
              "true: a job's estimate is its requested time x its processors, where it has one"),
        field("from_day", &O::from_day, "d",
              "leaves out jobs submitted before that day of the log, which begins with day 0",
              of_a_log),
        field("until_day", &O::until_day, "d",
              "leaves out jobs submitted from that day on; 0: none", of_a_log),
        field("jobs", &O::jobs, "1", "the first so many of those by submit; 0: all",
              Range{.low = 0, .high = 1e9}));
  }
};

/// The Standard Workload Format of the Parallel Workloads Archive: 18 columns of numbers a line, -1
/// for what is not known; ';' begins a comment. A line is a job of one stage, with a task for each
/// processor that it was allocated, or where that is -1 requested, and each of its run time. Users,
/// queues and executables (apps) are named by their numbers: user_3, queue_1, app_7; -1 is
/// "default", or an app of the job's own. Lines with a status of 2, 3 or 4 are parts of a run that
/// another line has whole, and not looked at. How long a job waited, what memory it used and which
/// job it followed is not looked at either. Where a comment says MaxProcs, so does the workload's
/// name. Logs are often longer than a workload can be, 8,300,000 s: from_day and until_day cut
/// them.
[[nodiscard]] Checked<WorkloadSpec> read_swf(const std::filesystem::path& path,
                                             const SwfOptions& options = {});
[[nodiscard]] Checked<WorkloadSpec> parse_swf(const TextFile& file, const SwfOptions& options = {});
/// By the comments before the first job, or its columns.
[[nodiscard]] bool looks_swf(std::string_view text);

enum class CsvSeparator { detected, comma, semicolon, tab, bar };
template <>
struct EnumNames<CsvSeparator> {
  static constexpr std::pair<CsvSeparator, const char*> names[] = {{CsvSeparator::detected, "auto"},
                                                                   {CsvSeparator::comma, ","},
                                                                   {CsvSeparator::semicolon, ";"},
                                                                   {CsvSeparator::tab, "tab"},
                                                                   {CsvSeparator::bar, "|"}};
};

enum class CsvRows { job, task };
template <>
struct EnumNames<CsvRows> {
  static constexpr std::pair<CsvRows, const char*> names[] = {{CsvRows::job, "job"},
                                                              {CsvRows::task, "task"}};
};

struct CsvOptions {
  CsvRows rows = CsvRows::job;
  std::string submit;
  std::string duration;
  std::string tasks;
  std::string job;
  std::string user;
  std::string queue;
  std::string app;
  std::string weight;
  std::string estimate;
  std::string stage;
  std::string parents;
  std::map<std::string, std::string> demand;
  CsvSeparator delimiter = CsvSeparator::detected;
  bool header = true;
  bool rigid = false;
  bool skip_broken = false;

  static constexpr auto fields() {
    using O = CsvOptions;
    return in_order(
        field("rows", &O::rows, "", "what a row is; those of tasks have their job's name in `job`"),
        field("submit", &O::submit, "s", "column of when the job comes, a number or a date"),
        field("duration", &O::duration, "s", "column of how long each of the row's tasks takes"),
        field("tasks", &O::tasks, "1", "column of how many tasks the row has; none: one"),
        field("job", &O::job, "", "column of the job's name; none: 0, 1, ... by row"),
        field("user", &O::user, "", "column"), field("queue", &O::queue, "", "column"),
        field("app", &O::app, "", "column"), field("weight", &O::weight, "1", "column"),
        field("estimate", &O::estimate, "slot-s", "column of the slot-time that a profile says"),
        field("stage", &O::stage, "", "column of the stage's number; only of rows of tasks"),
        field("parents", &O::parents, "",
              "column of the numbers of the stages before it, with blanks between"),
        field("demand", &O::demand, "", "column of what a task demands, by kind: demand.cpu"),
        field("delimiter", &O::delimiter, "", "between cells; auto: detected from the first line"),
        field("header", &O::header, "",
              "true: the first row names the columns; false: they are 1, 2, ..."),
        field("rigid", &O::rigid, "",
              "true: where they ran, jobs held all their CPUs at once, as in a batch system"),
        field("skip_broken", &O::skip_broken, "",
              "true: jobs with a row that can't be used are left out; false: each is a mistake"));
  }
};

/// Any table of separated cells, quoted as in RFC 4180, with what its columns are said in words
/// (CsvColumns): `runtime/1000`, `end - start`, `=4`. A row is a job of one stage with so many
/// tasks that take as long, or with `rows` = "task" a part of the job of that name, whose submit is
/// that of its first row in time. Rows of a job that have other demands are stages of their own,
/// side by side, unless `stage` and `parents` say what the job's stages are.
[[nodiscard]] Checked<WorkloadSpec> read_csv(const std::filesystem::path& path,
                                             const CsvOptions& options);
[[nodiscard]] Checked<WorkloadSpec> parse_csv(const TextFile& file, const CsvOptions& options);
/// By its first two rows, which are as long. Many files of other formats look so, too.
[[nodiscard]] bool looks_csv(std::string_view text);

struct SacctOptions {
  bool skip_broken = false;
  bool estimates = true;
  std::uint32_t jobs = 0;

  static constexpr auto fields() {
    using O = SacctOptions;
    return in_order(
        field("skip_broken", &O::skip_broken, "",
              "true: jobs with a row that can't be used are left out; false: each is a mistake"),
        field("estimates", &O::estimates, "",
              "true: a job's estimate is its time limit x its CPUs, where it has one"),
        field("jobs", &O::jobs, "1", "the first so many by submit; 0: all",
              Range{.low = 0, .high = 1e9}));
  }
};

/// What Slurm's `sacct --parsable2` (or --parsable) writes: cells between bars, under a first line
/// that names the fields, in any order. It needs
///     JobID, Submit, ElapsedRaw or Elapsed or Start and End, AllocCPUS or NCPUS
/// and takes User, Partition (queue), JobName (app), State and TimelimitRaw or Timelimit. A job is
/// one stage, with a task for each CPU that takes as long as the job ran. Its steps
/// (JobID 17.batch) are not looked at; each job of an array, 17_4, is one. Jobs that never started
/// or have not ended are left out, and the workload's name says how many.
[[nodiscard]] Checked<WorkloadSpec> read_sacct(const std::filesystem::path& path,
                                               const SacctOptions& options = {});
[[nodiscard]] Checked<WorkloadSpec> parse_sacct(const TextFile& file,
                                                const SacctOptions& options = {});
/// By the first line.
[[nodiscard]] bool looks_sacct(std::string_view text);

struct WtaOptions {
  bool skip_broken = false;
  bool demands = false;
  std::uint32_t jobs = 0;

  static constexpr auto fields() {
    using O = WtaOptions;
    return in_order(
        field("skip_broken", &O::skip_broken, "",
              "true: workflows with a row that can't be used are left out; false: each is a "
              "mistake"),
        field("demands", &O::demands, "",
              "true: a task demands its resource_amount_requested of cpu; false: a slot"),
        field("jobs", &O::jobs, "1", "the first so many workflows by submit; 0: all",
              Range{.low = 0, .high = 1e9}));
  }
};

/// The Workflow Trace Archive's table of tasks, as Parquet: one file, or a folder with several
/// parts, which may be that of a whole trace. A workflow is a job, submitted with its first task; a
/// task is a stage of one task, 0, 1, ... in the order of rows, that takes `runtime` milliseconds
/// and waits for its `parents`. In messages a row is a line.
[[nodiscard]] Checked<WorkloadSpec> read_wta(const std::filesystem::path& path,
                                             const WtaOptions& options = {});
[[nodiscard]] Checked<WorkloadSpec> parse_wta(const TextFile& file, const WtaOptions& options = {});
[[nodiscard]] bool is_wta_folder(const std::filesystem::path& path);

}  // namespace somnus
