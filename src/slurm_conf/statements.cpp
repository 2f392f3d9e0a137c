#include "slurm_conf/statements.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <utility>

#include "text/parse_number.hpp"
#include "text/text_window.hpp"

namespace somnus::slurm_conf {
namespace {

constexpr std::size_t most_hosts = 1'000'000;
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

/// The word that begins there: to the next blank that is in no quotes.
std::size_t end_of_word(std::string_view line, std::size_t start) {
  char quote = '\0';
  std::size_t at = start;
  for (; at < line.size(); ++at) {
    if (quote != '\0') {
      if (line[at] == quote) quote = '\0';
    } else if (line[at] == '"' || line[at] == '\'') {
      quote = line[at];
    } else if (blanks.find(line[at]) != std::string_view::npos) {
      break;
    }
  }
  return at;
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

std::string without_quotes(std::string_view value) {
  std::string text(value);
  std::erase_if(text, [](char letter) { return letter == '"' || letter == '\''; });
  return text;
}

/// "01-03,7" between brackets, each with what stands before it.
bool add_ranges(std::string_view ranges, const std::string& before,
                std::vector<std::string>& hosts) {
  for (const std::string& range : split_list(ranges)) {
    const auto dash = range.find('-');
    const std::string first = range.substr(0, dash);
    const std::string last = dash == std::string::npos ? first : range.substr(dash + 1);
    const auto from = parse_number<std::uint32_t>(first);
    const auto to = parse_number<std::uint32_t>(last);
    if (!from || !to || *from > *to || *to - *from >= most_hosts) return false;
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

Statement settings_of(const JoinedLine& joined, MistakeCollector& mistakes) {
  Statement settings;
  const std::string_view text = joined.text();
  for (std::size_t at = text.find_first_not_of(blanks); at != std::string_view::npos;
       at = text.find_first_not_of(blanks, at)) {
    const std::size_t end = end_of_word(text, at);
    const std::string_view word = text.substr(at, end - at);
    const auto [line, column] = joined.place(at);
    at = end;
    const auto equals = word.find('=');
    if (same_word(word, "include")) {
      const auto name = std::min(text.find_first_not_of(blanks, end), text.size());
      settings.push_back({std::string(word), std::string(text.substr(name)), line, column});
      break;
    }
    if (equals == std::string_view::npos || equals == 0) {
      mistakes.add(line, column, std::string(word), "expected KEY=VALUE, found no value",
                   "slurm.conf has no blanks around its equals signs");
      continue;
    }
    settings.push_back({std::string(word.substr(0, equals)),
                        without_quotes(word.substr(equals + 1)), line, column});
  }
  return settings;
}

}  // namespace

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
    line = without_comment(line);
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
