// The messages between rank 0 and the nodes, the same under both clocks. Fixed-size, trivially
// copyable records; a batch of them is one MPI message. Each kind stands in one of the lists below:
// wire, transports and delay lines are derived from them.
#pragma once

#include <cstdint>
#include <tuple>
#include <type_traits>

#include "base/batches.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/event.hpp"
#include "model/task_times.hpp"

namespace somnus {

/// Which of a node's lives: rank 0 counts how often it has given the node up. Where nodes report
/// their loss themselves, there is one.
using Incarnation = std::uint8_t;

/// Rank 0 to a node that it had given up, and that is heard again: forget all, and begin that life.
struct ResetMessage {
  Time sent;
  NodeId node;
  Incarnation incarnation = 0;
};

/// Rank 0 to a node: run this task, or queue it.
struct LaunchMessage {
  Time sent;            // by the job's manager, which may be later than now
  TaskTimes times;      // on a normal node
  Duration estimate{};  // of the task's duration, as the scheduler got it
  TaskId task;
  NodeId node;
  AppId app;
  JobId job;
  StageId stage;
  std::uint16_t attempt = 0;
  Into into = Into::any_slot;
  Incarnation incarnation = 0;
};

/// Rank 0 to a node: end that attempt, whether it runs, waits, or has yet to come.
struct KillMessage {
  Time sent;
  TaskId task;
  NodeId node;
  std::uint16_t attempt = 0;
  Incarnation incarnation = 0;
};

/// Rank 0 to a node: a probe, or what there is to say about a reservation.
struct AskMessage {
  Time sent;
  Duration estimate{};  // of a task of the stage
  NodeId node;
  StageId stage;
  JobId job;
  Question question = Question::probe;
  Incarnation incarnation = 0;
};

/// Rank 0 to a node: give back what is queued beyond either limit.
struct RevokeMessage {
  Time sent;
  double length = infinity;  // tasks that may stay
  double wait_s = infinity;  // estimated
  NodeId node;
  Incarnation incarnation = 0;
};

/// Rank 0 to all nodes: where a job stands. A node looks at it when a task of the job comes, and at
/// its heartbeats.
struct JobUpdate {
  Time arrival;
  Duration remaining{};  // estimated work of its unfinished tasks
  JobId job;
  std::uint32_t unfinished = 0;  // tasks
};

/// A node to rank 0: an attempt is over. Times are the node's, in emulated time; never: did not
/// happen.
struct CompletionMessage {
  Time queued;  // reached the node
  Time started;
  Time finished;
  Time due;             // at rank 0, after the emulated way there
  Duration intended{};  // with warm-up and node slowdown
  TaskId task;
  NodeId node;
  std::uint32_t slot = 0;
  std::uint16_t attempt = 0;
  Outcome outcome = Outcome::finished;
  bool warm = false;

  static constexpr auto stamps() {
    using M = CompletionMessage;
    return std::tuple{&M::queued, &M::started, &M::finished, &M::due};
  }
};

/// Of an attempt that is probably among the next to end. It changes nothing.
struct ExpectedEnd {
  TaskId task;
  NodeId node;
};

enum class NodeStatus : std::uint8_t {
  heartbeat,
  lost,
  returned,   // empty; with a life that rank 0 has given it, or where there is but one
  registers,  // it has started anew and asks for a life
};

/// A node to rank 0: its heartbeat, or that it went or came back.
struct NodeStatusMessage {
  Time due;         // at rank 0
  Duration wait{};  // estimated for one more task in the queue
  NodeId node;
  std::uint32_t running = 0;
  std::uint32_t queued = 0;  // tasks in the worker queue
  NodeStatus status = NodeStatus::heartbeat;
  Incarnation incarnation = 0;

  static constexpr auto stamps() { return std::tuple{&NodeStatusMessage::due}; }
};

/// A node to rank 0: the reply to an AskMessage.
struct AnswerMessage {
  Time due;  // at rank 0
  NodeId node;
  StageId stage;
  std::uint32_t running = 0;
  std::uint32_t queued = 0;
  Reply reply = Reply::load;
  Incarnation incarnation = 0;

  static constexpr auto stamps() { return std::tuple{&AnswerMessage::due}; }
};

/// Rank 0 to one node. Of those that arrive in one instant all of a kind come before the next kind.
using CommandMessages =
    TypeList<ResetMessage, LaunchMessage, KillMessage, AskMessage, RevokeMessage>;
/// A node to rank 0.
using NodeMessages = TypeList<CompletionMessage, AnswerMessage, NodeStatusMessage>;

/// What came from nodes, of each kind in order.
using Reports = Batches<NodeMessages>;

/// What a wire packs.
template <class T>
concept Message = std::is_class_v<T> && std::is_trivially_copyable_v<T>;

/// It leaves at `sent`, which is the job's manager's and may be later than now.
template <class T>
concept CommandMessage = Message<T> && CommandMessages::has<T> && requires(T message) {
  message.sent = Time();
  message.node = NodeId();
  message.incarnation = Incarnation();
};

/// Its stamps() are the members that are times by the clock of the node's rank; `due` is one.
template <class T>
concept NodeMessage = Message<T> && NodeMessages::has<T> && requires(T message) {
  message.due = Time();
  message.node = NodeId();
  T::stamps();
};

}  // namespace somnus
