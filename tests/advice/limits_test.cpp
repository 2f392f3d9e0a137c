// Who keeps a limit: by hand, by laws, and how often the tests err where the truth is known.
#include "advice/limits.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <deque>

#include "base/random.hpp"
#include "harness/property.hpp"

namespace somnus::test {
namespace {

using Values = std::vector<double>;            // by seed; NaN: the user has none
using ByUser = std::map<std::string, Values>;  // mean response times

const Limit each_as_fair{.text = "each user response_mean_s <= 1.1 fair",
                         .each_user = true,
                         .figure = "response_mean_s",
                         .bound = 1.1,
                         .scheduler = "fair"};

/// Runs that have these users; of all together each has the mean of the users.
class UserRuns {
 public:
  explicit UserRuns(const ByUser& values) {
    const std::size_t seeds = values.empty() ? 0 : values.begin()->second.size();
    for (std::size_t run = 0; run < seeds; ++run) {
      RunResult result{.figures = RunFigures(figure_infos().size(), NAN), .users = FiguresByUser()};
      double sum = 0;
      for (const auto& [user, of_user] : values) {
        sum += of_user[run];
        if (std::isnan(of_user[run])) continue;
        (*result.users)[user] = {.response_mean_s = of_user[run], .slowdown_mean = 1};
      }
      result.figures[figure_index("response_mean_s")] = sum / static_cast<double>(values.size());
      results_.push_back(std::move(result));
    }
  }
  [[nodiscard]] SeedRuns runs() const {
    SeedRuns all;
    for (const RunResult& result : results_) all.push_back(&result);
    return all;
  }

 private:
  std::deque<RunResult> results_;
};

LimitVerdict verdict(const Limit& limit, const ByUser& ours, const ByUser& theirs,
                     bool is_itself = false) {
  const UserRuns own(ours);
  const UserRuns others(theirs);
  return verdict_on(excesses(limit, own.runs(), others.runs()), is_itself);
}

TEST(EachUser, IsComparedWithItselfUnderTheScheduler) {
  const UserRuns ours({{"ann", {12, 20}}, {"bob", {1, NAN}}});
  const UserRuns fair({{"ann", {10, 10}}, {"bob", {2, 2}}});
  const auto all = excesses(each_as_fair, ours.runs(), fair.runs());
  ASSERT_EQ(all.size(), 2U);
  EXPECT_NEAR(all.at("ann").beyond[0], 12 - 11, 1e-12);
  EXPECT_NEAR(all.at("ann").beyond[1], 20 - 11, 1e-12);
  EXPECT_NEAR(all.at("bob").beyond[0], 1 - 2.2, 1e-12);
  EXPECT_TRUE(std::isnan(all.at("bob").beyond[1])) << "no job of bob's has ended";
}

TEST(EachUser, OneWhoIsWorseOffBreaksItAndIsNamed) {
  const ByUser fair = {{"ann", {10, 11, 9, 10}}, {"bob", {10, 11, 9, 10}}, {"eve", {5, 6, 5, 6}}};
  const ByUser ours = {{"ann", {1, 1, 1, 1}}, {"bob", {20, 23, 19, 21}}, {"eve", {7, 8.1, 7, 8}}};
  const LimitVerdict found = verdict(each_as_fair, ours, fair);
  EXPECT_EQ(found.keeps, Keeps::no);
  EXPECT_EQ(found.user, "bob");
  EXPECT_EQ(found.beyond.runs, 4U);
  EXPECT_NEAR(found.beyond.mean, 20.75 / 11 - 1, 1e-9) << "share of 1.1 times FAIR's mean";
  Limit all_jobs = each_as_fair;
  all_jobs.each_user = false;
  EXPECT_NE(verdict(all_jobs, {{"ann", {1, 1, 1, 2}}, {"bob", {12, 13, 12, 12}}},
                    {{"ann", {10, 11, 9, 10}}, {"bob", {10, 11, 9, 10}}})
                .keeps,
            Keeps::no)
      << "all together are better off";
}

TEST(EachUser, ANumberBoundsAllOfThem) {
  Limit limit{.text = "", .each_user = true, .figure = "response_mean_s", .bound = 10};
  const ByUser ours = {{"ann", {1, 2, 1, 2}}, {"bob", {8, 9, 8, 9}}};
  EXPECT_EQ(verdict(limit, ours, {}).keeps, Keeps::yes);
  EXPECT_EQ(verdict(limit, ours, {}).user, "bob") << "nearest to the bound";
  limit.bound = 7;
  EXPECT_EQ(verdict(limit, ours, {}).keeps, Keeps::no);
  EXPECT_NEAR(verdict(limit, ours, {}).beyond.mean, 1.5 / 7, 1e-12);
  limit.at_most = false;
  EXPECT_EQ(verdict(limit, ours, {}).keeps, Keeps::no);
  EXPECT_EQ(verdict(limit, ours, {}).user, "ann");
}

TEST(EachUser, OfASingleSeedIsNotDecided) {
  const ByUser fair = {{"ann", {10, 11, 9}}, {"bob", {NAN, 10, 10}}};
  const ByUser ours = {{"ann", {1, 1, 1}}, {"bob", {90, 90, NAN}}};
  const LimitVerdict found = verdict(each_as_fair, ours, fair);
  EXPECT_EQ(found.keeps, Keeps::undecided);
  EXPECT_EQ(found.user, "bob");
  EXPECT_EQ(verdict(each_as_fair, {}, {}).keeps, Keeps::undecided) << "nobody";
}

TEST(EachUser, TheSchedulerKeepsItsOwnLimit) {
  const ByUser fair = {{"ann", {10, 400, 1}}, {"bob", {NAN, 10, NAN}}};
  EXPECT_EQ(verdict(each_as_fair, fair, fair).keeps, Keeps::undecided);
  EXPECT_EQ(verdict(each_as_fair, fair, fair, true).keeps, Keeps::yes);
  Limit half = each_as_fair;
  half.bound = 0.5;
  EXPECT_NE(verdict(half, fair, fair, true).keeps, Keeps::yes);
}

TEST(EachUser, RunsThatAreAllAlikeAreCertain) {
  Limit limit = each_as_fair;
  limit.bound = 1;
  const ByUser fair = {{"ann", {10, 11, 12}}};
  EXPECT_EQ(verdict(limit, fair, fair).keeps, Keeps::yes) << "ann has what FAIR gives, each time";
  EXPECT_EQ(verdict(limit, {{"ann", {11, 12, 13}}}, fair).keeps, Keeps::no);
}

TEST(LimitVerdicts, TheWorstCounts) {
  EXPECT_EQ(worst_of({}), Keeps::yes);
  EXPECT_EQ(worst_of({{.keeps = Keeps::yes}, {.keeps = Keeps::undecided}}), Keeps::undecided);
  EXPECT_EQ(worst_of({{.keeps = Keeps::no}, {.keeps = Keeps::undecided}}), Keeps::no);
}

/// Users' mean response times with so many seeds, some of them missing, but of the first seed.
ByUser any_users(std::size_t seeds, std::size_t most_users) {
  ByUser users;
  const auto count = *rc::gen::inRange<std::size_t>(1, most_users + 1);
  for (std::size_t user = 0; user < count; ++user) {
    Values& values = users[fmt::format("u{}", user)];
    for (std::size_t run = 0; run < seeds; ++run) {
      const int ms = *rc::gen::inRange(run == 0 ? 0 : -20, 400);
      values.push_back(ms < 0 ? NAN : 0.001 + ms / 1000.0);
    }
  }
  return users;
}

TEST(EachUser, OfOneUserIsTheLimitOfAllJobs) {
  harness::check_law({}, [] {
    const auto seeds = *rc::gen::inRange<std::size_t>(1, 12);
    const ByUser ours = any_users(seeds, 1);
    const ByUser fair = any_users(seeds, 1);
    Limit all_jobs = each_as_fair;
    all_jobs.each_user = false;
    const LimitVerdict one = verdict(each_as_fair, ours, fair);
    const LimitVerdict all = verdict(all_jobs, ours, fair);
    RC_ASSERT(one.keeps == all.keeps);
    RC_ASSERT(one.beyond.runs == all.beyond.runs);
    RC_ASSERT(one.beyond.mean == all.beyond.mean ||
              (std::isnan(one.beyond.mean) && std::isnan(all.beyond.mean)));
  });
}

TEST(EachUser, MoreTimeForOneNeverKeepsWhatWasNotKept) {
  harness::check_law({}, [] {
    const auto seeds = *rc::gen::inRange<std::size_t>(2, 12);
    const ByUser fair = any_users(seeds, 4);
    ByUser ours = any_users(seeds, 4);
    const Keeps before = verdict(each_as_fair, ours, fair).keeps;
    const double more = *rc::gen::inRange(0, 300) / 1000.0;
    for (double& value : ours.begin()->second) value += more;
    const Keeps after = verdict(each_as_fair, ours, fair).keeps;
    RC_ASSERT(before == Keeps::yes || after != Keeps::yes);
  });
}

TEST(EachUser, KeptMeansThatEachAloneKeepsIt) {
  harness::check_law({}, [] {
    const auto seeds = *rc::gen::inRange<std::size_t>(2, 12);
    const ByUser fair = any_users(seeds, 4);
    ByUser ours;
    for (const auto& [user, values] : fair) {
      ours[user] = values;
      for (double& value : ours[user]) value *= *rc::gen::inRange(50, 120) / 100.0;
    }
    bool all_keep = true;
    for (const auto& [user, values] : ours) {
      const LimitVerdict alone = verdict(each_as_fair, {{user, values}}, {{user, fair.at(user)}});
      all_keep = all_keep && alone.keeps == Keeps::yes;
    }
    RC_ASSERT((verdict(each_as_fair, ours, fair).keeps == Keeps::yes) == all_keep);
  });
}

/// How often each is said in experiments of ten seeds, whose users are beyond the bound by these
/// means, with a deviation of 1 and noise in common.
std::map<Keeps, double> shares_said(const Values& means, std::size_t experiments) {
  boost::random::normal_distribution<double> noise;
  RandomStream draws(1, "limits");
  std::map<Keeps, double> said;
  for (std::size_t at = 0; at < experiments; ++at) {
    std::map<std::string, Excess> users;
    for (std::size_t run = 0; run < 10; ++run) {
      const double common = noise(draws.engine());
      for (std::size_t user = 0; user < means.size(); ++user) {
        Excess& excess = users[fmt::format("u{}", user)];
        const double own = noise(draws.engine());
        excess.beyond.push_back(means[user] + std::sqrt(0.5) * (common + own));
        excess.bounds.push_back(10);
      }
    }
    said[verdict_on(users, false).keeps] += 1 / static_cast<double>(experiments);
  }
  return said;
}

TEST(EachUser, IsWronglyCalledBrokenInFiveOfAHundredAtMost) {
  for (const std::size_t users : {std::size_t{1}, std::size_t{4}, std::size_t{20}}) {
    EXPECT_LT(shares_said(Values(users, 0.0), 3000)[Keeps::no], 0.06) << users << " users";
  }
}

TEST(EachUser, IsWronglyCalledKeptInFiveOfAHundredAtMost) {
  EXPECT_LT(shares_said({0}, 3000)[Keeps::yes], 0.06);
  EXPECT_LT(shares_said({0, -5, -5, -5}, 3000)[Keeps::yes], 0.06) << "one is at the bound";
  EXPECT_LT(shares_said({0, 0, 0, 0}, 3000)[Keeps::yes], 0.06);
}

TEST(EachUser, IsMostlyDecidedWhereTheDifferenceIsLarge) {
  EXPECT_GT(shares_said({-2, -2, -2, -2}, 1000)[Keeps::yes], 0.95);
  EXPECT_GT(shares_said({-2, -2, 2, -2}, 1000)[Keeps::no], 0.95);
}

}  // namespace
}  // namespace somnus::test
