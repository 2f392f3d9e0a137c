// Random sets of users' jobs for fluids: ties, bursts, rests, equal sizes and jobs without work.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <vector>

#include "fluid/two_level.hpp"
#include "harness/user_fluid_oracle.hpp"

namespace somnus::harness {

struct UserSet {
  double slots = 1;
  std::vector<double> weights;  // by user
  std::vector<UserJob> jobs;    // in order of submit

  [[nodiscard]] UserShare share(std::uint32_t user) const {
    return {.weight = weights[user], .scale = 1 / weights[user]};
  }
};

inline std::ostream& operator<<(std::ostream& out, const UserSet& set) {
  out << fmt::format("{} slots, users of weight [{}]", set.slots, fmt::join(set.weights, ", "));
  for (const UserJob& job : set.jobs) {
    out << fmt::format("\n  user {} at {} L {} w {}", job.user, job.submit, job.slot_time,
                       job.weight);
  }
  return out << '\n';
}

struct UserSetTerrain {
  int most_users = 5;
  int most_jobs = 24;
};

[[nodiscard]] inline rc::Gen<UserSet> user_sets(const UserSetTerrain& terrain = {}) {
  return rc::gen::exec([terrain] {
    const auto integer = [](int low, int high) { return *rc::gen::inRange(low, high + 1); };
    UserSet set;
    set.slots = integer(1, 8);
    const int jobs = integer(1, terrain.most_jobs);
    const int users = integer(1, terrain.most_users);
    for (int user = 0; user < users; ++user) {
      set.weights.push_back(*rc::gen::element(1.0, 1.0, 0.25, 2.0, 7.0));
    }
    // One grain for all: of coarse ones many numbers coincide, of the fine one next to none.
    const double grain = *rc::gen::element(1.0, 0.5, 0.010309272);
    const int longest = *rc::gen::element(3, 10, 40);
    double now = 0;
    for (int at = 0; at < jobs; ++at) {
      switch (integer(0, 5)) {
        case 0:  // a rest, likely longer than what is left to do
          now += longest * integer(1, 4) * grain;
          break;
        case 1:
        case 2:
          now += integer(1, longest) * grain / set.slots;
          break;
        default:  // a burst
          break;
      }
      now = in_seconds(at_seconds(now));
      UserJob job{.user = static_cast<std::uint32_t>(integer(0, users - 1)), .submit = now};
      const bool empty = integer(0, 15) == 0;
      if (!empty) job.slot_time = integer(1, longest) * grain;
      job.weight = *rc::gen::element(1.0, 1.0, 0.5, 3.0);
      set.jobs.push_back(job);
    }
    return set;
  });
}

/// The set's jobs through the brute-force fluids, to the end.
[[nodiscard]] inline UserFluidOracle drained(const UserSet& set) {
  UserFluidOracle oracle(set.slots);
  for (const UserJob& job : set.jobs) {
    oracle.arrive(job.user, set.weights[job.user], job.submit, job.slot_time, job.weight);
  }
  oracle.drain();
  return oracle;
}

/// Equal but for the rounding of sums; an end that never came (NaN) equals nothing.
[[nodiscard]] inline bool close(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)});
}

}  // namespace somnus::harness
