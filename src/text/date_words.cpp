#include "text/date_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <vector>

namespace somnus {
namespace {

constexpr std::string_view month_words[] = {"january",   "february", "march",    "april",
                                            "may",       "june",     "july",     "august",
                                            "september", "october",  "november", "december"};
constexpr std::string_view weekday_words[] = {"monday", "tuesday",  "wednesday", "thursday",
                                              "friday", "saturday", "sunday"};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Between blanks and commas, and where a dash stands beside a letter: 25-Apr-2024.
std::vector<std::string_view> pieces_of(std::string_view text) {
  std::vector<std::string_view> pieces;
  std::size_t start = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const bool is_dash = at > 0 && at + 1 < text.size() && text[at] == '-' &&
                         (is_letter(text[at - 1]) || is_letter(text[at + 1]));
    const bool ends = at == text.size() || text[at] == ' ' || text[at] == ',' || is_dash;
    if (!ends) continue;
    if (at > start) pieces.push_back(text.substr(start, at - start));
    start = at + 1;
  }
  return pieces;
}

/// Which of the words it is, whole or by its first three letters, from 1; 0: none.
template <std::size_t count>
int place_among(const std::string_view (&words)[count], std::string_view piece) {
  std::string lower(piece);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto found = std::ranges::find_if(
      words, [&](std::string_view word) { return lower == word || lower == word.substr(0, 3); });
  return found == std::end(words) ? 0 : static_cast<int>(found - std::begin(words)) + 1;
}

bool is_number_of(std::string_view piece, std::size_t least, std::size_t most) {
  return piece.size() >= least && piece.size() <= most && std::ranges::all_of(piece, is_digit);
}

}  // namespace

std::string date_in_digits(std::string_view text) {
  constexpr std::size_t longest = 64;
  const bool may_be = text.size() <= longest && text.find(':') != std::string_view::npos &&
                      std::ranges::count_if(text, is_letter) >= 3;
  if (!may_be) return {};
  int month = 0;
  std::string_view day;
  std::string_view year;
  std::string_view time;
  std::string behind;  // AM or PM, and the zone
  for (const std::string_view piece : pieces_of(text)) {
    const int is_month = place_among(month_words, piece);
    if (month == 0 && is_month > 0) {
      month = is_month;
    } else if (time.empty() && piece.find(':') != std::string_view::npos) {
      time = piece;
    } else if (year.empty() && is_number_of(piece, 4, 4)) {
      year = piece;
    } else if (day.empty() && is_number_of(piece, 1, 2)) {
      day = piece;
    } else if (time.empty() && place_among(weekday_words, piece) > 0) {
      continue;
    } else if (!time.empty()) {
      behind += fmt::format(" {}", piece == "GMT" ? "UTC" : piece);
    } else {
      return {};
    }
  }
  if (month == 0 || day.empty() || year.empty() || time.empty()) return {};
  return fmt::format("{}-{:02}-{:0>2} {}{}", year, month, day, time, behind);
}

}  // namespace somnus
