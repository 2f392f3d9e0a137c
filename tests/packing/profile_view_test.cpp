// What a packer sees is what the profile says.
#include "packing/profile_view.hpp"

#include <gtest/gtest.h>

#include "harness/property.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

std::vector<std::int64_t> any_demand() {
  return {*rc::gen::inRange(0, 14), *rc::gen::inRange(0, 9)};  // the pool has 12 and 7
}

TEST(OutlookLaws, RoomIsWhatTheProfileHasFromNowOn) {
  check_law({.cases = 500}, [] {
    constexpr int last = 20;
    Profile space({12, 7});
    for (int held = *rc::gen::inRange(0, 8); held > 0; --held) {
      const int begin = *rc::gen::inRange(0, last);
      const int end = *rc::gen::inRange(begin + 1, last + 2);
      const auto demand = any_demand();
      space.take(begin * 1s, end * 1s, demand, 1);
      if (*rc::gen::inRange(0, 4) == 0) space.give(begin * 1s, end * 1s, demand, 1);
    }
    ProfileView profile_view;
    profile_view.begin(space);
    for (int now = 0; now < last; now += *rc::gen::inRange(1, 4)) {
      profile_view.move_to(space, now * 1s);
      for (int starts = *rc::gen::inRange(1, 4); starts > 0; --starts) {
        const auto demand = any_demand();
        const Duration end = *rc::gen::inRange(now + 1, last + 2) * 1s;
        const auto most = static_cast<std::uint32_t>(*rc::gen::inRange(1, 6));
        const std::size_t step = space.step_at(now * 1s);
        const std::uint32_t room = profile_view.room(end, demand, most);
        RC_ASSERT(room == space.room(step, end, demand, most));
        for (std::size_t kind = 0; kind < 2; ++kind) {
          RC_ASSERT(profile_view.free()[kind] ==
                    static_cast<double>(space.pool(kind) - space.taken(step, kind)));
        }
        if (room == 0) continue;
        space.take(now * 1s, end, demand, room);
        profile_view.take(end, demand, room);
      }
    }
  });
}

}  // namespace
}  // namespace somnus::harness
