#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <exception>
#include <memory>
#include <thread>

#include "emulator/commands/closing.hpp"
#include "emulator/commands/commands.hpp"
#include "emulator/commands/launcher.hpp"
#include "emulator/commands/signals.hpp"
#include "emulator/compose/workload_source.hpp"
#include "emulator/run/emulation.hpp"
#include "mpi/mpi_wire.hpp"
#include "record/log_lock.hpp"
#include "runtime/mailboxes.hpp"

namespace somnus {
namespace {

// Rank 0, once everybody is there.
int emulate_and_tell(const RunOptions& options, const Settings& settings, Wire& wire, bool own_core,
                     bool& rank_lost) {
  const Workload workload = value_or_throw(workload_of(settings));
  for (const auto& note :
       {note_on_partitioning(settings, workload), note_on_estimates(settings, workload)}) {
    if (!options.common.quiet && !note.empty()) spdlog::warn("{}", note);
  }
  const Emulation emulation = emulate(
      settings, workload, wire,
      {.spin = own_core,
       .outputs = {.show_progress = !options.common.quiet, .replace_log = options.common.force},
       .stop = &stop_flag()});
  rank_lost = !emulation.lost_ranks.empty();
  if (!emulation.complete) {
    spdlog::error("{}", emulation.why);
    if (!settings.log.file.empty()) {
      spdlog::error("{} holds what happened until then (complete = 0)", settings.log.file);
    }
  }
  close_with_table(options.common, settings.log.file);
  return emulation.complete ? exit_fine : exit_world;
}

int run_in_threads(const RunOptions& options, const Settings& settings) {
  Mailboxes mailboxes(2);
  const std::unique_ptr<Wire> rank_0 = mailboxes.wire(0);
  const std::unique_ptr<Wire> rank_1 = mailboxes.wire(1);
  std::thread worker([&] {
    try {
      work(*rank_1, /*spin=*/false, nullptr);
    } catch (const std::exception&) {
      // Rank 0 has been told why.
    }
  });
  bool rank_lost = false;
  try {
    const int code = emulate_and_tell(options, settings, *rank_0, /*own_core=*/false, rank_lost);
    worker.join();
    return code;
  } catch (...) {
    dismiss_workers(*rank_0);
    worker.join();
    throw;
  }
}

int run_as_rank(const RunOptions& options, int argc, char** argv) {
  MpiWorld world(argc, argv);
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  const bool own_core = world.ranks_on_this_host() < cores;  // one is for the log's writer
  Wire& wire = world.wire();
  if (wire.size() == 1) {
    return run_in_threads(
        options, value_or_throw(load_settings(options.config, overrides_of(options.common))));
  }
  if (wire.rank() != 0) {
    try {
      work(wire, own_core, &stop_flag());
      return exit_fine;
    } catch (const WorldError& error) {
      spdlog::error("rank {}: {}", wire.rank(), error.what());
      world.abandon(exit_world);
    }
  }
  bool rank_lost = false;
  int code = exit_fine;
  try {
    const Settings settings =
        value_or_throw(load_settings(options.config, overrides_of(options.common)));
    code = emulate_and_tell(options, settings, wire, own_core, rank_lost);
  } catch (...) {
    dismiss_workers(wire);
    throw;
  }
  if (rank_lost) world.abandon(code);
  return code;
}

}  // namespace

int run(const RunOptions& options, int argc, char** argv) {
  if (MpiWorld::launched()) return run_as_rank(options, argc, argv);
  // The user's mistakes are better told before mpirun starts.
  const Settings settings =
      value_or_throw(load_settings(options.config, overrides_of(options.common)));
  if (const std::string& log = settings.log.file; !log.empty()) {
    Mistakes mistakes = objections_to_writing(log, options.common.force);
    if (mistakes.any()) throw UserError(std::move(mistakes));
  }
  if (options.ranks == 1) return run_in_threads(options, settings);
  const int ranks = options.ranks > 0 ? options.ranks : ranks_for_this_machine();
  return run_under_mpirun(ranks, argc, argv, settings.log.file);
}

}  // namespace somnus
