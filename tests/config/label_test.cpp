// What a scheduler is called, and that its name makes it again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/check.hpp"
#include "scheduler/registry.hpp"

namespace somnus::test {
namespace {

constexpr std::string_view around = R"([cluster]
nodes = 4
slots_per_node = 2

[workload]
file = "jobs.jsonl"
)";

Settings scheduled(std::string_view keys, std::string_view more = "") {
  return settings_of(fmt::format("{}\n[scheduler]\n{}\n{}\n", around, keys, more));
}

std::string label(std::string_view keys, std::string_view more = "") {
  return label_of(scheduled(keys, more));
}

TEST(Label, IsThePreset) { EXPECT_EQ(label("policy = \"yaq-c\""), "yaq-c"); }

TEST(Label, SaysWhatWasExchanged) {
  EXPECT_EQ(label("policy = \"fair\"\norder = \"srpt\""), "fair+order=srpt");
  EXPECT_EQ(label("policy = \"fair\"\norder = \"srpt\"\nplacement = \"random\""),
            "fair+order=srpt+placement=random");
}

TEST(Label, DoesNotRepeatThePreset) {
  EXPECT_EQ(label("policy = \"fair\"\norder = \"fair\"\nplacement = \"any-free\""), "fair");
}

TEST(Label, SaysWhichParametersAreNotTheDefaults) {
  EXPECT_EQ(label("policy = \"uwfq\"\nuwfq.chain = \"exact2lv\""), "uwfq+uwfq.chain=exact2lv");
  EXPECT_EQ(label("policy = \"fair\"\norder = \"uwfq\"\nuwfq.chain = \"exact2lv\""),
            "fair+order=uwfq+uwfq.chain=exact2lv");
}

TEST(Label, SaysWhatQueuesAndManagersDoOtherwiseThanThePresets) {
  EXPECT_EQ(label("policy = \"yaq-c\"", "[queue]\nlength = 8\nreorder = \"stf\""),
            "yaq-c+queue.length=8+queue.reorder=stf");
  EXPECT_EQ(label("policy = \"yaq-c\"", "[queue]\nlength = 4"), "yaq-c");
  EXPECT_EQ(label("policy = \"yarn\"", "[job_manager]\nlaunch_s = 2.5"),
            "yarn+job_manager.launch_s=2.5");
}

TEST(Label, WithoutAPresetIsTheOrderAndThePlacement) {
  EXPECT_EQ(label("order = \"cfq\"\nplacement = \"random\""), "cfq+placement=random");
  EXPECT_EQ(label("order = \"cfq\"\nplacement = \"random\"\nfeedback = \"heartbeat\""),
            "cfq+placement=random+feedback=heartbeat");
}

TEST(Label, IsWhatTheUserSays) {
  EXPECT_EQ(label("policy = \"fair\"\norder = \"srpt\"\nlabel = \"mine, 2nd try\""),
            "mine, 2nd try");
}

std::vector<std::string> parsed(std::string_view label) {
  const auto overrides = overrides_of_label(label);
  if (!overrides) return {overrides.error().text()};
  std::vector<std::string> texts;
  for (const Override& one : *overrides) texts.push_back(one.text());
  return texts;
}

TEST(Label, IsTakenApart) {
  using testing::ElementsAre;
  EXPECT_THAT(parsed("cfq"), ElementsAre("--set scheduler.policy=\"cfq\""));
  EXPECT_THAT(parsed("yarn+q"), ElementsAre("--set scheduler.policy=\"yarn+q\""));
  EXPECT_THAT(parsed("job-queue"), ElementsAre("--set scheduler.order=\"job-queue\""));
  EXPECT_THAT(parsed("yarn+q+order=cfq+queue.length=8+queue.max_wait_s=1e+06+uwfq.chain=exact2lv"),
              ElementsAre("--set scheduler.policy=\"yarn+q\"", "--set scheduler.order=cfq",
                          "--set queue.length=8", "--set queue.max_wait_s=1e+06",
                          "--set scheduler.uwfq.chain=exact2lv"));
  EXPECT_THAT(parsed("+order=srpt+queue.length=8"),
              ElementsAre("--set scheduler.order=srpt", "--set queue.length=8"))
      << "of the config's own scheduler";
}

TEST(Label, ThatIsNoneIsAMistakeWithAHint) {
  EXPECT_THAT(parsed(""), testing::ElementsAre(testing::HasSubstr("unknown policy ''")));
  EXPECT_THAT(parsed("+srpt"), testing::ElementsAre(testing::HasSubstr("unknown policy '+srpt'")));
  EXPECT_THAT(parsed("yarm"), testing::ElementsAre(testing::HasSubstr(
                                  "--policy: unknown policy 'yarm'; did you mean 'yarn'?")));
  EXPECT_THAT(parsed("any-free"),
              testing::ElementsAre(
                  "--policy: unknown policy 'any-free'; `somnus policies` lists those that "
                  "there are; a plug-in is loaded by --plugin"));
  EXPECT_THAT(parsed("order=cfq"), testing::ElementsAre(testing::HasSubstr("unknown policy")));
}

// Law: a label, given to --policy, makes a scheduler of the same label, whatever was exchanged.
TEST(Label, MakesTheSameSchedulerAgain) {
  int made = 0;
  for (const Preset& preset : presets()) {
    for (const Part& part : parts()) {
      const auto text =
          fmt::format("{}\n[scheduler]\npolicy = {}\n{} = {}\n", around, in_quotes(preset.name),
                      name_of(part.kind), in_quotes(part.name));
      const auto settings = parse_settings(text, "a.toml", {});
      if (!settings) continue;  // a combination that is refused, or a parameter that it must have
      ++made;
      const std::string name = label_of(*settings);
      const auto overrides = overrides_of_label(name);
      ASSERT_TRUE(overrides) << overrides.error().text();
      const auto again = parse_settings(around, "a.toml", *overrides);
      ASSERT_TRUE(again) << name << '\n' << again.error().text();
      EXPECT_EQ(label_of(*again), name);
      EXPECT_EQ(to_toml(*again), to_toml(*settings)) << name;
    }
  }
  EXPECT_GT(made, 100);
}

}  // namespace
}  // namespace somnus::test
