#include "slurm_conf/statements.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <utility>

#include "text/parse_number.hpp"
#include "text/text_window.hpp"

namespace somnus::slurm_conf {
namespace {

constexpr std::size_t most_digits = 9;
constexpr std::size_t longest_name = 4096;  // with its brackets
constexpr std::string_view blanks = " \t";

char small(char letter) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}

/// Of a line, up to its comment.
std::string_view without_comment(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    if (at == 0 || line[at - 1] != '\\') return line.substr(0, at);
  }
  return line;
}

/// Up to its last letter that is no blank.
std::string_view without_blanks_behind(std::string_view line) {
  return line.substr(0, line.find_last_not_of(blanks) + 1);
}

/// Where the value ends that begins there: at the next blank that is in no quotes; none: a quote
/// does not end.
std::optional<std::size_t> end_of_value(std::string_view line, std::size_t start) {
  bool quoted = false;
  std::size_t at = start;
  for (; at < line.size(); ++at) {
    if (line[at] == '"') quoted = !quoted;
    if (!quoted && blanks.find(line[at]) != std::string_view::npos) break;
  }
  if (quoted) return std::nullopt;
  return at;
}

std::string without_quotes(std::string_view value) {
  std::string text(value);
  std::erase(text, '"');
  return text;
}

/// A line and those that a backslash at its end joins to it.
class JoinedLine {
 public:
  void add(std::string_view line, int number) {
    pieces_.push_back({.start = text_.size(), .line = number});
    text_ += line;
  }
  [[nodiscard]] std::string_view text() const { return text_; }
  /// Where it stands in the file: line and column.
  [[nodiscard]] std::pair<int, int> place(std::size_t at) const {
    const auto behind = std::ranges::upper_bound(pieces_, at, {}, &Piece::start);
    const Piece& piece = *std::prev(behind);
    return {piece.line, static_cast<int>(at - piece.start) + 1};
  }

 private:
  struct Piece {
    std::size_t start;
    int line;
  };
  std::string text_;
  std::vector<Piece> pieces_;
};

/// "01-03,7" between brackets, each with what stands before it.
bool add_ranges(std::string_view ranges, const std::string& before,
                std::vector<std::string>& hosts) {
  for (const std::string& range : split_list(ranges)) {
    const auto dash = range.find('-');
    const std::string first = range.substr(0, dash);
    const std::string last = dash == std::string::npos ? first : range.substr(dash + 1);
    const auto from = parse_number<std::uint32_t>(first);
    const auto to = parse_number<std::uint32_t>(last);
    const bool is_long = first.size() > most_digits || last.size() > most_digits;
    if (!from || !to || is_long || *from > *to || *to - *from >= most_hosts) return false;
    for (std::uint32_t number = *from; number <= *to; ++number) {
      const std::string digits = std::to_string(number);
      const std::size_t zeros = first.size() > digits.size() ? first.size() - digits.size() : 0;
      hosts.push_back(before + std::string(zeros, '0') + digits);
      if (hosts.size() > most_hosts) return false;
    }
  }
  return true;
}

/// One name with any number of brackets.
std::optional<std::vector<std::string>> expanded(std::string_view name) {
  std::vector<std::string> hosts{""};
  if (name.size() > longest_name) return std::nullopt;
  while (!name.empty()) {
    const auto open = name.find('[');
    const auto close = name.find(']');
    if ((open == std::string_view::npos) != (close == std::string_view::npos)) return std::nullopt;
    const std::string plain(name.substr(0, open));
    for (std::string& host : hosts) host += plain;
    if (open == std::string_view::npos) break;
    if (close < open) return std::nullopt;
    std::vector<std::string> longer;
    for (const std::string& host : hosts) {
      if (!add_ranges(name.substr(open + 1, close - open - 1), host, longer)) return std::nullopt;
    }
    if (longer.empty()) return std::nullopt;
    hosts = std::move(longer);
    name.remove_prefix(close + 1);
  }
  return hosts;
}

constexpr std::string_view letters_of_keys =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";

Statement settings_of(const JoinedLine& joined, MistakeCollector& mistakes) {
  Statement settings;
  const std::string_view text = joined.text();
  const auto skip_blanks = [&](std::size_t at) {
    return std::min(text.find_first_not_of(blanks, at), text.size());
  };
  for (std::size_t at = skip_blanks(0); at < text.size(); at = skip_blanks(at)) {
    const auto [line, column] = joined.place(at);
    const std::size_t end_of_key =
        std::min(text.find_first_not_of(letters_of_keys, at), text.size());
    const std::string key(text.substr(at, end_of_key - at));
    std::size_t value = skip_blanks(end_of_key);
    if (same_word(key, "include")) {
      settings.push_back({key, std::string(text.substr(value)), line, column});
      break;
    }
    if (key.empty() || value == text.size() || text[value] != '=') {
      const std::size_t end =
          std::max(at + 1, std::min(text.find_first_of(blanks, at), text.size()));
      mistakes.add(line, column, std::string(text.substr(at, end - at)),
                   "expected KEY=VALUE, found no equals sign behind a key");
      at = end;
      continue;
    }
    value = skip_blanks(value + 1);
    const auto end = end_of_value(text, value);
    if (!end) {
      mistakes.add(line, column, key, "expected a second quote, found none");
      break;
    }
    settings.push_back({key, without_quotes(text.substr(value, *end - value)), line, column});
    at = *end;
  }
  return settings;
}

/// Whether all of it may stand in a config: no byte of another encoding, nothing that moves
/// cursors.
bool is_text(std::string_view line) {
  const bool controls = std::ranges::any_of(line, [](char letter) {
    const auto code = static_cast<unsigned char>(letter);
    return (code < 0x20 && letter != '\t') || code == 0x7f;
  });
  return !controls && simdjson::validate_utf8(line);
}

}  // namespace

std::string canonical(std::string_view key) {
  std::string letters(key);
  std::ranges::transform(letters, letters.begin(), small);
  return letters;
}

bool same_word(std::string_view one, std::string_view other) {
  return std::ranges::equal(one, other, {}, small, small);
}

bool Setting::is(std::string_view name) const { return same_word(key, name); }

std::vector<Statement> read_statements(const TextFile& file, MistakeCollector& mistakes) {
  std::vector<Statement> statements;
  JoinedLine joined;
  const auto end_line = [&] {
    Statement statement = settings_of(joined, mistakes);
    if (!statement.empty()) statements.push_back(std::move(statement));
    joined = {};
  };
  for_each_line(file, [&](std::string_view line, int number) {
    line = without_blanks_behind(without_comment(line));
    if (!is_text(line)) {
      mistakes.add(number, 0, "", "expected text in UTF-8, found other bytes");
      line = {};
    }
    const bool goes_on = line.ends_with('\\');
    if (goes_on) line.remove_suffix(1);
    joined.add(line, number);
    if (!goes_on) end_line();
  });
  end_line();
  return statements;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> pieces{""};
  int depth = 0;
  for (const char letter : text) {
    depth += letter == '[' ? 1 : letter == ']' ? -1 : 0;
    if (letter == ',' && depth == 0) {
      pieces.emplace_back();
    } else {
      pieces.back() += letter;
    }
  }
  std::erase(pieces, "");
  return pieces;
}

std::optional<std::vector<std::string>> hosts_of(std::string_view list) {
  std::vector<std::string> hosts;
  for (const std::string& name : split_list(list)) {
    auto some = expanded(name);
    if (!some || hosts.size() + some->size() > most_hosts) return std::nullopt;
    std::ranges::move(*some, std::back_inserter(hosts));
  }
  if (hosts.empty()) return std::nullopt;
  return hosts;
}

std::optional<double> seconds_of(std::string_view text) {
  const auto dash = text.find('-');
  double total_s = 0;
  if (dash != std::string_view::npos) {
    const auto days = parse_number<std::uint32_t>(text.substr(0, dash));
    if (!days) return std::nullopt;
    total_s = *days * 86400.0;
    text.remove_prefix(dash + 1);
  }
  std::vector<double> numbers;
  for (std::size_t start = 0; start <= text.size();) {
    const auto end = std::min(text.find(':', start), text.size());
    const auto number = parse_number<std::uint32_t>(text.substr(start, end - start));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    start = end + 1;
  }
  // Behind days hours come first; else of one number or two minutes do.
  double unit_s = dash != std::string_view::npos || numbers.size() == 3 ? 3600 : 60;
  if (numbers.size() > 3) return std::nullopt;
  for (const double number : numbers) {
    total_s += number * unit_s;
    unit_s /= 60;
  }
  return total_s;
}

}  // namespace somnus::slurm_conf
