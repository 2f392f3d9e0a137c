#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "emulator/printable.hpp"
#include "emulator/summary.hpp"
#include "emulator/text_table.hpp"

namespace somnus {
namespace {

constexpr std::size_t users_shown = 40;
constexpr std::size_t longest_name = 32;

struct Column {
  const char* title;
  std::string_view unit;  // as in descriptions; "w": a weight, as short as it can be
  double (*value)(const UserSummary&);
};

double unfinished(const UserSummary& user) { return user.jobs_submitted - user.jobs_finished; }

// Titles share one line with those of all logs, so they are short.
constexpr Column own_columns[] = {
    {"weight", "w", [](const UserSummary& user) { return user.weight; }},
    {"jobs", "1", [](const UserSummary& user) { return user.jobs_submitted; }},
    {"unfinished", "1", unfinished},
    {"response", "s", [](const UserSummary& user) { return user.response_mean_s; }},
    {"worst 10 %", "s", [](const UserSummary& user) { return user.response_worst_tenth_s; }},
    {"slowdown", "x", [](const UserSummary& user) { return user.slowdown_mean; }},
};
constexpr Column reference_columns[] = {
    {"change", "x", [](const UserSummary& user) { return user.response_change; }},
    {"DVR", "x", [](const UserSummary& user) { return user.against.dvr; }},
    {"violations", "1", [](const UserSummary& user) { return user.against.violations; }},
    {"DSR", "x", [](const UserSummary& user) { return user.against.dsr; }},
    {"slack", "1", [](const UserSummary& user) { return user.against.slack; }},
};

/// A user's line: the figures of each log, null where the log does not have the user.
struct Line {
  std::string_view user;
  double slot_time_s = 0;
  std::vector<const UserSummary*> logs;
};

std::vector<Line> lines_of(std::span<const Summary> summaries) {
  std::vector<Line> lines;
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t log = 0; log < summaries.size(); ++log) {
    for (const UserSummary& user : summaries[log].users) {
      const auto [place, is_new] = places.emplace(user.user, lines.size());
      if (is_new) lines.push_back({.user = user.user});
      Line& line = lines[place->second];
      line.logs.resize(summaries.size(), nullptr);
      line.slot_time_s = std::fmax(line.slot_time_s, user.slot_time_s);
      line.logs[log] = &user;
    }
  }
  std::ranges::sort(lines, [](const Line& a, const Line& b) {
    return std::tie(b.slot_time_s, a.user) < std::tie(a.slot_time_s, b.user);
  });
  return lines;
}

class UserTable {
 public:
  UserTable(std::span<const Summary> summaries, std::span<const Line> lines) {
    rows_.push_back({.title = "user"});
    for (const Line& line : lines) rows_.push_back({.title = printable(line.user, longest_name)});
    for (std::size_t log = 0; log < summaries.size(); ++log) {
      if (log > 0) add_bar();
      blocks_.push_back({summaries[log].label, rows_.front().cells.size()});
      for (const Column& column : columns_for(summaries)) add(column, lines, log);
    }
  }

  [[nodiscard]] std::string text() const {
    return (blocks_.size() > 1 ? heading() : "") + aligned(rows_);
  }

 private:
  struct Block {
    std::string label;
    std::size_t first_cell;
  };

  static std::vector<Column> columns_for(std::span<const Summary> summaries) {
    std::vector<Column> columns(std::begin(own_columns), std::end(own_columns));
    const bool all_finished = std::ranges::all_of(summaries, [](const Summary& one) {
      return std::ranges::all_of(one.users,
                                 [](const UserSummary& user) { return unfinished(user) == 0; });
    });
    if (all_finished) {
      std::erase_if(columns, [](const Column& one) { return one.value == unfinished; });
    }
    const bool against =
        std::ranges::any_of(summaries, [](const Summary& one) { return one.against.has_value(); });
    if (against) std::ranges::copy(reference_columns, std::back_inserter(columns));
    return columns;
  }

  void add_bar() {
    for (TextRow& row : rows_) row.cells.emplace_back("|");
  }

  // One scale for the column in all logs, so that they compare at a glance.
  void add(const Column& column, std::span<const Line> lines, std::size_t log) {
    std::vector<double> all;
    for (const Line& line : lines) {
      for (const UserSummary* user : line.logs) {
        if (user != nullptr) all.push_back(column.value(*user));
      }
    }
    const Scale scale = scale_for(column.unit, all);
    rows_.front().cells.push_back(with_unit(column.title, scale));
    for (std::size_t at = 0; at < lines.size(); ++at) {
      const UserSummary* user = lines[at].logs[log];
      const double value = user == nullptr ? NAN : column.value(*user);
      const bool weight = column.unit == "w" && user != nullptr;
      rows_[at + 1].cells.push_back(weight ? fmt::format("{:g}", value)
                                           : cell(value, column.unit, scale));
    }
  }

  // Each log's label over its columns; one that is too long is cut.
  [[nodiscard]] std::string heading() const {
    const std::vector<std::size_t> widths = widths_of(rows_);
    const auto start_of = [&](std::size_t cell) {
      return std::accumulate(widths.begin(), widths.begin() + 1 + static_cast<std::ptrdiff_t>(cell),
                             2 * (cell + 1));
    };
    std::string line;
    for (std::size_t at = 0; at < blocks_.size(); ++at) {
      const bool last = at + 1 == blocks_.size();
      const std::size_t next_cell =
          last ? rows_.front().cells.size() : blocks_[at + 1].first_cell - 1;
      const std::size_t start = start_of(blocks_[at].first_cell);
      line.resize(line.size() + start - character_count(line), ' ');
      line += printable(blocks_[at].label, start_of(next_cell) - 2 - start);
    }
    return line + '\n';
  }

  std::vector<TextRow> rows_;
  std::vector<Block> blocks_;
};

}  // namespace

std::string users_to_text(std::span<const Summary> summaries) {
  std::vector<Line> lines = lines_of(summaries);
  const std::size_t all = lines.size();
  lines.resize(std::min(all, users_shown));
  std::string text = UserTable(summaries, lines).text();
  if (all > lines.size()) {
    text +=
        fmt::format("{} more users with less slot-time; --json has them all\n", all - lines.size());
  }
  return text;
}

}  // namespace somnus
