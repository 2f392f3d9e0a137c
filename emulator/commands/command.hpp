// A command of the program: one file, which ends with its row.
//
//     struct CheckOptions { std::vector<std::string> logs; };
//     int check(const CheckOptions& options) { ... }
//     void describe(CLI::App& app, CheckOptions& options) { app.add_option("log", options.logs); }
//     const Registered<Command> row =
//         command("check", CommandGroup::logs, "audit a log", describe, check);
#pragma once

#include <CLI/CLI.hpp>
#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/registered.hpp"
#include "emulator/commands/commands.hpp"

namespace somnus {

/// What the user typed, and the program with all its commands.
struct CommandLine {
  int argc;
  char** argv;
  const CLI::App& program;
};

/// In the order in which --help has them.
enum class CommandGroup { runs, logs, workloads, reference };

struct Command {
  using Does = std::function<int(const CommandLine&)>;  // returns an exit code

  std::string_view name;  // "workload make" stands below "workload"
  CommandGroup group;
  const char* summary;                    // one sentence without a full stop
  std::function<Does(CLI::App&)> add_to;  // adds its options; none: it has only commands below it

  [[nodiscard]] std::pair<CommandGroup, std::string_view> key() const { return {group, name}; }
};

/// A row: describe() adds the options, run(options), or run(options, line), does it.
template <class Options, std::same_as<const CommandLine&>... Line>
[[nodiscard]] Command command(std::string_view name, CommandGroup group, const char* summary,
                              void (*describe)(CLI::App&, Options&),
                              int (*run)(const Options&, Line...)) {
  const auto add_to = [describe, run](CLI::App& app) -> Command::Does {
    const auto options = std::make_shared<Options>();
    describe(app, *options);
    return [options, run](const CommandLine& line) {
      if constexpr (sizeof...(Line) == 0) {
        return run(*options);
      } else {
        return run(*options, line);
      }
    };
  };
  return {.name = name, .group = group, .summary = summary, .add_to = add_to};
}

/// The row of one that only has others below it.
[[nodiscard]] inline Command command_of_commands(std::string_view name, CommandGroup group,
                                                 const char* summary) {
  return {.name = name, .group = group, .summary = summary, .add_to = nullptr};
}

// Options that several commands have.

/// -q and --json, of every command that prints what it found. Warnings are silenced, too.
void add_output(CLI::App& app, CommonOptions& options);
/// --all.
void add_all_figures(CLI::App& app, CommonOptions& options);
/// --force.
void add_force(CLI::App& app, bool& force, const char* help = "replace what is there already");
void add_set(CLI::App& app, CommonOptions& options, const std::string& example);
/// All of these, --log and --seed.
void add_settings(CLI::App& app, CommonOptions& options);

/// Of a command that goes over logs which have ended.
struct FinishedLogs {
  CommonOptions common;
  std::vector<std::string> logs;
};
void add_logs(CLI::App& app, FinishedLogs& options);

}  // namespace somnus
