// What a part of a scheduler may know of the cluster and the config before the first event.
#pragma once

#include <span>
#include <string>

#include "model/cluster.hpp"
#include "scheduler/policy_seed.hpp"

namespace somnus {

/// The cluster and what jobs of the workload belong to, which every part of a scheduler may know.
struct Environment {
  const Cluster& cluster;
  std::span<const std::string> queues;    // names of the workload's queues, by QueueId
  std::span<const std::string> accounts;  // the same of its accounts, by AccountId
  std::span<const std::string> qos;       // and of its qualities of service, by QosId
  PolicySeed seed{};                      // of the run
  bool whole_nodes = false;               // some stage has its nodes for itself
  bool audit_keys = false;                // keys of an order that move unnoticed are a mistake
};

/// A parameter that is valid by itself, but not in this environment.
struct ConfigError {
  std::string parameter;
  std::string what;  // is wrong, in words
};

}  // namespace somnus
