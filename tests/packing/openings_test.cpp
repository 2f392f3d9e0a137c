// The openings of a profile, beside a search of the whole profile.
#include "packing/openings.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace somnus::harness::openings {
namespace {

constexpr std::int64_t slots = 8;
constexpr int moments = 40;

Time moment(int count) { return start_of_time + Duration(count); }

int up_to(int most) { return *rc::gen::inRange(0, most + 1); }

struct Span {
  int begin;
  int end;
};
Span some_span() {
  const int begin = up_to(moments - 1);
  return {.begin = begin, .end = begin + 1 + up_to(8)};
}

/// The first moment from `from` on at which so many are free for so long, in a span that reaches
/// into one of those.
Time first_of(const SlotProfile& profile, const std::vector<Span>& came_back, std::int64_t wanted,
              int from, int length) {
  const auto free = [&](int at) { return profile.at(moment(at)) >= wanted; };
  for (int begin = 0; begin < 2 * moments; ++begin) {
    if (!free(begin)) continue;
    int end = begin;
    while (end < 2 * moments && free(end)) ++end;
    const int start = std::max(begin, from);
    const bool is_long = end == 2 * moments || end - start >= length;  // the last has no end
    const bool counts = std::ranges::any_of(
        came_back, [&](const Span& one) { return one.begin < end && one.end > begin; });
    if (is_long && counts) return moment(start);
    begin = end - 1;
  }
  return never;
}

Span from_first_to_last(const std::vector<Span>& spans) {
  Span all = spans.front();
  for (const Span& one : spans) {
    all = {.begin = std::min(all.begin, one.begin), .end = std::max(all.end, one.end)};
  }
  return all;
}

// What came back is found, and what is found is true. Between two spans that came back more may be
// found than there.
RC_GTEST_PROP(Openings, AreFoundAndTrue, ()) {
  SlotProfile profile(slots, static_cast<std::size_t>(2 + up_to(6)));
  const int taken = up_to(20);
  for (int each = 0; each < taken; ++each) {
    const Span span = some_span();
    profile.add(moment(span.begin), moment(span.end), -up_to(4));
  }
  profile.forget_before(moment(0));
  const Span first = some_span();
  std::vector<Span> came_back = {first};
  Openings openings;
  openings.look(profile, moment(0), moment(first.begin), moment(first.end));
  const int changes = up_to(30);
  for (int change = 0; change < changes; ++change) {
    const Span span = some_span();
    if (up_to(1) == 0) {
      profile.add(moment(span.begin), moment(span.end), -up_to(3));
    } else {
      profile.add(moment(span.begin), moment(span.end), up_to(3));
      openings.look(profile, moment(0), moment(span.begin), moment(span.end));
      came_back.push_back(span);
    }
    const std::int64_t wanted = 1 + up_to(slots);
    const int length = 1 + up_to(12);
    const Span all = from_first_to_last(came_back);
    const int from = std::max(0, all.begin - length + 1);
    const Time latest = first_of(profile, came_back, wanted, from, length);
    const Time earliest = first_of(profile, {all}, wanted, from, length);
    const Time before = moment(up_to(moments + 10));
    Openings::Width& width = openings.of(wanted, profile);
    const Time found = openings.first(width, moment(from), before, Duration(length), profile);
    RC_ASSERT(found >= earliest);
    RC_ASSERT(found <= latest || latest >= before);
    if (found == never) continue;
    RC_ASSERT(found < before);
    RC_ASSERT(width.any(before));
    RC_ASSERT(profile.earliest(found, Duration(length), wanted) == found);
  }
}

}  // namespace
}  // namespace somnus::harness::openings
