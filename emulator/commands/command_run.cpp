#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <exception>
#include <filesystem>
#include <memory>
#include <thread>

#include "base/wrapped.hpp"
#include "emulator/commands/closing.hpp"
#include "emulator/commands/commands.hpp"
#include "emulator/commands/launcher.hpp"
#include "emulator/commands/processes.hpp"
#include "emulator/commands/rank_board.hpp"
#include "emulator/commands/signals.hpp"
#include "emulator/compose/workload_source.hpp"
#include "emulator/run/emulation.hpp"
#include "emulator/run/resume.hpp"
#include "mpi/mpi_wire.hpp"
#include "record/log_place.hpp"
#include "runtime/cpus.hpp"
#include "runtime/mailboxes.hpp"

namespace somnus {
namespace {

[[noreturn]] void refuse(std::string key, std::string what, std::string hint = {}) {
  throw UserError(
      mistake({.key = std::move(key), .what = std::move(what), .hint = std::move(hint)}).value());
}

Settings settings_of_resumed(const RunOptions& options) {
  const CommonOptions& common = options.common;
  const bool others = !common.set.empty() || common.seed || common.speed;
  if (!options.config.empty() || others) {
    refuse("--resume", "a run goes on with the config that its log has, and takes no other",
           "leave out CONFIG, --set, --seed and --speed, or begin a new run");
  }
  wait_for_writer(options.resume, stop_flag(), common.quiet);
  Settings settings = value_or_throw(settings_to_resume(options.resume));
  if (!common.log.empty()) settings.log.file = common.log;
  return settings;
}

Settings settings_of(const RunOptions& options) {
  if (!options.resume.empty()) return settings_of_resumed(options);
  if (options.config.empty()) {
    refuse("run", "needs a config, or the log of a run to go on with",
           "`somnus run CONFIG`, or `somnus run --resume LOG`");
  }
  return value_or_throw(load_settings(options.config, overrides_of(options.common)));
}

struct Told {
  int code = exit_world;
  bool rank_lost = false;
};

void tell_how_it_ended(const Emulation& emulation, const std::string& log) {
  if (!emulation.note.empty()) spdlog::warn("{}", emulation.note);
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
  const bool goes_on = log.empty() || real_place(log) == real_place(options.resume);
  if (goes_on) return {.inputs = {}, .replace = true};
  return {.inputs = {options.resume}, .replace = options.common.force};
}

// Rank 0. Workers are met first, so that nobody waits for them, or they for us, in vain.
Told emulate_and_tell(const RunOptions& options, const std::shared_ptr<const Settings>& settings,
                      Roll& roll, MaySpin may_spin) {
  const bool quiet = options.common.quiet;
  const std::string& log = settings->log.file;
  try {
    roll.call();
    const auto workload = std::make_shared<Workload>();
    const auto past = std::make_shared<std::shared_ptr<const Past>>();
    roll.keep_during([settings, workload, past, resume = options.resume] {
      *workload = value_or_throw(workload_of(*settings));
      if (!resume.empty()) *past = value_or_throw(past_of(resume, *settings, *workload));
    });
    for (const auto& notes :
         {notes_on_workload(*settings, *workload), notes_on_scheduler(*settings, *workload)}) {
      for (const std::string& note : notes) {
        if (!quiet) spdlog::warn("{}", wrapped(note, 8));
      }
    }
    const bool own_core = may_spin == MaySpin::yes && roll.ranks_on_host_of(0) < usable_cpus();
    const OutputRules rules = rules_of_log(options);
    const Emulation emulation = emulate(
        settings, workload, roll,
        {.spin = own_core,
         .outputs = {.show_progress = !quiet, .replace_log = rules.replace, .inputs = rules.inputs},
         .stop = &stop_flag(),
         .past = *past});
    const int code = emulation.complete ? exit_fine : exit_world;
    write_code_on_board(code);  // as the log says, which is closed
    tell_how_it_ended(emulation, log);
    roll.see_through([&] {
      try {
        close_with_table(options.common, emulation.has_log ? log : "");
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
    } catch (const std::exception&) {
      // Rank 0 has been told why.
    }
  });
  Roll roll(*rank_0, roll_rules_of(*settings, &stop_flag()));
  try {
    const Told told = emulate_and_tell(options, settings, roll, MaySpin::no);
    roll.dismiss();
    worker.join();
    return told.code;
  } catch (const std::exception& error) {
    if (roll.given_up()) end_at_once(exit_world, error.what());
    roll.dismiss();
    worker.join();
    throw;
  }
}

int work_as_rank(MpiWorld& world) {
  try {
    work(world.wire(), MaySpin::yes, &stop_flag());
    if (stop_flag() == stop_for_starter) end_at_once(exit_world, "");
    return exit_fine;
  } catch (const std::exception& error) {
    spdlog::error("rank {}: {}", world.wire().rank(), in_words(error));
    write_code_on_board(exit_world);
    world.abandon(exit_world);
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
  auto roll = std::make_unique<Roll>(world.wire(), RollRules{});
  try {
    const auto settings = std::make_shared<const Settings>(settings_of(options));
    roll = std::make_unique<Roll>(world.wire(), roll_rules_of(*settings, &stop_flag()));
    const Told told = emulate_and_tell(options, settings, *roll, MaySpin::yes);
    code = told.code;  // nothing that happens from now on changes it
    roll->dismiss();
    if (stop_flag() == stop_for_starter) end_at_once(told.code, "");
    if (told.rank_lost) leave_alone(told.code);
  } catch (const std::exception& error) {
    const bool together = !roll->given_up() && !roll->has_lost_someone();
    if (!together) spdlog::error("{}", in_words(error));
    roll->dismiss();
    if (!together) leave_alone(exit_world);
    throw;
  }
  return code;
}

}  // namespace

int run(const RunOptions& options, int argc, char** argv) {
  if (MpiWorld::launched()) return run_as_rank(options, argc, argv);
  if (options.ranks != 1) refuse_tasks_without_pmi();
  // The user's mistakes are better told before mpirun starts.
  const auto settings = std::make_shared<const Settings>(settings_of(options));
  if (const std::string& log = settings->log.file; !log.empty()) {
    OutputRules rules = rules_of_log(options);
    for (const auto& file : files_read_by(*settings)) rules.inputs.push_back(file);
    Mistakes mistakes = objections_to_writing(log, rules);
    if (mistakes.any()) throw UserError(std::move(mistakes));
  }
  if (options.ranks == 1) return run_in_threads(options, settings);
  const int ranks = options.ranks > 0 ? options.ranks : ranks_for_this_machine();
  return run_under_mpirun(ranks, argc, argv, settings->log.file);
}

}  // namespace somnus
