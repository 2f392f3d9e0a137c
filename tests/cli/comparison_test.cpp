#include "fidelity/comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fidelity/late_simulations.hpp"

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

std::vector<FigureCompared> compared(const Jobs& run, const Jobs& simulation,
                                     const std::vector<Jobs>& late,
                                     const std::vector<Jobs>& disturbed,
                                     Pace pace = Pace::kept_up) {
  return compare_figures(run, pace, {.exact = simulation, .late = late, .disturbed = disturbed});
}

TEST(Figures, AreThoseOfTheJobsThatFinished) {
  Jobs jobs = jobs_of({1, 2, 3, 4}, 2);
  jobs.push_back({.submit = 10});
  const Figures figures = figures_of(jobs, jobs);
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
  const std::vector<FigureCompared> lines = compared(jobs, jobs, {jobs}, {jobs});
  EXPECT_EQ(lines.size(), 12u);
  EXPECT_EQ(verdict_of({}, lines).word, "faithful");
  for (const FigureCompared& one : lines) EXPECT_EQ(one.difference, 0) << one.name;
}

TEST(Comparison, ForgivesWhatBarelyLateSimulationsShowAmongThemselves) {
  const std::vector<Jobs> disturbed = {jobs_of({9}), jobs_of({11})};
  const auto of = [&](double response) {
    return figure(compared(jobs_of({response}), jobs_of({10}), disturbed, disturbed),
                  "response_mean_s");
  };
  EXPECT_DOUBLE_EQ(of(12).difference, 0.2);
  EXPECT_NEAR(of(12).lateness, 0, 1e-12);
  EXPECT_NEAR(of(12).sensitivity, 0.2, 1e-12);
  EXPECT_EQ(of(11.9).verdict(), "faithful");
  EXPECT_EQ(of(8.1).verdict(), "faithful");
  EXPECT_EQ(of(12.1).verdict(), "error");
  EXPECT_EQ(of(7.9).verdict(), "error");
}

TEST(Comparison, TellsWhatTheMachinesLatenessExplains) {
  const std::vector<Jobs> late = {jobs_of({11.9}), jobs_of({12.1})};  // 20 % more, +- 1 %
  const auto of = [&](double response) {
    return figure(compared(jobs_of({response}), jobs_of({10}), late, {jobs_of({10})}),
                  "response_mean_s");
  };
  EXPECT_EQ(of(10.05).verdict(), "faithful");
  EXPECT_EQ(of(12.15).verdict(), "late");
  EXPECT_EQ(of(11.5).verdict(), "error");
  EXPECT_EQ(of(13).verdict(), "error");
}

TEST(Comparison, ForgivesOnePercentWhereASchedulerIsNotSensitive) {
  const std::vector<Jobs> late = {jobs_of({100})};
  const auto of = [&](double response) {
    return figure(compared(jobs_of({response}), jobs_of({100}), late, late), "makespan_s");
  };
  EXPECT_EQ(of(100.9).verdict(), "faithful");
  EXPECT_EQ(of(101.1).verdict(), "error");
}

TEST(Comparison, SeesJobsThatExchangeTheirPlaces) {
  const Jobs simulation = jobs_of({1, 2});
  const Jobs exchanged = jobs_of({2, 1});
  const auto line = [&](const Jobs& late, const Jobs& disturbed) {
    return figure(compared(exchanged, simulation, {late, late}, {disturbed}), "job_deviation_p95");
  };
  EXPECT_DOUBLE_EQ(line(simulation, simulation).difference, 1);
  EXPECT_EQ(line(simulation, simulation).verdict(), "error");
  EXPECT_EQ(line(exchanged, simulation).verdict(), "late");
  EXPECT_EQ(line(exchanged, exchanged).verdict(), "faithful");
}

TEST(Comparison, TakesLatenessThatVariesForNoSensitivity) {
  const std::vector<Jobs> late = {jobs_of({10}), jobs_of({100})};
  const auto of = [&](double response, Pace pace) {
    return compared(jobs_of({response}), jobs_of({10}), late, {jobs_of({10.001})}, pace);
  };
  const FigureCompared p99 = figure(of(80, Pace::kept_up), "response_p99_s");
  EXPECT_DOUBLE_EQ(p99.spread, 9);
  EXPECT_NEAR(p99.sensitivity, 0.0001, 1e-9);
  EXPECT_EQ(p99.verdict(), "late");
  EXPECT_EQ(figure(of(200, Pace::kept_up), "response_p99_s").verdict(), "error");
  EXPECT_EQ(figure(of(200, Pace::stalled), "response_p99_s").verdict(), "late")
      << "late simulations do not repeat a single stall";
}

TEST(Comparison, EndsInOneVerdict) {
  const Jobs ten = jobs_of({10});
  const auto word = [&](double late_s, const Summary& run) {
    return verdict_of(run, compared(jobs_of({20}), ten, {jobs_of({late_s})}, {ten}, run.pace()))
        .word;
  };
  const Summary kept_up{.mode = "run"};
  Summary stalled = kept_up;
  stalled.silent_max_s = 15;
  Summary resumed = stalled;
  resumed.resumed = 1;
  EXPECT_EQ(word(20, kept_up), "late");
  EXPECT_EQ(word(10, kept_up), "error");
  EXPECT_EQ(word(10, stalled), "stalled");
  EXPECT_EQ(verdict_of(stalled, compared(ten, ten, {ten}, {ten}, Pace::stalled)).word, "faithful");
  EXPECT_EQ(word(20, resumed), "not comparable");
  EXPECT_EQ(verdict_of(kept_up, {}).word, "not comparable") << "no job has finished";
}

TEST(Comparison, IsPrintedInWordsAndNumbers) {
  const Jobs jobs = jobs_of({1});
  const auto lines = compared(jobs_of({2}), jobs, {jobs}, {jobs});
  EXPECT_THAT(to_text(lines), testing::HasSubstr("  ERROR\n"));
  const nlohmann::json first = to_json(lines).front();
  EXPECT_EQ(first["figure"], "response_mean_s");
  EXPECT_EQ(first["difference"], 1.0);
  EXPECT_EQ(first["verdict"], "error");
}

TEST(LateMachine, IsBarelyLateByUpToAThousandthOfTheMedianTask) {
  Workload workload;
  workload.truth.tasks = {TrueDuration{seconds(1)}, TrueDuration{seconds(5)},
                          TrueDuration{seconds(60)}};
  const LateMachine machine = barely_late_machine(workload, 3);
  ASSERT_EQ(machine.size(), 3u);
  EXPECT_DOUBLE_EQ(machine[2].front().up_to_s, 0);
  EXPECT_DOUBLE_EQ(machine[2].back().up_to_s, 0.005);
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
