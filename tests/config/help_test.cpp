#include "config/help.hpp"
#include "config/check.hpp"

namespace somnus::test {
namespace {

TEST(SettingsHelp, NamesEveryKeyThatACompleteConfigHas) {
  const std::string help = whole_help();
  const std::string toml = to_toml(settings_of(
      with("[estimate]\nmodel = 'uniform'\n[jvm]\nmodel = 'reuse'\n[[faults.event]]\nat_s = 0\n"
           "node = 1\n"),
      {"scheduler.feedback=heartbeat", "faults.node_mtbf_s=1", "faults.slow_node_probability=1",
       "faults.straggler_probability=1", "faults.heartbeat_late_probability=0.1"}));
  for (const std::string& line : lines_of(toml)) {
    if (line.empty()) continue;
    const bool is_head = line.starts_with('[');
    const std::string key = line.substr(0, line.find(" = "));
    const std::string name = key.substr(key.rfind('.') + 1);
    EXPECT_NE(help.find(is_head ? line : " " + name + " "), std::string::npos) << line;
  }
}

TEST(SettingsHelp, NamesTheWarmUpModelsTheirKeysAndWhichReadsWhich) {
  const std::string help = whole_help();
  const std::string jvm = help.substr(help.find(" [jvm] "));
  for (const char* line :
       {R"(before: "executor" | "measured" | "none" | "reuse")",
        R"((only with jvm.model = "executor" or "reuse"))", R"((only with jvm.model = "executor"))",
        "reuse a task is warm on a slot whose last task was of the same app; a slot is warm when "
        "its last task was of the same app"}) {
    EXPECT_NE(jvm.find(line), std::string::npos) << line << "\nin" << jvm;
  }
}

TEST(SettingsHelp, GivesUnitDefaultMeaningAndCondition) {
  EXPECT_NE(
      whole_help().find(
          " [heartbeat] (only with scheduler.feedback = \"any-heartbeat\", \"heartbeat\" or "
          "\"monitor\", or scheduler.queue = \"worker\", or faults.missed_heartbeats = 2 or more) "
          "interval_s time between two heartbeats of a node [s]; default 3 "),
      std::string::npos)
      << whole_help();
}

}  // namespace
}  // namespace somnus::test
