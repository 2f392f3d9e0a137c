// Workloads as workflow managers, data systems and their simulators record them. They are read as
// those of importers.hpp are.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "base/describe.hpp"
#include "base/error.hpp"
#include "model/workload.hpp"
#include "text/text_file.hpp"

namespace somnus {

enum class WfMerge { alike, parents, none };
template <>
struct EnumNames<WfMerge> {
  static constexpr std::pair<WfMerge, const char*> names[] = {
      {WfMerge::alike, "alike"}, {WfMerge::parents, "parents"}, {WfMerge::none, "none"}};
};

struct WfFormatOptions {
  WfMerge merge = WfMerge::alike;

  static constexpr auto fields() {
    return in_order(field("merge", &WfFormatOptions::merge, "",
                          "tasks of a kind that are one stage: those with the same parents and "
                          "children, with the same parents, or none"));
  }
};

/// WfCommons' WfFormat, JSON of schemaVersion 1.5, or 1.4, whose tasks have all in one place: the
/// file is one workflow, which becomes one job with submit 0. Of a task it needs id, parents and
/// runtimeInSeconds [s], and takes coreCount (else 1) and memoryInBytes (else 0); command.program,
/// or else its name without the number at the end, says what kind it is.
///
/// Tasks of one kind with the same parents and the same children become one stage, since nothing
/// distinguishes them: which task waits for which stays as it is. With `merge` = parents they
/// need not have the same children, which then wait for all of the stage. A stage demands cpu
/// [cores] and mem_gb [1e9 bytes], of each the most that one of its tasks had.
[[nodiscard]] Checked<WorkloadSpec> parse_wfformat(const TextFile& file,
                                                   const WfFormatOptions& options = {});
/// By its keys.
[[nodiscard]] bool looks_wfformat(std::string_view text);

struct SwimOptions {
  double map_bytes = 67108864;
  double map_bytes_per_s = 5e6;
  double reduce_bytes = 1e9;
  double reduce_bytes_per_s = 2e7;
  double task_s = 1;
  std::uint32_t jobs = 0;

  static constexpr auto fields() {
    using O = SwimOptions;
    constexpr Range bytes{.low = 1, .high = 1e18};
    return in_order(
        field("map_bytes", &O::map_bytes, "bytes", "that a map task handles at most", bytes),
        field("map_bytes_per_s", &O::map_bytes_per_s, "bytes/s", "that a map task handles", bytes),
        field("reduce_bytes", &O::reduce_bytes, "bytes", "that a reduce task handles at most",
              bytes),
        field("reduce_bytes_per_s", &O::reduce_bytes_per_s, "bytes/s", "that a reduce task handles",
              bytes),
        field("task_s", &O::task_s, "s", "what each task takes besides",
              Range{.low = 0, .high = 1e5}),
        field("jobs", &O::jobs, "1", "the first so many by submit; 0: all",
              Range{.low = 0, .high = 1e9}));
  }
};

/// SWIM's samples of Facebook's Hadoop clusters (Chen, Ganapathi, Griffith, Katz: The Case for
/// Evaluating MapReduce Performance Using Workload Suites, MASCOTS 2011), a job a line, with tabs
/// between:
///     name, submit [s], seconds since the one before, bytes of map input, of shuffle, of output
/// and perhaps paths, which are not looked at. What tasks there were and how long they took is not
/// in it: that is a model, not measured. Maps handle the input, and where there is no shuffle the
/// output; else reduces follow all maps, and handle shuffle and output. There are as few equal
/// tasks of each as can be, at least one, that handle no more than map_bytes or reduce_bytes; each
/// takes task_s and its bytes at the rate.
[[nodiscard]] Checked<WorkloadSpec> parse_swim(const TextFile& file,
                                               const SwimOptions& options = {});
/// By the first line.
[[nodiscard]] bool looks_swim(std::string_view text);

struct Google2011Options {
  std::uint32_t jobs = 0;

  static constexpr auto fields() {
    return in_order(field("jobs", &Google2011Options::jobs, "1",
                          "the first so many by submit; 0: all", Range{.low = 0, .high = 1e9}));
  }
};

/// Google's cluster data of 2011, rows of task_events in order of time, 13 cells without a first
/// line of names; lines that begin with '#' are not looked at. A task, which is a job's number and
/// an index, takes the time from its last SCHEDULE to FINISH, and demands cpu and mem, as shares of
/// the largest machine, as its last row before says. A job comes with the first SUBMIT of its
/// tasks. Tasks that never finished, or began before the trace (time 0), are left out, and the
/// workload's name says how many. Tasks of a job that demand the same are a stage. Priorities are
/// queues, priority_9.
[[nodiscard]] Checked<WorkloadSpec> parse_google2011(const TextFile& file,
                                                     const Google2011Options& options = {});
/// By the first row.
[[nodiscard]] bool looks_google2011(std::string_view text);

/// The input of YARN's Scheduler Load Simulator: JSON objects one behind the other, each a job with
/// job.tasks, and job.id, job.user, job.queue.name, job.start.ms and job.count where it has them. A
/// task is `count` containers of duration.ms, or container.end.ms - container.start.ms, that demand
/// container.vcores of cpu (else 1) and container.memory / 1024 of mem_gb (else 1, as there).
/// Containers of one container.type and demand are a stage; where am.type is mapreduce or not
/// given, those of type reduce wait for all of type map.
[[nodiscard]] Checked<WorkloadSpec> parse_sls(const TextFile& file);
/// By its keys.
[[nodiscard]] bool looks_sls(std::string_view text);

struct SparkOptions {
  bool one_job = false;
  bool cold = false;

  static constexpr auto fields() {
    using O = SparkOptions;
    return in_order(
        field("one_job", &O::one_job, "",
              "true: the application is one job; false: each of its Spark jobs is one"),
        field("cold", &O::cold, "",
              "true: first tasks of executors say what tasks take there, for [jvm] model = "
              "\"measured\"; false: each takes what it took"));
  }
};

/// A Spark application's event log, JSON Lines (spark.eventLog.enabled, not compressed but by
/// gzip). Of its events it reads SparkListenerApplicationStart, JobStart, JobEnd, StageSubmitted
/// and TaskEnd. A task takes Finish Time - Launch Time of an attempt that succeeded; others are
/// left out, and the workload's name says how many. A stage is of the first job that lists it;
/// stages that never ran, as their output was there, are left out. A job's user and app are the
/// application's, its queue is spark.scheduler.pool. With `one_job` a Spark job's first stages wait
/// for the last of the job that ended last before it came. With `cold` a task that was launched on
/// an executor before any task ended there is fresh, before any of its stage first
/// (measured_times.hpp).
[[nodiscard]] Checked<WorkloadSpec> parse_spark(const TextFile& file,
                                                const SparkOptions& options = {});
/// By the first line.
[[nodiscard]] bool looks_spark(std::string_view text);

}  // namespace somnus
