#include "emulator/commands/mpirun.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "emulator/commands/processes.hpp"
#include "emulator/commands/signals.hpp"
#include "mpi/mpi_wire.hpp"

namespace somnus {
namespace {

using namespace std::chrono_literals;

constexpr auto between_looks = 10ms;
constexpr auto between_looks_at_ranks = 50ms;
constexpr auto between_requests = 300ms;
// The ranks have a limit of their own from when they begin, and say more.
constexpr auto extra_timeout_at_start = 1s;
constexpr auto timeout_without_ranks = 2s;
constexpr auto timeout_with_ranks = 8s;
constexpr auto timeout_after_ranks = 3s;
constexpr auto timeout_after_ranks_asked = 1s;
constexpr auto timeout_after_first_rank = 15s;
constexpr auto timeout_after_mpirun = 5s;
constexpr auto timeout_at_end = 4s;  // it takes three itself over ranks that do not end

constexpr auto timeout_of_guard = 4s;
constexpr auto between_looks_of_guard = 20ms;

struct Pipe {
  int out = -1;
  int in = -1;
};

Pipe pipe_or_throw(int flags) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), flags) != 0) {
    throw WorldError(fmt::format("cannot start mpirun: {}", std::strerror(errno)));
  }
  return {.out = ends[0], .in = ends[1]};
}

/// A process of its own, for our death may be one that leaves us no time: when we are gone without
/// a word, which closes the pipe from us, it ends mpirun, also one that is stopped. It goes when we
/// say so or mpirun is gone, which closes the other pipe. Uses nothing but system calls.
[[noreturn]] void guard(int from_us, int from_mpirun, pid_t mpirun) {
  setpgid(0, 0);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) std::signal(number, SIG_IGN);
  prctl(PR_SET_NAME, "somnus-guard");
  constexpr int most_files = 1024;  // the board, and what others have left open
  for (int file = STDERR_FILENO + 1; file < most_files; ++file) {
    if (file != from_us && file != from_mpirun) ::close(file);
  }
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, standard);
  std::array<pollfd, 2> ends{pollfd{.fd = from_us, .events = POLLIN, .revents = 0},
                             pollfd{.fd = from_mpirun, .events = POLLIN, .revents = 0}};
  while (poll(ends.data(), ends.size(), -1) < 0 && errno == EINTR) {
  }
  char word = 0;
  const bool is_over = ends[1].revents != 0 || ::read(from_us, &word, sizeof word) > 0;
  if (is_over) _exit(0);
  kill(mpirun, SIGTERM);
  kill(mpirun, SIGCONT);
  for (auto waited = 0ms; waited < timeout_of_guard; waited += between_looks_of_guard) {
    if (kill(mpirun, 0) != 0) _exit(0);
    std::this_thread::sleep_for(between_looks_of_guard);
  }
  kill(-mpirun, SIGKILL);
  _exit(0);
}

// In a process group of its own, so that Ctrl-C reaches us only and the ranks end gracefully.
[[noreturn]] void become(std::vector<std::string>& words, pid_t us) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  setpgid(0, 0);
  // This program ignores some signals; nohup and shells ignore others.
  for (const int number : {SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXFSZ})
    std::signal(number, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != us) _exit(Mpirun::cannot_start);
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  execvp(arguments[0], arguments.data());
  _exit(Mpirun::cannot_start);
}

pid_t fork_or_throw() {
  const pid_t child = fork();
  if (child < 0) throw WorldError(fmt::format("cannot start mpirun: {}", std::strerror(errno)));
  return child;
}

}  // namespace

Mpirun::Mpirun(std::vector<std::string> words, int ranks)
    : ranks_(static_cast<std::size_t>(ranks)) {
  const Pipe to_guard = pipe_or_throw(O_CLOEXEC);
  const Pipe while_it_lives = pipe_or_throw(0);
  const pid_t us = getpid();
  process_ = fork_or_throw();
  if (process_ == 0) {
    ::close(while_it_lives.out);
    become(words, us);
  }
  setpgid(process_, process_);  // as it does itself; who is first does not matter
  ::close(while_it_lives.in);
  guard_ = fork();  // without it mpirun notices our end itself, unless it is stopped
  if (guard_ == 0) {
    ::close(to_guard.in);
    guard(to_guard.out, while_it_lives.out, process_);
  }
  ::close(to_guard.out);
  ::close(while_it_lives.out);
  to_guard_ = to_guard.in;
}

Mpirun::~Mpirun() {
  constexpr char over = '.';
  [[maybe_unused]] const ssize_t written = ::write(to_guard_, &over, sizeof over);
  ::close(to_guard_);
  if (guard_ > 0) waitpid(guard_, nullptr, 0);
}

int Mpirun::wait() {
  for (;;) {
    int status = 0;
    const pid_t done = waitpid(process_, &status, WNOHANG);
    const auto now = Clock::now();
    if (done == process_) {
      if (WIFEXITED(status)) look_at_ranks(now);
      if (WIFSIGNALED(status)) let_ranks_end();
      if (why_ended_.empty() && !lost_before_end_ && !all_begun_) lost_ranks_ = ranks_not_begun();
      return status;
    }
    if (done < 0 && errno != EINTR) throw WorldError("mpirun vanished");
    if (now >= next_look_) {
      next_look_ = now + between_looks_at_ranks;
      look_at_ranks(now);
      end_if_stuck(now);
      wake_when_over();
    }
    obey_stop(now);
    std::this_thread::sleep_for(between_looks);
  }
}

void Mpirun::look_at_ranks(Clock::time_point now) {
  const bool none_lost = lost_ranks_.empty() && why_ended_.empty();
  for (std::size_t at = 0; at < ranks_.size(); ++at) {
    Rank& rank = ranks_[at];
    const int number = static_cast<int>(at);
    if (rank.process == 0) rank.process = board_.process_of(number).value_or(0);
    if (rank.process == 0 || rank.gone) continue;
    const auto facts = facts_of(rank.process);
    rank.gone = !facts || facts->parent != process_;
    if (rank.gone && none_lost && !board_.code_of(number)) lost_ranks_.push_back(number);
  }
  if (none_lost && !lost_ranks_.empty()) lost_before_end_ = !board_.code_of(0);
  const auto has_begun = [](const Rank& rank) { return rank.process != 0; };
  const auto is_gone = [](const Rank& rank) { return rank.gone; };
  all_begun_ = std::ranges::all_of(ranks_, has_begun);
  if (ranks_.front().gone && first_rank_gone_ == Clock::time_point{}) first_rank_gone_ = now;
  const bool all_gone = std::ranges::all_of(ranks_, is_gone);
  if (all_gone && all_gone_ == Clock::time_point{}) all_gone_ = now;
}

// mpirun would pass signals on; but one that is stopped does not. A request that comes before a
// rank listens is lost, so it is made again and again.
void Mpirun::obey_stop(Clock::time_point now) {
  const int requests = times_asked_to_stop();
  if (requests == 0) return;
  if (asked_to_stop_ == Clock::time_point{}) asked_to_stop_ = now;
  const bool any = std::ranges::any_of(ranks_, [](const Rank& rank) { return rank.process != 0; });
  const auto timeout = any ? timeout_with_ranks : timeout_without_ranks;
  const bool at_once = requests > 1 || now > asked_to_stop_ + timeout;
  if (at_once && ending_ == Clock::time_point{}) {
    ending_ = now;
    kill(process_, SIGTERM);
    kill(process_, SIGCONT);
  }
  constexpr int in_earnest = 3;
  const bool in_vain = ending_ != Clock::time_point{} && now > ending_ + timeout_at_end;
  if (requests >= in_earnest || in_vain) kill_all("");
  if (now < stop_again_) return;
  stop_again_ = now + between_requests;
  signal_ranks(SIGUSR1);
}

void Mpirun::wake_when_over() {
  const bool over = board_.code_of(0) || asked_to_stop_ != Clock::time_point{};
  if (!over || continued_) return;
  const auto facts = facts_of(process_);
  if (!facts || !facts->stopped) return;
  continued_ = true;
  fmt::print(stderr, "somnus: mpirun (process {}) is stopped, and is continued so that it ends\n",
             process_);
  kill(process_, SIGCONT);
}

void Mpirun::end_if_stuck(Clock::time_point now) {
  const auto passed = [now](Clock::time_point since, Clock::duration timeout) {
    return since != Clock::time_point{} && now > since + timeout;
  };
  if (!all_begun_ && passed(started_, start_limit() + extra_timeout_at_start)) {
    const std::vector<int> missing = ranks_not_begun();
    kill_all(fmt::format("mpirun has not started rank{} {} within {} s{}{}; {} sets another limit",
                         missing.size() > 1 ? "s" : "", fmt::join(missing, ", "),
                         start_limit().count(), state_in_words(), hint_at_low_limits(),
                         start_limit_variable));
  }
  const bool asked = asked_to_stop_ != Clock::time_point{};
  if (passed(all_gone_, asked ? timeout_after_ranks_asked : timeout_after_ranks) ||
      passed(first_rank_gone_, timeout_after_first_rank)) {
    kill_all(fmt::format("mpirun does not end although its ranks have{}{}", state_in_words(),
                         hint_at_low_limits()));
  }
}

void Mpirun::kill_all(std::string why) {
  if (why_ended_.empty()) why_ended_ = std::move(why);
  signal_ranks(SIGKILL);
  kill(-process_, SIGKILL);
}

void Mpirun::let_ranks_end() const {
  const auto give_up = Clock::now() + timeout_after_mpirun;
  const auto lives = [](const Rank& rank) { return rank.process != 0 && facts_of(rank.process); };
  while (std::ranges::any_of(ranks_, lives) && Clock::now() < give_up) {
    std::this_thread::sleep_for(between_looks);
  }
}

std::vector<int> Mpirun::ranks_not_begun() const {
  std::vector<int> missing;
  for (std::size_t at = 0; at < ranks_.size(); ++at) {
    if (ranks_[at].process == 0) missing.push_back(static_cast<int>(at));
  }
  return missing;
}

void Mpirun::signal_ranks(int number) const {
  for (const Rank& rank : ranks_) {
    if (rank.process == 0 || rank.gone) continue;
    const auto facts = facts_of(rank.process);
    if (facts && facts->parent == process_) kill(rank.process, number);
  }
}

std::string Mpirun::state_in_words() const {
  const auto facts = facts_of(process_);
  return facts && facts->stopped ? fmt::format(": it is stopped (process {})", process_) : "";
}

}  // namespace somnus
