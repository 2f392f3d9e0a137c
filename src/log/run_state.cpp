#include "log/run_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace somnus {

double share_done(std::span<const JobRow> jobs, std::span<const double> finished_s, double time_s,
                  double until_s) {
  double all = 0;
  double done = 0;
  for (std::size_t at = 0; at < jobs.size(); ++at) {
    const JobRow& job = jobs[at];
    const bool ended =
        job.state == static_cast<std::uint8_t>(JobState::finished) || is_failure(job.state);
    all += job.slot_time;
    done += ended ? job.slot_time : std::min(finished_s[at], job.slot_time);
  }
  const double of_time = until_s > 0 ? std::min(time_s / until_s, 1.0) : nan_time;
  return std::fmax(all > 0 ? done / all : nan_time, of_time);
}

double time_left_s(double passed_s, double done) {
  return done > 0 ? passed_s * (1 - done) / done : nan_time;
}

std::string words_for_silence(std::span<const RankRow> ranks) {
  const auto most = std::ranges::max_element(ranks, {}, &RankRow::silent);
  if (most == ranks.end() || !(most->silent > remarkable_silence_s)) return {};
  return fmt::format("rank {} silent for {:.0f} s", most->rank, most->silent);
}

}  // namespace somnus
