// What a log says of each user.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/describe.hpp"
#include "emulator/summary/deviation.hpp"
#include "record/log.hpp"

namespace somnus {

/// Of the jobs that were submitted; response times and slowdowns as in Summary, of those that
/// finished.
struct UserSummary {
  std::string user;  // any bytes
  double weight = 1;
  double jobs_submitted = 0;
  double jobs_finished = 0;
  double slot_time_s = 0;
  double response_mean_s = NAN;
  double response_worst_tenth_s = NAN;
  double slowdown_mean = NAN;
  double slowdown_worst_tenth = NAN;
  // Against a reference, else NaN:
  double response_change = NAN;  // of the mean response time, relative to the reference's
  Deviation against;             // of the user's jobs, each counted once

  static constexpr auto fields() {
    using U = UserSummary;
    return in_order(
        field("weight", &U::weight, "x", "relative share"),
        field("jobs_submitted", &U::jobs_submitted, "1", "jobs submitted"),
        field("jobs_finished", &U::jobs_finished, "1", "jobs finished"),
        field("slot_time_s", &U::slot_time_s, "s", "true slot-time of the jobs submitted"),
        field("response_mean_s", &U::response_mean_s, "s", "response time, mean"),
        field("response_worst_tenth_s", &U::response_worst_tenth_s, "s",
              "response time, mean of the worst 10 %"),
        field("slowdown_mean", &U::slowdown_mean, "x", "slowdown against alone, mean"),
        field("slowdown_worst_tenth", &U::slowdown_worst_tenth, "x",
              "slowdown against alone, mean of the worst 10 %"),
        field("response_change", &U::response_change, "x",
              "change of the mean response time against the reference, relative"));
  }
};

/// Name number `id`; `#id` where a damaged log has none.
[[nodiscard]] std::string name_in(std::span<const std::string> names, std::uint32_t id);

/// All with a job submitted, by slot-time, the largest first, then by name.
[[nodiscard]] std::vector<UserSummary> users_of(const Log& log);

}  // namespace somnus
