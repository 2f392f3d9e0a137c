// Which way a figure of a run is better.
#pragma once

#include <cstdint>
#include <string_view>

namespace somnus {

enum class Better : std::uint8_t { less, more, neither };

/// Of a figure of Summary, by its name: times, slowdowns and what is lost are better where they are
/// less; what is finished, kept or done in a minute, where it is more. A utilisation, say, is
/// neither: the same work keeps a cluster busy for as long whoever schedules it.
[[nodiscard]] Better better_of(std::string_view figure);

}  // namespace somnus
