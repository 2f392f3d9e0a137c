#include "experiment/share.hpp"

#include <fmt/format.h>

#include <charconv>

namespace somnus {
namespace {

constexpr std::uint32_t most_shares = 100'000;

/// Takes a number off the front; 0: there is none.
std::uint32_t take_number(std::string_view& text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

}  // namespace

std::string Share::file(std::string_view stem, std::string_view extension) const {
  return is_whole() ? fmt::format("{}{}", stem, extension)
                    : fmt::format("{}-{}-of-{}{}", stem, number, of, extension);
}

Checked<Share> parse_share(std::string_view text) {
  std::string_view rest = text;
  Share share;
  share.number = take_number(rest);
  const bool divided = rest.starts_with('/');
  if (divided) rest.remove_prefix(1);
  share.of = take_number(rest);
  if (divided && rest.empty() && share.number >= 1 && share.number <= share.of &&
      share.of <= most_shares) {
    return share;
  }
  return mistake(
      {.key = "--share",
       .what = fmt::format("\"{}\" is no share; expected K/N, the K-th of N shares, 1 <= K <= "
                           "N <= {}",
                           text, most_shares),
       .hint = "--share 3/8"});
}

bool is_journal(std::string_view file_name) {
  return file_name.starts_with("runs") && file_name.ends_with(".jsonl");
}

}  // namespace somnus
