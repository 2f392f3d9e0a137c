// Tables of the parts of a run, such as its resources, several logs side by side: one line a part,
// one block of columns a log.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "print/text_table.hpp"

namespace somnus {

/// Titles of all logs' columns share one line, so they are short.
template <class Part>
struct PartColumn {
  const char* title;
  std::string_view unit;  // as in descriptions
  double (*value)(const Part&);
};

/// A part's line: what each log says of it, null where the log does not have it.
template <class Part>
struct PartLine {
  std::string_view name;
  std::vector<const Part*> logs;
};

class BlockTable {
 public:
  /// What the parts are, and their names in the order of the lines.
  BlockTable(std::string title, std::span<const std::string_view> names);
  /// The columns that are added next are of this log.
  void start_block(std::string label);
  /// One value a line. `all`: the values of this column in all logs, which share one scale so that
  /// they compare at a glance.
  void add(const char* title, std::string_view unit, std::span<const double> values,
           std::span<const double> all);
  /// With more than one block, the labels stand over them; one that is too long is cut.
  [[nodiscard]] std::string text() const;

 private:
  struct Block {
    std::string label;
    std::size_t first_cell;
  };
  [[nodiscard]] std::string heading() const;

  std::vector<TextRow> rows_;
  std::vector<Block> blocks_;
};

/// One line a part that any log has, in the order of their first appearance.
template <class Part, class Whole>
[[nodiscard]] std::vector<PartLine<Part>> lines_of(std::span<const Whole> logs,
                                                   std::vector<Part> Whole::* parts,
                                                   std::string Part::* name) {
  std::vector<PartLine<Part>> lines;
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t log = 0; log < logs.size(); ++log) {
    for (const Part& part : logs[log].*parts) {
      const auto [place, is_new] = places.emplace(part.*name, lines.size());
      if (is_new) lines.push_back({part.*name, std::vector<const Part*>(logs.size(), nullptr)});
      lines[place->second].logs[log] = &part;
    }
  }
  return lines;
}

/// `labels`: one a log.
template <class Part>
[[nodiscard]] std::string block_table(std::string title, std::span<const std::string> labels,
                                      std::span<const PartLine<Part>> lines,
                                      std::span<const PartColumn<Part>> columns) {
  std::vector<std::string_view> names;
  for (const PartLine<Part>& line : lines) names.push_back(line.name);
  BlockTable table(std::move(title), names);
  const auto values_of = [&](const PartColumn<Part>& column, std::size_t log) {
    std::vector<double> values;
    for (const PartLine<Part>& line : lines) {
      values.push_back(line.logs[log] == nullptr ? NAN : column.value(*line.logs[log]));
    }
    return values;
  };
  for (std::size_t log = 0; log < labels.size(); ++log) {
    table.start_block(labels[log]);
    for (const PartColumn<Part>& column : columns) {
      std::vector<double> all;
      for (std::size_t other = 0; other < labels.size(); ++other) {
        const std::vector<double> values = values_of(column, other);
        all.insert(all.end(), values.begin(), values.end());
      }
      table.add(column.title, column.unit, values_of(column, log), all);
    }
  }
  return table.text();
}

}  // namespace somnus
