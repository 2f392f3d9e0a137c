#include "policy/capacities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace somnus {
namespace {

constexpr std::string_view spaces = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(spaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

bool is_quote(char c) { return c == '"' || c == '\''; }

std::optional<double> capacity_in(std::string_view word) {
  double number = 0;
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, number);
  const bool is_number = error == std::errc() && rest == end;
  if (!is_number || !std::isfinite(number) || number <= 0) return std::nullopt;
  return number;
}

tl::unexpected<std::string> fault(std::string_view what) {
  return tl::unexpected(
      fmt::format("expected queues with their capacities, such as \"A 70, B 30\"; {}", what));
}

}  // namespace

tl::expected<Capacities, std::string> Capacities::parse(std::string_view text) {
  Capacities capacities;
  std::string_view rest = trimmed(text);
  while (!rest.empty()) {
    Entry entry;
    std::size_t named = 0;  // characters that a quoted name takes
    if (is_quote(rest.front())) {
      const std::size_t close = rest.find(rest.front(), 1);
      if (close == std::string_view::npos) return fault(fmt::format("{} is not closed", rest));
      entry.queue = rest.substr(1, close - 1);
      named = close + 1;
    }
    const std::size_t comma = rest.find(',', named);
    std::string_view word = trimmed(rest.substr(named, comma - named));
    if (named == 0) {
      const std::size_t space = word.find_last_of(spaces);
      if (space == std::string_view::npos) {
        return fault(fmt::format("'{}' is not a name and a number", word));
      }
      entry.queue = trimmed(word.substr(0, space));
      word.remove_prefix(space + 1);
    }
    const std::optional<double> capacity = capacity_in(word);
    if (!capacity) {
      return fault(fmt::format("the capacity of '{}' must be a number above 0, not '{}'",
                               entry.queue, word));
    }
    if (capacities.find(entry.queue) != nullptr) {
      return fault(fmt::format("'{}' is there twice", entry.queue));
    }
    entry.capacity = *capacity;
    capacities.entries.push_back(std::move(entry));
    if (comma == std::string_view::npos) break;
    rest = trimmed(rest.substr(comma + 1));
    if (rest.empty()) return fault("nothing follows the last comma");
  }
  return capacities;
}

const Capacities::Entry* Capacities::find(std::string_view queue) const {
  const auto found = std::ranges::find(entries, queue, &Entry::queue);
  return found == entries.end() ? nullptr : &*found;
}

}  // namespace somnus
