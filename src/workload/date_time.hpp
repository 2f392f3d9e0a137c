// Dates with a time of day, as logs have them.
#pragma once

#include <optional>
#include <string_view>

namespace somnus {

/// Seconds from 1970 on: "2024-05-01T12:30:59", also with a blank for the T, without seconds, with
/// a fraction of one, or with Z or +02:00 behind; without such a zone it is taken for UTC. Nothing
/// for what is no such date of the years 1900 to 2200.
[[nodiscard]] std::optional<double> parse_date_time(std::string_view text);

}  // namespace somnus
