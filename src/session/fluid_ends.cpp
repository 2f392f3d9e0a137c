#include "session/fluid_ends.hpp"

#include <algorithm>
#include <cmath>

namespace somnus {

FluidEnds::FluidEnds(const Cluster& cluster, const LogTables& tables)
    : slots_(static_cast<double>(cluster.slot_count())) {
  if (cluster.slot_count() == 0) return;
  for (const JobRow& row : tables.jobs) {
    if (!std::isnan(row.submit)) rows_.push_back(row.job);
  }
  std::ranges::stable_sort(rows_, {}, [&](std::uint32_t at) { return tables.jobs[at].submit; });
  for (const std::uint32_t at : rows_) {
    const JobRow& row = tables.jobs[at];
    jobs_.push_back({.submit = row.submit, .slot_time = row.slot_time, .weight = row.weight});
    jobs_of_users_.push_back(
        {.user = row.user, .submit = row.submit, .slot_time = row.slot_time, .weight = row.weight});
  }
  for (const UserRow& user : tables.users) user_weights_.push_back(user.weight);
}

void FluidEnds::work_out() {
  gps_ = gps_finish_times(slots_, jobs_);
  ujf_ = user_fluid_ends(slots_, jobs_of_users_, user_weights_).ujf;
}

void FluidEnds::add_to(LogTables& tables) const {
  for (std::size_t place = 0; place < rows_.size(); ++place) {
    JobRow& row = tables.jobs[rows_[place]];
    row.gps_finish = gps_[place];
    row.ujf_finish = ujf_[place];
  }
}

}  // namespace somnus
