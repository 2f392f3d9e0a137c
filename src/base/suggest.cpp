#include "base/suggest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <vector>

namespace somnus {
namespace {

char lower(char each) { return each >= 'A' && each <= 'Z' ? static_cast<char>(each + 32) : each; }

// Optimal string alignment distance. Capitals do not count.
std::size_t edits(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> cost((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return cost[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = at(i - 1, j - 1) + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, change});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return at(a.size(), b.size());
}

/// "response_mean_s": mean, response, s.
std::set<std::string_view> words_of(std::string_view name) {
  std::set<std::string_view> words;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of("_-."), name.size());
    if (end > 0) words.insert(name.substr(0, end));
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return words;
}

/// nullptr: there is none.
const std::string* shortest_with_words_of(std::string_view word,
                                          std::span<const std::string> candidates) {
  constexpr std::size_t longest = 100;  // it may be a million letters
  const std::string* best = nullptr;
  const std::set<std::string_view> words = words_of(word.substr(0, longest));
  if (words.size() < 2) return best;
  for (const std::string& candidate : candidates) {
    if (!std::ranges::includes(words_of(candidate), words)) continue;
    if (best == nullptr || candidate.size() < best->size()) best = &candidate;
  }
  return best;
}

}  // namespace

std::string suggest(std::string_view word, std::span<const std::string> candidates) {
  const std::string* best = nullptr;
  std::size_t best_edits = 0;
  for (const std::string& candidate : candidates) {
    const std::size_t most = std::max<std::size_t>(1, candidate.size() / 3);
    if (word.size() > candidate.size() + most) continue;  // it may be a million letters
    const std::size_t distance = edits(word, candidate);
    const bool near = distance <= most;
    if (near && (best == nullptr || distance < best_edits)) {
      best = &candidate;
      best_edits = distance;
    }
  }
  if (best == nullptr) best = shortest_with_words_of(word, candidates);
  if (best != nullptr) return fmt::format("did you mean '{}'?", *best);
  constexpr std::size_t most_listed = 12;
  if (candidates.empty() || candidates.size() > most_listed) return "";
  return fmt::format("known are {}", fmt::join(candidates, ", "));
}

}  // namespace somnus
