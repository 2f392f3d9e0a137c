// What goes into the scheduler and comes out of it, as rows of the log and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

#include "base/time.hpp"
#include "model/event.hpp"
#include "record/schema.hpp"

namespace somnus {

/// `round`: which plan answers the event. Columns that an event has no use for keep their defaults.
[[nodiscard]] EventRow to_row(Time time, std::uint32_t round, const Event& event);
/// The inverse. The row's kind must be one of a variant's (see event_kinds).
[[nodiscard]] Event event_of(const EventRow& row);

[[nodiscard]] DecisionRow to_row(Time time, std::uint32_t round, const Launch& launch);
[[nodiscard]] DecisionRow to_row(Time time, std::uint32_t round, const Ask& ask);
[[nodiscard]] DecisionRow to_row(Time time, std::uint32_t round, const Revoke& revoke);

inline constexpr std::size_t event_kinds = std::variant_size_v<Event>;

}  // namespace somnus
