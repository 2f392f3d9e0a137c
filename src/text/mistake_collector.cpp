#include "text/mistake_collector.hpp"

namespace somnus {

void MistakeCollector::add(int line, int column, std::string key, std::string what,
                           std::string hint) {
  if (++count_ > most_listed) return;
  listed_.add({.location = {.file = file_, .line = line, .column = column},
               .key = std::move(key),
               .what = std::move(what),
               .hint = std::move(hint)});
}

Mistakes MistakeCollector::take() && {
  if (count_ > most_listed) {
    Mistake rest;
    rest.location.file = file_;
    rest.what = fmt::format("and {} more mistakes", count_ - most_listed);
    listed_.add(std::move(rest));
  }
  return std::move(listed_);
}

}  // namespace somnus
