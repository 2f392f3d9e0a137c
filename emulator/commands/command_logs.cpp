#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "audit/check.hpp"
#include "audit/columns.hpp"
#include "emulator/commands/command.hpp"
#include "emulator/commands/signals.hpp"
#include "log/reader.hpp"
#include "log/recover.hpp"
#include "session/replay.hpp"
#include "session/resume.hpp"

namespace somnus::command_logs {
namespace {

nlohmann::json as_json(const std::string& log, const Replayed& done) {
  return {{"log", log},
          {"events", done.events},
          {"decisions", done.decisions},
          {"rounds", done.rounds},
          {"difference", done.difference},
          {"cut_off", done.cut_off}};
}

void print_replayed(const std::string& log, const Replayed& done) {
  if (done.difference.empty()) {
    fmt::print("{}: {} decisions of {} events in {} rounds, every one equal\n", log, done.decisions,
               done.events, done.rounds);
  } else {
    fmt::print("{}: {}\n", log, done.difference);
  }
  if (!done.cut_off.empty()) fmt::print("{}: {}\n", log, done.cut_off);
}

nlohmann::json columns_as_json() {
  auto columns = nlohmann::json::array();
  for (const ColumnAudit& one : column_audits()) {
    const char* const held = one.held == Held::recomputed ? "recomputed" : "sealed";
    columns.push_back({{"column", one.column}, {"held", held}, {"how", one.how}});
  }
  return columns;
}

int replay(const FinishedLogs& options) {
  bool equal = true;
  auto results = nlohmann::json::array();
  for (const std::string& log : options.logs) {
    const Replayed done = value_or_throw(replay_log(value_or_throw(read_log(log))));
    equal = equal && done.difference.empty();
    if (options.common.json) results.push_back(as_json(log, done));
    const bool prints = !options.common.quiet || !done.difference.empty();
    if (!options.common.json && prints) print_replayed(log, done);
  }
  if (options.common.json) fmt::print("{}\n", results.dump(2));
  return equal ? exit_fine : exit_difference;
}

int check(const FinishedLogs& options) {
  bool fine = true;
  auto results = nlohmann::json::array();
  for (const std::string& log : options.logs) {
    std::vector<Finding> findings = check_log(value_or_throw(read_log(log)));
    fine = fine && passed(findings);
    if (options.common.quiet && !options.common.json) {
      std::erase_if(findings, [](const Finding& one) { return passed({&one, 1}); });
    }
    if (options.common.json) {
      results.push_back(
          {{"log", log}, {"findings", to_json(findings)}, {"columns", columns_as_json()}});
    } else if (!findings.empty()) {
      fmt::print("{}\n{}", log, to_text(findings));
    }
  }
  if (options.common.json) fmt::print("{}\n", results.dump(2));
  return fine ? exit_fine : exit_difference;
}

int recover(const FinishedLogs& options) {
  auto results = nlohmann::json::array();
  for (const std::string& log : options.logs) {
    wait_for_writer(log, stop_flag(), options.common.quiet);
    const Recovered got = value_or_throw(recover_log(log));
    if (options.common.json) {
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
    } else if (options.common.quiet) {
      continue;
    } else if (got.was_complete) {
      fmt::print("{} is complete; nothing was done\n", log);
    } else {
      fmt::print(
          "{} is whole up to its last flush: {} task attempts, {} samples, {} events, {} "
          "decisions\n",
          log, got.tasks, got.samples, got.events, got.decisions);
    }
  }
  if (options.common.json) fmt::print("{}\n", results.dump(2));
  return exit_fine;
}

const Registered<Command> rows[] = {
    command("replay", CommandGroup::logs,
            "decide again from a log; exit 0 only if every decision is equal", add_logs, replay),
    command("check", CommandGroup::logs,
            "audit a log: one line per invariant, with the first offending row", add_logs, check),
    command("recover", CommandGroup::logs,
            "make the log of a killed run whole up to its last flush", add_logs, recover)};

}  // namespace
}  // namespace somnus::command_logs
