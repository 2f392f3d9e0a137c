// Which order is best for these jobs, and what if a node died in the middle?
#include <cstdio>
#include <exception>
#include <somnus/simulator.hpp>
#include <string>

somnus::WorkloadSpec some_jobs() {
  somnus::WorkloadSpec workload;
  for (int job = 0; job < 20; ++job) {
    const double long_or_short_s = job % 4 == 0 ? 30 : 3;
    workload.jobs.push_back({.job = "job " + std::to_string(job),
                             .submit = 2.0 * job,
                             .stages = {{.durations = {4, long_or_short_s, long_or_short_s}}}});
  }
  return workload;
}

int main() try {
  std::printf("policy  mean response  without node 1 from 20 s on\n");
  for (const std::string policy : {"fifo", "fair", "srpt", "cfq"}) {
    somnus::Simulator simulator = somnus::Simulator::of_workload(
        "[cluster]\nnodes = 3\nslots_per_node = 2\n[scheduler]\npolicy = \"" + policy + "\"\n",
        some_jobs());
    simulator.advance_to(20);
    somnus::Simulator without = simulator.fork({.losses = {{.node = 1}}});
    simulator.finish();
    without.finish();
    std::printf("%-6s  %11.1f s  %25.1f s\n", policy.c_str(), simulator.figure("response_mean_s"),
                without.figure("response_mean_s"));
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
