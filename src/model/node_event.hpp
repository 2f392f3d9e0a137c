// What nodes say, and what the manager of a job may ask of them.
#pragma once

#include <cstdint>
#include <utility>
#include <variant>

#include "base/describe.hpp"
#include "base/ids.hpp"
#include "base/type_list.hpp"
#include "model/estimate.hpp"

namespace somnus {

/// A heartbeat: what the node does, and that with heartbeats it may be used until the round ends.
struct NodeOffered {
  NodeId node;
  std::uint32_t running = 0;
  std::uint32_t queued = 0;
  Estimate wait;

  static constexpr const char* kind = "node_offered";
  static constexpr auto fields() {
    using E = NodeOffered;
    return in_order(
        field("node", &E::node, "id", "row of /nodes"),
        field("running", &E::running, "1", "tasks running there"),
        field("queued", &E::queued, "1", "tasks in its queue"),
        field("wait", &E::wait, "s", "estimate for one more task in its queue", estimable));
  }
};
/// What a node says to an Ask (below).
enum class Reply : std::uint8_t {
  load,   // to a probe
  ready,  // a reservation has come to its turn: a slot is held until an answer comes
  gone,   // the node was lost, and probe or reservation with it
};
template <>
struct EnumNames<Reply> {
  static constexpr std::pair<Reply, const char*> names[] = {
      {Reply::load, "its load"},
      {Reply::ready, "a reservation's turn has come"},
      {Reply::gone, "the probe or reservation is gone"}};
};
struct NodeAnswered {
  NodeId node;
  StageId stage;
  Reply reply = Reply::load;
  std::uint32_t running = 0;
  std::uint32_t queued = 0;

  static constexpr const char* kind = "node_answered";
  static constexpr auto fields() {
    using E = NodeAnswered;
    return in_order(field("node", &E::node, "id", "row of /nodes"),
                    field("stage", &E::stage, "id", "row of /stages"),
                    field("reply", &E::reply, "code", "what it says"),
                    field("running", &E::running, "1", "tasks running there"),
                    field("queued", &E::queued, "1", "tasks in its queue"));
  }
};

/// Beside launches, what a job's manager may say to a node about tasks of a stage.
enum class Question : std::uint8_t {
  probe,    // what are you doing?
  reserve,  // put a place for one of them into your queue, and report when its turn has come
  decline,  // there is none left for the place whose turn it is
};
template <>
struct EnumNames<Question> {
  static constexpr std::pair<Question, const char*> names[] = {
      {Question::probe, "probe"}, {Question::reserve, "reserve"}, {Question::decline, "decline"}};
};
struct Ask {
  NodeId node;
  StageId stage;
  Question question = Question::probe;

  static constexpr const char* kind = "ask";
  static constexpr auto fields() {
    using C = Ask;
    return in_order(field("node", &C::node, "id", "row of /nodes"),
                    field("stage", &C::stage, "id", "row of /stages"),
                    field("question", &C::question, "code",
                          "of the node's load, for a place in its queue, or that the place whose "
                          "turn has come is not needed"));
  }
  friend bool operator==(const Ask&, const Ask&) = default;
};

/// Tasks queued at the node beyond either limit come back, unless they have started.
struct Revoke {
  NodeId node;
  double length = infinity;
  Estimate wait{infinity};

  static constexpr const char* kind = "revoke";
  static constexpr auto fields() {
    using C = Revoke;
    return in_order(field("node", &C::node, "id", "row of /nodes"),
                    field("length", &C::length, "1",
                          "tasks that may stay in its queue; inf: any number", zero_to_infinity),
                    field("wait", &C::wait, "s",
                          "estimated wait up to which they may stay; inf: any", zero_to_infinity));
  }
  friend bool operator==(const Revoke&, const Revoke&) = default;
};

/// What a policy may have said to a node as it is.
using Requests = TypeList<Ask, Revoke>;
using Request = Requests::in<std::variant>;

}  // namespace somnus
