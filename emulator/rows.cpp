#include "emulator/rows.hpp"

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

template <class NodeEvent>
void fill(EventRow& row, const NodeEvent& event) {
  row.what = event.node.value();
  row.node = event.node.value();
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
      return NodeOffered{NodeId(row.node)};
    case index_of<NodeLost>():
      return NodeLost{NodeId(row.node)};
    case index_of<NodeReturned>():
      return NodeReturned{NodeId(row.node)};
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

}  // namespace somnus
