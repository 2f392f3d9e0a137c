#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "emulator/print/block_table.hpp"
#include "emulator/summary/summary.hpp"

namespace somnus {
namespace {

constexpr std::size_t users_shown = 40;

using UserColumn = PartColumn<UserSummary>;
using Line = PartLine<UserSummary>;

double unfinished(const UserSummary& user) { return user.jobs_submitted - user.jobs_finished; }

constexpr UserColumn own_columns[] = {
    {"weight", "w", [](const UserSummary& user) { return user.weight; }},
    {"jobs", "1", [](const UserSummary& user) { return user.jobs_submitted; }},
    {"unfinished", "1", unfinished},
    {"response", "s", [](const UserSummary& user) { return user.response_mean_s; }},
    {"worst 10 %", "s", [](const UserSummary& user) { return user.response_worst_tenth_s; }},
    {"slowdown", "x", [](const UserSummary& user) { return user.slowdown_mean; }},
};
constexpr UserColumn reference_columns[] = {
    {"change", "x", [](const UserSummary& user) { return user.response_change; }},
    {"DVR", "x", [](const UserSummary& user) { return user.against.dvr; }},
    {"violations", "1", [](const UserSummary& user) { return user.against.violations; }},
    {"DSR", "x", [](const UserSummary& user) { return user.against.dsr; }},
    {"slack", "1", [](const UserSummary& user) { return user.against.slack; }},
};

std::vector<UserColumn> columns_for(std::span<const Summary> summaries) {
  std::vector<UserColumn> columns(std::begin(own_columns), std::end(own_columns));
  const bool all_finished = std::ranges::all_of(summaries, [](const Summary& one) {
    return std::ranges::all_of(one.users,
                               [](const UserSummary& user) { return unfinished(user) == 0; });
  });
  if (all_finished) {
    std::erase_if(columns, [](const UserColumn& one) { return one.value == unfinished; });
  }
  const bool against =
      std::ranges::any_of(summaries, [](const Summary& one) { return one.against.has_value(); });
  if (against) std::ranges::copy(reference_columns, std::back_inserter(columns));
  return columns;
}

/// In the log where the user has most.
double slot_time_s(const Line& line) {
  double most = 0;
  for (const UserSummary* user : line.logs) {
    if (user != nullptr) most = std::fmax(most, user->slot_time_s);
  }
  return most;
}

}  // namespace

std::string users_to_text(std::span<const Summary> summaries) {
  std::vector<Line> lines = lines_of(summaries, &Summary::users, &UserSummary::user);
  std::ranges::sort(lines, {},
                    [](const Line& line) { return std::tuple(-slot_time_s(line), line.name); });
  const std::size_t all = lines.size();
  lines.resize(std::min(all, users_shown));
  const std::vector<UserColumn> columns = columns_for(summaries);
  std::string text = block_table<UserSummary>("user", labels_of(summaries), lines, columns);
  if (all > lines.size()) {
    text +=
        fmt::format("{} more users with less slot-time; --json has them all\n", all - lines.size());
  }
  return text;
}

}  // namespace somnus
