#include "session/target_rows.hpp"

#include <optional>

namespace somnus {

std::span<const TargetRow> TargetRows::at(Time now) {
  std::erase_if(jobs_, [&](JobId job) { return engine_.jobs().ended(job); });
  rows_.clear();
  for (const JobId job : jobs_) {
    const std::optional<Target> target = engine_.target_of(job);
    if (!target) continue;
    const Time promised = engine_.promised(job);
    rows_.push_back({.time = in_seconds(now),
                     .job = job.value(),
                     .entitled = target->entitled,
                     .target = target->target,
                     .allocated = engine_.dominant_share(job),
                     .promised = promised == never ? nan_time : in_seconds(promised)});
  }
  return rows_;
}

}  // namespace somnus
