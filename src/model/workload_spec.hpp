// A workload as users write it: one job of a workload file is one JobSpec. Times are seconds of
// emulated time. What is valid is in workload/check.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace somnus {

struct StageSpec {
  std::uint32_t stage = 0;
  std::vector<std::uint32_t> parents;   // the user's stage numbers, of the same job
  std::vector<double> durations;        // of a warm task on a normal node; empty if divisible
  std::vector<double> fresh;            // after a task of another app; empty: as first
  std::vector<double> first;            // after one of another stage; empty: as durations
  std::vector<double> demand;           // per kind, in the order of WorkloadSpec::resources
  double work = 0;                      // > 0: divisible, slot-seconds, cut by the partitioner
  std::vector<double> skew;             // relative work of equal parts of the input
  std::vector<std::uint32_t> affinity;  // numbers of the nodes that it prefers; empty: all alike
  bool gang = false;                    // its tasks start together; means nothing for a single one
  bool exclusive = false;               // of a gang or a single task: nobody else is on its nodes
};

struct JobSpec {
  std::string job;
  std::string user = "default";
  std::string queue = "default";
  std::string account;    // empty: of none
  std::string qos;        // the same
  std::int32_t nice = 0;  // what its priority is lessened by
  std::string app;        // empty: the job itself
  double submit = 0;      // of a job that follows another: not before this
  std::string after;      // empty, or an earlier job: this one comes when that has ended
  double think = 0;       // and that much later
  double weight = 1;
  double estimate = 0;           // of the slot-time, slot-seconds, as a profile says; 0: none
  double limit = 0;              // of its run, from its first launch, when it is killed; 0: none
  double warmup = 0;             // 0: the config's
  std::vector<double> curve;     // empty, or Ernest's four coefficients
  std::vector<double> progress;  // empty, or instead of these: on 1, 2, ... slots
  std::vector<StageSpec> stages;
};

struct UserSpec {
  std::string user;
  double weight = 1;
};

struct WorkloadSpec {
  std::string name;
  std::vector<std::string> resources;
  bool rigid = false;  // where they ran, jobs held all their CPUs at once, as in a batch system
  std::vector<UserSpec> users;  // those with a weight other than 1
  std::vector<JobSpec> jobs;
};

}  // namespace somnus
