#include "emulator/commands/signals.hpp"

#include <csignal>
#include <cstdlib>

#include "emulator/commands/commands.hpp"

namespace somnus {
namespace {

std::atomic<int> stop{0};
std::atomic<int> signals_seen{0};
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void on_signal(int number) {
  constexpr int patience = 3;  // mpirun passes one Ctrl-C on several times
  if (++signals_seen > patience) std::_Exit(exit_world);
  int none = 0;
  stop.compare_exchange_strong(none, number);  // the first one is the reason
}

}  // namespace

std::atomic<int>& stop_flag() { return stop; }

void handle_signals() {
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGUSR1, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace somnus
