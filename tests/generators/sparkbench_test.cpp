// The generator of jobs like SparkBench's.
#include <algorithm>

#include "generators/generated.hpp"

namespace somnus::test {
namespace {

using Names = std::vector<std::string>;

List list_of(std::initializer_list<const char*> names) {
  List all;
  for (const char* name : names) all.push_back(std::string(name));
  return all;
}

TEST(SparkBench, IteratesOneTaskAndManyInTurn) {
  const WorkloadSpec workload = made("sparkbench", {{"tasks", 32}, {"iterations", 3}});
  ASSERT_EQ(workload.jobs.size(), 3U);
  for (const JobSpec& job : workload.jobs) {
    EXPECT_EQ(job.submit, 0);
    EXPECT_EQ(job.warmup, 3.9);
    ASSERT_EQ(job.stages.size(), 6U);
    for (std::uint32_t place = 0; place < 6; ++place) {
      EXPECT_EQ(job.stages[place].durations.size(), place % 2 == 0 ? 1U : 32U);
      EXPECT_EQ(job.stages[place].parents.size(), place > 0 ? 1U : 0U);
      for (const std::uint32_t parent : job.stages[place].parents) EXPECT_EQ(parent, place - 1);
    }
  }
}

TEST(SparkBench, TakesTurnsAmongApplicationsWithTheWeightsOfThePaper) {
  const WorkloadSpec workload = made("sparkbench", {{"jobs", 4}, {"iterations", 1}});
  Names names;
  std::vector<double> weights;
  for (const JobSpec& job : workload.jobs) {
    names.push_back(job.job);
    weights.push_back(job.weight);
  }
  EXPECT_EQ(names, (Names{"KMeans-0", "PageRank-1", "SVDPlusPlus-2", "KMeans-3"}));
  EXPECT_EQ(weights, (std::vector<double>{12, 3, 1, 12}));
  const WorkloadSpec equal =
      made("sparkbench", {{"iterations", 1}, {"weights", std::string("equal")}});
  EXPECT_TRUE(std::ranges::all_of(equal.jobs, [](const JobSpec& job) { return job.weight == 1; }));
}

TEST(SparkBench, OfOneStageIsSlowOnColdSlotsInAnApplicationsOwnManner) {
  const WorkloadSpec workload =
      made("sparkbench", {{"shape", std::string("one-stage")}, {"tasks", 8}, {"alone_s", 60.0}});
  std::vector<double> cold;
  for (const JobSpec& job : workload.jobs) {
    cold.push_back(job.warmup);
    ASSERT_EQ(job.stages.size(), 1U);
    EXPECT_EQ(job.stages[0].durations.size(), 8U);
    EXPECT_NEAR(job.warmup * std::ranges::max(job.stages[0].durations), 60, 1e-5);
  }
  EXPECT_EQ(cold, (std::vector<double>{3.9, 1.3, 3}));
}

// On as many slots as tasks each stage takes its longest task.
TEST(SparkBench, TakesTheGivenTimeAlone) {
  for (const int tasks : {1, 2, 32, 128}) {
    const WorkloadSpec workload = made("sparkbench", {{"tasks", tasks}, {"alone_s", 60.0}});
    for (const JobSpec& job : workload.jobs) {
      double sum = 0;
      for (const StageSpec& stage : job.stages) sum += std::ranges::max(stage.durations);
      EXPECT_NEAR(sum, 60, 40 * 1e-6) << job.job << " of " << tasks << " tasks";
    }
  }
}

TEST(SparkBench, HasTasksEvenlyFromTheFastestToTheSlowestInAnyOrder) {
  const WorkloadSpec workload = made("sparkbench", {{"tasks", 14}});
  std::vector<double> first = workload.jobs[1].stages[1].durations;
  std::vector<double> second = workload.jobs[1].stages[3].durations;
  EXPECT_NE(first, second);
  std::ranges::sort(first);
  std::ranges::sort(second);
  EXPECT_EQ(first, second);
  for (std::size_t task = 0; task < 14; ++task) {  // 2, 3, ... 15 of 15 parts
    EXPECT_NEAR(first[task], first[13] * static_cast<double>(task + 2) / 15, 1e-6);
  }
}

TEST(SparkBench, ChainsTheJobsOfEachApplicationIfClosed) {
  const WorkloadSpec workload =
      made("sparkbench", {{"applications", list_of({"PageRank", "KMeans"})},
                          {"jobs", 5},
                          {"iterations", 1},
                          {"closed", true}});
  Names follows;
  for (const JobSpec& job : workload.jobs) follows.push_back(job.after);
  EXPECT_EQ(follows, (Names{"", "", "PageRank-0", "KMeans-1", "PageRank-2"}));
}

TEST(SparkBench, RefusesWhatItDoesNotKnowAndWhatIsTooMuch) {
  EXPECT_EQ(mistakes_of("sparkbench", {{"applications", list_of({"KMean"})}}),
            "c.toml:7:3: applications: expected names of applications, found 'KMean'; did you mean "
            "'KMeans'?");
  EXPECT_EQ(mistakes_of("sparkbench", {{"jobs", 1000000}, {"tasks", 99999}}),
            "c.toml:7:3: jobs: expected parameters for at most 100000000 tasks, found some for "
            "about 2000000000000");
}

}  // namespace
}  // namespace somnus::test
