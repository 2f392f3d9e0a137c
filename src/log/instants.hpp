// When the rounds of a log were, to the nanosecond: of late ones /instants has what the float64
// of seconds in their rows does not hold.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.hpp"
#include "log/log.hpp"

namespace somnus {

class Instants {
 public:
  /// The log must outlive it.
  explicit Instants(const Log& log) : log_(log) {}

  /// Of a round whose rows say that time. None: the log was cut off before its row in /instants.
  [[nodiscard]] std::optional<Time> of(std::uint32_t round, double time_s) const {
    const Time nearest = at_seconds(time_s);
    if (nearest <= last_exact_instant) return nearest;
    const std::vector<InstantRow>& rows = log_.instants;
    const auto found = std::ranges::lower_bound(rows, round, {}, &InstantRow::round);
    if (found != rows.end() && found->round == round)
      return Time(Duration(static_cast<std::int64_t>(found->time_ns)));
    return {};
  }

 private:
  const Log& log_;
};

/// Whether that is how a log's rows give the time.
[[nodiscard]] inline bool is_written_as(Time time, double time_s) {
  return in_seconds(time) == time_s;
}

}  // namespace somnus
