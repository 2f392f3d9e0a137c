// What the log has of reservations: each new start, once.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/event.hpp"

namespace somnus {

class ReservationNews {
 public:
  void round_begins() { news_.clear(); }
  /// never: it has none.
  void say(StageId stage, Time start) {
    const auto [known, is_new] = said_.try_emplace(stage, never);
    if (known->second == start) return;
    known->second = start;
    news_.push_back({.stage = stage, .start = start == never ? infinity : in_seconds(start)});
  }
  [[nodiscard]] bool has_said(StageId stage) const { return said_.contains(stage); }
  /// It has started, or waits no longer.
  void forget(StageId stage) { said_.erase(stage); }
  /// Since the round began.
  [[nodiscard]] std::span<const Reservation> news() const { return news_; }

 private:
  std::unordered_map<StageId, Time> said_;  // the latest of each that waits
  std::vector<Reservation> news_;
};

}  // namespace somnus
