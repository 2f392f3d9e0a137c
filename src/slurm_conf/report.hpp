// What is wrong with a slurm.conf, and what of it no config of Somnus says.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/value.hpp"
#include "slurm_conf/site.hpp"
#include "slurm_conf/statements.hpp"
#include "text/mistake_collector.hpp"
#include "text/parse_number.hpp"

namespace somnus::slurm_conf {

struct Report {
  MistakeCollector mistakes;
  std::vector<Missing> missing;

  void wrong(const Setting& setting, const std::string& expected) {
    mistakes.add(setting.line, setting.column, setting.key,
                 fmt::format("expected {}, found {}", expected, in_quotes(setting.value)));
  }
  void misses(const Setting& setting, std::string why) {
    misses(setting, setting.value, std::move(why));
  }
  /// A part of the setting's value.
  void misses(const Setting& setting, const std::string& part, std::string why) {
    add({.line = setting.line,
         .setting = fmt::format("{}={}", setting.key, part),
         .why = std::move(why)});
  }
  /// Once, however many lines have it from one of defaults.
  void add(Missing one) {
    if (std::ranges::find(missing, one) == missing.end()) missing.push_back(std::move(one));
  }
  /// A mistake if it is none, and `least`.
  [[nodiscard]] double number(const Setting& setting, std::uint32_t least, std::uint32_t most) {
    const auto number = parse_number<std::uint32_t>(setting.value);
    if (number && *number >= least && *number <= most) return *number;
    wrong(setting, fmt::format("a number from {} to {}", least, most));
    return least;
  }
};

}  // namespace somnus::slurm_conf
