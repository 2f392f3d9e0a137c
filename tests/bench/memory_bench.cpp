// Bytes of heap for each pending task and each slot: what workload, scheduler and nodes hold while
// a large run is under way, with all that the allocator adds.
#include <fmt/format.h>
#include <malloc.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "model/workload.hpp"
#include "scheduler/engine.hpp"
#include "scheduler/registry.hpp"
#include "workers/node_set.hpp"

namespace {

std::size_t live_bytes = 0;  // one thread only

void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  live_bytes += malloc_usable_size(memory);
  return memory;
}

void uncounted(void* memory) {
  live_bytes -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) { return counted(std::malloc(size)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(step, (size + step - 1) / step * step));
}
void operator delete(void* memory) noexcept { uncounted(memory); }
void operator delete(void* memory, std::size_t) noexcept { uncounted(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { uncounted(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { uncounted(memory); }

namespace somnus {
namespace {

constexpr std::uint32_t jobs = 20'000;
constexpr std::uint32_t tasks_per_job = 50;
constexpr double tasks = double{jobs} * tasks_per_job;

Cluster cluster_of(std::uint32_t nodes, std::uint32_t slots) {
  return {.groups = {{.count = nodes, .slots = slots}}, .resources = {}};
}

Workload equal_jobs() {
  WorkloadSpec spec;
  for (std::uint32_t job = 0; job < jobs; ++job) {
    spec.jobs.push_back({.job = std::to_string(job),
                         .stages = {{.durations = std::vector<double>(tasks_per_job, 1.0)}}});
  }
  return assemble(spec, 1);
}

/// All jobs have arrived, nothing has been launched.
std::size_t scheduler_bytes(const Catalogue& catalogue, const char* order) {
  const Cluster cluster = cluster_of(1, 1);
  const std::size_t before = live_bytes;
  Engine engine(catalogue, cluster,
                make_scheduler({.order = order, .placement = "any-free"},
                               {.cluster = cluster, .queues = {}}));
  for (std::uint32_t job = 0; job < jobs; ++job) {
    engine.handle({}, StageEstimated{StageId(job), Estimate{tasks_per_job}});
    engine.handle({}, JobArrived{JobId(job)});
  }
  return live_bytes - before;
}

/// Every slot runs a task: the scheduler's table and the nodes themselves.
std::size_t node_bytes(const Cluster& cluster) {
  const std::size_t before = live_bytes;
  const NodeTable table(cluster);
  const NodeView view(table);
  NodeSet nodes(cluster, NodeId(0U), cluster.node_count(), {});
  std::uint32_t task = 0;
  for (std::uint32_t node = 0; node < cluster.node_count(); ++node) {
    for (std::uint32_t slot = 0; slot < cluster.groups.front().slots; ++slot, ++task) {
      nodes.send({}, LaunchMessage{.times = TaskTimes::alike(seconds(1 + task % 97)),
                                   .task = TaskId(task),
                                   .node = NodeId(node),
                                   .app = AppId(0U)});
    }
  }
  return live_bytes - before;
}

void report() {
  fmt::print("{} jobs with {} tasks each: bytes per pending task (budget 96)\n", jobs,
             tasks_per_job);
  const std::size_t before = live_bytes;
  const Workload workload = equal_jobs();
  const double of_workload = static_cast<double>(live_bytes - before) / tasks;
  for (const char* order : {"fifo", "fair", "srpt", "cfq"}) {
    const double own = static_cast<double>(scheduler_bytes(workload.catalogue, order)) / tasks;
    fmt::print("  {:<6} {:6.1f} = {:.1f} workload + {:.1f} scheduler\n", order, of_workload + own,
               of_workload, own);
  }
  fmt::print("nodes with 8 slots, all busy: bytes per slot (budget 256)\n");
  for (const std::uint32_t nodes : {1'000U, 100'000U}) {
    const Cluster cluster = cluster_of(nodes, 8);
    fmt::print(
        "  {:>6} {:6.1f}\n", nodes,
        static_cast<double>(node_bytes(cluster)) / static_cast<double>(cluster.slot_count()));
  }
}

}  // namespace
}  // namespace somnus

int main() { somnus::report(); }
