#include "emulator/launcher.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "emulator/commands.hpp"
#include "emulator/signals.hpp"

extern char** environ;

namespace somnus {
namespace {

std::string own_path(const char* fallback) {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? fallback : path.string();
}

pid_t spawn(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ);
  if (error != 0) {
    throw WorldError(
        fmt::format("cannot start mpirun: {}; install Open MPI (package openmpi-bin), "
                    "or use --ranks 1 to emulate without MPI",
                    std::strerror(error)));
  }
  return child;
}

// mpirun and its ranks share our terminal, so Ctrl-C reaches them anyway; a kill of us does not.
int wait_for(pid_t child) {
  bool passed_on = false;
  for (;;) {
    int status = 0;
    const pid_t done = waitpid(child, &status, WNOHANG);
    if (done == child) return status;
    if (done < 0 && errno != EINTR) throw WorldError("mpirun vanished");
    if (stop_flag().load() != 0 && !passed_on) {
      kill(child, SIGTERM);
      passed_on = true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

std::string about(const std::string& log) {
  if (log.empty()) return "";
  return fmt::format("; {} holds all up to its last flush, `somnus recover {}` makes it whole", log,
                     log);
}

}  // namespace

int ranks_for_this_machine() {
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return 1 + std::clamp(cores - 1, 1, 4);
}

int run_under_mpirun(int ranks, int argc, char** argv, const std::string& log) {
  // Rank 0 gets the time to close its log when another rank has died.
  std::vector<std::string> words = {"mpirun",
                                    "--quiet",
                                    "--oversubscribe",
                                    "--bind-to",
                                    "none",
                                    "-np",
                                    std::to_string(ranks),
                                    "--mca",
                                    "odls_base_sigkill_timeout",
                                    "15"};
  if (geteuid() == 0) words.emplace_back("--allow-run-as-root");
  words.push_back(own_path(argv[0]));
  for (int at = 1; at < argc; ++at) words.emplace_back(argv[at]);
  const int status = wait_for(spawn(std::move(words)));
  if (WIFEXITED(status) && WEXITSTATUS(status) <= exit_bug) return WEXITSTATUS(status);
  constexpr int shell_signal = 128;  // mpirun's own way to tell of a signal
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : shell_signal + WTERMSIG(status);
  const std::string why =
      code > shell_signal ? fmt::format("a rank was killed ({})", strsignal(code - shell_signal))
                          : fmt::format("mpirun ended with exit code {}", code);
  fmt::print(stderr, "somnus: the emulation was cut off: {}{}\n", why, about(log));
  return exit_world;
}

}  // namespace somnus
