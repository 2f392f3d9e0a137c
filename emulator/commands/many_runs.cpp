#include "emulator/commands/many_runs.hpp"

#include <spdlog/spdlog.h>

#include "emulator/commands/launcher.hpp"
#include "emulator/commands/processes.hpp"
#include "emulator/commands/signals.hpp"
#include "experiment/rank_executor.hpp"
#include "mpi/mpi_wire.hpp"

namespace somnus {
namespace {

using Does = std::function<int(const MakeExecutor&)>;

int on_cores(const ManyRuns& how, const Does& does) {
  return does([&] { return local_executor(how.jobs, &stop_flag()); });
}

/// Work items are done even while rank 0 is busy, and rank 0 pings every second.
int over_ranks(MpiWorld& world, const Does& does) {
  Membership membership(world.wire(), {.stop = &stop_flag()});
  try {
    const int code = does([&] {
      membership.gather();
      return rank_executor(membership, &stop_flag());
    });
    membership.dismiss();
    return code;
  } catch (const UserError&) {
    membership.dismiss();
    throw;
  } catch (const std::exception& error) {
    spdlog::error("{}; what was done is kept, and the same command goes on", in_words(error));
    membership.dismiss();
    world.abandon(exit_world);
  }
}

int as_rank(const ManyRuns& how, const CommandLine& line, const Does& does) {
  watch_starter();
  const auto overdue = [](const std::string& what) { end_at_once(exit_world, what); };
  int argc = line.argc;
  char** argv = line.argv;
  MpiWorld world(argc, argv, overdue, what_hinders_the_start);
  note_that_ranks_have_met();
  if (world.wire().size() == 1) {
    refuse_tasks_without_pmi();
    return on_cores(how, does);
  }
  if (world.wire().rank() == 0) return over_ranks(world, does);
  try {
    serve_work_items(world.wire(), &stop_flag());
    return exit_fine;
  } catch (const std::exception& error) {
    spdlog::error("rank {}: {}", world.wire().rank(), in_words(error));
    world.abandon(exit_world);
  }
}

}  // namespace

int with_many_runs(const ManyRuns& how, const CommandLine& line, const Does& does) {
  if (MpiWorld::launched()) return as_rank(how, line, does);
  if (!how.one_of_many) refuse_tasks_without_pmi();
  return on_cores(how, does);
}

}  // namespace somnus
