#include "emulator/log/rows.hpp"

#include <cmath>

#include "base/error.hpp"

namespace somnus {
namespace {

void fill(EventRow& row, const JobArrived& event) { row.what = event.job.value(); }

void fill(EventRow& row, const StageEstimated& event) {
  row.what = event.stage.value();
  row.value = event.slot_time.seconds;
}

void fill(EventRow& row, const TaskEnded& event) {
  row.what = event.task.value();
  row.node = event.node.value();
  row.attempt = event.attempt;
  row.outcome = static_cast<std::uint8_t>(event.outcome);
  row.value = event.own.seconds;
}

void fill(EventRow& row, const NodeOffered& event) {
  row.what = event.queued;
  row.node = event.node.value();
  row.attempt = static_cast<std::uint16_t>(event.running);
  row.value = event.wait.seconds;
}

void fill(EventRow& row, const NodeAnswered& event) {
  row.what = event.stage.value();
  row.node = event.node.value();
  row.attempt = static_cast<std::uint16_t>(event.running);
  row.outcome = static_cast<std::uint8_t>(event.reply);
  row.value = event.queued;
}

template <class NodeEvent>
void fill(EventRow& row, const NodeEvent& event) {
  row.what = event.node.value();
  row.node = event.node.value();
}

DecisionKind kind_of(Question question) {
  switch (question) {
    case Question::probe:
      return DecisionKind::probe;
    case Question::reserve:
      return DecisionKind::reserve;
    case Question::decline:
      break;
  }
  return DecisionKind::decline;
}

template <class Kind>
constexpr std::uint8_t index_of() {
  return static_cast<std::uint8_t>(Event(Kind{}).index());
}

}  // namespace

EventRow to_row(Time time, std::uint32_t round, const Event& event) {
  EventRow row{
      .time = in_seconds(time), .round = round, .kind = static_cast<std::uint8_t>(event.index())};
  std::visit([&](const auto& one) { fill(row, one); }, event);
  return row;
}

Event event_of(const EventRow& row) {
  switch (row.kind) {
    case index_of<JobArrived>():
      return JobArrived{JobId(row.what)};
    case index_of<StageEstimated>():
      return StageEstimated{StageId(row.what), Estimate{row.value}};
    case index_of<TaskEnded>():
      return TaskEnded{.task = TaskId(row.what),
                       .node = NodeId(row.node),
                       .attempt = row.attempt,
                       .outcome = static_cast<Outcome>(row.outcome),
                       .own = Estimate{row.value}};
    case index_of<NodeOffered>():
      return NodeOffered{.node = NodeId(row.node),
                         .running = row.attempt,
                         .queued = row.what,
                         .wait = Estimate{row.value}};
    case index_of<NodeLost>():
      return NodeLost{NodeId(row.node)};
    case index_of<NodeReturned>():
      return NodeReturned{NodeId(row.node)};
    case index_of<NodeAnswered>():
      return NodeAnswered{.node = NodeId(row.node),
                          .stage = StageId(row.what),
                          .reply = static_cast<Reply>(row.outcome),
                          .running = row.attempt,
                          .queued = static_cast<std::uint32_t>(row.value)};
    default:
      SOMNUS_CHECK(false, "there is no event of kind {}", row.kind);
  }
}

DecisionRow to_row(Time time, std::uint32_t round, const Launch& launch) {
  return {.time = in_seconds(time),
          .round = round,
          .task = launch.task.value(),
          .node = launch.node.value(),
          .attempt = launch.attempt};
}

DecisionRow to_row(Time time, std::uint32_t round, const Ask& ask) {
  return {.time = in_seconds(time),
          .round = round,
          .task = ask.stage.value(),
          .node = ask.node.value(),
          .kind = static_cast<std::uint8_t>(kind_of(ask.question))};
}

DecisionRow to_row(Time time, std::uint32_t round, const Revoke& revoke) {
  return {.time = in_seconds(time),
          .round = round,
          .task = static_cast<std::uint32_t>(std::llround(revoke.limit * 1000)),
          .node = revoke.node.value(),
          .kind = static_cast<std::uint8_t>(DecisionKind::revoke)};
}

}  // namespace somnus
