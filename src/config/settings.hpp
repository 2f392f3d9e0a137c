// A config's settings, checked and complete: one struct a table, each key described once.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/describe.hpp"
#include "base/error.hpp"
#include "base/parameters.hpp"
#include "config/fault_settings.hpp"
#include "config/limit_settings.hpp"
#include "config/speculation_settings.hpp"
#include "model/cluster.hpp"
#include "model/limits.hpp"
#include "queueing/rules.hpp"
#include "scheduler/registry.hpp"
#include "warmup/warmup.hpp"
#include "workload/shape.hpp"

namespace somnus {

enum class EstimateModel { exact, uniform, naive, stage_mean, given };
template <>
struct EnumNames<EstimateModel> {
  static constexpr std::pair<EstimateModel, const char*> names[] = {
      {EstimateModel::exact, "exact"},
      {EstimateModel::uniform, "uniform"},
      {EstimateModel::naive, "naive"},
      {EstimateModel::stage_mean, "stage-mean"},
      {EstimateModel::given, "given"}};
};

enum class HeartbeatPhase { random, aligned };
template <>
struct EnumNames<HeartbeatPhase> {
  static constexpr std::pair<HeartbeatPhase, const char*> names[] = {
      {HeartbeatPhase::random, "random"}, {HeartbeatPhase::aligned, "aligned"}};
};

enum class ExecutorKind { timer, thread };
template <>
struct EnumNames<ExecutorKind> {
  static constexpr std::pair<ExecutorKind, const char*> names[] = {
      {ExecutorKind::timer, "timer"}, {ExecutorKind::thread, "thread"}};
};

enum class Poll { automatic, spin, sleep };
template <>
struct EnumNames<Poll> {
  static constexpr std::pair<Poll, const char*> names[] = {
      {Poll::automatic, "auto"}, {Poll::spin, "spin"}, {Poll::sleep, "sleep"}};
};

enum class OnSilence { end, wait };
template <>
struct EnumNames<OnSilence> {
  static constexpr std::pair<OnSilence, const char*> names[] = {{OnSilence::end, "end"},
                                                                {OnSilence::wait, "wait"}};
};

/// [scheduler]: a preset with any part exchanged, resolved to parts and their parameters.
struct SchedulerSettings {
  static constexpr Range range_of_cycle{.low = 0, .high = 1e6};

  std::string policy;  // the preset; empty if composed from parts alone
  std::string order;
  std::string within;
  std::string backfill;
  std::string preemption;
  std::string placement;
  std::string feedback;
  std::string queue;
  std::string partitioner;
  double cycle_s = 0;
  std::string label;                  // in tables and figures; empty: made of the choices
  std::string whole;                  // the preset's policy, if it is no order x placement; no key
  Parameters whole_parameters;        // complete, defaults included
  Parameters order_parameters;        // complete, defaults included
  Parameters backfill_parameters;     // complete, defaults included
  Parameters placement_parameters;    // complete, defaults included
  Parameters partitioner_parameters;  // complete, defaults included

  static constexpr auto fields() {
    using S = SchedulerSettings;
    return in_order(
        field("policy", &S::policy, "",
              "a preset: a published system, any part of which may be "
              "exchanged by the keys below"),
        field("order", &S::order, "", "who is next"),
        field("within", &S::within, "", "which of a job's stages is first"),
        field("backfill", &S::backfill, "", "what happens when the next one does not fit"),
        field("preemption", &S::preemption, "", "whether those that run may lose their slots"),
        field("placement", &S::placement, "", "where a task goes"),
        field("feedback", &S::feedback, "", "when the scheduler learns of ends and free slots"),
        field("queue", &S::queue, "", "what a node does with tasks that it cannot start yet"),
        field("partitioner", &S::partitioner, "", "how divisible stages are cut into tasks"),
        field("cycle_s", &S::cycle_s, "s",
              "decisions are made at its multiples only; 0: whenever something has happened",
              range_of_cycle),
        field("label", &S::label, "",
              "what tables and figures call it; empty: the policy, and what was exchanged in it"));
  }
};

struct EstimateSettings {
  EstimateModel model = EstimateModel::exact;
  double error = 0.2;
  double default_task_s = 1.0;
  double demand_error = 0;

  static constexpr auto fields() {
    using S = EstimateSettings;
    return in_order(
        field("model", &S::model, "", "what the scheduler gets in place of true slot-times"),
        field("error", &S::error, "1", "uniform: the job's slot-time times U[1-error, 1+error]",
              Range{.low = 0, .high = 1}),
        field("default_task_s", &S::default_task_s, "s",
              "naive: mean task duration before any task has ended", positive),
        field("demand_error", &S::demand_error, "1",
              "tasks are believed to ask for 1 + that times as much of each resource, and to take "
              "that much shorter; the work is the same",
              Range{.low = -0.5, .high = 9}));
  }
};

struct HeartbeatSettings {
  double interval_s = 3;
  HeartbeatPhase phase = HeartbeatPhase::random;
  double delay_ms = 0;

  static constexpr auto fields() {
    using S = HeartbeatSettings;
    return in_order(
        field("interval_s", &S::interval_s, "s", "time between two heartbeats of a node", positive),
        field("phase", &S::phase, "", "when in the interval a node's heartbeats come"),
        field("delay_ms", &S::delay_ms, "ms", "added to the way of each heartbeat", not_negative));
  }
};

struct NetworkSettings {
  double delay_ms = 0;
  double jitter = 0;

  static constexpr auto fields() {
    using S = NetworkSettings;
    return in_order(field("delay_ms", &S::delay_ms, "ms",
                          "way of a message between scheduler and node", not_negative),
                    field("jitter", &S::jitter, "1", "each delay is times U[1-jitter, 1+jitter]",
                          Range{.low = 0, .high = 1}));
  }
};

/// [jvm]: a warm-up model, and its parameters as keys beside it.
struct JvmSettings {
  std::string model = "none";
  Parameters parameters;  // complete, defaults included

  static constexpr auto fields() {
    return in_order(field("model", &JvmSettings::model, "",
                          "how much longer a task takes by what its slot ran before"));
  }
};

/// Either a file, with a format that may have parameters, or a generator with its own.
struct WorkloadOrigin {
  std::string file;    // as written; relative to the config file
  std::string format;  // empty: detected from the name
  std::string generator;
  std::vector<std::string> ignore_kinds;

  static constexpr auto fields() {
    using S = WorkloadOrigin;
    return in_order(
        field("file", &S::file, "", "a workload file, relative to the config file's folder"),
        field("format", &S::format, "",
              "of the file, whose parameters may follow as keys; empty: detected from its name"),
        field("generator", &S::generator, "",
              "makes the workload instead; all other keys of the table are its parameters"),
        field("ignore_kinds", &S::ignore_kinds, "",
              "kinds of resources that tasks demand and the cluster lacks, which do not count"));
  }
};

/// [workload]: where it comes from, and what is made of it. A key of the shape that the generator
/// or format has among its parameters is theirs.
struct WorkloadSettings : WorkloadOrigin, WorkloadShape {
  Parameters parameters;    // of format or generator: complete; none where the format is detected
  SourceLocation location;  // where the config says so, for messages

  /// The file, or the generator, for messages.
  [[nodiscard]] const std::string& origin() const { return generator.empty() ? file : generator; }
  static constexpr auto fields() {
    return together(WorkloadOrigin::fields(), WorkloadShape::fields());
  }
};

struct RunSettings {
  std::uint64_t seed = 1;
  double speed = 1;
  ExecutorKind executor = ExecutorKind::timer;
  Poll poll = Poll::automatic;
  double poll_us = 100;
  double until_s = 0;
  double silence_s = 20;
  OnSilence on_silence = OnSilence::end;
  bool audit_keys = false;

  static constexpr auto fields() {
    using S = RunSettings;
    return in_order(
        field("seed", &S::seed, "1", "of every random stream"),
        field("speed", &S::speed, "1", "emulated seconds per real second (run)",
              Range{.low = 0, .high = most_speed, .open = true}),
        field("executor", &S::executor, "",
              "timer: a deadline heap a rank; thread: an OS thread a slot"),
        field("poll", &S::poll, "",
              "auto: spin where a host's ranks are fewer than the CPUs that each may use, else "
              "sleep"),
        field("poll_us", &S::poll_us, "us", "longest real sleep between two looks at the network",
              Range{.low = 1, .high = 100000}),
        field("until_s", &S::until_s, "s", "end the run then; 0: when all jobs have ended",
              Range{.low = 0, .high = last_given_seconds}),
        field("silence_s", &S::silence_s, "s",
              "real time for which nothing may be heard of a rank (run)",
              Range{.low = 1, .high = 86400}),
        field(
            "on_silence", &S::on_silence, "",
            "of a rank for longer than that. end: it is lost, and the run ends; wait: until it is "
            "heard again, with a warning"),
        field("audit_keys", &S::audit_keys, "",
              "the order is asked for all keys in each round; one that has moved without an event "
              "that the order gets ends the run"));
  }
};

struct LogSettings {
  std::string file;
  bool replay = true;
  bool targets = true;
  double sample_interval_s = 0;
  std::uint32_t compression = 0;

  static constexpr auto fields() {
    using S = LogSettings;
    return in_order(
        field("file", &S::file, "",
              "a real run's log; empty: none; a simulation has one only by --log or --set"),
        field("replay", &S::replay, "", "keep events and decisions, so that replay can work"),
        field("targets", &S::targets, "",
              "keep at each sample what the policy means each job to have, where it says so"),
        field(
            "sample_interval_s", &S::sample_interval_s, "s",
            "between two samples; 0: a thousandth of the span of arrivals, and longer after 4,000",
            not_negative),
        field("compression", &S::compression, "1",
              "deflate level, 0 to 9; costs more than all the rest of a fast simulation",
              Range{.low = 0, .high = 9}));
  }
};

/// [plugins]: shared objects whose parts the scheduler may be made of.
struct PluginSettings {
  std::vector<std::string> load;      // complete paths of those that the scheduler has parts of
  std::vector<std::string> versions;  // as they say and are

  static constexpr auto fields() {
    using S = PluginSettings;
    return in_order(
        field("load", &S::load, "", "shared objects of your own, from this config's folder"),
        field("versions", &S::versions, "",
              "name, version and digest that each has to have; left out: any"));
  }
};

struct Settings {
  std::string origin;  // the config file's path, for messages and relative paths
  Cluster cluster;
  SchedulerSettings scheduler;
  QueueRules queue;
  JobManagerRules job_manager;
  EstimateSettings estimate;
  HeartbeatSettings heartbeat;
  NetworkSettings network;
  JvmSettings jvm;
  FaultSettings faults;
  SpeculationSettings speculation;
  LimitSettings limits;
  WorkloadSettings workload;
  RunSettings run;
  LogSettings log;
  PluginSettings plugins;
};

/// visit(name, table) for each table that is a list of keys and nothing more; of [jvm] the model
/// says which keys there are.
template <class AnySettings, class Visit>
void for_each_plain_table(AnySettings& settings, Visit&& visit) {
  visit("queue", settings.queue);
  visit("job_manager", settings.job_manager);
  visit("estimate", settings.estimate);
  visit("heartbeat", settings.heartbeat);
  visit("network", settings.network);
  visit("jvm", settings.jvm);
  visit("faults", settings.faults);
  visit("speculation", settings.speculation);
  visit("limits", settings.limits);
  visit("run", settings.run);
  visit("log", settings.log);
  visit("plugins", settings.plugins);
}

/// The parts and their parameters. There must be no mistakes in the settings.
[[nodiscard]] Composition composition_of(const Settings& settings);

/// Whether who runs may have to give up its slots.
[[nodiscard]] bool preempts(const Settings& settings);
/// And go on from where they stopped.
[[nodiscard]] bool suspends(const Settings& settings);
/// How long tasks take by what their slots ran before.
[[nodiscard]] Warmup warmup_of(const Settings& settings);

/// Of what happens by chance.
[[nodiscard]] std::uint64_t seed_of_faults(const Settings& settings);

/// Whether nodes send them; not, while a mistake leaves that open.
[[nodiscard]] bool has_heartbeats(const Settings& settings);

/// Whether nodes hold tasks that they cannot start yet; not, while a mistake leaves that open.
[[nodiscard]] bool has_worker_queues(const Settings& settings);

}  // namespace somnus
