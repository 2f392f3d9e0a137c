#include "advice/limits.hpp"

#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "base/describe.hpp"
#include "base/error.hpp"
#include "experiment/holm.hpp"
#include "experiment/mean_test.hpp"

namespace somnus {
namespace {

constexpr double level_of_limits = 0.05;

double of_user(const RunResult& run, const std::string& user, const std::string& figure) {
  SOMNUS_CHECK(run.users.has_value(), "a run was kept without its users");
  const auto found = run.users->find(user);
  double value = NAN;
  if (found == run.users->end()) return value;
  for_each_field<UserFigures>([&](const auto& field) {
    if (figure == field.name) value = found->second.*field.member;
  });
  return value;
}

double value_in(const RunResult* run, const Limit& limit, const std::string& user) {
  if (run == nullptr) return NAN;
  return limit.each_user ? of_user(*run, user, limit.figure)
                         : run->figures[figure_index(limit.figure)];
}

std::set<std::string> users_in(const SeedRuns& runs) {
  std::set<std::string> users;
  for (const RunResult* const run : runs) {
    if (run == nullptr || !run->users) continue;
    for (const auto& [user, figures] : *run->users) users.insert(user);
  }
  return users;
}

/// All runs are alike, so they say for certain what a test could not.
bool is_certain(const SampleMean& sample) { return sample.runs >= 2 && sample.deviation == 0; }

struct UserTest {
  std::string user;
  const Excess* excess = nullptr;
  SampleMean sample;
  double p = 1;  // two-sided
  double adjusted = 1;

  [[nodiscard]] bool is_above() const { return sample.mean > 0 && adjusted <= level_of_limits; }
  [[nodiscard]] bool is_below() const {
    if (is_certain(sample)) return sample.mean <= 0;
    return sample.mean < 0 && p / 2 <= level_of_limits;
  }
};

std::vector<UserTest> tests_of(const std::map<std::string, Excess>& excesses) {
  std::vector<UserTest> tests;
  std::vector<double> p;  // of users who can be tested
  for (const auto& [user, excess] : excesses) {
    UserTest test{.user = user, .excess = &excess, .sample = sample_mean(excess.beyond)};
    test.p = p_value(MeanTest::student, test.sample);
    if (test.sample.runs >= 2) p.push_back(test.p);
    tests.push_back(std::move(test));
  }
  const std::vector<double> adjusted = adjusted_by_holm(p, p.size());
  auto next = adjusted.begin();
  for (UserTest& test : tests) {
    if (test.sample.runs >= 2) test.adjusted = *next++;
  }
  return tests;
}

Keeps said_of(const UserTest& test, bool is_itself) {
  if (test.is_above()) return Keeps::no;
  const bool is_within = is_itself && test.sample.mean <= 0;  // in each run, by the bound alone
  return is_within || test.is_below() ? Keeps::yes : Keeps::undecided;
}

MeanInterval share_of_bound(const Excess& excess) {
  MeanInterval share = mean_interval(excess.beyond);
  std::vector<double> bounds;
  for (std::size_t run = 0; run < excess.beyond.size(); ++run) {
    if (!std::isnan(excess.beyond[run])) bounds.push_back(excess.bounds[run]);
  }
  const double whole = std::abs(mean_interval(bounds).mean);
  share.mean /= whole;
  share.half_width /= whole;
  return share;
}

int rank_of(Keeps keeps) { return keeps == Keeps::no ? 2 : keeps == Keeps::undecided ? 1 : 0; }

}  // namespace

double Excess::mean_beyond() const { return sample_mean(beyond).mean; }

std::map<std::string, Excess> excesses(const Limit& limit, const SeedRuns& ours,
                                       const SeedRuns& theirs) {
  std::set<std::string> users = {""};
  if (limit.each_user) {
    users = users_in(ours);
    users.merge(users_in(theirs));
  }
  const double sign = limit.at_most ? 1 : -1;
  std::map<std::string, Excess> all;
  for (const std::string& user : users) {
    Excess& excess = all[user];
    for (std::size_t run = 0; run < ours.size(); ++run) {
      const double bound =
          limit.scheduler.empty() ? limit.bound : limit.bound * value_in(theirs[run], limit, user);
      excess.bounds.push_back(bound);
      excess.beyond.push_back(sign * (value_in(ours[run], limit, user) - bound));
    }
  }
  return all;
}

LimitVerdict verdict_on(const std::map<std::string, Excess>& excesses, bool is_itself) {
  const auto order = [](const LimitVerdict& each) {
    const double mean = each.beyond.mean;
    return std::pair(rank_of(each.keeps), std::isnan(mean) ? -infinity : mean);
  };
  std::optional<LimitVerdict> worst;
  for (const UserTest& test : tests_of(excesses)) {
    LimitVerdict one{.keeps = said_of(test, is_itself),
                     .user = test.user,
                     .beyond = share_of_bound(*test.excess)};
    if (!worst || order(one) > order(*worst)) worst = std::move(one);
  }
  return worst.value_or(LimitVerdict{});
}

Keeps worst_of(const std::vector<LimitVerdict>& verdicts) {
  Keeps worst = Keeps::yes;
  for (const LimitVerdict& each : verdicts) {
    if (rank_of(each.keeps) > rank_of(worst)) worst = each.keeps;
  }
  return worst;
}

}  // namespace somnus
