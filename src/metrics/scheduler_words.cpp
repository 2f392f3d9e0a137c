#include "metrics/scheduler_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/wrapped.hpp"
#include "config/exchanges.hpp"
#include "print/printable.hpp"

namespace somnus {

SchedulerWords::SchedulerWords(std::span<const std::string> labels) {
  std::vector<std::string> ordered(labels.begin(), labels.end());
  std::ranges::sort(ordered, {}, [](const std::string& one) { return std::pair(one.size(), one); });
  std::set<std::string> taken;
  for (const std::string& label : ordered) {
    if (words_.contains(label)) continue;
    const std::string preset = label.substr(0, next_exchange(label, 0));
    const std::string word = preset.empty() ? label : preset;
    std::string& own = words_[label] = word;
    for (int number = 2; !taken.insert(own).second; ++number) {
      own = fmt::format("{} ({})", word, number);
    }
  }
}

std::string SchedulerWords::meanings() const {
  std::string lines;
  for (const auto& [label, word] : words_) {
    if (label == word) continue;
    std::string exchanged;
    for (std::size_t at = next_exchange(label, 0); at < label.size();) {
      const std::size_t end = next_exchange(label, at + 1);
      exchanged += (exchanged.empty() ? "" : ", ") + label.substr(at + 1, end - at - 1);
      at = end;
    }
    lines += fmt::format("{}: {}\n", printable(word), wrapped(printable(exchanged), 2));
  }
  return lines;
}

}  // namespace somnus
