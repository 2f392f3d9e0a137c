#include <fmt/format.h>

#include "audit/check.hpp"
#include "base/wrapped.hpp"
#include "emulator/commands/command.hpp"
#include "emulator/commands/result.hpp"
#include "emulator/commands/signals.hpp"
#include "external/external_process.hpp"
#include "log/held_columns.hpp"
#include "log/reader.hpp"
#include "log/recover.hpp"
#include "session/replay.hpp"
#include "session/resume.hpp"

namespace somnus::command_logs {
namespace {

struct ReplayOptions : FinishedLogs {
  bool recorded = false;

  [[nodiscard]] ReplayBy by() const { return recorded ? ReplayBy::log : ReplayBy::scheduler; }
};

nlohmann::json as_json(const std::string& log, const Replayed& done) {
  return {{"log", log},
          {"events", done.events},
          {"decisions", done.decisions},
          {"rounds", done.rounds},
          {"difference", done.difference},
          {"cut_off", done.cut_off}};
}

std::string line_of(const std::string& log, const std::string& words) {
  return wrapped(fmt::format("{}: {}", log, words), 4) + "\n";
}

std::string text_of(const std::string& log, const Replayed& done, ReplayBy by) {
  const char* const verdict = by == ReplayBy::scheduler
                                  ? "every one equal"
                                  : "every one could be made; nobody decided them again";
  std::string text = line_of(
      log, done.difference.empty() ? fmt::format("{} decisions of {} events in {} rounds, {}",
                                                 done.decisions, done.events, done.rounds, verdict)
                                   : done.difference);
  if (!done.cut_off.empty()) text += line_of(log, done.cut_off);
  return text;
}

nlohmann::json columns_as_json() {
  auto columns = nlohmann::json::array();
  for (const HeldColumn& one : held_columns()) {
    const char* const held = one.held == Held::recomputed ? "recomputed" : "sealed";
    columns.push_back({{"column", one.name}, {"held", held}, {"how", one.how}});
  }
  return columns;
}

/// A process that decides is asked again, unless what is recorded is to do.
Replayed replayed(const std::string& file, std::span<const Override> overrides, ReplayBy by) {
  const Log log = value_or_throw(read_log(file));
  try {
    return value_or_throw(replay_log(log, overrides, by));
  } catch (const ProcessError& error) {
    throw WorldError(fmt::format(
        "{}: {}\n"
        "replay asks the process again, which has to decide as it did. If it is reached in another "
        "way now, say\n"
        "how: --set 'scheduler.external.command=[\"python3\",\"las.py\"]', or, of one that "
        "listens,\n"
        "--set scheduler.external.command=[] --set scheduler.external.socket=FILE. With "
        "--recorded nobody\n"
        "is asked: what it decided then is audited.",
        file, error.what()));
  }
}

int replay(const ReplayOptions& options) {
  const std::vector<Override> overrides = overrides_of(options.common);

  std::string text;
  std::string wrong;
  auto results = nlohmann::json::array();
  for (const std::string& log : options.logs) {
    const Replayed done = replayed(log, overrides, options.by());
    results.push_back(as_json(log, done));
    results.back()["recorded"] = options.recorded;
    const std::string words = text_of(log, done, options.by());
    text += words;
    if (!done.difference.empty()) wrong += words;
  }
  print_result(
      options.common, [&] { return results; }, [&] { return text; }, [&] { return wrong; });
  return wrong.empty() ? exit_fine : exit_difference;
}

int check(const FinishedLogs& options) {
  std::string text;
  std::string wrong;
  auto results = nlohmann::json::array();
  for (const std::string& log : options.logs) {
    std::vector<Finding> findings = check_log(value_or_throw(read_log(log)));
    results.push_back({{"log", log},
                       {"sound", passed(findings)},
                       {"findings", to_json(findings)},
                       {"columns", columns_as_json()}});
    text += log + "\n" + to_text(findings) + verdict(findings);
    std::erase_if(findings, [](const Finding& one) { return passed({&one, 1}); });
    if (!findings.empty()) wrong += log + "\n" + to_text(findings);
  }
  print_result(
      options.common, [&] { return results; }, [&] { return text; }, [&] { return wrong; });
  return wrong.empty() ? exit_fine : exit_difference;
}

int recover(const FinishedLogs& options) {
  std::string text;
  auto results = nlohmann::json::array();
  for (const std::string& log : options.logs) {
    wait_for_writer(log, stop_flag(), options.common.quiet);
    const Recovered got = value_or_throw(recover_log(log));
    results.push_back({{"log", log},
                       {"was_complete", got.was_complete},
                       {"tasks", got.tasks},
                       {"samples", got.samples},
                       {"events", got.events},
                       {"decisions", got.decisions},
                       {"finished_tasks", got.finished_tasks},
                       {"arrived_jobs", got.arrived_jobs},
                       {"active_jobs", got.active_jobs},
                       {"time_s", got.time_s}});
    text += line_of(log, got.was_complete
                             ? "complete; nothing was done"
                             : fmt::format("whole up to its last flush: {} task attempts, {} "
                                           "samples, {} events, {} decisions",
                                           got.tasks, got.samples, got.events, got.decisions));
  }
  print_result(options.common, [&] { return results; }, [&] { return text; });
  return exit_fine;
}

void describe_replay(CLI::App& app, ReplayOptions& options) {
  add_logs(app, options);
  add_set(app, options.common, "scheduler.external.socket=FILE");
  app.add_flag("--recorded", options.recorded,
               "ask no scheduler: audit what was decided then, and compare what follows from it");
  app.footer(
      "The scheduler is the one of the log's config, with the --set. --recorded is for one that is "
      "not there, such as a process of somebody else.");
}

const Registered<Command> rows[] = {
    command("replay", CommandGroup::logs,
            "decide again from a log; exit 0 only if every decision is equal", describe_replay,
            replay),
    command("check", CommandGroup::logs,
            "audit a log: one line per invariant, with the first offending row", add_logs, check),
    command("recover", CommandGroup::logs,
            "make the log of a killed run whole up to its last flush", add_logs, recover)};

}  // namespace
}  // namespace somnus::command_logs
