#include "generators/generators.hpp"

#include <algorithm>

#include "formats/formats.hpp"
#include "generators/generated.hpp"
#include "workload/native.hpp"

namespace somnus::test {
namespace {

// Of the tasks of each job.
std::vector<double> means(const WorkloadSpec& workload) {
  std::vector<double> all;
  for (const JobSpec& job : workload.jobs) all.push_back(moments(job.stages[0].durations).mean);
  return all;
}
double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

TEST(Generators, DrawByTheSeedAlone) {
  const Folder folder;
  for (const Generator& generator : generators()) {
    const Parameters least = least_parameters(generator, folder);
    const auto text = [&](std::uint64_t seed) {
      return native_text(made(generator.name, least, seed));
    };
    EXPECT_EQ(text(7), text(7)) << generator.name;
    const bool draws = generator.name != "fixed" && !generator.name.starts_with("uwfq-scenario");
    EXPECT_EQ(text(7) != text(8), draws) << generator.name;
  }
}

// A change here changes every published workload that is known by its seed.
TEST(Generators, MakeTheSameFileOnEveryMachine) {
  EXPECT_EQ(native_text(made("google", {{"jobs", 3}, {"users", 2}, {"max_width", 9}}, 6)),
            "{\"somnus_workload\": 1, \"name\": \"google\"}\n"
            "{\"job\": \"0\", \"user\": \"user2\", \"submit\": 1137.796, \"durations\": [88.167]}\n"
            "{\"job\": \"1\", \"user\": \"user2\", \"submit\": 1672.22, \"durations\": [82.078, "
            "95.112, 112.617, 98.572, 91.497, 94.722, 102.706, 114.448, 90.192]}\n"
            "{\"job\": \"2\", \"user\": \"user2\", \"submit\": 2240.043, \"durations\": [33.637, "
            "39.85]}\n");
}

TEST(Generators, SayWhetherTheyReadFiles) {
  EXPECT_TRUE(find_generator("dag-library")->reads_files);
  EXPECT_FALSE(find_generator("google")->reads_files);
  EXPECT_EQ(find_generator("gogle"), nullptr);
}

TEST(Generators, NameUnknownOnesAndSuggest) {
  EXPECT_EQ(mistakes_of("gogle", {}),
            "c.toml:7:3: generator: expected a workload generator, found "
            "'gogle'; did you mean 'google'?");
}

TEST(Generators, NameEveryIllParameterInOneGo) {
  EXPECT_EQ(mistakes_of("fixed", {{"jbos", 1},
                                  {"tasks", "many"},
                                  {"stages", 1.5},
                                  {"users", 0},
                                  {"duration_s", infinity}}),
            "c.toml:7:3: jbos: unknown parameter of generator fixed; did you mean 'jobs'?\n"
            "c.toml:7:3: tasks: expected a whole number from 1 to 1000000, found \"many\"\n"
            "c.toml:7:3: duration_s: expected a number of at least 0 s, found inf\n"
            "c.toml:7:3: stages: expected a whole number from 1 to 10000, found 1.5\n"
            "c.toml:7:3: users: expected a whole number from 1 to 1000000, found 0");
}

TEST(Generators, NameParametersThatDoNotGoTogether) {
  EXPECT_EQ(mistakes_of("google", {{"median_task_s", 10}, {"max_task_s", 9}}),
            "c.toml:7:3: max_task_s: expected at least median_task_s = 10, found 9");
  EXPECT_EQ(
      mistakes_of("fixed", {{"jobs", 10000000}, {"tasks", 1000000}}),
      "c.toml:7:3: tasks: expected at most 100000000 tasks in a workload, found 10000000000000");
  EXPECT_EQ(mistakes_of("fixed", {{"jobs", 2}, {"interval_s", 8300000}, {"tasks", 1}}), "none");
  EXPECT_EQ(mistakes_of("fixed", {{"jobs", 122}, {"interval_s", 8300000}, {"tasks", 1}}),
            "c.toml:7:3: jobs[121].submit: expected 0 to 1000000000 s, found 1004300000");
}

TEST(Generators, HaveDefaultsWithinTheirRanges) {
  const Folder folder;
  for (const Generator& generator : generators()) {
    Parameters defaults = generator.parameters.defaults();
    for (const auto& [name, value] : least_parameters(generator, folder)) defaults[name] = value;
    EXPECT_EQ(mistakes_in(generate(generator.name, defaults, 1)), "none") << generator.name;
  }
}

TEST(FixedGenerator, ChainsEqualStagesAtEqualIntervals) {
  const auto workload = made("fixed", {{"jobs", 3},
                                       {"tasks", 2},
                                       {"duration_s", 0.5},
                                       {"interval_s", 4},
                                       {"stages", 2},
                                       {"users", 2}});
  EXPECT_EQ(
      native_text(workload),
      "{\"somnus_workload\": 1, \"name\": \"fixed\"}\n"
      R"({"job": "0", "user": "user1", "submit": 0, "stages": [{"stage": 0, "tasks": 2, "duration": 0.5}, {"stage": 1, "parents": [0], "tasks": 2, "duration": 0.5}]})"
      "\n"
      R"({"job": "1", "user": "user2", "submit": 4, "stages": [{"stage": 0, "tasks": 2, "duration": 0.5}, {"stage": 1, "parents": [0], "tasks": 2, "duration": 0.5}]})"
      "\n"
      R"({"job": "2", "user": "user1", "submit": 8, "stages": [{"stage": 0, "tasks": 2, "duration": 0.5}, {"stage": 1, "parents": [0], "tasks": 2, "duration": 0.5}]})"
      "\n");
}

TEST(ElephantAndMice, FollowsThePaper) {
  const auto workload = made("elephant-and-mice", {{"mice", 200}, {"elephant_at_s", 5}});
  ASSERT_EQ(workload.jobs.size(), 201U);
  EXPECT_TRUE(std::ranges::is_sorted(workload.jobs, {}, &JobSpec::submit));
  for (const JobSpec& job : workload.jobs) {
    const auto& durations = job.stages[0].durations;
    if (job.job == "elephant") {
      EXPECT_EQ(job.submit, 5);
      EXPECT_EQ(durations, std::vector<double>(20, 2.0));
      continue;
    }
    EXPECT_GE(durations.size(), 8U);
    EXPECT_LE(durations.size(), 12U);
    EXPECT_GE(std::ranges::min(durations), 0.8);
    EXPECT_LE(std::ranges::max(durations), 1.2);
    EXPECT_LE(job.submit, 20);
  }
  EXPECT_EQ(quantile(widths(workload), 0), 8);
  EXPECT_EQ(quantile(widths(workload), 0.99), 12);
}

TEST(GoogleGenerator, KeepsItsLimits) {
  const auto workload = made("google", {{"jobs", 2000}, {"users", 3}, {"max_width", 30}});
  EXPECT_EQ(workload.jobs.size(), 2000U);
  EXPECT_LE(std::ranges::max(widths(workload)), 30);
  EXPECT_LE(std::ranges::max(means(workload)), 1200);
  EXPECT_GE(workload.jobs.back().submit, 3500);
  EXPECT_LE(workload.jobs.back().submit, 3600);
  for (const JobSpec& job : workload.jobs) {
    EXPECT_TRUE(job.user == "user1" || job.user == "user2" || job.user == "user3") << job.user;
  }
}

TEST(GoogleGenerator, MakesThreeQuartersOfTheJobsNarrowByDefault) {
  const auto all = widths(made("google", {{"jobs", 20000}}));
  const auto narrow = std::ranges::count_if(all, [](double width) { return width <= 5; });
  EXPECT_NEAR(static_cast<double>(narrow) / 20000, 0.754, 0.01);
}

TEST(GoogleGenerator, ArrivesEvenly) {
  const auto workload = made("google", {{"jobs", 20000}, {"span_s", 1000}});
  std::array<int, 10> tenths{};
  for (const JobSpec& job : workload.jobs) {
    ++tenths.at(std::min<std::size_t>(9, static_cast<std::size_t>(job.submit / 100)));
  }
  for (const int jobs : tenths) EXPECT_NEAR(jobs, 2000, 200);
}

// Tolerances: 10 % where the quantile is inside a range of many jobs, 25 % in the tails, where the
// trace itself has few jobs; one task where widths are small.
TEST(GoogleGenerator, MatchesQuantilesOfTheTrace) {
  SOMNUS_TRACE_OR_SKIP(path, "hawk_traces/GOOG_subtrace.tr.gz");
  const auto trace = value_or_throw(read_workload(path));
  const auto workload =
      made("google", {{"jobs", 40000}, {"max_width", 5000}, {"max_task_s", 400000}});

  const auto widths_here = widths(workload);
  const auto widths_there = widths(trace);
  for (const double share : {0.25, 0.5, 0.7, 0.8, 0.85, 0.9, 0.95, 0.97, 0.99, 0.999}) {
    const double there = quantile(widths_there, share);
    EXPECT_NEAR(quantile(widths_here, share), there, std::max(1.0, 0.25 * there)) << share;
  }
  const auto means_here = means(workload);
  const auto means_there = means(trace);
  for (const double share : {0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99}) {
    const double there = quantile(means_there, share);
    const double tolerance = share <= 0.95 ? 0.1 : 0.25;
    EXPECT_NEAR(quantile(means_here, share), there, tolerance * there) << share;
  }
}

}  // namespace
}  // namespace somnus::test
