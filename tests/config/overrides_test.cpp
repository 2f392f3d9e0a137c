#include "config/check.hpp"

namespace somnus::test {
namespace {

TEST(Override, WinsOverTheFileWithoutBeingADuplicate) {
  const Settings settings = settings_of(with("[run]\nspeed = 2\nseed = 7\n"), {"run.speed=2000"});
  EXPECT_EQ(settings.run.speed, 2000);
  EXPECT_EQ(settings.run.seed, 7U);
}

TEST(Override, AddsATableThatTheFileLacks) {
  EXPECT_EQ(settings_of(least, {"network.delay_ms=0.5"}).network.delay_ms, 0.5);
}

TEST(Override, TheLastOfOneKeyWins) {
  EXPECT_EQ(settings_of(least, {"run.seed=1", "run.seed=2"}).run.seed, 2U);
}

TEST(Override, TakesABareWordAsText) {
  EXPECT_EQ(settings_of(least, {"scheduler.policy=srpt"}).scheduler.order, "srpt");
  EXPECT_EQ(settings_of(least, {"workload.file=../a b#1.tr"}).workload.file, "../a b#1.tr");
  EXPECT_EQ(settings_of(least, {"workload.file='x.tr'"}).workload.file, "x.tr");
  EXPECT_EQ(settings_of(with("[log]\nfile = 'a.h5'\n"), {"log.file="}).log.file, "");
}

TEST(Override, AsTextIsNeverANumber) {
  const Override one = text_override("log.file", "2024");
  const auto settings = parse_settings(least, "a.toml", std::span(&one, 1));
  EXPECT_EQ(settings.value().log.file, "2024");
}

TEST(Override, ReachesIntoInlineTables) {
  const auto* const toml =
      "[cluster]\nnodes = 2\nresources = { cpu = 4, mem_gb = 8 }\n"
      "[scheduler]\npolicy = 'fifo'\n[workload]\nfile = 'f'\n";
  const Cluster cluster = settings_of(toml, {"cluster.resources.mem_gb=16"}).cluster;
  EXPECT_EQ(cluster.resources, (std::vector<std::string>{"cpu", "mem_gb"}));
  EXPECT_EQ(cluster.groups[0].capacity.amount(0), 4);
  EXPECT_EQ(cluster.groups[0].capacity.amount(1), 16);
}

TEST(Override, ReplacesAWholeTableByAnInlineOne) {
  const Settings settings = settings_of(least, {"workload={generator = 'google', jobs = 10}"});
  EXPECT_EQ(settings.workload.generator, "google");
  EXPECT_EQ(settings.workload.file, "");
}

TEST(Override, IsThePlaceOfItsMistakesWhichComeLast) {
  EXPECT_EQ(mistakes_in(with("[log]\ncompression = 10\n"), {"run.speed=fast", "run.speeed=2"}),
            "a.toml:11:15: log.compression: expected a whole number from 0 to 9, found 10\n"
            "--set run.speeed=2: run.speeed: unknown key; did you mean 'speed'?\n"
            "--set run.speed=fast: run.speed: expected a number above 0 and of at most 1000000000, "
            "found \"fast\"");
}

TEST(Override, ThatIsIgnoredIsAMistake) {
  EXPECT_EQ(mistakes_in(least, {"jvm.factor=2"}),
            "--set jvm.factor=2: jvm.factor: ignored with jvm.model = \"none\"; it needs "
            "jvm.model = \"executor\" or \"reuse\"");
}

TEST(Override, NeedsAKeyAndAnEqualsSign) {
  EXPECT_EQ(parse_override("run.speed").error().text(),
            "--set run.speed: expected table.key=value, e.g. run.speed=2000");
  EXPECT_EQ(parse_override("=3").error().text(),
            "--set =3: expected table.key=value, e.g. run.speed=2000");
  EXPECT_EQ(parse_override("workload.file=a=b").value().value, "a=b");
}

TEST(Override, WithAnIllKeyIsReportedBesideTheSyntaxErrorOfTheFile) {
  EXPECT_EQ(mistakes_in("a =", {"run..speed=2"}),
            "a.toml:1:4: Error while parsing key-value pair: encountered end-of-file\n"
            "--set run..speed=2: expected table.key=value, e.g. run.speed=2000");
}

}  // namespace
}  // namespace somnus::test
