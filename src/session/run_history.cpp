#include "session/run_history.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <type_traits>

namespace somnus {
namespace {

// So that no stamp of the history is that of what follows, also as a float64 of seconds.
constexpr Duration a_moment = std::chrono::microseconds(1);

}  // namespace

RunHistory::RunHistory(Log log, const Catalogue& catalogue, LossReporter reporter, Time until)
    : log_(std::move(log)), events_(log_.events), instants_(log_), backups_(log_) {
  rows_.reserve(log_.tasks.size());
  for (std::uint32_t at = 0; at < log_.tasks.size(); ++at) {
    const TaskRow& row = log_.tasks[at];
    const TaskId task(catalogue.stages[row.stage].first_task.value() + row.index);
    rows_.emplace(key(task, row.attempt), at);
  }
  size_ = whole_events(reporter);
  Time last = start_of_time;
  if (size_ > 0) {
    last = time_of(size_ - 1);
    events_.visit(size_ - 1, [&](const auto& row, std::size_t) { rounds_ = row.round + 1; });
  }
  const Time first_without = size_ < events_.size() ? time_of(size_) : never;
  for (const SampleRow& sample : log_.samples) {
    if (at_seconds(sample.time) >= first_without) break;
    last = std::max(last, at_seconds(sample.time));
    ++samples_;
  }
  at_ = std::min(last + a_moment, until);
}

// The estimates of a job whose arrival is missing come again with it.
std::size_t RunHistory::whole_events(LossReporter reporter) const {
  std::size_t end = 0;
  std::size_t whole = 0;
  for (bool goes_on = true; goes_on && end < events_.size(); ++end) {
    events_.visit(end, [&]<class Kind>(const Stamped<Kind>& row, std::size_t) {
      goes_on = instants_.of(row.round, row.time).has_value();
      if (!goes_on) return;
      if constexpr (std::is_same_v<Kind, TaskEnded>) {
        const TaskRow* const recorded_end = end_of(row.task, row.attempt);
        const bool needs_none = row.outcome == Outcome::lost && reporter == LossReporter::by_nobody;
        goes_on = needs_none || (recorded_end != nullptr &&
                                 recorded_end->outcome == static_cast<std::uint8_t>(row.outcome));
      }
      if (goes_on && !std::is_same_v<Kind, StageEstimated>) whole = end + 1;
    });
  }
  return whole;
}

Time RunHistory::time_of(std::size_t number) const {
  Time time;
  events_.visit(number, [&](const auto& row, std::size_t) { time = at_seconds(row.time); });
  return time;
}

// Rows that were written when the run ended are of no end.
const TaskRow* RunHistory::end_of(TaskId task, std::uint16_t attempt) const {
  const auto found = rows_.find(key(task, attempt));
  if (found == rows_.end()) return nullptr;
  const TaskRow& row = log_.tasks[found->second];
  const bool ended = row.outcome != static_cast<std::uint8_t>(Outcome::unfinished);
  return ended && !std::isnan(row.intended) ? &row : nullptr;
}

Time RunHistory::ready_again(TaskId task, std::uint16_t attempt, Time otherwise) const {
  do ++attempt;
  while (backups_.contains(task, attempt));
  const auto found = rows_.find(key(task, attempt));
  if (found == rows_.end()) return otherwise;
  return at_seconds(log_.tasks[found->second].ready);
}

}  // namespace somnus
