// User-job fairness and two-level virtual time against their definitions, simulated by brute force,
// and the law that ties them to each other (policies.md 1.2, 1.3; UWFQ, appendix A).
#include "fluid/two_level.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "harness/fluids_in_seconds.hpp"
#include "harness/property.hpp"
#include "harness/user_sets.hpp"

namespace somnus::harness {
namespace {

constexpr Effort thorough{.cases = 5000};

UserFluidEnds ends_of(const UserSet& set) {
  return user_fluid_ends(set.slots, set.jobs, set.weights);
}

bool all_close(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), close);
}

// The set's jobs through a TwoLevel; look(at) is called after the arrival of job `at`.
template <class Look>
void follow(TwoLevelInSeconds& fluid, const UserSet& set, Look&& look) {
  for (std::uint32_t at = 0; at < set.jobs.size(); ++at) {
    const UserJob& job = set.jobs[at];
    fluid.advance(job.submit);
    fluid.arrive(job.user, set.share(job.user), at, job.submit, job.slot_time, job.weight);
    look(at);
  }
}

TEST(UserJobFairnessLaws, EveryEndAgreesWithTheSimulationOfTheRates) {
  check_law(thorough, [] {
    const UserSet set = *user_sets();
    RC_ASSERT(all_close(ends_of(set).ujf, drained(set).ujf_ends()));
  });
}

TEST(TwoLevelLaws, EveryEndAgreesWithTheSimulationOfTheRates) {
  int compared = 0;
  int undecided = 0;
  check_law(thorough, [&] {
    const UserSet set = *user_sets();
    const UserFluidOracle oracle = drained(set);
    const auto expected = oracle.two_level_ends();
    const auto ends = ends_of(set).two_level;
    RC_ASSERT(ends.size() == expected.size());
    for (std::size_t at = 0; at < ends.size(); ++at) {
      // Of two jobs that only rounding distinguishes, either may be served first.
      if (oracle.close_call(set.jobs[at].user)) {
        ++undecided;
        continue;
      }
      ++compared;
      RC_ASSERT(close(ends[at], expected[at]));
    }
  });
  EXPECT_GT(compared, 4 * undecided);
}

TEST(TwoLevelLaws, NoJobEndsLaterThanUnderUserJobFairness) {
  std::size_t earlier = 0;
  check_law(thorough, [&] {
    const UserSet set = *user_sets();
    const UserFluidEnds ends = ends_of(set);
    for (std::size_t at = 0; at < set.jobs.size(); ++at) {
      RC_ASSERT(ends.two_level[at] <= ends.ujf[at] + 1e-9 * (1 + ends.ujf[at]));
      earlier += ends.two_level[at] < ends.ujf[at] - 1e-6 ? 1U : 0U;
    }
  });
  EXPECT_GT(earlier, 5000U) << "the two fluids were the same";
}

TEST(TwoLevelLaws, VirtualTimesAgreeWithTheRatesAtEveryArrivalAndNeverGoBack) {
  check_law(thorough, [] {
    const UserSet set = *user_sets();
    UserFluidOracle oracle(set.slots);
    TwoLevelInSeconds fluid(set.slots);
    double before = 0;
    std::map<std::uint32_t, double> before_of;
    follow(fluid, set, [&](std::uint32_t at) {
      const UserJob& job = set.jobs[at];
      oracle.arrive(job.user, set.weights[job.user], job.submit, job.slot_time, job.weight);
      RC_ASSERT(close(fluid.virtual_time(), oracle.virtual_time()));
      RC_ASSERT(fluid.virtual_time() >= before);
      before = fluid.virtual_time();
      before_of.try_emplace(job.user, 0.0);
      for (auto& [user, v] : before_of) {
        RC_ASSERT(close(fluid.virtual_time(user), oracle.virtual_time(user)));
        RC_ASSERT(fluid.virtual_time(user) >= v);
        v = fluid.virtual_time(user);
      }
    });
  });
}

TEST(TwoLevelLaws, VirtualTimeRestsWhileNobodyIsActive) {
  check_law({.cases = 1000}, [] {
    const UserSet set = *user_sets();
    TwoLevelInSeconds fluid(set.slots);
    follow(fluid, set, [](std::uint32_t) {});
    const auto ends = ends_of(set).ujf;
    const double drained = *std::max_element(ends.begin(), ends.end());
    fluid.advance(drained + 1e-3);
    RC_ASSERT(fluid.active_users() == 0U);
    const double rests = fluid.virtual_time();
    for (const UserJob& job : set.jobs) {
      RC_ASSERT(!fluid.active(job.user));
      RC_ASSERT(fluid.end(job.user) <= rests + 1e-9 * (1 + rests));
    }
    fluid.advance(drained + 1000);
    RC_ASSERT(fluid.virtual_time() == rests);
  });
}

// J_k is who has not ended in UJF; its deadlines are v_k(a_i) + L_i / w_i, which is what they were
// on arrival, and stand in order.
TEST(TwoLevelLaws, TheMembersAreTheJobsThatUserJobFairnessHasNotEndedInOrderOfTheirDeadlines) {
  check_law(thorough, [] {
    const UserSet set = *user_sets();
    UserFluidOracle oracle(set.slots);
    TwoLevelInSeconds fluid(set.slots);
    std::vector<double> deadlines;
    follow(fluid, set, [&](std::uint32_t at) {
      const UserJob& job = set.jobs[at];
      oracle.arrive(job.user, set.weights[job.user], job.submit, job.slot_time, job.weight);
      deadlines.push_back(oracle.virtual_time(job.user) + job.slot_time / job.weight);
      for (std::uint32_t user = 0; user < set.weights.size(); ++user) {
        const bool known = std::any_of(set.jobs.begin(), set.jobs.begin() + at + 1,
                                       [&](const UserJob& each) { return each.user == user; });
        if (!known) continue;
        for (const auto& member : fluid.members(user)) {
          const UserJob& facts = set.jobs[member.job];
          RC_ASSERT(facts.user == user);
          RC_ASSERT(close(member.slot_time, facts.slot_time));
          RC_ASSERT(close(member.deadline, deadlines[member.job]));
        }
        // Ends that fall on this instant may be reported now or at once afterwards.
        for (std::uint32_t other = 0; other <= at; ++other) {
          if (set.jobs[other].user != user) continue;
          const auto& members = fluid.members(user);
          const bool member = std::any_of(members.begin(), members.end(),
                                          [&](const auto& each) { return each.job == other; });
          const double ahead = deadlines[other] - oracle.virtual_time(user);
          if (std::abs(ahead) > 1e-6) RC_ASSERT(member == (ahead > 0));
        }
      }
    });
  });
}

TEST(TwoLevelLaws, AChainIsAsLongAsTheScaledSlotTimeOfItsMembers) {
  check_law(thorough, [] {
    const UserSet set = *user_sets();
    TwoLevelInSeconds fluid(set.slots);
    follow(fluid, set, [&](std::uint32_t at) {
      for (std::uint32_t seen = 0; seen <= at; ++seen) {
        const std::uint32_t user = set.jobs[seen].user;
        double sum = 0;
        for (const auto& member : fluid.members(user)) sum += member.slot_time;
        RC_ASSERT(close(fluid.end(user), fluid.start(user) + sum / set.weights[user]));
      }
    });
  });
}

TEST(TwoLevelLaws, AUsersChainEndsWhereVirtualTimeWillBeWhenItsWorkIsDone) {
  check_law(thorough, [] {
    const UserSet set = *user_sets();
    UserFluidOracle oracle(set.slots);
    TwoLevelInSeconds fluid(set.slots);
    follow(fluid, set, [&](std::uint32_t at) {
      const UserJob& arrived = set.jobs[at];
      oracle.arrive(arrived.user, set.weights[arrived.user], arrived.submit, arrived.slot_time,
                    arrived.weight);
      for (std::uint32_t seen = 0; seen <= at; ++seen) {
        const std::uint32_t user = set.jobs[seen].user;
        double left = 0;
        for (const auto& each : fluid.unserved(user)) {
          left += each.left;
          if (oracle.close_call(user)) continue;
          RC_ASSERT(close(each.left, oracle.left_of(each.job)));
        }
        RC_ASSERT(close(left, oracle.left_in_two_level(user)));
        const double ahead = fluid.end(user) - fluid.virtual_time();
        RC_ASSERT(close(std::max(ahead, 0.0), left / set.weights[user]));
      }
    });
  });
}

TEST(TwoLevelLaws, LookingMoreOftenChangesNoEnd) {
  check_law({.cases = 2000}, [] {
    const UserSet set = *user_sets({.most_jobs = 12});
    const UserFluidOracle oracle = drained(set);
    const UserFluidEnds expected = ends_of(set);
    UserFluidEnds ends{std::vector<double>(set.jobs.size()), std::vector<double>(set.jobs.size())};
    const auto note = [&](const TwoLevel::End& end) {
      (end.which == TwoLevel::Which::ujf ? ends.ujf : ends.two_level)[end.job] = end.time;
    };
    TwoLevelInSeconds fluid(set.slots);
    double now = 0;
    for (std::uint32_t at = 0; at < set.jobs.size(); ++at) {
      const UserJob& job = set.jobs[at];
      const double third = (job.submit - now) / 3;
      for (const double look : {now + third, now + 2 * third, job.submit}) {
        fluid.advance(look, note);
        if (at > 0) RC_ASSERT(fluid.unserved(set.jobs[at - 1].user).size() <= at);
      }
      now = job.submit;
      fluid.arrive(job.user, set.share(job.user), at, now, job.slot_time, job.weight);
    }
    fluid.drain(note);
    RC_ASSERT(all_close(ends.ujf, expected.ujf));
    for (std::size_t at = 0; at < set.jobs.size(); ++at) {
      if (oracle.close_call(set.jobs[at].user)) continue;
      RC_ASSERT(close(ends.two_level[at], expected.two_level[at]));
    }
  });
}

}  // namespace
}  // namespace somnus::harness
