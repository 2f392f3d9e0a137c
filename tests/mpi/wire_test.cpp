// Two ranks over TCP, of which rank 1 is stopped between the announcement of a long message and its
// contents: rank 0 must go on meanwhile, and have the message once rank 1 does.
//
//   mpirun -n 2 --mca btl self,tcp wire_test      exit code 0 if all holds, else 1 and a sentence
#include <fmt/format.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "mpi/mpi_wire.hpp"

namespace somnus {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t long_size = 8'000'000;  // bytes; TCP carries less without the receiver's word

Bytes packet_of(pid_t pid) {
  Bytes bytes(sizeof pid);
  std::memcpy(bytes.data(), &pid, sizeof pid);
  return bytes;
}

/// What comes within that time; empty if nothing does.
Bytes next_within(Clock::duration time, Wire& wire) {
  const Clock::time_point give_up = Clock::now() + time;
  int from = 0;
  for (Bytes bytes; Clock::now() < give_up;) {
    if (wire.receive(from, bytes)) return bytes;
    std::this_thread::sleep_for(100us);
  }
  return {};
}

/// As the third field of its stat says.
bool is_stopped_within(Clock::duration time, pid_t pid) {
  const Clock::time_point give_up = Clock::now() + time;
  while (Clock::now() < give_up) {
    std::ifstream stat(fmt::format("/proc/{}/stat", pid));
    const std::string line{std::istreambuf_iterator<char>(stat), {}};
    const std::size_t name_end = line.rfind(')');
    if (name_end != std::string::npos && line.compare(name_end, 3, ") T") == 0) return true;
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

void send_and_stop(Wire& wire) {
  next_within(10s, wire);  // so that there is a connection
  wire.send(0, packet_of(getpid()));
  wire.send(0, Bytes(long_size, std::byte{7}));
  wire.send(0, Bytes(1, std::byte{1}));
  raise(SIGSTOP);
  next_within(30s, wire);  // as a rank does that goes on; rank 0 says when it has all
}

int expect_to_go_on(Wire& wire) {
  wire.send(1, Bytes(1));
  const Bytes first = next_within(10s, wire);
  pid_t other = 0;
  if (first.size() != sizeof other) return fmt::print("no process id came\n"), 1;
  std::memcpy(&other, first.data(), sizeof other);

  if (!is_stopped_within(10s, other)) return fmt::print("rank 1 did not stop\n"), 1;
  const Clock::time_point begin = Clock::now();
  const Bytes early = next_within(500ms, wire);
  const auto took = Clock::now() - begin;
  kill(other, SIGCONT);
  if (!early.empty()) return fmt::print("{} bytes of a stopped rank came\n", early.size()), 1;
  if (took > 5s) return fmt::print("receive() waited for a stopped rank\n"), 1;

  const Bytes whole = next_within(10s, wire);
  if (whole != Bytes(long_size, std::byte{7})) {
    return fmt::print("expected {} bytes of 7, {} came\n", long_size, whole.size()), 1;
  }
  if (next_within(10s, wire).size() != 1) return fmt::print("the last message is lost\n"), 1;
  wire.send(1, Bytes(1));
  return 0;
}

int run(int argc, char** argv) {
  MpiWorld world(argc, argv, [](const std::string& what) {
    fmt::print(stderr, "{}\n", what);
    std::_Exit(3);
  });
  if (world.wire().rank() == 0) return expect_to_go_on(world.wire());
  send_and_stop(world.wire());
  return 0;
}

}  // namespace
}  // namespace somnus

int main(int argc, char** argv) { return somnus::run(argc, argv); }
