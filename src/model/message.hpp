// What travels between rank 0 and the nodes, the same in both clocks. Fixed-size, trivially
// copyable records; a batch of them is one MPI message.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/event.hpp"

namespace somnus {

/// Rank 0 to a node: run this task.
struct LaunchMessage {
  Time sent;
  Duration nominal{};  // warm, on a normal node
  double warmup = 1;   // cold / warm factor
  TaskId task;
  NodeId node;
  AppId app;
  std::uint16_t attempt = 0;
};

/// A node to rank 0: an attempt is over. Times are the node's, in emulated time.
struct CompletionMessage {
  Time queued;  // reached the node
  Time started;
  Time finished;
  Time due;             // at rank 0, after the emulated way there
  Duration intended{};  // with warm-up and node slowdown
  TaskId task;
  NodeId node;
  std::uint16_t attempt = 0;
  std::uint16_t slot = 0;
  Outcome outcome = Outcome::finished;
  bool warm = false;
};

enum class NodeNews : std::uint8_t { heartbeat, lost, returned };

/// A node to rank 0: its heartbeat, or that it went or came back.
struct OfferMessage {
  Time due;  // at rank 0
  NodeId node;
  NodeNews news = NodeNews::heartbeat;
  std::uint32_t free_slots = 0;
  std::uint32_t queued = 0;  // tasks in the worker queue
};

/// What came from nodes, in order.
struct Reports {
  std::vector<CompletionMessage> completions;
  std::vector<OfferMessage> offers;

  [[nodiscard]] bool empty() const { return completions.empty() && offers.empty(); }
  void clear() {
    completions.clear();
    offers.clear();
  }
};

static_assert(std::is_trivially_copyable_v<LaunchMessage>);
static_assert(std::is_trivially_copyable_v<CompletionMessage>);
static_assert(std::is_trivially_copyable_v<OfferMessage>);

}  // namespace somnus
