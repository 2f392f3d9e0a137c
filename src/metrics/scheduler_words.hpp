// What tables call schedulers: one word each, and below the table what it stands for.
#pragma once

#include <map>
#include <span>
#include <string>

namespace somnus {

/// By label its preset, "fair (2)" where several labels have one, in whatever order they come.
class SchedulerWords {
 public:
  explicit SchedulerWords(std::span<const std::string> labels);

  [[nodiscard]] const std::string& of(const std::string& label) const { return words_.at(label); }
  /// A line for each word that is less than its label: "fair (2): order=srpt".
  [[nodiscard]] std::string meanings() const;

 private:
  std::map<std::string, std::string> words_;
};

}  // namespace somnus
