// Batch means: a run's jobs in batches, with figures of their own.
#include "metrics/batches.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "cli/small_log.hpp"

namespace somnus::test {
namespace {

/// Jobs that come a second after each other and take so long.
Log log_of_responses(const std::vector<double>& responses) {
  Log log;
  for (std::size_t at = 0; at < responses.size(); ++at) {
    const auto submit = static_cast<double>(at);
    JobRow job;
    job.job = static_cast<std::uint32_t>(at);
    job.tasks = 1;
    job.submit = submit;
    job.first_start = submit + responses[at] / 2;
    job.finish = submit + responses[at];
    job.alone = 1;
    job.state =
        static_cast<std::uint8_t>(std::isnan(job.finish) ? JobState::failed : JobState::finished);
    log.tables.jobs.push_back(job);
  }
  return log;
}

std::vector<double> drawn_responses(std::size_t count, std::uint64_t seed) {
  RandomStream draws(seed, "responses");
  std::vector<double> all(count);
  for (double& each : all) each = draws.uniform(1, 9);
  return all;
}

std::vector<double> means_of(const Log& log, const Truncation& truncation, std::uint32_t batches) {
  std::vector<double> means;
  for (const Summary& each : value_or_throw(batches_of(log, truncation, batches))) {
    means.push_back(each.response_mean_s);
  }
  return means;
}

TEST(Batches, AreOfTheOrderOfSubmissionAndLeaveOutTheFirstOfTooMany) {
  Log log = log_of_responses({9, 1, 3, 5, 7, 2, 4});
  EXPECT_EQ(means_of(log, {}, 3), (std::vector<double>{2, 6, 3})) << "the first is one too many";
  std::swap(log.tables.jobs[1], log.tables.jobs[6]);
  EXPECT_EQ(means_of(log, {}, 3), (std::vector<double>{2, 6, 3}))
      << "the table's order is no matter";
  EXPECT_EQ(means_of(log, {.jobs = 2}, 2), (std::vector<double>{6, 3}));
}

TEST(Batches, OfJobsThatFailedHaveTheMeanOfTheOthers) {
  EXPECT_EQ(means_of(log_of_responses({1, NAN, 3, 5}), {}, 2), (std::vector<double>{1, 4}));
  EXPECT_TRUE(std::isnan(means_of(log_of_responses({NAN, NAN, 3, 5}), {}, 2)[0]));
}

TEST(Batches, HaveTheMeanOfAllWhereNothingIsLeftOut) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Log log = log_of_responses(drawn_responses(240, seed));
    const Summary whole = summarise(log, "");
    for (const std::uint32_t batches : {2U, 5U, 24U, 120U}) {
      double response = 0;
      double slowdown = 0;
      for (const Summary& each : value_or_throw(batches_of(log, {}, batches))) {
        response += each.response_mean_s / batches;
        slowdown += each.slowdown_mean / batches;
      }
      EXPECT_NEAR(response, whole.response_mean_s, 1e-9);
      EXPECT_NEAR(slowdown, whole.slowdown_mean, 1e-9);
    }
  }
}

/// With a gang, so that it has waits.
Log log_with_gang(std::size_t jobs) {
  Log log = log_of_responses(drawn_responses(jobs, 3));
  log.tables.stages.resize(1);
  log.tables.stages[0].tasks = 2;
  log.tables.gangs = {{.stage = 0}};
  return log;
}

TEST(Batches, OfAllJobsTogetherHaveAllFiguresOverJobsThatTheRunHas) {
  const Log log = log_with_gang(50);
  const Summary whole = summarise(log, "");
  const Summary batch = value_or_throw(batches_of(log, {}, 1)).front();
  std::size_t compared = 0;
  for_each_field<Summary>([&](const auto& field) {
    const double ours = static_cast<double>(batch.*field.member);
    const double theirs = static_cast<double>(whole.*field.member);
    if (field.over != Over::jobs) return;
    ++compared;
    EXPECT_TRUE(ours == theirs || (std::isnan(ours) && std::isnan(theirs)))
        << field.name << ": " << ours << ", of the run " << theirs;
  });
  EXPECT_EQ(compared, 29U);
  EXPECT_FALSE(std::isnan(batch.wait_mean_s));
  EXPECT_FALSE(std::isnan(batch.bounded_slowdown_mean));
}

TEST(Batches, HaveNoFigureThatIsNotNamed) {
  const Summary nothing;
  const Summary batch = value_or_throw(batches_of(log_with_gang(50), {}, 1)).front();
  for_each_field<Summary>([&](const auto& field) {
    const double ours = static_cast<double>(batch.*field.member);
    const double unset = static_cast<double>(nothing.*field.member);
    const std::string_view name = field.name;
    const bool is_count = name.ends_with("_jobs");  // narrow_jobs, medium_jobs, wide_jobs
    if (field.over == Over::jobs || is_count) return;
    EXPECT_TRUE(ours == unset || (std::isnan(ours) && std::isnan(unset)))
        << name << " is over jobs, and its kind says over the run";
  });
}

TEST(FigureInfo, SaysWhichWayIsBetterAndOverWhat) {
  std::map<std::string, FigureInfo> infos;
  for_each_field<Summary>([&](const FigureInfo& info) { infos.emplace(info.name, info); });
  const auto is = [&](const char* name, Better better, Over over) {
    return infos.at(name).better == better && infos.at(name).over == over;
  };
  EXPECT_TRUE(is("response_mean_s", Better::less, Over::jobs));
  EXPECT_TRUE(is("progress_mean", Better::more, Over::jobs));
  EXPECT_TRUE(is("wait_max_s", Better::less, Over::run)) << "a batch's longest says nothing";
  EXPECT_TRUE(is("lateness_p99_s", Better::less, Over::run));
  EXPECT_TRUE(is("utilisation", Better::neither, Over::run));
  EXPECT_TRUE(infos.at("rigid_jobs").headline);
  EXPECT_EQ(infos.at("rigid_jobs").trivial_up_to, 0);
}

TEST(Batches, OfTooFewJobsAreRefused) {
  const Log log = log_of_responses(drawn_responses(39, 1));
  EXPECT_EQ(batches_of(log, {}, 20).error().text(),
            "experiment.batches: 20 batches need 40 jobs at least, 39 are left; take a longer "
            "workload, or fewer batches");
  EXPECT_TRUE(batches_of(log, {}, 19).has_value());
  EXPECT_NE(
      batches_of(log, {.jobs = 2}, 19).error().text().find("37 are left without the transient"),
      std::string::npos);
}

}  // namespace
}  // namespace somnus::test
