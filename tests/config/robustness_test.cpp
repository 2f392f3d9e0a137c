// Law: whatever the lines, a config is either settings or mistakes, each of which says what and
// where. Any bytes and any --set are for tests/fuzz.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "config/check.hpp"

namespace somnus::test {
namespace {

constexpr std::string_view full = R"([[cluster.group]]
name = "a"
count = 4
slots_per_node = 2
resources = { cpu = 8, mem_gb = 32.5 }
[[cluster.group]]
count = 1
slots_per_node = 1
resources = { mem_gb = 16, cpu = 4 }
slowdown = 2
[scheduler]
policy = "cfq"
order = "srpt"
feedback = "heartbeat"
[scheduler.srpt]
level = "stage"
[estimate]
model = "uniform"
error = 0.1
[heartbeat]
interval_s = 1.5
phase = "aligned"
[faults]
task_failure_probability = 0.01
[[faults.event]]
at_s = 10
node = 4
kind = "node-lost"
[workload]
generator = "google"
jobs = 10
[run]
seed = 7
speed = 2e3
[log]
replay = false
)";

std::size_t below(std::size_t most) { return *rc::gen::inRange<std::size_t>(0, most); }

/// Drops, repeats and exchanges lines, keys and values: mostly TOML still, of odd shape.
std::string odd_shape() {
  std::vector<std::string> lines = lines_of(std::string(full));
  static const std::vector<std::string> values = {
      "1", "-1", "0.5", "nan", "'x'", "true", "[]", "[1, {}]", "{}", "{ a = 1 }", "2024-01-31"};
  const std::size_t edits = 1 + below(5);
  for (std::size_t edit = 0; edit < edits; ++edit) {
    const std::size_t at = below(lines.size());
    std::string& line = lines[at];
    const std::size_t equals = line.find('=');
    switch (below(4)) {
      case 0:
        line.clear();
        break;
      case 1:
        std::swap(line, lines[below(lines.size())]);
        break;
      case 2:
        if (equals != std::string::npos)
          line = line.substr(0, equals + 1) + values[below(values.size())];
        break;
      default:
        if (line.size() > 3) line.erase(1 + below(line.size() - 2), 1);
    }
  }
  std::string toml;
  for (const std::string& line : lines) toml += line + "\n";
  return toml;
}

TEST(FullConfig, HasNoMistake) { EXPECT_EQ(mistakes_in(full), ""); }

RC_GTEST_PROP(FullConfig, OfOddShapeGivesSettingsOrMistakesWithPlaces, ()) {
  const std::string toml = odd_shape();
  RC_LOG() << toml;
  const auto settings = parse_settings(toml, "a.toml", {});
  if (settings) {
    RC_ASSERT(parse_settings(to_toml(*settings), "a.toml", {}).has_value());
    return;
  }
  RC_ASSERT(settings.error().any());
  for (const Mistake& mistake : settings.error().list()) {
    RC_ASSERT(mistake.location.file == "a.toml");
    RC_ASSERT(!mistake.what.empty());
    const bool is_missing = mistake.what.starts_with("expected a table [");
    RC_ASSERT(mistake.location.line > 0 || is_missing);
  }
}

}  // namespace
}  // namespace somnus::test
