// A whole run under the virtual clock, recorded: `const World world = simulate(jobs, cluster(3),
// {.order = "cfq"})`. The scheduler, the loop and the nodes are the real ones; only the observer
// is the harness's own.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/lateness.hpp"
#include "harness/builders.hpp"
#include "runtime/loop.hpp"
#include "scheduler/engine.hpp"
#include "scheduler/estimator.hpp"
#include "scheduler/registry.hpp"
#include "workers/node_set.hpp"

namespace somnus::harness {

/// One attempt that the scheduler launched and heard the end of.
struct Attempt {
  JobId job;
  StageId stage;
  TaskId task;
  std::uint16_t number = 0;
  NodeId node;
  std::uint32_t slot = 0;
  Time placed;  // the scheduler decided
  Time queued;
  Time started;
  Time finished;
  Time reported;  // when the scheduler heard of the end
  Duration intended{};
  Outcome outcome = Outcome::unfinished;
  bool warm = false;
};

struct Decision {
  Time at;
  std::uint32_t round = 0;
  Launch launch;
};

struct Heard {
  Time at;
  std::uint32_t round = 0;
  Event event;
};

struct Asked {
  Time at;
  Ask ask;
};

struct Revoked {
  Time at;
  Revoke revoke;
};

struct Promised {
  Time at;
  Promise promise;
};

struct Reserved {
  Time at;
  Reservation reservation;
};

struct TimedOut {
  Time at;
  JobId job;
};

struct Sampled {
  Time at;
  std::size_t rounds = 0;  // before it
  friend bool operator==(const Sampled&, const Sampled&) = default;
};

/// Names of jobs, one a launch.
using Served = std::vector<std::string>;

struct World {
  Workload workload;
  Cluster cluster;
  Ending ending = Ending::stopped;
  std::vector<Attempt> attempts;    // that ended, in order of (task, number)
  std::vector<Decision> decisions;  // in the order in which they were made
  std::vector<Asked> asks;
  std::vector<Revoked> revokes;
  std::vector<Promised> promises;
  std::vector<Reserved> reservations;
  std::vector<TimedOut> timeouts;
  std::size_t backups_due = 0;
  std::vector<Heard> events;  // as the scheduler took them
  std::vector<Time> rounds;   // when the scheduler was asked
  std::vector<Sampled> samples;
  std::vector<Time> finish;  // by JobId, on the nodes' stamps; never if it did not
  std::vector<bool> failed;  // by JobId

  [[nodiscard]] JobId job(std::string_view name) const;
  /// In seconds since the run's start.
  [[nodiscard]] double finish_of(std::string_view name) const;
  [[nodiscard]] double mean_response() const;
  [[nodiscard]] std::vector<Attempt> attempts_of(std::string_view name) const;
  /// Names of the jobs whose tasks were launched at that instant, in the order of the decisions.
  [[nodiscard]] Served served_at(Duration instant) const;
};

/// By names of jobs, in seconds since the run's start.
inline void expect_finish(const World& world,
                          std::initializer_list<std::pair<const char*, double>> expected) {
  for (const auto& [job, finish] : expected) EXPECT_DOUBLE_EQ(world.finish_of(job), finish) << job;
}

/// What every attempt was, one line each.
[[nodiscard]] std::string attempts_of(const World& world);

/// All that the scheduler heard, in order, one line each.
[[nodiscard]] std::string heard(const World& world);

/// All that was decided and what became of it, one line each.
[[nodiscard]] std::string transcript(const World& world);

using MakeEstimator = std::function<std::unique_ptr<Estimator>(const Workload&)>;
using WrapPolicy = std::function<std::unique_ptr<Policy>(std::unique_ptr<Policy>)>;

struct Conditions {
  std::string order = "cfq";  // or a whole policy, which has no use for a placement
  Parameters of_order;
  std::string within = default_part(PartKind::within);
  std::string backfill = default_part(PartKind::backfill);
  Parameters of_backfill;
  std::string placement = "any-free";
  Parameters of_placement;
  std::string feedback = "at-once";
  std::optional<QueueRules> queue;  // of each node
  EngineRules rules;
  NodeModel nodes;                            // heartbeats come where feedback or queue need them
  std::vector<std::uint32_t> cuts;            // first nodes of further node sets
  MakeEstimator estimator = exact_estimator;  // what the scheduler gets
  WrapPolicy wrap;                            // puts a probe around the policy
  std::function<void(Time, const Engine&)> rounds;  // called after each round
  LoopOptions loop;
  std::optional<LateRanks> late;  // that emulate it; none: nothing is late, and `cuts` count
};

/// Its nodes, as a config with those conditions would have them.
[[nodiscard]] NodeModel node_model(const Conditions& conditions);

/// Its scheduler. The workload must outlive it.
[[nodiscard]] std::unique_ptr<Engine> engine_of(const Workload& workload, const Cluster& cluster,
                                                const Conditions& conditions);

[[nodiscard]] World simulate(Workload workload, const Cluster& cluster,
                             const Conditions& conditions);
[[nodiscard]] World simulate(const WorkloadBuilder& jobs, const Cluster& cluster,
                             const Conditions& conditions = {});

/// What each job that is there is meant to have after the round at that time, by job.
[[nodiscard]] std::map<std::uint32_t, Target> targets_at(Duration instant,
                                                         const WorkloadBuilder& jobs,
                                                         const Cluster& cluster,
                                                         Conditions conditions);

}  // namespace somnus::harness
