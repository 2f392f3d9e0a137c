// GPS against its definition, simulated by brute force.
#include "fluid/gps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/fluid_oracle.hpp"
#include "harness/fluids_in_seconds.hpp"
#include "harness/property.hpp"
#include "harness/user_sets.hpp"

namespace somnus::harness {
namespace {

struct FluidSet {
  double slots = 1;
  std::vector<FluidJob> jobs;
};

std::ostream& operator<<(std::ostream& out, const FluidSet& set) {
  out << set.slots << " slots";
  for (const FluidJob& job : set.jobs) {
    out << "\n  at " << job.submit << " L " << job.slot_time << " w " << job.weight;
  }
  return out;
}

rc::Gen<FluidSet> fluid_sets() {
  return rc::gen::exec([] {
    FluidSet set;
    set.slots = *rc::gen::inRange(1, 50);
    const int jobs = *rc::gen::inRange(1, 40);
    double now = 0;
    for (int at = 0; at < jobs; ++at) {
      now += *rc::gen::inRange(0, 400) * 0.010309279;  // some together, some after a long rest
      const double slot_time = *rc::gen::inRange(1, 20000) * 0.032258065;
      const double weight = *rc::gen::element(1.0, 1.0, 0.25, 2.0, 7.0);
      set.jobs.push_back({now, slot_time, weight});
    }
    return set;
  });
}

TEST(GpsLaws, EveryFluidFinishAgreesWithTheSimulationOfTheRates) {
  check_law({.cases = 500}, [] {
    const FluidSet set = *fluid_sets();
    FluidOracle oracle(set.slots);
    for (std::uint32_t at = 0; at < set.jobs.size(); ++at) {
      oracle.arrive(at, set.jobs[at].submit, set.jobs[at].slot_time, set.jobs[at].weight);
    }
    oracle.drain();
    const auto ends = gps_finish_times(set.slots, set.jobs);
    RC_ASSERT(ends.size() == set.jobs.size());
    for (std::size_t at = 0; at < ends.size(); ++at) RC_ASSERT(close(ends[at], oracle.ends()[at]));
  });
}

TEST(GpsLaws, EveryFluidFinishAgreesWithTheRatesWhereTimesCoincide) {
  check_law({.cases = 5000}, [] {
    const UserSet set = *user_sets({.most_users = 1});
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
  check_law({.cases = 300}, [] {
    const FluidSet set = *fluid_sets();
    FluidOracle oracle(set.slots);
    GpsInSeconds gps(set.slots);
    double before = 0;
    for (std::uint32_t at = 0; at < set.jobs.size(); ++at) {
      const FluidJob& job = set.jobs[at];
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
  check_law({.cases = 300}, [] {
    const FluidSet set = *fluid_sets();
    GpsInSeconds gps(set.slots);
    std::vector<double> finish;
    std::vector<Gps::Departure> left;
    const auto leaves = [&](const Gps::Departure& departure) { left.push_back(departure); };
    for (std::uint32_t at = 0; at < set.jobs.size(); ++at) {
      const FluidJob& job = set.jobs[at];
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

TEST(GpsLaws, TheFluidWorksOffAllSlotTimeWithoutAnIdleSlotBetweenTwoRests) {
  check_law({.cases = 300}, [] {
    const FluidSet set = *fluid_sets();
    const auto ends = gps_finish_times(set.slots, set.jobs);
    // A single queue that is served at rate M has the same busy periods as any fluid.
    double drained = 0;
    for (std::size_t at = 0; at < set.jobs.size(); ++at) {
      const FluidJob& job = set.jobs[at];
      drained = std::max(drained, job.submit) + job.slot_time / set.slots;
      const bool rests = at + 1 == set.jobs.size() || set.jobs[at + 1].submit > drained + 1e-6;
      if (!rests) continue;
      const double last = *std::max_element(ends.begin(), ends.begin() + std::ptrdiff_t(at) + 1);
      RC_ASSERT(close(last, drained));
    }
  });
}

}  // namespace
}  // namespace somnus::harness
