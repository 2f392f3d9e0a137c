#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <memory>
#include <thread>

#include "base/wrapped.hpp"
#include "emulator/commands/closing.hpp"
#include "emulator/commands/command.hpp"
#include "emulator/commands/launcher.hpp"
#include "emulator/commands/processes.hpp"
#include "emulator/commands/rank_board.hpp"
#include "emulator/commands/signals.hpp"
#include "log/log_destination.hpp"
#include "log/reader.hpp"
#include "mpi/mpi_wire.hpp"
#include "session/emulation.hpp"
#include "session/resume.hpp"
#include "session/workload_source.hpp"
#include "transport/cpus.hpp"
#include "transport/mailboxes.hpp"

namespace somnus::command_run {
namespace {

struct RunOptions {
  CommonOptions common;
  std::string config;  // empty: a run is resumed
  std::string policy;  // a label, as overrides_of_label() takes it; empty: the config's
  std::string resume;  // the log of that run
  int ranks = 0;       // 0: chosen for this machine; 1: no MPI, the nodes in a thread
};

[[noreturn]] void refuse(std::string key, std::string what, std::string hint = {}) {
  throw UserError(
      mistake({.key = std::move(key), .what = std::move(what), .hint = std::move(hint)}).value());
}

Settings settings_of_resumed(const RunOptions& options) {
  const CommonOptions& common = options.common;
  const bool others = !common.set.empty() || common.seed || common.speed || !options.policy.empty();
  if (!options.config.empty() || others) {
    refuse("--resume", "a run goes on with the config that its log has, and takes no other",
           "leave out CONFIG, --policy, --set, --seed and --speed, or begin a new run");
  }
  wait_for_writer(options.resume, stop_flag(), common.quiet);
  Settings settings = value_or_throw(settings_to_resume(options.resume));
  if (!common.log.empty()) settings.log.file = common.log;
  return settings;
}

/// Rank 0 and a node for each other rank.
int most_ranks(const Settings& settings) {
  return 1 + static_cast<int>(settings.cluster.node_count());
}

void refuse_idle_ranks(int ranks, const Settings& settings) {
  const int most = most_ranks(settings);
  if (ranks <= most) return;
  refuse("run", fmt::format("has {} ranks for {} nodes", ranks, most - 1),
         fmt::format("start at most {}: rank 0, and one for each node", most));
}

Settings settings_of(const RunOptions& options) {
  if (!options.resume.empty()) return settings_of_resumed(options);
  if (options.config.empty()) {
    refuse("run", "needs a config, or the log of a run to go on with",
           "`somnus run CONFIG`, or `somnus run --resume LOG`");
  }
  std::vector<Override> overrides = overrides_of(options.common);
  if (!options.policy.empty()) {
    const std::vector<Override> chosen = value_or_throw(overrides_of_label(options.policy));
    overrides.insert(overrides.end(), chosen.begin(), chosen.end());
  }
  return value_or_throw(load_settings(options.config, overrides));
}

struct RunEnd {
  int code = exit_world;
  bool rank_lost = false;
};

void print_outcome(const Emulation& emulation, const std::string& log) {
  if (!emulation.note.empty()) spdlog::warn("{}", wrapped(emulation.note, 8));
  if (emulation.complete) return;
  spdlog::error("{}", emulation.why);
  std::error_code error;
  if (emulation.has_log && std::filesystem::exists(log, error)) {
    spdlog::error(
        "{} holds what happened until then (complete = 0); `somnus run --resume {}` goes on", log,
        log);
  }
}

/// A log that goes on takes its own place; another one is only read.
OutputRules rules_of_log(const RunOptions& options) {
  const std::string& log = options.common.log;
  if (options.resume.empty()) return {.inputs = {}, .replace = options.common.force};
  const bool goes_on = log.empty() || resolved_path(log) == resolved_path(options.resume);
  if (goes_on) return {.inputs = {}, .replace = true};
  return {.inputs = {options.resume}, .replace = options.common.force};
}

// Rank 0. Workers are met first, so that nobody waits for them, or they for us, in vain.
RunEnd emulate_and_report(const RunOptions& options,
                          const std::shared_ptr<const Settings>& settings, Membership& membership,
                          MaySpin may_spin) {
  const bool quiet = options.common.quiet;
  const bool printed = !quiet || options.common.json;
  const std::string& log = settings->log.file;
  try {
    membership.gather();
    const auto workload = std::make_shared<Workload>();
    const auto history = std::make_shared<std::shared_ptr<const RunHistory>>();
    membership.run_while_monitoring([settings, workload, history, resume = options.resume] {
      *workload = value_or_throw(workload_of(*settings));
      if (!resume.empty()) *history = value_or_throw(history_of(resume, *settings, *workload));
    });
    const std::vector<std::string> of_demands = {note_on_demands(*workload)};
    for (const auto& notes : {notes_on_workload(*settings, *workload), of_demands,
                              notes_on_scheduler(*settings, *workload)}) {
      for (const std::string& note : notes) {
        if (!note.empty()) spdlog::warn("{}", wrapped(note, 8));
      }
    }
    const bool own_core =
        may_spin == MaySpin::yes && membership.ranks_on_host_of(0) < usable_cpus();
    const OutputRules rules = rules_of_log(options);
    const Emulation emulation = emulate(
        settings, workload, membership,
        {.spin = own_core,
         .keep_rows = printed,
         .outputs = {.show_progress = !quiet, .replace_log = rules.replace, .inputs = rules.inputs},
         .stop = &stop_flag(),
         .history = *history});
    const int code = emulation.complete        ? exit_fine
                     : emulation.users_mistake ? exit_mistake
                                               : exit_world;
    write_code_on_board(code);  // as the log says, which is closed
    print_outcome(emulation, log);
    membership.run_to_completion([&] {
      try {
        if (!printed) return;
        close_with_table(options.common,
                         emulation.has_log ? value_or_throw(read_log(log)) : emulation.log);
      } catch (const UserError& error) {
        if (emulation.complete) throw WorldError(error.what());  // the run has said why
      }
    });
    return {.code = code, .rank_lost = !emulation.lost_ranks.empty()};
  } catch (const Stopped&) {
    throw WorldError(fmt::format("{} before the emulation {}", words_for_stop(stop_flag().load()),
                                 options.resume.empty() ? "began; there is no log" : "went on"));
  }
}

int run_in_threads(const RunOptions& options, const std::shared_ptr<const Settings>& settings) {
  Mailboxes mailboxes(2);
  const std::unique_ptr<Wire> rank_0 = mailboxes.wire(0);
  const std::unique_ptr<Wire> rank_1 = mailboxes.wire(1);
  std::thread worker([&] {
    try {
      work(*rank_1, MaySpin::no, nullptr);
    } catch (...) {
      // Rank 0 has the reason.
    }
  });
  Membership membership(*rank_0, membership_rules_of(*settings, &stop_flag()));
  try {
    const RunEnd ended = emulate_and_report(options, settings, membership, MaySpin::no);
    membership.dismiss();
    worker.join();
    return ended.code;
  } catch (const std::exception& error) {
    if (membership.given_up()) end_at_once(exit_world, error.what());
    membership.dismiss();
    worker.join();
    throw;
  }
}

[[noreturn]] void give_up(MpiWorld& world, const std::string& why) {
  spdlog::error("rank {}: {}", world.wire().rank(), why);
  write_code_on_board(exit_world);
  world.abandon(exit_world);
}

int work_as_rank(MpiWorld& world) {
  try {
    work(world.wire(), MaySpin::yes, &stop_flag());
    if (stop_flag() == stop_for_starter) end_at_once(exit_world, "");
    return exit_fine;
  } catch (const std::exception& error) {
    give_up(world, in_words(error));
  } catch (...) {
    give_up(world, "a part threw something that is no std::exception");
  }
}

int run_as_rank(const RunOptions& options, int argc, char** argv) {
  watch_starter();
  std::atomic<int> code = exit_world;
  const auto overdue = [&code](const std::string& what) {
    end_at_once(code, code == exit_fine ? what + "; the run is complete all the same" : what);
  };
  MpiWorld world(argc, argv, overdue, what_hinders_the_start);
  note_that_ranks_have_met();
  if (world.wire().size() == 1) {
    refuse_tasks_without_pmi();
    return code = run_in_threads(options, std::make_shared<const Settings>(settings_of(options)));
  }
  if (world.wire().rank() != 0) return work_as_rank(world);
  const auto leave_alone = [&world](int with) {
    write_code_on_board(with);
    world.abandon(with);
  };
  auto membership = std::make_unique<Membership>(world.wire(), MembershipRules{});
  try {
    const auto settings = std::make_shared<const Settings>(settings_of(options));
    refuse_idle_ranks(world.wire().size(), *settings);
    membership =
        std::make_unique<Membership>(world.wire(), membership_rules_of(*settings, &stop_flag()));
    const RunEnd ended = emulate_and_report(options, settings, *membership, MaySpin::yes);
    code = ended.code;  // nothing that happens from now on changes it
    membership->dismiss();
    if (stop_flag() == stop_for_starter) end_at_once(ended.code, "");
    if (ended.rank_lost) leave_alone(ended.code);
  } catch (const std::exception& error) {
    const bool together = !membership->given_up() && !membership->has_lost_a_rank();
    if (!together) spdlog::error("{}", in_words(error));
    membership->dismiss();
    if (!together) leave_alone(exit_world);
    throw;
  }
  return code;
}

int run(const RunOptions& options, const CommandLine& line) {
  if (MpiWorld::launched()) return run_as_rank(options, line.argc, line.argv);
  if (options.ranks != 1) refuse_tasks_without_pmi();
  // The user's mistakes are reported before mpirun starts.
  const auto settings = std::make_shared<const Settings>(settings_of(options));
  if (const std::string& log = settings->log.file; !log.empty()) {
    OutputRules rules = rules_of_log(options);
    for (const auto& file : files_read_by(*settings)) rules.inputs.push_back(file);
    Mistakes mistakes = objections_to_writing(log, rules);
    if (mistakes.any()) throw UserError(std::move(mistakes));
  }
  if (options.ranks == 1) return run_in_threads(options, settings);
  const int ranks =
      options.ranks > 0 ? options.ranks : std::min(ranks_for_this_machine(), most_ranks(*settings));
  refuse_idle_ranks(ranks, *settings);
  return run_under_mpirun(ranks, line.argc, line.argv, settings->log.file);
}

void describe(CLI::App& app, RunOptions& options) {
  app.add_option("config", options.config, "TOML config")->type_name("CONFIG");
  app.add_option("--resume", options.resume,
                 "instead of a config: go on with a run that was cut off, where its clock stopped")
      ->type_name("LOG");
  app.add_option("--policy", options.policy,
                 "instead of the config's: a preset or an order, with what is exchanged, e.g. "
                 "fair+order=srpt; +order=srpt: the config's own, with that")
      ->type_name("POLICY");
  app.add_option("--speed", options.common.speed, "emulated seconds per real second (run.speed)");
  app.add_option("--ranks", options.ranks,
                 "when started alone: MPI ranks to start here; 1: no MPI, nodes in a thread")
      ->check(CLI::Range(0, 4096));
  add_settings(app, options.common);
  app.footer(
      "--resume LOG goes on with its config, on any number of ranks: jobs that have finished "
      "stay, tasks that ran start again as new attempts on nodes that are empty, and jobs go on "
      "to arrive. The log goes on, too; with --log FILE in another file, and LOG stays as it "
      "is. Without --log a run writes the log that its config names.");
}

const Registered<Command> row =
    command("run", CommandGroup::runs, "emulate in real time (under mpirun or srun, or on its own)",
            describe, run);

}  // namespace
}  // namespace somnus::command_run
