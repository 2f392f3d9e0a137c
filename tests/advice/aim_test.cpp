// What users say to `somnus advise`: aims and limits.
#include "advice/aim.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace somnus::test {
namespace {

using testing::HasSubstr;

std::string error_of(std::string_view limit) {
  const Checked<Limit> parsed = parse_limit(limit);
  return parsed ? "" : parsed.error().text();
}

TEST(Limit, NamesAFigureABoundAndAScheduler) {
  const Limit limit = *parse_limit("  wide_slowdown_mean<=1.05 yaq-c+queue.length=8 ");
  EXPECT_EQ(limit.figure, "wide_slowdown_mean");
  EXPECT_FALSE(limit.each_user);
  EXPECT_TRUE(limit.at_most);
  EXPECT_EQ(limit.bound, 1.05);
  EXPECT_EQ(limit.scheduler, "yaq-c+queue.length=8");
  EXPECT_EQ(limit.text, "wide_slowdown_mean<=1.05 yaq-c+queue.length=8");
}

TEST(Limit, OfEachUserSaysSoFirst) {
  for (const char* const text :
       {"each user response_mean_s <= 1.05 fair", " each \t user\tresponse_mean_s<=1.05fair "}) {
    const Limit limit = *parse_limit(text);
    EXPECT_TRUE(limit.each_user) << text;
    EXPECT_EQ(limit.figure, "response_mean_s") << text;
    EXPECT_EQ(limit.bound, 1.05) << text;
    EXPECT_EQ(limit.scheduler, "fair") << text;
  }
  EXPECT_EQ(parse_limit("each user slowdown_mean <= 3")->scheduler, "");
  EXPECT_FALSE(parse_limit("slowdown_mean <= 3")->each_user);
}

TEST(Limit, OfEachUserHasFiguresOfItsOwn) {
  EXPECT_THAT(error_of("each user wait_mean_s <= 1.05 fair"),
              HasSubstr("no figure of each user is called 'wait_mean_s', known are "
                        "response_mean_s, slowdown_mean"));
  EXPECT_THAT(error_of("each user slowdwn_mean <= 3"), HasSubstr("did you mean 'slowdown_mean'?"));
  EXPECT_THAT(error_of("each user <= 3"), HasSubstr("no figure of each user is called ''"));
  EXPECT_THAT(error_of("each users slowdown_mean <= 3"),
              HasSubstr("no figure is called 'each users"));
  EXPECT_THAT(error_of("each userslowdown_mean <= 3"), HasSubstr("no figure is called"));
  EXPECT_THAT(error_of("each user slowdown_mean <= 0 fair"), HasSubstr("expected more than 0"));
}

TEST(Limit, OfAShareIsNotInPercent) {
  EXPECT_THAT(error_of("utilisation >= 80"), HasSubstr("expected a share of at most 1"));
  EXPECT_EQ(parse_limit("utilisation >= 0.8")->bound, 0.8);
  EXPECT_EQ(parse_limit("utilisation >= 1.1 fair")->bound, 1.1);
  EXPECT_EQ(parse_limit("jobs_failed <= 80")->bound, 80);
}

}  // namespace
}  // namespace somnus::test
