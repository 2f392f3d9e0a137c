// Law: whatever a config may say at the ends of its ranges, it is refused, or a simulation of it
// writes a log whose values check takes for possible; where times are exact, check and replay find
// nothing in it.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "audit/check.hpp"
#include "config/config.hpp"
#include "harness/property.hpp"
#include "log/reader.hpp"
#include "log/sample_log.hpp"
#include "session/replay.hpp"
#include "session/simulation.hpp"
#include "session/workload_source.hpp"

namespace somnus {
namespace {

using Texts = std::vector<std::string>;

std::string one_of(const Texts& choices) { return *rc::gen::elementOf(choices); }

bool chosen() { return *rc::gen::arbitrary<bool>(); }

std::string keys(const std::vector<std::pair<std::string, Texts>>& table) {
  std::string text;
  for (const auto& [key, choices] : table) {
    if (chosen()) text += key + " = " + one_of(choices) + "\n";
  }
  return text;
}

/// What decides whether a key is read stands before it; others are left out by parse().
std::string some_config() {
  std::string toml;
  const bool resources = chosen();
  for (const char* name : {"a", "b"}) {
    toml += fmt::format("[[cluster.group]]\nname = \"{}\"\ncount = 1\n{}\n{}", name,
                        resources ? "resources = { cpu = 1e12 }" : "slots_per_node = 2",
                        keys({{"slowdown", {"1e-3", "1", "20", "1e3"}}}));
  }
  const std::string policy = resources ? one_of({"fifo", "drf", "tetris"})
                                       : one_of({"fifo", "fair", "srpt", "cfq", "uwfq", "yarn",
                                                 "yaq-c", "sparrow", "mercury", "job-queue"});
  toml += policy == "job-queue" ? std::string(
                                      "[scheduler]\norder = \"job-queue\"\n"
                                      "placement = \"any-free\"\n")
                                : fmt::format("[scheduler]\npolicy = \"{}\"\n", policy);
  toml +=
      "[estimate]\n" + keys({{"model", {"\"uniform\"", "\"naive\"", "\"stage-mean\"", "\"given\""}},
                             {"error", {"0", "1"}},
                             {"default_task_s", {"1e-9", "1", "8.3e6"}},
                             {"demand_error", {"-0.5", "9"}}});
  toml += "[heartbeat]\ninterval_s = " + one_of({"1e5", "8.3e6"}) + "\n" +
          keys({{"delay_ms", {"0", "8.3e9"}}});
  toml += "[network]\n" + keys({{"delay_ms", {"0.5", "8.3e9"}}, {"jitter", {"1"}}});
  const std::string model = one_of({"none", "reuse", "executor", "measured"});
  toml += fmt::format("[jvm]\nmodel = \"{}\"\n", model);
  if (model == "reuse" || model == "executor") {
    toml += keys({{"factor", {"1", "1000", "1e9"}}});
  }
  if (model == "executor") toml += keys({{"start_s", {"8.3e6"}}, {"decay_tasks", {"1", "1e9"}}});
  toml += "[faults]\n" + keys({{"slow_node_probability", {"1"}},
                               {"slow_node_factor", {"1", "100", "1000"}},
                               {"straggler_probability", {"1"}},
                               {"straggler_factor", {"1", "1000"}},
                               {"task_failure_probability", {"0.5"}},
                               {"task_attempts", {"2", "1000"}},
                               {"node_mtbf_s", {"8.3e6"}},
                               {"node_repair_s", {"1e-3", "8.3e6"}},
                               {"cut_off_share", {"1"}},
                               {"heartbeat_loss_probability", {"0.5"}},
                               {"heartbeat_late_probability", {"0.5"}},
                               {"heartbeat_late_s", {"8.3e6"}},
                               {"missed_heartbeats", {"2", "4294967295"}}});
  toml +=
      "[speculation]\n" +
      keys({{"slowdown", {"1", "1000"}}, {"quantile", {"0", "1"}}, {"least_s", {"0", "8.3e6"}}});
  toml += "[run]\n" + keys({{"until_s", {"1", "8.3e6"}}});
  return toml + "[workload]\nfile = \"jobs.jsonl\"\n";
}

WorkloadSpec some_jobs() {
  const std::vector<double> times = {0, 1e-9, 1, 86'400, 1e6, longest_exact_seconds};
  const auto time = [&] { return *rc::gen::elementOf(times); };
  WorkloadSpec spec{.name = "few", .resources = {"cpu"}};
  const int jobs = *rc::gen::inRange(1, 5);
  double submit = 0;
  for (int at = 0; at < jobs; ++at) {
    JobSpec job{.job = fmt::format("j{}", at), .submit = submit};
    if (chosen()) job.weight = *rc::gen::elementOf(std::vector{least_weight, most_weight});
    if (chosen()) job.warmup = *rc::gen::elementOf(std::vector{1.0, most_warmup});
    if (chosen()) job.estimate = *rc::gen::elementOf(std::vector{1e-9, 1.0, most_slot_time_s});
    StageSpec stage;
    const int tasks = *rc::gen::inRange(1, 5);
    for (int task = 0; task < tasks; ++task) {
      stage.durations.push_back(time());
      stage.fresh.push_back(time());
      stage.first.push_back(time());
    }
    stage.demand = {*rc::gen::elementOf(std::vector{0.0, 1e-6, 1e12})};
    job.stages.push_back(std::move(stage));
    spec.jobs.push_back(std::move(job));
    submit = std::max(submit, time());
  }
  return spec;
}

/// Keys that nobody would read are left out, as in the log's config.
Checked<Settings> parse(const std::string& toml) {
  std::vector<std::string> unread;
  const Checked<Settings> all = parse_settings(toml, "extreme.toml", {}, &unread);
  return all ? parse_settings(to_toml(*all), "extreme.toml", {}) : all;
}

/// Whether a float64 holds its times to the nanosecond, which what follows from them needs.
bool is_exact(const Log& log) {
  double last = 0;
  log.events.for_each([&](const auto& rows) {
    for (const auto& row : rows) last = std::max(last, row.time);
  });
  return last <= longest_exact_seconds;
}

void expect_sound(const Log& log) {
  std::vector<Finding> findings = check_log(log);
  if (!is_exact(log)) {
    std::erase_if(findings, [](const Finding& finding) {
      return finding.invariant != "every row points at rows that exist";  // and has possible values
    });
    RC_ASSERT(findings.size() == 1U);
  }
  for (const Finding& finding : findings) {
    if (!finding.asserted || finding.offences == 0) continue;
    RC_LOG() << finding.invariant << ": " << finding.first << "\n";
  }
  RC_ASSERT(passed(findings));
  if (!is_exact(log)) return;
  const auto replayed = replay_log(log);
  if (!replayed) RC_LOG() << replayed.error().text();
  RC_ASSERT(replayed.has_value());
  RC_LOG() << replayed->difference;
  RC_ASSERT(replayed->difference.empty());
}

TEST(Extremes, AreRefusedOrEndInALogThatChecks) {
  int simulated = 0;
  harness::check_law({.cases = 120, .largest = 100}, [&] {
    const testing::FreshFolder folder;
    const std::string toml = some_config();
    RC_LOG() << toml;
    Checked<Settings> settings = parse(toml);
    if (!settings) RC_LOG() << settings.error().text();
    RC_PRE(settings.has_value());
    const Checked<Workload> workload = workload_of(*settings, some_jobs());
    if (!workload) {
      RC_ASSERT(!workload.error().text().empty());
      return;
    }
    settings->log.file = (folder / "log.h5").string();
    static_cast<void>(simulate_one(*settings, *workload, {.keep_rows = false}));
    ++simulated;
    expect_sound(value_or_throw(read_log(settings->log.file)));
  });
  EXPECT_GT(simulated, 20);
}

// The smallest case that was found.
TEST(Extremes, OfASlowNodeInASlowGroupAreNoneForTheChecker) {
  const testing::FreshFolder folder;
  Settings settings = value_or_throw(
      parse("[[cluster.group]]\ncount = 1\nslots_per_node = 1\nslowdown = 20\n[scheduler]\n"
            "policy = \"fifo\"\n[faults]\nslow_node_probability = 1\nslow_node_factor = 100\n"
            "[workload]\nfile = \"jobs.jsonl\"\n"));
  WorkloadSpec spec{.name = "one"};
  spec.jobs = {{.job = "a", .stages = {{.durations = {1}}}}};
  settings.log.file = (folder / "log.h5").string();
  static_cast<void>(simulate_one(settings, value_or_throw(workload_of(settings, spec)), {}));
  EXPECT_TRUE(passed(check_log(value_or_throw(read_log(settings.log.file)))));
}

// The smallest case that was found.
TEST(Extremes, OfTasksThatRunWhenTheRunIsCutOffTakeRoomForTheChecker) {
  const testing::FreshFolder folder;
  Settings settings =
      value_or_throw(parse("[[cluster.group]]\ncount = 1\nresources = { cpu = 2 }\n[scheduler]\n"
                           "policy = \"fifo\"\n[network]\ndelay_ms = 0\n[run]\nuntil_s = 5\n"
                           "[workload]\nfile = \"jobs.jsonl\"\n"));
  WorkloadSpec spec{.name = "one", .resources = {"cpu"}};
  spec.jobs = {{.job = "a", .stages = {{.durations = {1, 9, 9}, .demand = {1}}}}};
  settings.log.file = (folder / "log.h5").string();
  static_cast<void>(simulate_one(settings, value_or_throw(workload_of(settings, spec)), {}));
  EXPECT_TRUE(passed(check_log(value_or_throw(read_log(settings.log.file)))));
}

TEST(Extremes, ThatNoRunCanHoldAreRefusedWithWhatMakesThem) {
  const Settings settings = value_or_throw(parse_settings(
      "[[cluster.group]]\ncount = 1\nslots_per_node = 1\nslowdown = 20\n[scheduler]\n"
      "policy = \"fifo\"\n[faults]\nslow_node_probability = 1\nslow_node_factor = 1000\n"
      "[workload]\nfile = \"jobs.jsonl\"\n",
      "extreme.toml", {}));
  WorkloadSpec spec{.name = "one"};
  spec.jobs = {{.job = "a", .stages = {{.durations = {1e6}}}}};
  const auto workload = workload_of(settings, spec);
  ASSERT_FALSE(workload.has_value());
  EXPECT_EQ(
      workload.error().text(),
      "extreme.toml:11:8: jobs.jsonl, job 'a': a task may take 2e+10 s, 1e+06 s x slowdown 20 "
      "x slow_node_factor 1000, and a run is at most 2e+09 s long; lower the factors of "
      "[cluster], [faults] or [jvm], or shorten the task");
}

}  // namespace
}  // namespace somnus
