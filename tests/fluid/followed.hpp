// What the tests of the two-level fluid share: it is followed from arrival to arrival, in seconds.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "fluid/two_level.hpp"
#include "harness/fluids_in_seconds.hpp"

namespace somnus::two_level_test {

inline constexpr double exact = 1e-12;
inline constexpr UserShare equal;
enum User : std::uint32_t { A, B, C };
enum Job : std::uint32_t { A1, A2, B1, B2, C1 };

using Deadlines = std::map<std::uint32_t, double>;

/// The two fluids with arrivals one by one, with all ends so far.
class Followed {
 public:
  explicit Followed(double slots) : fluid(slots) {}

  void advance(double now) {
    fluid.advance(now, [&](const TwoLevel::End& end) { ends_.push_back(end); });
  }
  void arrive(std::uint32_t user, std::uint32_t job, double now, double slot_time,
              UserShare share = equal, double weight = 1) {
    advance(now);
    fluid.arrive(user, share, job, now, slot_time, weight);
  }

  [[nodiscard]] double ujf_end(std::uint32_t job) const { return end(TwoLevel::Which::ujf, job); }
  [[nodiscard]] double two_level_end(std::uint32_t job) const {
    return end(TwoLevel::Which::two_level, job);
  }
  [[nodiscard]] const std::vector<TwoLevel::End>& ends() const { return ends_; }

  /// d_i, by job of J_k.
  [[nodiscard]] Deadlines user_deadlines(std::uint32_t user) const {
    Deadlines found;
    for (const auto& member : fluid.members(user)) found[member.job] = member.deadline;
    return found;
  }
  /// D_i as UWFQ chains them: V_start_k and then U_k L of each job of J_k in order of d.
  [[nodiscard]] Deadlines global_deadlines(std::uint32_t user) const {
    Deadlines found;
    double chain = fluid.start(user);
    for (const auto& member : fluid.members(user)) {
      chain += fluid.share(user).scale * member.slot_time;
      found[member.job] = chain;
    }
    return found;
  }
  [[nodiscard]] Deadlines left(std::uint32_t user) {
    Deadlines found;
    for (const auto& each : fluid.unserved(user)) found[each.job] = each.left;
    return found;
  }

  harness::TwoLevelInSeconds fluid;

 private:
  [[nodiscard]] double end(TwoLevel::Which which, std::uint32_t job) const {
    const auto found = std::find_if(ends_.begin(), ends_.end(), [&](const TwoLevel::End& each) {
      return each.which == which && each.job == job;
    });
    return found == ends_.end() ? -1 : found->time;
  }

  std::vector<TwoLevel::End> ends_;
};

inline void expect_near(const Deadlines& actual, const Deadlines& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (const auto& [job, value] : expected) {
    ASSERT_TRUE(actual.contains(job)) << "job " << job;
    EXPECT_NEAR(actual.at(job), value, exact) << "job " << job;
  }
}

inline void expect_ujf_ends(const Followed& run, const Deadlines& expected) {
  for (const auto& [job, end] : expected) EXPECT_NEAR(run.ujf_end(job), end, exact) << job;
}
inline void expect_two_level_ends(const Followed& run, const Deadlines& expected) {
  for (const auto& [job, end] : expected) EXPECT_NEAR(run.two_level_end(job), end, exact) << job;
}

}  // namespace somnus::two_level_test
