// GPS against its definition, simulated by brute force.
#include "fluid/gps.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/fluid_oracle.hpp"
#include "harness/fluids_in_seconds.hpp"
#include "harness/property.hpp"
#include "harness/user_sets.hpp"

namespace somnus::harness {
namespace {

/// Jobs of one user, which for GPS are all that there is.
UserSet jobs_of_one() { return *user_sets({.most_users = 1}); }

TEST(GpsLaws, EveryFluidFinishAgreesWithTheSimulationOfTheRates) {
  check_law({.cases = 5000}, [] {
    const UserSet set = jobs_of_one();
    FluidOracle oracle(set.slots);
    std::vector<FluidJob> jobs;
    for (std::uint32_t at = 0; at < set.jobs.size(); ++at) {
      const UserJob& job = set.jobs[at];
      oracle.arrive(at, job.submit, job.slot_time, job.weight);
      jobs.push_back({job.submit, job.slot_time, job.weight});
    }
    oracle.drain();
    const auto ends = gps_finish_times(set.slots, jobs);
    RC_ASSERT(std::equal(ends.begin(), ends.end(), oracle.ends().begin(), close));
  });
}

TEST(GpsLaws, VirtualTimeNeverGoesBackAndAgreesWithTheRatesAtEveryArrival) {
  check_law({.cases = 2000}, [] {
    const UserSet set = jobs_of_one();
    FluidOracle oracle(set.slots);
    GpsInSeconds gps(set.slots);
    double before = 0;
    for (std::uint32_t at = 0; at < set.jobs.size(); ++at) {
      const UserJob& job = set.jobs[at];
      const double expected = oracle.arrive(at, job.submit, job.slot_time, job.weight);
      const double finish = gps.arrive(at, job.submit, job.slot_time, job.weight);
      RC_ASSERT(close(finish, expected));
      RC_ASSERT(close(gps.virtual_time(), oracle.virtual_time()));
      RC_ASSERT(gps.virtual_time() >= before);
      before = gps.virtual_time();
    }
  });
}

TEST(GpsLaws, JobsLeaveTheFluidInOrderOfTheVirtualFinishThatTheyGotOnArrival) {
  check_law({.cases = 2000}, [] {
    const UserSet set = jobs_of_one();
    GpsInSeconds gps(set.slots);
    std::vector<double> finish;
    std::vector<Gps::Departure> left;
    const auto leaves = [&](const Gps::Departure& departure) { left.push_back(departure); };
    for (std::uint32_t at = 0; at < set.jobs.size(); ++at) {
      const UserJob& job = set.jobs[at];
      gps.advance(job.submit, leaves);
      finish.push_back(gps.arrive(at, job.submit, job.slot_time, job.weight));
    }
    gps.drain(leaves);
    RC_ASSERT(left.size() == set.jobs.size());
    for (std::size_t at = 1; at < left.size(); ++at) {
      RC_ASSERT(left[at - 1].time <= left[at].time + 1e-9);
      RC_ASSERT(finish[left[at - 1].job] <= finish[left[at].job] * (1 + 1e-12));
    }
    RC_ASSERT(gps.active() == 0U);
  });
}

}  // namespace
}  // namespace somnus::harness
