// The slots that are free when, beside a list of all moments.
#include "packing/slot_profile.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

namespace somnus::harness::slot_profiles {
namespace {

constexpr std::int64_t slots = 8;
constexpr int moments = 24;  // after them all is as at the last

Time moment(int count) { return start_of_time + Duration(count); }

/// By moment.
class Plain {
 public:
  void add(int begin, int end, std::int64_t more) {
    for (int at = begin; at < std::min(end, moments); ++at) free_[index(at)] += more;
  }
  void add(std::int64_t more) { add(0, moments, more); }
  [[nodiscard]] std::int64_t at(int at) const { return free_[index(at)]; }
  [[nodiscard]] Time earliest(int from, int length, std::int64_t wanted) const {
    for (int begin = from; begin < moments; ++begin) {
      bool enough = true;
      for (int each = begin; each < begin + length; ++each) enough &= at(each) >= wanted;
      if (enough) return moment(begin);
    }
    return never;
  }

 private:
  [[nodiscard]] static std::size_t index(int at) {
    return static_cast<std::size_t>(std::min(at, moments - 1));
  }
  std::vector<std::int64_t> free_ = std::vector<std::int64_t>(moments, slots);
};

int up_to(int most) { return *rc::gen::inRange(0, most + 1); }

RC_GTEST_PROP(SlotProfile, SaysWhatAListOfAllMomentsSays, ()) {
  SlotProfile profile(slots, static_cast<std::size_t>(2 + up_to(6)));
  Plain plain;
  int now = 0;
  const int changes = up_to(40);
  for (int change = 0; change < changes; ++change) {
    const int begin = now + up_to(moments - 1 - now);
    const bool endless = up_to(9) == 0;
    const int end = endless ? moments : begin + up_to(6);
    const std::int64_t more = up_to(6) - 4;
    if (up_to(9) == 0) {
      profile.add(more);
      plain.add(more);
    } else if (end < moments || endless) {
      profile.add(moment(begin), endless ? never : moment(end), more);
      plain.add(begin, end, more);
    }
    if (up_to(4) == 0) {
      now += up_to(std::min(2, moments - 1 - now));
      profile.forget_before(moment(now));
    }
    for (int at = now; at < moments; ++at) RC_ASSERT(profile.at(moment(at)) == plain.at(at));
    const int length = 1 + up_to(8);
    const std::int64_t wanted = 1 + up_to(slots);
    RC_ASSERT(profile.earliest(moment(now), Duration(length), wanted) ==
              plain.earliest(now, length, wanted));
    const Time until = moment(now + up_to(moments - now));
    const Time found = plain.earliest(now, length, wanted);
    RC_ASSERT(profile.earliest(moment(now), until, Duration(length), wanted) ==
              (found < until ? found : never));
    const int at = now + up_to(moments - 1 - now);
    if (plain.at(at) < wanted) continue;
    int since = at;
    while (since > now && plain.at(since - 1) >= wanted) --since;
    RC_ASSERT(profile.since(moment(now), moment(at), wanted) == moment(since));
  }
}

TEST(SlotProfile, HasNoMoreStepsThanThereAreChanges) {
  SlotProfile profile(slots);
  EXPECT_EQ(profile.steps(), 1U);
  profile.add(moment(2), moment(5), -3);
  EXPECT_EQ(profile.steps(), 3U);
  profile.add(moment(5), moment(9), -3);
  EXPECT_EQ(profile.steps(), 3U) << "what follows with as many is the same step";
  profile.add(moment(2), moment(9), 3);
  EXPECT_EQ(profile.steps(), 1U);
}

}  // namespace
}  // namespace somnus::harness::slot_profiles
