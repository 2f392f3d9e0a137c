#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "config/config.hpp"
#include "emulator/commands/command.hpp"
#include "emulator/commands/result.hpp"
#include "fluid/job_profile.hpp"
#include "print/printable.hpp"
#include "session/workload_source.hpp"
#include "workload/native.hpp"

namespace somnus::command_profile {
namespace {

struct ProfileOptions {
  CommonOptions common;
  std::string source;  // a config or a workload file
  std::string output;  // -o
};

/// A workload file is as good as a config that names nothing else.
Settings settings_of(const ProfileOptions& options) {
  const std::vector<Override> overrides = overrides_of(options.common);
  if (options.source.ends_with(".toml")) {
    return value_or_throw(load_settings(options.source, overrides));
  }
  const nlohmann::json quoted = as_utf8(options.source);
  const std::string toml = fmt::format(
      "[cluster]\nnodes = 1\nslots_per_node = 1\n[workload]\nfile = {}\n[scheduler]\npolicy = "
      "\"paf\"\n",
      quoted.dump());
  return value_or_throw(parse_settings(toml, "", overrides));
}

using Profiles = std::vector<std::optional<JobProfile>>;  // by job

/// Reports progress after two seconds, and each second from then on.
Profiles profiles_of(const Workload& workload, const Settings& settings, bool quiet) {
  using Clock = std::chrono::steady_clock;
  Profiles all;
  const Warmup warmup = warmup_of(settings);
  Clock::time_point next = Clock::now() + std::chrono::seconds(2);
  const std::size_t count = workload.catalogue.jobs.size();
  for (std::uint32_t at = 0; at < count; ++at) {
    all.push_back(profile_of(workload.catalogue, workload.truth, JobId(at), warmup));
    if (quiet || Clock::now() < next) continue;
    next = Clock::now() + std::chrono::seconds(1);
    fmt::print(stderr, "profiled {} of {} jobs\n", at + 1, count);
  }
  return all;
}

nlohmann::json as_json(const Profiles& profiles, const Workload& workload) {
  nlohmann::json jobs = nlohmann::json::array();
  for (std::size_t at = 0; at < profiles.size(); ++at) {
    if (!profiles[at]) continue;
    nlohmann::json slots = nlohmann::json::array();
    nlohmann::json times = nlohmann::json::array();
    for (const TimeOnSlots& time : profiles[at]->times) {
      slots.push_back(time.slots);
      times.push_back(time.seconds);
    }
    jobs.push_back({{"job", as_utf8(workload.names.jobs[at])},
                    {"slots", slots},
                    {"time_s", times},
                    {"curve", profiles[at]->curve},
                    {"error", profiles[at]->error}});
  }
  return {{"workload", as_utf8(workload.name)}, {"jobs", jobs}};
}

double percentile(std::vector<double> values, double part) {
  const auto at = values.begin() +
                  static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1) + 0.5);
  std::ranges::nth_element(values, at);
  return *at;
}

std::string text_of(const Profiles& profiles, const Workload& workload) {
  std::vector<double> errors;
  std::vector<double> widths;
  std::string_view worst;
  double largest = -1;
  for (std::size_t at = 0; at < profiles.size(); ++at) {
    if (!profiles[at]) continue;
    errors.push_back(profiles[at]->error);
    widths.push_back(profiles[at]->times.back().slots);
    if (errors.back() <= largest) continue;
    largest = errors.back();
    worst = workload.names.jobs[at];
  }
  std::string text;
  const auto line = [&](const char* what, const auto& value) {
    text += fmt::format("{:<46}{:>12}\n", what, value);
  };
  const auto rounded = [](double value, int digits) {
    return fmt::format("{:.{}f}", value, digits);
  };
  line("jobs with a curve", errors.size());
  const std::size_t without = profiles.size() - errors.size();
  if (without > 0) line("jobs without: they take no time", without);
  if (errors.empty()) return text;
  line("slots that a job can use, median", rounded(percentile(widths, 0.5), 0));
  line("  largest", rounded(percentile(widths, 1), 0));
  line("error of a job's progress, median [%]", rounded(100 * percentile(errors, 0.5), 2));
  line("  p95 [%]", rounded(100 * percentile(errors, 0.95), 2));
  line("  largest [%]", rounded(100 * largest, 2));
  return text + fmt::format("  of job {}\n", printable(worst, 40));
}

int profile(const ProfileOptions& options) {
  if (options.output.empty()) {
    throw UserError(
        mistake(
            {.key = "-o", .what = "where to write the workload is missing", .hint = "add -o FILE"})
            .value());
  }
  const Settings settings = settings_of(options);
  const OutputRules rules{.inputs = files_read_by(settings), .replace = options.common.force};
  require_output_allowed(options.output, rules);
  WorkloadSpec spec = value_or_throw(workload_spec_of(settings));
  const Workload workload = value_or_throw(flattened(settings, spec));
  const Profiles profiles = profiles_of(workload, settings, options.common.quiet);
  // Jobs of a workload are in order of submit, and so are those of a spec, ties as they stand.
  for (std::size_t at = 0; at < profiles.size(); ++at) {
    spec.jobs[at].progress.clear();
    spec.jobs[at].curve.clear();
    if (profiles[at])
      spec.jobs[at].curve.assign(profiles[at]->curve.begin(), profiles[at]->curve.end());
  }
  write_native(spec, options.output, rules);
  print_result(
      options.common, [&] { return as_json(profiles, workload); },
      [&] {
        return is_standard_output(options.output)
                   ? ""
                   : fmt::format("{}\n{}", options.output, text_of(profiles, workload));
      });
  return exit_fine;
}

void describe(CLI::App& app, ProfileOptions& options) {
  app.add_option("source", options.source, "a TOML config, or a workload file")
      ->required()
      ->type_name("CONFIG|WORKLOAD");
  app.add_option("-o,--output", options.output, "where to; .gz is compressed")->type_name("FILE");
  add_force(app, options.common.force);
  add_set(app, options.common, "jvm.model=reuse");
  app.add_option("--seed", options.common.seed, "of a generated workload (run.seed)");
  add_output(app, options.common);
  app.footer(
      "Each job is simulated alone on 1, 2, 4, ... slots, up to as many as its widest stage has "
      "tasks, with the JVMs of [jvm]; through its times goes a curve of Ernest's form, t(x) = a0 "
      "+ a1 x + a2 / x + a3 ln x, by non-negative least squares. PAF exchanges slots by these "
      "curves. --json has the times and the curve of each job, which the second command draws.\n"
      "  somnus profile CONFIG -o with-curves.jsonl --json > profile.json\n"
      "  somnus analysis curves profile.json -o .");
}

const Registered<Command> row = command("profile", CommandGroup::workloads,
                                        "how fast each job goes on how many slots: writes the "
                                        "workload with its performance-allocation curves",
                                        describe, profile);

}  // namespace
}  // namespace somnus::command_profile
