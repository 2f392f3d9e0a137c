#include "fidelity/comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fidelity/late_simulations.hpp"
#include "fidelity/movement.hpp"

namespace somnus {
namespace {

using Jobs = std::vector<JobRow>;

/// Jobs that come at 10 s and take so long.
Jobs jobs_of(std::vector<double> responses, double alone = 1) {
  Jobs jobs;
  for (const double response : responses) {
    jobs.push_back({.submit = 10, .finish = 10 + response, .alone = alone});
  }
  return jobs;
}

FigureCompared figure(const std::vector<FigureCompared>& lines, const std::string& name) {
  for (const FigureCompared& one : lines) {
    if (one.name == name) return one;
  }
  ADD_FAILURE() << "no figure " << name;
  return {};
}

TEST(Figures, AreThoseOfTheJobsThatFinished) {
  Jobs jobs = jobs_of({1, 2, 3, 4}, 2);
  jobs.push_back({.submit = 10});
  const Figures figures = figures_of(jobs);
  EXPECT_DOUBLE_EQ(figures.response_mean_s, 2.5);
  EXPECT_DOUBLE_EQ(figures.response_p50_s, 2);
  EXPECT_DOUBLE_EQ(figures.response_p99_s, 4);
  EXPECT_DOUBLE_EQ(figures.slowdown_mean, 1.25);
  EXPECT_DOUBLE_EQ(figures.makespan_s, 4);
}

TEST(Figures, OfJobsAreOffByTheShareOfTheirOwnResponseTimes) {
  EXPECT_DOUBLE_EQ(job_deviation_p95(jobs_of({1, 2, 3}), jobs_of({1, 2, 4})), 0.25);
  EXPECT_TRUE(std::isnan(job_deviation_p95({}, {})));
}

TEST(Comparison, FindsNothingBetweenEqualRuns) {
  const Jobs jobs = jobs_of({1, 2, 3});
  const std::vector<FigureCompared> lines = compare_figures(jobs, jobs, std::vector<Jobs>{jobs});
  EXPECT_EQ(lines.size(), 12u);
  EXPECT_TRUE(all_faithful(lines));
  for (const FigureCompared& one : lines) EXPECT_EQ(one.difference, 0) << one.name;
}

TEST(Comparison, ForgivesWhatSimulationsShowAmongThemselves) {
  const std::vector<Jobs> late = {jobs_of({9}), jobs_of({11})};
  const auto of = [&](double response) {
    return figure(compare_figures(jobs_of({response}), jobs_of({10}), late), "response_mean_s");
  };
  EXPECT_DOUBLE_EQ(of(12).difference, 0.2);
  EXPECT_NEAR(of(12).lateness, 0, 1e-12);
  EXPECT_NEAR(of(12).sensitivity, 0.2, 1e-12);
  EXPECT_EQ(of(11.9).verdict(), Verdict::faithful);
  EXPECT_EQ(of(8.1).verdict(), Verdict::faithful);
  EXPECT_EQ(of(12.1).verdict(), Verdict::error);
  EXPECT_EQ(of(7.9).verdict(), Verdict::error);
}

TEST(Comparison, TellsWhatTheMachinesLatenessExplains) {
  const std::vector<Jobs> late = {jobs_of({11.9}), jobs_of({12.1})};  // 20 % more, +- 1 %
  const auto of = [&](double response) {
    return figure(compare_figures(jobs_of({response}), jobs_of({10}), late), "response_mean_s");
  };
  EXPECT_EQ(of(10.1).verdict(), Verdict::faithful);
  EXPECT_EQ(of(12.15).verdict(), Verdict::late);
  EXPECT_EQ(of(11.5).verdict(), Verdict::error);
  EXPECT_EQ(of(13).verdict(), Verdict::error);
}

TEST(Comparison, ForgivesOnePercentWhereASchedulerIsNotSensitive) {
  const std::vector<Jobs> late = {jobs_of({100})};
  const auto of = [&](double response) {
    return figure(compare_figures(jobs_of({response}), jobs_of({100}), late), "makespan_s");
  };
  EXPECT_EQ(of(100.9).verdict(), Verdict::faithful);
  EXPECT_EQ(of(101.1).verdict(), Verdict::error);
}

TEST(Comparison, SeesJobsThatExchangeTheirPlaces) {
  const Jobs simulation = jobs_of({1, 2});
  const Jobs exchanged = jobs_of({2, 1});
  const auto line = [&](const std::vector<Jobs>& late) {
    return figure(compare_figures(exchanged, simulation, late), "job_deviation_p95");
  };
  EXPECT_DOUBLE_EQ(line({simulation, simulation}).difference, 1);
  EXPECT_EQ(line({simulation, simulation}).verdict(), Verdict::error);
  EXPECT_EQ(line({exchanged, exchanged}).verdict(), Verdict::late);
  EXPECT_EQ(line({exchanged, simulation}).verdict(), Verdict::faithful);
}

TEST(Movement, IsThatOfTheMeanAndWithinThePercentOrTheSensitivity) {
  const Jobs exact = jobs_of({100});
  const Movement moved = movement(exact, std::vector<Jobs>{jobs_of({101}), jobs_of({107})});
  EXPECT_NEAR(moved.of.response_mean_s, 0.04, 1e-12);
  EXPECT_NEAR(moved.of.makespan_s, 0.04, 1e-12);
  EXPECT_NEAR(moved.jobs_p95, 0.04, 1e-12);
  const Movement of_itself = sensitivity(exact, std::vector<Jobs>{jobs_of({98}), jobs_of({103})});
  EXPECT_NEAR(of_itself.of.response_mean_s, 5.0 / 98, 1e-12);
  EXPECT_TRUE(is_within(moved, of_itself));
  EXPECT_FALSE(is_within(moved, sensitivity(exact, std::vector<Jobs>{exact})));
  EXPECT_TRUE(is_within(movement(exact, std::vector<Jobs>{jobs_of({100.9})}),
                        sensitivity(exact, std::vector<Jobs>{exact})));
}

TEST(Comparison, IsPrintedInWordsAndNumbers) {
  const Jobs jobs = jobs_of({1});
  const auto lines = compare_figures(jobs_of({2}), jobs, std::vector<Jobs>{jobs});
  EXPECT_THAT(to_text(lines), testing::HasSubstr("  ERROR\n"));
  const nlohmann::json first = to_json(lines).front();
  EXPECT_EQ(first["figure"], "response_mean_s");
  EXPECT_EQ(first["difference"], 1.0);
  EXPECT_EQ(first["verdict"], "error");
}

TEST(LateMachine, IsWhatTheLogMeasured) {
  LogTables tables;
  tables.ranks = {{.rank = 0}, {.rank = 1}, {.rank = 2}};
  tables.lateness = {{.rank = 0, .up_to = 0.1, .looks = 3}, {.rank = 2, .up_to = 0.2, .looks = 4}};
  const LateMachine machine = late_machine_of(tables);
  ASSERT_EQ(machine.size(), 3u);
  EXPECT_EQ(machine[0].at(0).looks, 3u);
  EXPECT_TRUE(machine[1].empty());
  EXPECT_DOUBLE_EQ(machine[2].at(0).up_to_s, 0.2);
  EXPECT_EQ(late_machine_of({}).size(), 2u);
}

}  // namespace
}  // namespace somnus
