// The floor under `run`: what MPI carries when nobody schedules. Rank 0 sends batches of launches,
// rank 1 answers each with a batch of as many completions; both spin. As in a run on 8,000 slots,
// at most 8,000 tasks are on their way at once.
//
//   mpirun -n 2 mpi_echo             prints JSON: tasks a second by batch size, and a message's way
//   mpirun -n RANKS mpi_echo memory  prints JSON: rank 0's peak, once a message from and to each
//   rank
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "model/message.hpp"
#include "mpi/mpi_wire.hpp"
#include "transport/packets.hpp"

namespace somnus {
namespace {

constexpr std::size_t slots = 8000;
constexpr auto duration = std::chrono::seconds(1);  // of each measurement

Bytes next_packet(Wire& wire) {
  int from = 0;
  Bytes bytes;
  while (!wire.receive(from, bytes)) {
  }
  return bytes;
}

void answer(Wire& wire) {
  std::vector<CompletionMessage> ends;
  for (;;) {
    const Bytes bytes = next_packet(wire);
    if (kind_of(bytes) == packet_kind<Stop>) return;
    ends.clear();
    for (const LaunchMessage& launch : contents<LaunchMessage>(bytes)) {
      ends.push_back({.queued = launch.sent,
                      .started = launch.sent,
                      .finished = launch.sent,
                      .due = launch.sent,
                      .intended = launch.times.nominal,
                      .task = launch.task,
                      .node = launch.node,
                      .attempt = launch.attempt});
    }
    wire.send(0, packet(std::span<const CompletionMessage>(ends)));
  }
}

/// Tasks a second, there and back, with `window` batches on their way.
double echoed(Wire& wire, std::size_t batch, std::size_t window) {
  const std::vector<LaunchMessage> launches(batch);
  const auto send = [&] { wire.send(1, packet(std::span<const LaunchMessage>(launches))); };
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t sent = 0; sent < window; ++sent) send();
  std::size_t tasks = 0;
  auto passed = begin - begin;
  for (; passed < duration; passed = std::chrono::steady_clock::now() - begin) {
    tasks += contents<CompletionMessage>(next_packet(wire)).size();
    send();
  }
  for (std::size_t left = 0; left < window; ++left) next_packet(wire);
  return static_cast<double>(tasks) / std::chrono::duration<double>(passed).count();
}

void measure(Wire& wire) {
  std::string rates;
  for (const std::size_t batch : {1, 16, 256, 4096}) {
    const double rate = echoed(wire, batch, std::max<std::size_t>(1, slots / batch));
    rates += fmt::format("{}\"{}\": {:.0f}", rates.empty() ? "" : ", ", batch, rate);
  }
  const double one_way_us = 1e6 / echoed(wire, 1, 1) / 2;
  wire.send(1, packet(Stop{}));
  fmt::print("{{\"tasks_per_s\": {{{}}}, \"one_way_us\": {:.2f}}}\n", rates, one_way_us);
}

void measure_memory(Wire& wire) {
  if (wire.rank() > 0) {
    wire.send(0, packet(Stop{}));
    next_packet(wire);
    return;
  }
  for (int rank = 1; rank < wire.size(); ++rank) next_packet(wire);
  for (int rank = 1; rank < wire.size(); ++rank) wire.send(rank, packet(Stop{}));
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("{{\"peak_kb\": {}}}\n", usage.ru_maxrss);
}

}  // namespace
}  // namespace somnus

int main(int argc, char** argv) {
  somnus::MpiWorld world(argc, argv, [](const std::string& what) {
    fmt::print(stderr, "{}\n", what);
    std::_Exit(3);
  });
  somnus::Wire& wire = world.wire();
  if (argc == 2 && std::string_view(argv[1]) == "memory") {
    somnus::measure_memory(wire);
    return 0;
  }
  if (wire.size() != 2) {
    fmt::print(stderr, "mpi_echo: expected 2 ranks, found {}\n", wire.size());
    return 2;
  }
  wire.rank() == 0 ? somnus::measure(wire) : somnus::answer(wire);
}
