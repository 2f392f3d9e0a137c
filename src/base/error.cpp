#include "base/error.hpp"

#include <algorithm>
#include <new>
#include <span>
#include <unordered_set>

namespace somnus {
namespace {

/// Nobody reads more. A reader of many lines lists fewer itself (src/text/mistake_collector.hpp).
constexpr std::size_t most_shown = 100;

}  // namespace

std::string Mistake::text() const {
  std::string line = location.file;
  if (location.line > 0) line += fmt::format(":{}", location.line);
  if (location.line > 0 && location.column > 0) line += fmt::format(":{}", location.column);
  if (!line.empty()) line += ": ";
  if (!key.empty()) line += key + ": ";
  line += what;
  if (!hint.empty()) line += "; " + hint;
  return line;
}

void Mistakes::append(Mistakes others) {
  std::unordered_set<std::string> known;
  for (const Mistake& mistake : list_) known.insert(mistake.text());
  for (Mistake& other : others.list_) {
    if (known.insert(other.text()).second) list_.push_back(std::move(other));
  }
}

std::string Mistakes::text() const {
  std::string lines;
  for (const Mistake& mistake : std::span(list_).first(std::min(list_.size(), most_shown))) {
    if (!lines.empty()) lines += '\n';
    lines += mistake.text();
  }
  if (list_.size() > most_shown) {
    lines += fmt::format("\nand {} more mistakes", list_.size() - most_shown);
  }
  return lines;
}

tl::unexpected<Mistakes> mistake(Mistake one) {
  Mistakes mistakes;
  mistakes.add(std::move(one));
  return tl::unexpected(std::move(mistakes));
}

std::string in_words(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return "out of memory";
  return error.what();
}

void throw_bug(const char* file, int line, const std::string& message) {
  const std::string_view path(file);
  const auto slash = path.rfind('/');
  const auto name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  throw Bug(fmt::format("{} (check failed at {}:{})", message, name, line));
}

}  // namespace somnus
