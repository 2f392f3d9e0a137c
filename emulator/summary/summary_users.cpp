#include "emulator/summary/summary_users.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "emulator/summary/sample.hpp"

namespace somnus {
namespace {

struct Jobs {
  double submitted = 0;
  double slot_time_s = 0;
  Sample response;
  Sample slowdown;
};

UserSummary user_of(const Log& log, std::uint32_t id, Jobs jobs) {
  jobs.response.sort();
  jobs.slowdown.sort();
  const auto& users = log.tables.users;
  return {.user = name_in(log.tables.names.users, id),
          .weight = id < users.size() ? users[id].weight : 1,
          .jobs_submitted = jobs.submitted,
          .jobs_finished = jobs.response.count(),
          .slot_time_s = jobs.slot_time_s,
          .response_mean_s = jobs.response.mean(),
          .response_worst_tenth_s = jobs.response.worst_tenth(),
          .slowdown_mean = jobs.slowdown.mean(),
          .slowdown_worst_tenth = jobs.slowdown.worst_tenth()};
}

}  // namespace

std::string name_in(std::span<const std::string> names, std::uint32_t id) {
  return id < names.size() ? names[id] : fmt::format("#{}", id);
}

std::vector<UserSummary> users_of(const Log& log) {
  std::map<std::uint32_t, Jobs> by_id;
  for (const JobRow& job : log.tables.jobs) {
    if (static_cast<JobState>(job.state) == JobState::pending) continue;
    Jobs& jobs = by_id[job.user];
    ++jobs.submitted;
    if (!std::isnan(job.slot_time)) jobs.slot_time_s += job.slot_time;
    jobs.response.add(job.finish - job.submit);
    if (job.alone > 0) jobs.slowdown.add((job.finish - job.submit) / job.alone);
  }
  std::vector<UserSummary> users;
  users.reserve(by_id.size());
  for (auto& [id, jobs] : by_id) users.push_back(user_of(log, id, std::move(jobs)));
  std::ranges::sort(users, [](const UserSummary& a, const UserSummary& b) {
    return std::tie(b.slot_time_s, a.user) < std::tie(a.slot_time_s, b.user);
  });
  return users;
}

}  // namespace somnus
