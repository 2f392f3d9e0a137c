// Slots that a node holds for reservations whose turn has come, until a command comes for it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/ids.hpp"

namespace somnus {

class Reservations {
 public:
  [[nodiscard]] std::size_t size() const { return held_.size(); }

  void hold(StageId stage, std::uint32_t slot) { held_.push_back({stage, slot}); }
  /// The slot that has been held longest for a task of the stage, and is no longer; none: the node
  /// was lost in between.
  std::optional<std::uint32_t> release(StageId stage) {
    const auto held = std::ranges::find(held_, stage, &Held::stage);
    if (held == held_.end()) return std::nullopt;
    const std::uint32_t slot = held->slot;
    held_.erase(held);
    return slot;
  }
  /// Calls visit(slot) for each that was held; none is any more.
  template <class Visit>
  void release_all(Visit&& visit) {
    for (const Held& held : std::exchange(held_, {})) visit(held.slot);
  }

 private:
  struct Held {
    StageId stage;
    std::uint32_t slot;
  };
  std::vector<Held> held_;
};

}  // namespace somnus
