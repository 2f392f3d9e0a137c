#include "config/choices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/value.hpp"

namespace somnus {

std::string either(std::vector<std::string> names) {
  for (std::string& name : names) name = in_quotes(name);
  if (names.size() < 2) return names.empty() ? "(none there is)" : names.front();
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

std::string parts_that(PartKind kind, const std::function<bool(const Part&)>& like) {
  std::vector<std::string> names;
  for (const Part& part : parts()) {
    if (part.kind == kind && like(part)) names.push_back(part.name);
  }
  return either(std::move(names));
}

std::string what_chooses(const Part& part) {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) {
    if (part.kind == PartKind::policy && preset.whole == part.name) names.push_back(preset.name);
  }
  if (names.empty()) names.push_back(part.name);
  return fmt::format("scheduler.{} = {}", name_of(part.kind), either(std::move(names)));
}

std::string queues_that_hold_tasks() {
  return parts_that(PartKind::queue,
                    [](const Part& part) { return std::get<QueuePart>(part.as).make != nullptr; });
}

}  // namespace somnus
