#include "formats/measured_times.hpp"

#include <algorithm>
#include <array>

namespace somnus {
namespace {

using TimesByWarmth = std::array<std::vector<double>, 3>;

double time_at(const std::vector<double>& sorted, double share) {
  const auto place = static_cast<std::size_t>(share * static_cast<double>(sorted.size()));
  return sorted[std::min(place, sorted.size() - 1)];
}

}  // namespace

void complete_times(StageSpec& stage, std::span<const Warmth> warmth) {
  TimesByWarmth measured;
  for (std::size_t task = 0; task < warmth.size(); ++task) {
    measured[static_cast<std::size_t>(warmth[task])].push_back(stage.durations[task]);
  }
  for (std::vector<double>& times : measured) std::ranges::sort(times);
  TimesByWarmth filled = measured;
  auto& [fresh, first, rest] = filled;
  if (first.empty()) first = fresh.empty() ? rest : fresh;
  if (rest.empty()) rest = first;
  if (fresh.empty()) fresh = first;
  for (std::size_t task = 0; task < warmth.size(); ++task) {
    const double took = stage.durations[task];
    const std::vector<double>& own = measured[static_cast<std::size_t>(warmth[task])];
    const auto place = std::ranges::lower_bound(own, took) - own.begin();
    const double share = static_cast<double>(place) / static_cast<double>(own.size());
    const auto time = [&](Warmth kind, const std::vector<double>& times) {
      return warmth[task] == kind ? took : time_at(times, share);
    };
    stage.fresh.push_back(time(Warmth::fresh, fresh));
    stage.first.push_back(time(Warmth::first, first));
    stage.durations[task] = time(Warmth::rest, rest);
  }
}

}  // namespace somnus
