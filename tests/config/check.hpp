// What the config tests share: a complete config to which each test adds, and its mistakes as text.
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "config/help.hpp"

namespace somnus::test {

/// The least that a config must say, in nine lines: a test's own text starts on line 10.
inline constexpr std::string_view least = R"([cluster]
nodes = 4
slots_per_node = 2

[scheduler]
policy = "cfq"

[workload]
file = "jobs.jsonl"
)";

inline std::vector<Override> overrides(std::initializer_list<std::string_view> texts) {
  std::vector<Override> list;
  for (const std::string_view text : texts) list.push_back(parse_override(text).value());
  return list;
}

inline std::string mistakes_in(std::string_view toml,
                               std::initializer_list<std::string_view> sets = {}) {
  const auto settings = parse_settings(toml, "a.toml", overrides(sets));
  return settings ? "" : settings.error().text();
}

inline Settings settings_of(std::string_view toml,
                            std::initializer_list<std::string_view> sets = {}) {
  auto settings = parse_settings(toml, "a.toml", overrides(sets));
  if (settings) return *settings;
  ADD_FAILURE() << settings.error().text();
  return {};
}

/// `least` with one table after it.
inline std::string with(std::string_view more) { return std::string(least) + std::string(more); }

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  return lines;
}

/// What `somnus config` says of all tables, in one line with single blanks.
inline std::string whole_help() {
  std::string text = " ";
  for (const HelpTable& table : settings_tables()) {
    std::istringstream words(text_of(table));
    for (std::string word; words >> word;) text += word + " ";
  }
  return text;
}

}  // namespace somnus::test
