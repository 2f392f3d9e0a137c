#include "text/mistake_collector.hpp"

#include <algorithm>

namespace somnus {
namespace {

std::string_view expected_of(const Mistake& one) {
  return std::string_view(one.what).substr(0, one.what.find(", found"));
}

}  // namespace

// There are few: beyond so many the last takes the rest.
MistakeCollector::Cause& MistakeCollector::cause_of(const Mistake& one) {
  constexpr std::size_t most_causes = 200;
  const auto known = std::ranges::find_if(causes_, [&](const Cause& cause) {
    return cause.first.key == one.key && expected_of(cause.first) == expected_of(one);
  });
  if (known != causes_.end()) return *known;
  if (causes_.size() == most_causes) return causes_.back();
  return causes_.emplace_back(Cause{.first = one});
}

void MistakeCollector::add(int line, int column, std::string key, std::string what,
                           std::string hint) {
  Mistake one{.location = {.file = file_, .line = line, .column = column},
              .key = std::move(key),
              .what = std::move(what),
              .hint = std::move(hint)};
  Cause& cause = cause_of(one);
  ++cause.count;
  cause.last_line = line;
  if (cause.listed == most_alike || !lists_more()) return;
  ++cause.listed;
  listed_.add(std::move(one));
}

Mistakes MistakeCollector::take() && {
  std::size_t unlisted = 0;
  for (const Cause& cause : causes_) {
    const std::size_t more = cause.count - cause.listed;
    if (more == 0) continue;
    if (cause.listed < most_alike) {
      unlisted += more;
      continue;
    }
    listed_.add(
        {.location = {.file = file_},
         .key = cause.first.key,
         .what = fmt::format(
             "{}: {} more{}", expected_of(cause.first), more,
             cause.last_line > 0 ? fmt::format(", the last in line {}", cause.last_line) : ""),
         .hint = ""});
  }
  if (unlisted > 0) {
    listed_.add({.location = {.file = file_},
                 .key = "",
                 .what = fmt::format("and {} more mistakes", unlisted),
                 .hint = ""});
  }
  return std::move(listed_);
}

}  // namespace somnus
