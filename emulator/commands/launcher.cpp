#include "emulator/commands/launcher.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "emulator/commands/commands.hpp"
#include "emulator/commands/signals.hpp"

extern char** environ;

namespace somnus {
namespace {

std::string own_path(const char* fallback) {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? fallback : path.string();
}

// In a process group of its own, so that Ctrl-C reaches us only and the ranks end gracefully.
pid_t spawn(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    throw WorldError(
        fmt::format("cannot start mpirun: {}; install Open MPI (package openmpi-bin), or use "
                    "--ranks 1 to emulate without MPI",
                    std::strerror(error)));
  }
  return child;
}

// mpirun passes SIGUSR1 on to its ranks, which end gracefully then. SIGTERM would make it kill
// them.
class Stopper {
 public:
  explicit Stopper(pid_t child) : child_(child) {}
  void look() {
    using namespace std::chrono_literals;
    if (stop_flag().load() == 0) return;
    const auto now = std::chrono::steady_clock::now();
    if (step_ == 0) next(now, SIGUSR1, 8s);
    if (step_ == 1 && now > until_) next(now, SIGTERM, 8s);
    if (step_ == 2 && now > until_) next(now, SIGKILL, 8s);
  }

 private:
  void next(std::chrono::steady_clock::time_point now, int signal, std::chrono::seconds patience) {
    kill(child_, signal);
    until_ = now + patience;
    ++step_;
  }
  pid_t child_;
  int step_ = 0;
  std::chrono::steady_clock::time_point until_;
};

int wait_for(pid_t child) {
  Stopper stopper(child);
  for (;;) {
    int status = 0;
    const pid_t done = waitpid(child, &status, WNOHANG);
    if (done == child) return status;
    if (done < 0 && errno != EINTR) throw WorldError("mpirun vanished");
    stopper.look();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

// mpirun takes seconds over a rank that does not return 0, so rank 0 returns 0 and leaves its exit
// code in a file.
constexpr const char* code_file_variable = "SOMNUS_EXIT_CODE_FILE";

class CodeFile {
 public:
  CodeFile() : path_(std::filesystem::temp_directory_path() / "somnus-exit-XXXXXX") {
    const int file = mkstemp(path_.data());
    if (file < 0) throw WorldError("cannot make a file in the temporary folder, " + path_);
    close(file);
  }
  ~CodeFile() { std::remove(path_.c_str()); }
  CodeFile(const CodeFile&) = delete;
  CodeFile& operator=(const CodeFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::optional<int> code() const {
    int code = 0;
    std::ifstream file(path_);
    return file >> code ? std::optional(code) : std::nullopt;
  }

 private:
  std::string path_;
};

std::string about(const std::string& log) {
  if (log.empty()) return "";
  return fmt::format("; {} holds all up to its last flush, `somnus recover {}` makes it whole", log,
                     log);
}

}  // namespace

bool first_rank() {
  for (const char* const variable : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK"}) {
    if (const char* const rank = std::getenv(variable)) return std::string_view(rank) == "0";
  }
  return true;
}

void let_first_rank_speak() {
  if (!first_rank()) std::this_thread::sleep_for(std::chrono::milliseconds(500));
}

int leave(int code) {
  const char* const path = std::getenv(code_file_variable);
  const bool started_by_us = path != nullptr && std::getenv("OMPI_COMM_WORLD_RANK") != nullptr;
  if (!started_by_us || !first_rank()) return code;
  std::ofstream file(path);
  file << code << std::flush;
  return file ? 0 : code;
}

int ranks_for_this_machine() {
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return 1 + std::clamp(cores - 1, 1, 4);
}

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
  const CodeFile code_file;
  setenv(code_file_variable, code_file.path().c_str(), 1);
  const int status = wait_for(spawn(std::move(words)));
  unsetenv(code_file_variable);
  if (const auto told = code_file.code()) return *told;
  constexpr int shell_signal = 128;  // mpirun's own way to tell of a signal
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : shell_signal + WTERMSIG(status);
  const std::string why =
      code > shell_signal ? fmt::format("a rank was killed ({})", strsignal(code - shell_signal))
                          : fmt::format("mpirun ended with exit code {}", code);
  fmt::print(stderr, "somnus: the emulation was cut off: {}{}\n", why, about(log));
  return exit_world;
}

}  // namespace somnus
