#include <spdlog/spdlog.h>

#include <filesystem>
#include <utility>

#include "emulator/commands/closing.hpp"
#include "emulator/commands/command.hpp"
#include "log/reader.hpp"

namespace somnus::command_summary {
namespace {

Checked<Summary> summary_of(const std::string& path) {
  return read_log(path).map([&](const Log& log) {
    if (log.seals->broken > 0) {
      spdlog::warn("{}: {}; its figures are not to be trusted (see `somnus check`)", path,
                   log.seals->sentences.front());
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

const Registered<Command> row = command("summary", CommandGroup::logs,
                                        "closing tables of logs, side by side", add_logs, summary);

}  // namespace
}  // namespace somnus::command_summary
