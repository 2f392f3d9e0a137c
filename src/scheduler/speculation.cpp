#include "scheduler/speculation.hpp"

#include <algorithm>

#include "base/grid.hpp"

namespace somnus {
namespace {

// A quantile that is written in decimals is off by 1e-16 of itself.
std::uint32_t needed(double quantile, std::uint32_t tasks) {
  return std::max(static_cast<std::uint32_t>(quantile * tasks * (1 + 4e-16)), 1U);
}

}  // namespace

void RunningMedian::add(Duration span) {
  if (!below_.empty() && span > below_.top()) {
    above_.push(span);
  } else {
    below_.push(span);
  }
  if (above_.size() > below_.size()) {
    below_.push(above_.top());
    above_.pop();
  } else if (below_.size() > above_.size() + 1) {
    above_.push(below_.top());
    below_.pop();
  }
}

Duration RunningMedian::twice_the_median() const {
  return below_.top() + (below_.size() > above_.size() ? below_.top() : above_.top());
}

void Speculation::launched(Time now, TaskId task, std::uint16_t attempt, Kind kind) {
  launched_[key(task, attempt)] = now;
  if (kind == Kind::backup) return;
  const StageId stage = catalogue_.stage_of[task.index()];
  stages_[stage].originals.push_back({task, attempt});
  look_at(stage);
}

void Speculation::ended(Time now, TaskId task, std::uint16_t attempt, bool finished) {
  const auto launch = launched_.find(key(task, attempt));
  if (launch == launched_.end()) return;
  const Duration took = now - launch->second;
  launched_.erase(launch);
  const StageId stage = catalogue_.stage_of[task.index()];
  StageState& state = stages_[stage];
  if (finished) state.took.add(took);
  if (state.took.count() < catalogue_[stage].tasks) return look_at(stage);
  due_.erase(stage.value());
  stages_.erase(stage);
}

void Speculation::look_at(StageId stage) {
  StageState& state = stages_[stage];
  std::deque<Attempt>& originals = state.originals;
  while (!originals.empty() &&
         !launched_.contains(key(originals.front().task, originals.front().number))) {
    originals.pop_front();
  }
  const bool enough = state.took.count() >= needed(rules_.quantile, catalogue_[stage].tasks);
  if (originals.empty() || !enough) return due_.erase(stage.value());
  const Quad median = exactly(state.took.twice_the_median()) / 2;
  const Quad span = std::max(exactly(rules_.least), Quad{rules_.slowdown} * median);
  const Time begin = launched_.at(key(originals.front().task, originals.front().number));
  const Time due = time_after(begin, span);
  if (due == never) return due_.erase(stage.value());
  due_.put(stage.value(), due);
}

std::vector<TaskId> Speculation::take_due(Time now) {
  std::vector<TaskId> tasks;
  while (!due_.empty() && due_.top().key <= now) {
    const StageId stage(due_.top().index);
    StageState& state = stages_.at(stage);
    tasks.push_back(state.originals.front().task);
    state.originals.pop_front();
    look_at(stage);
  }
  return tasks;
}

}  // namespace somnus
