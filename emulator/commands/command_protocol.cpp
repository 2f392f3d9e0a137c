#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <stdexcept>

#include "base/parameters.hpp"
#include "config/config.hpp"
#include "emulator/commands/command.hpp"
#include "emulator/commands/signals.hpp"
#include "external/external_process.hpp"
#include "external/order_protocol.hpp"
#include "external/policy_protocol.hpp"
#include "session/simulation.hpp"
#include "session/workload_source.hpp"

namespace somnus::command_protocol {
namespace {

struct ProtocolOptions {
  std::string level;                 // empty: to print, both; to try a process, the order's
  std::vector<std::string> command;  // empty: none is tried
};

/// Narrow and wide jobs on a cluster that is too small for them.
constexpr const char* trial = R"(
[cluster]
nodes = 3
slots_per_node = 2
[workload]
generator = "google"
jobs = 12
span_s = 60
median_task_s = 10
max_task_s = 30
[log]
file = ""
)";

/// An order and a whole policy begin alike, and only the level says which one is meant.
Simulation tried(const Settings& settings, const Workload& workload, const std::string& level) {
  try {
    return simulate_one(settings, workload,
                        {.outputs = {.show_progress = false}, .stop = &stop_flag()});
  } catch (const std::runtime_error&) {
    if (level.empty())
      spdlog::warn("tried as an order; a whole policy is tried with --level policy");
    throw;
  }
}

int try_process(const ProtocolOptions& options) {
  std::vector<Override> overrides = {
      {"scheduler.external.command", text_of(value_of(options.command))},
      {"scheduler.external.trace", "true"}};
  if (options.level == "policy") {
    overrides.push_back({"scheduler.policy", "external"});
  } else {
    overrides.push_back({"scheduler.policy", "fair"});
    overrides.push_back({"scheduler.order", "external"});
  }
  const Settings settings = value_or_throw(parse_settings(trial, "somnus protocol", overrides));
  const Workload workload = value_or_throw(workload_of(settings));
  ExternalProcess::trace_to(stdout);
  const Simulation done = tried(settings, workload, options.level);
  if (!done.complete) throw WorldError("asked to end before the trial had ended");
  if (!done.note.empty()) {
    fmt::print("What it said can be understood, but {}.\n", done.note);
    return exit_difference;
  }
  fmt::print("All that it said was as expected; {} jobs of {} tasks have ended.\n",
             workload.catalogue.jobs.size(), workload.catalogue.stage_of.size());
  return exit_fine;
}

int protocol(const ProtocolOptions& options) {
  if (!options.level.empty() && options.level != "order" && options.level != "policy") {
    throw UserError(
        mistake({.key = "--level",
                 .what = fmt::format("expected order or policy, found '{}'", options.level)})
            .value());
  }
  if (!options.command.empty()) return try_process(options);
  if (options.level != "policy") fmt::print("{}", order_protocol::in_words());
  if (options.level.empty()) fmt::print("\n\n");
  if (options.level != "order") fmt::print("{}", policy_protocol::in_words());
  return exit_fine;
}

void describe(CLI::App& app, ProtocolOptions& options) {
  app.add_option("command", options.command,
                 "tries this order or policy with a dozen jobs, and shows all that is said")
      ->type_name("COMMAND");
  app.add_option("--level", options.level,
                 "order: it says who is next; policy: it decides all; left out: prints both, tries "
                 "an order")
      ->type_name("LEVEL");
  app.footer("Before a command with options stands --: somnus protocol -- python3 las.py -v");
}

const Registered<Command> row =
    command("protocol", CommandGroup::reference,
            "what is said between Somnus and an order or policy of yours that is a process",
            describe, protocol);

}  // namespace
}  // namespace somnus::command_protocol
