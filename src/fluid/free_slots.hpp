// The slots that one job by itself runs on: which of the free ones a task of it takes, by the rule
// of a node (workers/slots.hpp) over all of them. Slots that are the same to the warm-up model
// stand together, so that a wide cluster costs no more than a narrow one.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/task_times.hpp"
#include "warmup/warmup.hpp"

namespace somnus {

/// Slots that no other job uses.
class FreeSlots {
 public:
  enum class Limit : std::uint8_t { slots, none };  // none: a new one only where none is free

  FreeSlots(std::uint64_t count, Limit limit, const Warmup& warmup)
      : count_(count), limit_(limit), warmup_(warmup) {}

  /// What the job ran in a slot, as far as the model looks.
  struct RunHistory {
    StageId last;
    std::uint32_t ran = 0;
    friend auto operator<=>(const RunHistory&, const RunHistory&) = default;
  };
  struct Started {
    std::uint64_t slot;  // from 0, in the order in which they are first taken
    Duration time;
    RunHistory past;  // once the task has ended
  };

  [[nodiscard]] bool any() const { return used_ < count_ || !freed_.empty(); }
  /// Where a task of that stage takes least; of equal ones the one that was freed last, before any
  /// that was never used. There must be one.
  Started start(const TaskTimes& times, StageId stage);
  void give_back(std::uint64_t slot, const RunHistory& past) {
    freed_[past].push_back({slot, turn_++});
  }

 private:
  struct Freed {
    std::uint64_t slot;
    std::uint64_t turn;
  };
  [[nodiscard]] RunHistory after(RunHistory before, StageId stage) const;

  std::uint64_t count_;
  Limit limit_;
  const Warmup& warmup_;
  std::uint64_t used_ = 0;  // the others never were
  std::uint64_t turn_ = 0;
  std::map<RunHistory, std::vector<Freed>> freed_;  // none is empty
};

}  // namespace somnus
