#include "formats/other_texts.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "text/cells.hpp"
#include "text/csv_records.hpp"
#include "text/words.hpp"

namespace somnus {
namespace {

constexpr std::string_view blanks = " \t\r\n";

/// The keys of the outermost object of a line, in order.
std::vector<std::string> keys_of(std::string_view line) {
  std::vector<std::string> keys;
  int depth = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char one = line[at];
    if (one == '{' || one == '[') ++depth;
    if (one == '}' || one == ']') --depth;
    if (one != '"') continue;
    const std::size_t start = at + 1;
    for (++at; at < line.size() && line[at] != '"'; ++at) at += line[at] == '\\' ? 1 : 0;
    const auto next = line.find_first_not_of(" \t", std::min(at + 1, line.size()));
    const bool is_key = depth == 1 && next != std::string_view::npos && line[next] == ':';
    if (is_key) keys.emplace_back(line.substr(start, at - start));
  }
  return keys;
}

FileKind kind_of_objects(std::string_view text) {
  constexpr std::size_t most_named = 5;
  const std::vector<std::string> keys = keys_of(text.substr(0, text.find('\n')));
  if (keys.empty()) return {"JSON of something else", "make a table of it, for example with jq"};
  const std::size_t named = std::min(most_named, keys.size());
  const std::vector<std::string> first(keys.begin(),
                                       keys.begin() + static_cast<std::ptrdiff_t>(named));
  return {fmt::format("JSON of something else, with {}{}", fmt::join(first, ", "),
                      named < keys.size() ? ", ..." : ""),
          fmt::format(
              "make a table of it, for example: (echo '{}'; jq -r '[.\"{}\"] | @csv' FILE) > "
              "FILE.csv; what is within another object is .a.b. A workload of somnus begins with "
              "{{\"somnus_workload\": 1}}",
              fmt::join(first, ","), fmt::join(first, "\", .\""))};
}

struct LineShape {
  int number = 0;
  std::size_t cells = 0;
  char separator = ',';
};

/// Of the first lines that are not blank.
std::vector<LineShape> shapes_of(std::string_view text) {
  constexpr std::size_t most_lines = 30;
  std::vector<LineShape> shapes;
  for (int number = 1; !text.empty() && shapes.size() < most_lines; ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(blanks) == std::string_view::npos) continue;
    const char separator = detected_separator(line);
    shapes.push_back({number, cells_of(line, separator).size(), separator});
  }
  return shapes;
}

/// "-----+-----" below the names of columns, in the second line; none: it is another.
std::optional<int> line_of_ruler(std::string_view text) {
  const auto first = text.find('\n');
  if (first == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(first + 1);
  const std::string_view second = rest.substr(0, rest.find_first_of("\r\n"));
  const bool is_ruled = second.find("---") != std::string_view::npos &&
                        second.find_first_not_of("-+=| ") == std::string_view::npos;
  return is_ruled ? std::optional(2) : std::nullopt;
}

}  // namespace

std::optional<FileKind> kind_of_other_json(std::string_view beginning) {
  const auto first = beginning.find_first_not_of(blanks);
  if (first == std::string_view::npos) return std::nullopt;
  const std::string_view text = beginning.substr(first);
  if (text.front() == '{') return kind_of_objects(text);
  if (!text.starts_with("[{") && !text.starts_with("[\n")) return std::nullopt;
  return FileKind{"a JSON array of something else",
                  "make a table of it, for example with jq -r '.[] | [.a, .b] | @csv'"};
}

std::optional<FileKind> kind_of_other_text(std::string_view beginning) {
  const auto first = beginning.find_first_not_of(blanks);
  if (first == std::string_view::npos) return FileKind{"an empty file", ""};
  const std::string_view text = beginning.substr(first);
  const std::vector<LineShape> shapes = shapes_of(beginning);
  if (const auto ruler = line_of_ruler(beginning)) {
    return FileKind{
        fmt::format("a table for the eye, with a ruled line {}", *ruler),
        fmt::format("sed {}d FILE > TABLE.csv leaves that line out, and below the table "
                    "nothing may stand, such as (600 rows); psql --csv writes a table",
                    *ruler)};
  }
  for (std::size_t at = 1; at + 1 < shapes.size(); ++at) {
    const LineShape& one = shapes[at];
    const LineShape& next = shapes[at + 1];
    if (one.cells < 2 || next.cells != one.cells || next.separator != one.separator) continue;
    return FileKind{fmt::format("lines above a table that begins in line {}", one.number),
                    fmt::format("tail -n +{} FILE > TABLE.csv leaves them out", one.number)};
  }
  std::size_t words = 0;
  Words of_line(text.substr(0, text.find_first_of("\r\n")));
  while (!of_line.next().empty()) ++words;
  const bool has_separators = !shapes.empty() && shapes.front().cells > 1;
  if (words > 1 && shapes.size() > 1 && !has_separators) {
    return FileKind{fmt::format("{} words with blanks between in the first line", words),
                    "cells stand between commas, semicolons, tabs or bars (sacct has --parsable2); "
                    "where no cell is empty or has a blank in it: tr -s ' ' , < FILE > TABLE.csv"};
  }
  return std::nullopt;
}

}  // namespace somnus
