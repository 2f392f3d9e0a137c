// Law: whatever the bytes, a config is either settings or mistakes, each of which says what and
// where.
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

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start);
    lines.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

/// Drops, repeats and exchanges lines, keys and values: mostly TOML still, of odd shape.
std::string odd_shape() {
  std::vector<std::string> lines = lines_of(full);
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

std::string odd_bytes() {
  std::string toml(full);
  const std::size_t edits = 1 + below(4);
  for (std::size_t edit = 0; edit < edits; ++edit) {
    toml[below(toml.size())] = static_cast<char>(below(256));
  }
  return toml;
}

void expect_settings_or_mistakes(const std::string& toml) {
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

TEST(FullConfig, HasNoMistake) { EXPECT_EQ(mistakes_in(full), ""); }

RC_GTEST_PROP(FullConfig, OfOddShapeGivesSettingsOrMistakesWithPlaces, ()) {
  expect_settings_or_mistakes(odd_shape());
}

RC_GTEST_PROP(FullConfig, WithOddBytesGivesSettingsOrMistakesWithPlaces, ()) {
  expect_settings_or_mistakes(odd_bytes());
}

RC_GTEST_PROP(AnyOverride, GivesSettingsOrMistakes, ()) {
  static const std::vector<std::string> keys = {"run.speed",         "cluster",    "cluster.group",
                                                "cluster.group.a.b", "scheduler",  "a b",
                                                "faults.event",      "workload.x", "run"};
  static const std::vector<std::string> values = {"1",    "x", "",     "{", "{}",
                                                  "[{}]", "'", "1\n2", "#"};
  const Override one{keys[below(keys.size())], values[below(values.size())]};
  const auto settings = parse_settings(full, "a.toml", std::span(&one, 1));
  RC_ASSERT(settings.has_value() || settings.error().any());
}

}  // namespace
}  // namespace somnus::test
