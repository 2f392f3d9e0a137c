#include "workload/report.hpp"

namespace somnus {

void Report::add(int line, int column, std::string key, std::string what, std::string hint) {
  if (++count_ > most_listed) return;
  listed_.add({.place = {.file = file_, .line = line, .column = column},
               .key = std::move(key),
               .what = std::move(what),
               .hint = std::move(hint)});
}

Mistakes Report::take() && {
  if (count_ > most_listed) {
    Mistake rest;
    rest.place.file = file_;
    rest.what = fmt::format("and {} more mistakes", count_ - most_listed);
    listed_.add(std::move(rest));
  }
  return std::move(listed_);
}

}  // namespace somnus
