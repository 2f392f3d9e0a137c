#include "emulator/commands/signals.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

#include "emulator/commands/commands.hpp"
#include "emulator/commands/launcher.hpp"
#include "emulator/commands/rank_board.hpp"
#include "external/peer.hpp"
#include "mpi/mpi_wire.hpp"
#include "output/unfinished.hpp"
#include "session/emulation.hpp"

namespace somnus {
namespace {

constexpr int any_number = 1 << 30;
constexpr std::chrono::milliseconds between_looks_at_starter{200};
constexpr std::chrono::seconds timeout_without_starter{10};
constexpr std::chrono::seconds timeout_with_start{2};

std::atomic<int> stop{0};
std::atomic<int> signals_seen{0};
std::atomic<int> most_signals{1};
std::atomic<bool> ranks_have_met{false};
std::atomic<bool> is_looked_at{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

extern "C" void on_signal(int number) {
  int none = 0;
  stop.compare_exchange_strong(none, number);  // the first one is the reason
  if (number == SIGUSR1) return;
  const bool again = ++signals_seen > most_signals;
  if (is_looked_at && !again) return;
  remove_unfinished();
  const std::string_view words = again ? "somnus: asked to end again, and ends at once\n"
                                       : "somnus: asked to end, and ends at once\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, words.data(), words.size());
  std::_Exit(exit_world);
}

bool starter_is_gone(pid_t starter) { return getppid() != starter || board_is_gone(); }

/// MPI's start can't be broken off. It is better waited for a little, as mpirun may hang where a
/// rank leaves in the middle of it.
class StartWatch {
 public:
  void look() {
    if (stop == 0 || ranks_have_met) return;
    const auto now = std::chrono::steady_clock::now();
    if (asked_ == std::chrono::steady_clock::time_point{}) asked_ = now;
    if (now > asked_ + timeout_with_start) end();
  }

 private:
  [[noreturn]] static void end() {
    const std::string why = fmt::format("{} before the ranks had met", words_for_stop(stop));
    end_at_once(exit_world, first_rank() ? why : "");
  }

  std::chrono::steady_clock::time_point asked_;
};

bool is_ignored(int number) {
  struct sigaction action{};
  return sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

std::atomic<int>& stop_flag() {
  is_looked_at = true;
  Peer::heed(stop);
  return stop;
}
int times_asked_to_stop() { return signals_seen; }

void handle_signals() {
  constexpr int copies_by_mpirun = 3;
  if (MpiWorld::launched()) most_signals = copies_by_mpirun;
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGUSR1, &action, nullptr);
  if (!is_ignored(SIGHUP)) sigaction(SIGHUP, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);  // who is ignored by whoever started us leaves no word of its end
}

bool nobody_reads_output(const std::system_error& error) {
  if (error.code() != std::errc::broken_pipe) return false;
  pollfd output{.fd = STDOUT_FILENO, .events = 0, .revents = 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

void count_signals_only() { most_signals = any_number; }

void watch_starter() {
  is_looked_at = true;
  write_process_on_board();
  std::thread([starter = getppid()] {
    StartWatch start;
    for (; !starter_is_gone(starter); std::this_thread::sleep_for(between_looks_at_starter)) {
      start.look();
    }
    int none = 0;
    stop.compare_exchange_strong(none, stop_for_starter);
    const auto give_up = std::chrono::steady_clock::now() + timeout_without_starter;
    for (; std::chrono::steady_clock::now() < give_up;
         std::this_thread::sleep_for(between_looks_at_starter)) {
      start.look();
    }
    end_at_once(exit_world, "who started the ranks is gone, and they can not end together");
  }).detach();
}

void note_that_ranks_have_met() { ranks_have_met = true; }

}  // namespace somnus
