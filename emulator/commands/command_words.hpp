// The words of the command line that several commands share, and those of commands about logs.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "emulator/commands/command_report.hpp"
#include "emulator/commands/commands.hpp"

namespace somnus {

/// A command below another, or below the program; `chosen` is what to do if it is the one.
CLI::App& add_command(CLI::App& under, const char* name, const char* help,
                      std::function<int()>& chosen, std::function<int()> does);

void add_output(CLI::App& app, CommonOptions& options);
/// --force.
void add_force(CLI::App& app, bool& force, const char* help = "replace what is there already");
void add_set(CLI::App& app, CommonOptions& options, const std::string& example);

/// replay, check, recover, summary, report, compare, export and follow, with what the user gave
/// them.
class LogCommands {
 public:
  /// Has to outlive `app`.
  void add_to(CLI::App& app, std::function<int()>& chosen);

 private:
  using Chosen = std::function<int()>;
  void add_finished(CLI::App& under, Chosen& chosen, const char* name, const char* help,
                    int (*does)(const FinishedLogs&));
  void add_compare(CLI::App& under, Chosen& chosen);
  void add_export(CLI::App& under, Chosen& chosen);
  void add_follow(CLI::App& under, Chosen& chosen);

  FinishedLogs finished_;
  ReportOptions report_;
  CompareOptions compare_;
  LogExportRequest export_;
  FollowOptions follow_;
  CommonOptions export_output_;
};

}  // namespace somnus
