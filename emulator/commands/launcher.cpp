#include "emulator/commands/launcher.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "emulator/commands/commands.hpp"
#include "emulator/commands/mpirun.hpp"
#include "emulator/commands/processes.hpp"
#include "emulator/commands/rank_board.hpp"
#include "emulator/commands/signals.hpp"
#include "mpi/mpi_wire.hpp"
#include "output/unfinished.hpp"
#include "runtime/membership.hpp"
#include "session/emulation.hpp"
#include "transport/cpus.hpp"

namespace somnus {
namespace {

// On one machine all starts soon, and who waits is at the terminal.
constexpr const char* start_limit_here = "30";

std::string own_path(const char* fallback) {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? fallback : path.string();
}

std::string about(const std::string& log) {
  std::error_code error;
  if (log.empty() || !std::filesystem::exists(log, error)) return "";
  return fmt::format("; {} holds all up to its last flush, `somnus recover {}` makes it whole", log,
                     log);
}

constexpr int shell_signal = 128;  // how mpirun reports a signal

/// Beyond the numbers of signals a code is the launcher's own.
bool is_of_signal(int code) { return code > shell_signal && code < shell_signal + NSIG; }

std::string killed(const std::string& who, int number) {
  return fmt::format("{} was killed ({})", who, strsignal(number));
}

/// "rank 1 (host n3) or rank 2 (host n3)"; empty: nobody knows.
std::string lost_ranks_in_words(const Mpirun& mpirun) {
  std::vector<std::string> names;
  for (const int rank : mpirun.lost_ranks()) {
    names.push_back(fmt::format("rank {} (host {})", rank, this_host()));
  }
  return fmt::format("{}", fmt::join(names, " or "));
}

/// mpirun reports neither that it was killed itself nor which rank was.
std::string why_cut_off(const Mpirun& mpirun, int status) {
  const std::string lost = lost_ranks_in_words(mpirun);
  if (!mpirun.why_ended().empty()) {
    return lost.empty() ? mpirun.why_ended()
                        : fmt::format("{} is gone; {}", lost, mpirun.why_ended());
  }
  if (WIFSIGNALED(status)) return killed("mpirun", WTERMSIG(status));
  const int code = WEXITSTATUS(status);
  if (!is_of_signal(code) && mpirun.lost_before_end()) return lost + " is gone";
  if (!is_of_signal(code)) {
    const std::string limits = hint_at_low_limits();
    return fmt::format("mpirun ended with exit code {}{}", code,
                       limits.empty() ? fmt::format("; is it that of {}, which this program was "
                                                    "built with?",
                                                    MpiWorld::library())
                                      : limits);
  }
  return killed(lost.empty() ? "a rank" : lost, code - shell_signal);
}

/// Rank 0's own code, if it has written that down, and then says on stderr what it can't have said;
/// else throws a WorldError. Only one of both processes may print JSON.
int code_after(const Mpirun& mpirun, int status, const std::string& log) {
  const std::optional<int> code = mpirun.board().code_of(0);
  const bool was_made_to_end = !mpirun.why_ended().empty();
  const bool was_killed = WIFSIGNALED(status) || is_of_signal(WEXITSTATUS(status));
  if (code && code != exit_world) {
    if (WIFSIGNALED(status) || was_made_to_end) {
      fmt::print(stderr, "somnus: {}{}\n", why_cut_off(mpirun, status),
                 code == exit_fine ? "; the run is complete all the same" : "");
    }
    return *code;
  }
  // What ranks have said may be lost with an mpirun that is killed.
  const bool says_nothing = code && !was_killed && !was_made_to_end && !mpirun.lost_before_end();
  if (says_nothing) return exit_world;
  const std::string why = times_asked_to_stop() > 0
                              ? words_for_stop(stop_flag().load()) + about(log)
                              : fmt::format("the emulation was cut off: {}{}",
                                            why_cut_off(mpirun, status), code ? "" : about(log));
  if (!code) throw WorldError(why);
  fmt::print(stderr, "somnus: {}\n", why);
  return exit_world;
}

}  // namespace

bool first_rank() {
  for (const char* const variable : rank_variables) {
    if (const char* const rank = std::getenv(variable)) return std::string_view(rank) == "0";
  }
  return true;
}

void let_first_rank_speak() {
  if (!first_rank()) std::this_thread::sleep_for(std::chrono::milliseconds(500));
}

int leave(int code) { return write_code_on_board(code) && first_rank() ? exit_fine : code; }

void end_at_once(int code, const std::string& why) {
  const char* const rank = std::getenv("OMPI_COMM_WORLD_RANK");
  const std::string who = first_rank() || rank == nullptr ? "" : fmt::format("rank {}: ", rank);
  if (!why.empty()) fmt::print(stderr, "somnus: {}{}\n", who, why);
  std::fflush(nullptr);
  remove_unfinished();
  std::_Exit(leave(code));
}

void refuse_tasks_without_pmi() {
  const char* const tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  const bool by_mpirun = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr;
  if (tasks == nullptr || std::atoi(tasks) <= 1 || by_mpirun) return;
  const char* const task = std::getenv("SLURM_PROCID");
  if (task != nullptr && std::string_view(task) != "0") {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));  // the first says it for all
    end_at_once(exit_mistake, "");
  }
  throw UserError(
      mistake({.key = "srun",
               .what = fmt::format("has started {} tasks that know nothing of each other: their "
                                   "step has no PMI that this MPI supports",
                                   tasks),
               .hint = "say srun --mpi=pmix (SOMNUS_MPI=pmix; `srun --mpi=list` shows what there "
                       "is), or let mpirun start the ranks (SOMNUS_LAUNCHER=mpirun)"})
          .value());
}

int ranks_for_this_machine() { return 1 + std::clamp(usable_cpus() - 1, 1, 4); }

int run_under_mpirun(int ranks, int argc, char** argv, const std::string& log) {
  // When a rank has died, rank 0 gets three seconds to close its log.
  std::vector<std::string> words = {"mpirun",
                                    "--quiet",
                                    "--oversubscribe",
                                    "--bind-to",
                                    "none",
                                    "-np",
                                    std::to_string(ranks),
                                    "--mca",
                                    "odls_base_sigkill_timeout",
                                    "3"};
  if (geteuid() == 0) words.emplace_back("--allow-run-as-root");
  words.push_back(own_path(argv[0]));
  for (int at = 1; at < argc; ++at) words.emplace_back(argv[at]);
  if (stop_flag().load() != 0) {
    throw WorldError(fmt::format("{} before the emulation began; there is no log",
                                 words_for_stop(stop_flag().load())));
  }
  count_signals_only();
  setenv(start_limit_variable, start_limit_here, /*overwrite=*/0);
  Mpirun mpirun(std::move(words), ranks);
  const int status = mpirun.wait();
  if (WIFEXITED(status) && WEXITSTATUS(status) == Mpirun::cannot_start) {
    throw WorldError(
        "cannot start mpirun; install Open MPI (package openmpi-bin), or use --ranks 1 "
        "to emulate without MPI");
  }
  return code_after(mpirun, status, log);
}

}  // namespace somnus
