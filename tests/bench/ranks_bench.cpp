// What rank 0 does about its ranks, of which there may be thousands: to gather and meet them, to
// send a round's commands to a few of them, to look after all of them, to part. The ranks cost
// nothing, so this is rank 0's own time.
//
// Beside it the least: as many packets through the same wire, and nothing done about them.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include "harness/prompt_ranks.hpp"
#include "runtime/cluster_link.hpp"

namespace somnus {
namespace {

constexpr int commands_a_round = 64;

Cluster one_node_each(int workers) {
  Cluster cluster;
  cluster.groups.push_back({.count = static_cast<std::uint32_t>(workers), .slots = 8});
  return cluster;
}

void per_rank(benchmark::State& state) {
  state.counters["a_rank"] = benchmark::Counter(
      static_cast<double>(state.range(0)),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void meet_and_part(benchmark::State& state) {
  const auto workers = static_cast<int>(state.range(0));
  const Cluster cluster = one_node_each(workers);
  const Catalogue catalogue;
  for (auto _ : state) {
    PromptRanks wire(workers + 1);
    Membership membership(wire, {});
    membership.gather();
    ClusterLink link(membership, cluster, catalogue, {});
    link.meet("settings");
    benchmark::DoNotOptimize(link.stop(std::chrono::seconds(600)));
  }
  per_rank(state);
}

void bare_packets(benchmark::State& state) {
  const auto workers = static_cast<int>(state.range(0));
  for (auto _ : state) {
    PromptRanks wire(workers + 1);
    int from = 0;
    Bytes bytes;
    for (int rank = 1; rank <= workers; ++rank) {
      for (int ping = 0; ping < 16; ++ping) wire.send(rank, packet(Ping{}));
      wire.send(rank, packet(Hello{"settings"}));
      wire.send(rank, packet(SilenceRules{}));
      wire.send(rank, packet(Stop{}));
      while (wire.receive(from, bytes)) benchmark::DoNotOptimize(bytes.data());
    }
  }
  per_rank(state);
}

/// A round in which 64 ranks are sent something; all others do not matter.
void round_of_commands(benchmark::State& state) {
  const auto workers = static_cast<int>(state.range(0));
  const Cluster cluster = one_node_each(workers);
  const Catalogue catalogue;
  PromptRanks wire(workers + 1);
  const std::size_t before = mallinfo2().uordblks;
  Membership membership(wire, {});
  membership.gather();
  ClusterLink link(membership, cluster, catalogue, {});
  Reports reports;
  std::uint32_t node = 0;
  for (auto _ : state) {
    for (int command = 0; command < commands_a_round; ++command) {
      node = (node + 7919) % static_cast<std::uint32_t>(workers);
      link.send(start_of_time, LaunchMessage{.node = NodeId(node), .job = JobId(0U)});
    }
    link.flush();
    link.receive(start_of_time, reports);
  }
  state.SetItemsProcessed(state.iterations() * commands_a_round);
  const auto kept = static_cast<double>(mallinfo2().uordblks) - static_cast<double>(before);
  state.counters["bytes_a_rank"] = kept / workers;
}

/// What is done every 100 ms, and the pings of every second with it.
void look(benchmark::State& state) {
  PromptRanks wire(static_cast<int>(state.range(0)) + 1);
  Membership membership(wire, {});
  membership.gather();
  for (auto _ : state) membership.look();
  per_rank(state);
}

void sizes(benchmark::internal::Benchmark* each) {
  for (const int workers : {64, 1'000, 10'000, 40'000}) each->Arg(workers);
  each->Unit(benchmark::kMicrosecond);
}

BENCHMARK(meet_and_part)->Apply(sizes);
BENCHMARK(bare_packets)->Apply(sizes);
BENCHMARK(round_of_commands)->Apply(sizes);
BENCHMARK(look)->Apply(sizes);

}  // namespace
}  // namespace somnus

BENCHMARK_MAIN();
