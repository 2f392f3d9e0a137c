#include "config/experiment_file.hpp"

#include "config/check.hpp"

namespace somnus::test {
namespace {

ExperimentFile experiment_of(std::string_view toml) {
  return value_or_throw(parse_experiment(toml, "load.toml"));
}

std::string wrong(std::string_view toml) {
  const auto file = parse_experiment(toml, "load.toml");
  return file ? "" : file.error().text();
}

constexpr std::string_view least_experiment = "[experiment]\nconfig = 'a.toml'\n";

std::string more(std::string_view rest) {
  return std::string(least_experiment) + std::string(rest);
}

TEST(ExperimentFile, HasAxesInTheirOrderWithTheirPlaces) {
  const ExperimentFile file = experiment_of(R"([experiment]
config = "google.toml"
seeds = 3
[axes]
workload.load = [0.5, 0.75]
policy = ["fair", "yaq-c+queue.length=8"]
[[zip]]
cluster.nodes = [1, 2]
workload.scale_tasks = [0.5, 1]
[set]
workload.jobs = 20
run.poll = "spin"
[baseline]
policy = "fair"
)");
  EXPECT_EQ(file.config(), "google.toml");
  EXPECT_EQ(file.keys.seeds, 3U);
  ASSERT_EQ(file.axes.size(), 3U);
  EXPECT_EQ(file.axes[0].keys, std::vector<std::string>{"workload.load"});
  EXPECT_EQ(file.axes[0].values[1], std::vector<std::string>{"0.75"});
  EXPECT_EQ(file.axes[1].values[1], std::vector<std::string>{"yaq-c+queue.length=8"});
  EXPECT_EQ(file.axes[2].keys, (std::vector<std::string>{"cluster.nodes", "workload.scale_tasks"}));
  EXPECT_EQ(file.axes[2].values[0], (std::vector<std::string>{"1", "0.5"}));
  EXPECT_EQ(file.axes[0].locations[1][0],
            (SourceLocation{.file = "load.toml", .line = 5, .column = 23}));
  ASSERT_EQ(file.set.size(), 2U);
  EXPECT_EQ(file.set[1].text(), "--set run.poll=\"spin\"");
  EXPECT_EQ(file.baseline.at("policy"), "fair");
}

TEST(ExperimentFile, NamesItsConfigBesideItself) {
  const auto file = parse_experiment(least_experiment, "some/where/load.toml");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->config(), "some/where/a.toml");
}

TEST(ExperimentFile, TellsAllThatIsWrongAtItsPlace) {
  EXPECT_EQ(wrong(""),
            "load.toml: experiment: expected a table [experiment] that says which config");
  EXPECT_EQ(wrong("[experiment]\nseed = 3\n[axis]\n"),
            "load.toml:2:1: experiment.seed: unknown key; did you mean 'seeds'?\n"
            "load.toml:3:2: axis: unknown table; did you mean 'axes'?");
  EXPECT_EQ(wrong(more("[axes]\npolicy = []\nworkload.load = 0.5\nrun.speed = [1, 1]\n")),
            "load.toml:4:10: axes.policy: expected values, found an empty list\n"
            "load.toml:5:17: axes.workload.load: expected a list, found 0.5\n"
            "load.toml:6:13: axes.run.speed: 1 is there twice");
  EXPECT_EQ(wrong(more("[[zip]]\na.b = [1, 2]\na.c = [1]\n")),
            "load.toml:5:7: zip[0].a.c: expected as many values as a.b has, 2, found 1");
  EXPECT_EQ(wrong(more("[axes]\na.b = [1]\n[set]\na.b = 2\n")),
            "load.toml:3:1: axes: a.b is set in two places");
  EXPECT_EQ(
      wrong(more("[axes]\npolicy = ['fair']\n[baseline]\npolicy = 'fare'\n")),
      "load.toml:6:10: baseline.policy: expected a value of that axis, found fare; known are fair");
  EXPECT_EQ(wrong(more("[axes]\npolicy = ['fair']\n[baseline]\npolicies = 'fair'\n")),
            "load.toml:6:1: baseline.policies: expected the key of an axis; known are policy");
}

TEST(ExperimentFile, OfBatchesIsOfOneRunAndOfFiguresThatTheyHave) {
  const ExperimentFile file = experiment_of(more("batches = 20\n"));
  EXPECT_EQ(file.keys.batches, 20U);
  EXPECT_EQ(file.keys.seeds, 1U);
  EXPECT_EQ(file.keys.metrics, (std::vector<std::string>{"response_mean_s", "slowdown_mean"}));
  EXPECT_EQ(experiment_of(more("batches = 20\nseeds = 1\n")).keys.seeds, 1U);
  EXPECT_EQ(experiment_of(more("batches = 0\n")).keys.seeds, 10U) << "no batches";
  EXPECT_EQ(experiment_of(more("batches = 9\nmetrics = ['utilisation']\n")).keys.metrics.size(), 1U)
      << "what a figure is the config does not know";
}

TEST(ExperimentFile, RefusesBatchesBesideSeeds) {
  EXPECT_EQ(
      wrong(more("batches = 20\nseeds = 10\n")),
      "load.toml:4:9: experiment.seeds: expected 1 beside experiment.batches, which are of one "
      "run; leave one of the two out");
  EXPECT_EQ(wrong(more("batches = 1\nprecision = 0.1\ndecide = ['response_mean_s']\n")),
            "load.toml:3:11: experiment.batches: expected at least 2, found 1; 10 to 30 are usual\n"
            "load.toml:4:13: experiment.precision: expected none beside experiment.batches, which "
            "are of one run; a longer workload is more precise\n"
            "load.toml:5:10: experiment.decide: expected none beside experiment.batches, which are "
            "of one run; a longer workload decides more");
}

TEST(ParseSettings, GivesKeysThatNobodyReadsToWhoAsksForThem) {
  const std::string toml = with("[heartbeat]\ninterval_s = 1\n[estimate]\nerror = 0.5\n");
  EXPECT_EQ(mistakes_in(toml).substr(0, 24), "a.toml:10:1: heartbeat: ");
  std::vector<std::string> unread;
  const auto settings = parse_settings(toml, "a.toml", {}, &unread);
  ASSERT_TRUE(settings) << settings.error().text();
  EXPECT_EQ(unread, (std::vector<std::string>{"estimate.error", "heartbeat"}));
  EXPECT_EQ(to_toml(*settings), to_toml(settings_of(least)));
  EXPECT_FALSE(parse_settings(with("[run]\nspeed = -1\n"), "a.toml", {}, &unread))
      << "what is wrong is wrong";
}

TEST(ParseSettings, GivesPartsThatArentChosenToo) {
  std::vector<std::string> unread;
  const auto settings =
      parse_settings(with("[scheduler.uwfq]\n"), "a.toml",
                     overrides({"scheduler.uwfq.grace_rsec=1", "scheduler.policy=tetris",
                                "scheduler.order=fair", "cluster.resources={cpu=1}"}),
                     &unread);
  ASSERT_TRUE(settings) << settings.error().text();
  EXPECT_EQ(unread, (std::vector<std::string>{"scheduler.order", "scheduler.uwfq"}));
}

}  // namespace
}  // namespace somnus::test
