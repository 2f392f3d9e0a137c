// Lengths of time, as tables have them.
#pragma once

#include <optional>
#include <string_view>

namespace somnus {

/// In seconds: "PT1H30M", "P1DT2H", "P1W" (ISO 8601, its last number perhaps with a fraction);
/// "1-02:03:04", "02:03:04.5" ([days-]hours:minutes:seconds); "1 day, 02:03:04", "2 days 02:03:04"
/// (Python and pandas); "1h30m5s", "250ms" (Go), "21.1 min", "810 second(s)". Nothing for anything
/// else: years and months, whose length differs; "12:30", which may be minutes or hours; plain
/// numbers; what is below 0.
[[nodiscard]] std::optional<double> parse_time_span(std::string_view text);

/// What 12:30 is.
enum class ShortClock { unknown, hours, minutes };
/// "12:30" as hours:minutes or minutes:seconds; nothing for anything else, or where it is unknown.
[[nodiscard]] std::optional<double> parse_short_clock(std::string_view text, ShortClock clock);

/// As Slurm writes it: [days-]hours:minutes:seconds, or minutes:seconds.
[[nodiscard]] std::optional<double> parse_slurm_span(std::string_view text);

}  // namespace somnus
