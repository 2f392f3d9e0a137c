// Random worlds for the laws: jobs with stages that wait for each other, unlike nodes, resource
// vectors, delays, heartbeats and faults. Times are multiples of 0.1 s, so that things coincide.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "harness/world.hpp"

namespace somnus::harness {

/// What a law needs of its worlds.
struct Terrain {
  bool instant = false;  // no delays, no heartbeats: the scheduler knows at once
  bool jitter = true;
  bool faults = true;
  bool vectors = true;  // resource vectors
  bool stages = true;   // more than one a job
  bool within = false;  // stages in any order inside their jobs
  // Nodes with resource vectors may have no slots, unless the order counts them.
  bool slotless = false;
  // Whatever else can happen to nodes, attempts and heartbeats; losses may have to be found out,
  // and attempts may have backups.
  bool chaos = false;
};

struct Scenario {
  WorkloadSpec jobs;
  Cluster cluster;
  Conditions conditions;

  [[nodiscard]] Workload workload() const { return assemble(jobs, cluster.slot_count()); }
};

std::ostream& operator<<(std::ostream& out, const Scenario& scenario);

/// What every law of runs is held against: each order and whole policy that registers itself, with
/// its defaults and with its examples.
struct AnyOrder {
  std::string order;
  Parameters parameters;
};
[[nodiscard]] const std::vector<AnyOrder>& any_order();
/// All that register themselves.
[[nodiscard]] std::vector<std::string> names_of_parts(PartKind kind);

/// Single draws, for scenarios of other kinds.
namespace draw {

/// In [low, high].
int integer(int low, int high);
bool coin();
double tenths(int low, int high);
Cluster cluster(const Terrain& terrain);
WorkloadSpec jobs(const Terrain& terrain, const Cluster& cluster);
Warmup warmup();
NodeModel nodes(const Terrain& terrain, const Cluster& cluster);
/// Nodes say nothing of their loss: rank 0 has to find out.
void lose_in_silence(Conditions& conditions);
/// Attempts that take long get backups.
void speculate(Conditions& conditions);
/// How often a task may fail until its job does; 0: any number of times.
[[nodiscard]] std::uint32_t attempts();

}  // namespace draw

/// Call it inside a law: smaller draws are tried when the law fails.
[[nodiscard]] Scenario any_scenario(const Terrain& terrain);

[[nodiscard]] World run(const Scenario& scenario);

/// A law: all jobs end, each task's attempts count from zero, and only its last one finishes, or
/// the one that ran beside that.
void expect_each_task_to_finish_once(const World& world);
/// A law: attempts in one slot follow each other, and no slot is beyond those of its node.
void expect_never_two_tasks_in_a_slot(const World& world);
/// A law: however the nodes are cut into sets, the scheduler hears and decides the same.
void expect_divisions_not_to_matter(Scenario scenario);

}  // namespace somnus::harness
