// Messages of rank 0 for an emulated second, against the number of worker ranks: rank 0's own link
// in virtual time, before ranks that look at the wire every 100 us as real ones do. 10,000 slots,
// 95 % busy with tasks of 1 to 2 s. Pings are not among them: two a second and rank.
#include <fmt/format.h>

#include <memory>

#include "config/config.hpp"
#include "harness/virtual_ranks.hpp"
#include "runtime/loop.hpp"
#include "session/compose.hpp"
#include "session/recorder.hpp"
#include "session/tables.hpp"

namespace somnus {
namespace {

constexpr double emulated_s = 10;

Settings settings_of_run() {
  const auto toml = fmt::format(
      "[cluster]\nnodes = 10000\nslots_per_node = 1\n[scheduler]\npolicy = 'fifo'\n"
      "[workload]\ngenerator = 'fixed'\n[run]\nuntil_s = {}\n",
      emulated_s);
  return value_or_throw(parse_settings(toml, "benchmark", {}));
}

Workload busy(std::uint64_t slots) {
  constexpr std::uint32_t tasks = 100;
  constexpr double mean_s = 1.5;
  const double interval_s = tasks * mean_s / (0.95 * static_cast<double>(slots));
  RandomStream stream(1, "durations", 0);
  WorkloadSpec spec;
  for (double submit = 0; submit < emulated_s; submit += interval_s) {
    std::vector<double> durations(tasks);
    for (double& duration : durations) duration = 1 + stream.uniform();
    spec.jobs.push_back({.job = std::to_string(spec.jobs.size()),
                         .submit = submit,
                         .stages = {{.durations = std::move(durations)}}});
  }
  return assemble(spec, slots);
}

void report() {
  const Settings settings = settings_of_run();
  const Workload workload = busy(settings.cluster.slot_count());
  fmt::print("{} tasks in {} emulated s: messages of rank 0 a second\n", workload.catalogue.tasks,
             emulated_s);
  for (const int workers : {1, 4, 16, 64, 1'000, 10'000}) {
    VirtualRanks ranks(settings.cluster, workers, node_model_of(settings),
                       std::chrono::microseconds(100));
    Membership membership(ranks, {});
    membership.gather();
    ClusterLink link(membership, settings.cluster, workload.catalogue, {});
    link.meet("settings");
    const std::uint64_t before_in = membership.messages_in();
    const std::uint64_t before_out = membership.messages_out();

    LogTables tables = initial_tables(settings, workload, 0);
    const std::unique_ptr<Engine> engine = engine_of(settings, workload.catalogue, workload.names);
    const std::unique_ptr<Estimator> estimator = estimator_of(settings, workload);
    Recorder recorder(workload, *engine, tables, {});
    VirtualRanksClock clock(ranks);
    Loop(workload, *engine, *estimator, clock, link, recorder,
         loop_options_of(settings, workload, nullptr))
        .run();

    const auto a_second = [](std::uint64_t messages) {
      return static_cast<double>(messages) / emulated_s;
    };
    fmt::print("  {:>6} workers {:>7.0f} in {:>7.0f} out\n", workers,
               a_second(membership.messages_in() - before_in),
               a_second(membership.messages_out() - before_out));
  }
}

}  // namespace
}  // namespace somnus

int main() { somnus::report(); }
