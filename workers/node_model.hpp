// What the emulated nodes of a run are like.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/message.hpp"
#include "queueing/worker_queue.hpp"
#include "warmup/warmup.hpp"
#include "workers/delay_line.hpp"
#include "workers/fault_model.hpp"
#include "workers/node_faults.hpp"

namespace somnus {

struct NodeModel {
  Warmup warmup;
  bool heartbeats = false;
  bool ends_wait = false;  // for the next heartbeat, to be reported
  bool random_phase = true;
  Duration heartbeat_interval = seconds(3);
  Duration heartbeat_delay{};      // added to the network's
  Delay network;                   // each way
  std::vector<NodeFault> faults;   // those that are listed, in order of time
  FaultModel fault_model;          // and what is drawn at random
  bool silent = false;             // nodes say nothing of their loss
  MakeQueue make_queue = nullptr;  // of each node; none: a launch must find a free slot
  QueueRules queue{};              // its rules
  bool external_sleep = false;     // someone else sleeps for the tasks and calls woke()
  std::uint64_t seed = 1;
};

}  // namespace somnus
