// How a run stands: what its own progress line and `somnus follow` both say.
#pragma once

#include <span>
#include <string>

#include "log/schema.hpp"

namespace somnus {

/// Ranks are heard every second, if nothing else.
inline constexpr double remarkable_silence_s = 3;

/// Share of the slot-time that is done, or of the time at which the run ends at the latest, if that
/// is more; NaN if there is neither. finished_s: the slot-time of each job's finished tasks;
/// until_s: 0 if there is no end.
[[nodiscard]] double share_done(std::span<const JobRow> jobs, std::span<const double> finished_s,
                                double time_s, double until_s);

/// To the end, if the run goes on as in the time that has passed; NaN where nothing is done yet.
[[nodiscard]] double time_left_s(double passed_s, double done);

/// "rank 2 silent for 9 s", of the rank that is silent for longest; empty if none is.
[[nodiscard]] std::string words_for_silence(std::span<const RankRow> ranks);

}  // namespace somnus
