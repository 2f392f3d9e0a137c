// The ends of tasks that start and end as one: those of gangs wait for each other, and those of
// units that gave up their slots are of suspended attempts, if they keep what they have done.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "model/message.hpp"
#include "model/workload.hpp"
#include "runtime/gang_ends.hpp"
#include "runtime/suspended_work.hpp"
#include "scheduler/engine.hpp"

namespace somnus {

class UnitEnds {
 public:
  /// Workload and engine must outlive it.
  UnitEnds(const Workload& workload, const Engine& engine, SuspendedWork suspended)
      : workload_(workload),
        engine_(engine),
        gangs_(workload.catalogue),
        suspended_(std::move(suspended)) {}

  /// Else ends need not be added.
  [[nodiscard]] bool any() const { return gangs_.any() || engine_.any_suspended(); }
  // As GangEnds.
  template <class Deliver>
  void add(const CompletionMessage& end, Deliver&& deliver) {
    gangs_.add(end, engine_.jobs(), with_suspended(deliver));
  }
  template <class Deliver>
  void break_up(TaskId task, std::uint16_t attempt, Time now, Deliver&& deliver) {
    gangs_.break_up(task, attempt, now, with_suspended(deliver));
  }
  [[nodiscard]] std::optional<CompletionMessage> lose(TaskId task) { return gangs_.lose(task); }

  [[nodiscard]] const SuspendedWork& suspended() const { return suspended_; }

 private:
  template <class Deliver>
  [[nodiscard]] auto with_suspended(Deliver& deliver) {
    return [this, &deliver](const CompletionMessage& end) {
      deliver(suspended_.end_of(end, engine_, workload_));
    };
  }

  const Workload& workload_;
  const Engine& engine_;
  GangEnds gangs_;
  SuspendedWork suspended_;
};

}  // namespace somnus
