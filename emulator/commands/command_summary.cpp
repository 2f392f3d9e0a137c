#include <filesystem>
#include <utility>

#include "emulator/commands/closing.hpp"
#include "emulator/commands/command.hpp"
#include "emulator/commands/result.hpp"
#include "log/reader.hpp"

namespace somnus::command_summary {
namespace {

Checked<Summary> summary_of(const std::string& path) {
  return read_log(path).map([&](const Log& log) {
    if (log.seals->broken > 0) {
      warn_of_damage(path, log.seals->sentences.front(), "its figures are");
    }
    return summarise(log, std::filesystem::path(path).stem().string());
  });
}

int summary(const FinishedLogs& options) {
  Mistakes mistakes;
  std::vector<Summary> summaries;
  for (const std::string& path : options.logs) {
    Checked<Summary> one = summary_of(path);
    if (one) {
      summaries.push_back(std::move(*one));
    } else {
      mistakes.append(std::move(one.error()));
    }
  }
  if (mistakes.any()) throw UserError(std::move(mistakes));
  print_summaries(options.common, summaries);
  return exit_fine;
}

void describe(CLI::App& app, FinishedLogs& options) {
  add_logs(app, options);
  add_all_figures(app, options.common);
}

const Registered<Command> row = command("summary", CommandGroup::logs,
                                        "closing tables of logs, side by side", describe, summary);

}  // namespace
}  // namespace somnus::command_summary
