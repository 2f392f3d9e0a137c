#include "emulator/commands/launcher.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
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
#include "emulator/run/emulation.hpp"
#include "mpi/mpi_wire.hpp"
#include "runtime/cpus.hpp"

namespace somnus {
namespace {

std::string own_path(const char* fallback) {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? fallback : path.string();
}

constexpr int cannot_start = 127;

// In a process group of its own, so that Ctrl-C reaches us only and the ranks end gracefully. It is
// told to end when we are gone. Until it listens to SIGUSR1, that must not kill it.
pid_t spawn(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t us = getpid();
  const pid_t child = fork();
  if (child < 0) throw WorldError(fmt::format("cannot start mpirun: {}", std::strerror(errno)));
  if (child > 0) return child;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != us) _exit(cannot_start);
  std::signal(SIGUSR1, SIG_IGN);
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  execvp(arguments[0], arguments.data());
  _exit(cannot_start);
}

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// mpirun passes SIGUSR1 on to its ranks, which end gracefully then; SIGTERM makes it kill them. One
// that comes before mpirun or a rank is ready for it is lost, so it is said again and again.
class Stopper {
 public:
  explicit Stopper(pid_t child) : child_(child) {}
  void look() {
    const int asked = times_asked_to_stop();
    if (asked == 0) return;
    const auto now = Clock::now();
    if (began_ == Clock::time_point{}) began_ = now;
    const int step = std::max(std::min(asked, 3), static_cast<int>((now - began_) / patience) + 1);
    if (step == step_ && (step > 1 || now < again_)) return;
    step_ = step;
    again_ = now + 300ms;
    kill(child_, step == 1 ? SIGUSR1 : step == 2 ? SIGTERM : SIGKILL);
  }

 private:
  static constexpr Clock::duration patience = 8s;
  pid_t child_;
  int step_ = 0;
  Clock::time_point began_;
  Clock::time_point again_;
};

// mpirun takes seconds over a rank that does not return 0, so rank 0 returns 0 and leaves its exit
// code in a file: one of memory alone, which goes with us.
constexpr const char* code_file_variable = "SOMNUS_EXIT_CODE_FILE";

class CodeFile {
 public:
  CodeFile() : file_(memfd_create("somnus-exit-code", MFD_CLOEXEC)) {
    if (file_ < 0) {
      throw WorldError(fmt::format("cannot make a file in memory: {}", std::strerror(errno)));
    }
  }
  ~CodeFile() { close(file_); }
  CodeFile(const CodeFile&) = delete;
  CodeFile& operator=(const CodeFile&) = delete;

  [[nodiscard]] std::string path() const { return fmt::format("/proc/{}/fd/{}", getpid(), file_); }
  [[nodiscard]] std::optional<int> code() const {
    char digit = 0;
    if (pread(file_, &digit, 1, 0) != 1) return std::nullopt;
    return digit - '0';
  }

 private:
  int file_;
};

// An mpirun that does not end although rank 0 has told how it ended is itself stopped or stuck.
int wait_for(pid_t child, const CodeFile& code_file) {
  constexpr Clock::duration patience_with_mpirun = 15s;
  Stopper stopper(child);
  Clock::time_point told;
  for (;;) {
    int status = 0;
    const pid_t done = waitpid(child, &status, WNOHANG);
    if (done == child) return status;
    if (done < 0 && errno != EINTR) throw WorldError("mpirun vanished");
    stopper.look();
    const auto now = Clock::now();
    if (told == Clock::time_point{} && code_file.code()) told = now;
    if (told != Clock::time_point{} && now > told + patience_with_mpirun) kill(child, SIGKILL);
    std::this_thread::sleep_for(10ms);
  }
}

std::string about(const std::string& log) {
  std::error_code error;
  if (log.empty() || !std::filesystem::exists(log, error)) return "";
  return fmt::format("; {} holds all up to its last flush, `somnus recover {}` makes it whole", log,
                     log);
}

}  // namespace

bool first_rank() {
  for (const char* const variable : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
    if (const char* const rank = std::getenv(variable)) return std::string_view(rank) == "0";
  }
  return true;
}

void let_first_rank_speak() {
  if (!first_rank()) std::this_thread::sleep_for(std::chrono::milliseconds(500));
}

bool tell_code(int code) {
  const char* const path = std::getenv(code_file_variable);
  const bool started_by_us = path != nullptr && std::getenv("OMPI_COMM_WORLD_RANK") != nullptr;
  if (!started_by_us || !first_rank()) return false;
  std::ofstream file(path);
  file << code << std::flush;
  return file.good();
}

bool launcher_is_gone() {
  const char* const path = std::getenv(code_file_variable);
  return path != nullptr && access(path, F_OK) != 0;
}

int leave(int code) { return tell_code(code) ? 0 : code; }

void end_at_once(int code, const std::string& why) {
  const char* const rank = std::getenv("OMPI_COMM_WORLD_RANK");
  const std::string who = first_rank() || rank == nullptr ? "" : fmt::format("rank {}: ", rank);
  if (!why.empty()) fmt::print(stderr, "somnus: {}{}\n", who, why);
  std::fflush(nullptr);
  std::_Exit(leave(code));
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
  const CodeFile code_file;
  setenv(code_file_variable, code_file.path().c_str(), 1);
  const int status = wait_for(spawn(std::move(words)), code_file);
  unsetenv(code_file_variable);
  if (WIFEXITED(status) && WEXITSTATUS(status) == cannot_start) {
    throw WorldError(
        "cannot start mpirun; install Open MPI (package openmpi-bin), or use --ranks 1 "
        "to emulate without MPI");
  }
  const std::optional<int> told = code_file.code();
  if (told == exit_fine && WIFSIGNALED(status)) {
    fmt::print(stderr, "somnus: mpirun was killed ({}); the run is complete all the same\n",
               strsignal(WTERMSIG(status)));
  }
  if (told && told != exit_world) return *told;
  constexpr int shell_signal = 128;  // mpirun's own way to tell of a signal
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : shell_signal + WTERMSIG(status);
  if (!told && times_asked_to_stop() > 0) {
    fmt::print(stderr, "somnus: {}{}\n", words_for_stop(stop_flag().load()), about(log));
    return exit_world;
  }
  const bool killed = code > shell_signal && code < shell_signal + NSIG;
  const std::string who = WIFEXITED(status) ? "a rank" : "mpirun";
  const std::string why =
      killed ? fmt::format("{} was killed ({})", who, strsignal(code - shell_signal))
             : fmt::format(
                   "mpirun ended with exit code {}; is it that of {}, which "
                   "this program was built with?",
                   code, MpiWorld::library());
  if (!told || killed) {
    fmt::print(stderr, "somnus: the emulation was cut off: {}{}\n", why, told ? "" : about(log));
  }
  return exit_world;
}

}  // namespace somnus
