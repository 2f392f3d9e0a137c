#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "emulator/summary.hpp"

namespace somnus {
namespace {

struct Row {
  std::string title;
  std::vector<std::string> cells;
};

std::string with_thousands(double count) {
  std::string digits = fmt::format("{:.0f}", count);
  for (std::size_t left = digits.size(); left > 3; left -= 3) digits.insert(left - 3, ",");
  return digits;
}

/// One scale for a whole row: its largest value reads as 1 or more.
struct Scale {
  const char* unit;
  double factor;
  int decimals;
};

Scale scale_for(std::string_view unit, double largest) {
  if (unit == "%") return {"%", 100, 1};
  const auto decimals = [](double value) { return value >= 1000 ? 1 : value >= 100 ? 2 : 3; };
  if (unit != "s" || largest >= 1 || largest == 0)
    return {unit == "s" ? "s" : "", 1, decimals(largest)};
  if (largest >= 1e-3) return {"ms", 1e3, decimals(largest * 1e3)};
  return {"us", 1e6, decimals(largest * 1e6)};
}

template <class SomeField>
Row row_of(std::span<const Summary> summaries, const SomeField& figure) {
  double largest = 0;
  for (const Summary& one : summaries) {
    largest = std::fmax(largest, std::abs(one.*figure.member));
  }
  const std::string_view unit = figure.unit;
  const Scale scale = scale_for(unit, largest);
  Row row{.title = figure.meaning};
  if (*scale.unit != '\0') row.title += fmt::format(" [{}]", scale.unit);
  for (const Summary& one : summaries) {
    const double value = one.*figure.member;
    if (std::isnan(value)) {
      row.cells.emplace_back("-");
    } else if (unit == "1") {
      row.cells.push_back(with_thousands(value));
    } else {
      row.cells.push_back(fmt::format("{:.{}f}", value * scale.factor, scale.decimals));
    }
  }
  return row;
}

Row words(std::span<const Summary> summaries, const char* title, auto&& word) {
  Row row{.title = title};
  for (const Summary& one : summaries) row.cells.push_back(word(one));
  return row;
}

std::vector<Row> rows_of(std::span<const Summary> summaries) {
  std::vector<Row> rows;
  const bool named =
      std::ranges::any_of(summaries, [](const Summary& one) { return !one.label.empty(); });
  if (named) rows.push_back(words(summaries, "", [](const Summary& one) { return one.label; }));
  rows.push_back(words(summaries, "mode", [](const Summary& one) { return one.mode; }));
  rows.push_back(words(summaries, "scheduler", [](const Summary& one) {
    return one.scheduler.empty() ? "?" : one.scheduler;
  }));
  rows.push_back(words(summaries, "complete", [](const Summary& one) {
    return std::string(one.complete ? "yes" : "no");
  }));
  rows.push_back(
      words(summaries, "seed", [](const Summary& one) { return fmt::format("{}", one.seed); }));
  for_each_field<Summary>([&](const auto& figure) {
    const bool somebody_knows = std::ranges::any_of(
        summaries, [&](const Summary& one) { return !std::isnan(one.*figure.member); });
    if (somebody_knows) rows.push_back(row_of(summaries, figure));
  });
  return rows;
}

std::string aligned(std::span<const Row> rows, std::size_t columns) {
  std::size_t title_width = 0;
  std::vector<std::size_t> widths(columns, 0);
  for (const Row& row : rows) {
    title_width = std::max(title_width, row.title.size());
    for (std::size_t at = 0; at < columns; ++at) {
      widths[at] = std::max(widths[at], row.cells[at].size());
    }
  }
  std::string text;
  for (const Row& row : rows) {
    text += fmt::format("{:<{}}", row.title, title_width);
    for (std::size_t at = 0; at < columns; ++at) {
      text += fmt::format("  {:>{}}", row.cells[at], widths[at]);
    }
    text += '\n';
  }
  return text;
}

std::string warnings(const Summary& one) {
  const std::string name = one.label.empty() ? one.mode : one.label;
  std::string text;
  if (!one.conserved() && one.complete) {
    text += fmt::format("\nMISMATCH: {}: submitted is not finished + failed + unfinished\n", name);
  }
  if (!one.outran()) return text;
  const auto span = [](double value) {
    const Scale scale = scale_for("s", value);
    return fmt::format("{:.3g} {}", value * scale.factor, scale.unit);
  };
  return text + fmt::format(
                    "\nWARNING: {} OUTRAN ITS MACHINE: rank 0 was {} late (p99), more than 1 % of "
                    "the median task of {}.\n         At speed {:g} its times mislead; speed {:g} "
                    "would have been safe.\n",
                    name, span(one.lag_p99_s), span(one.intended_p50_s), one.speed, one.safe_speed);
}

}  // namespace

std::string to_text(std::span<const Summary> summaries) {
  std::string text = aligned(rows_of(summaries), summaries.size());
  for (const Summary& one : summaries) text += warnings(one);
  return text;
}

nlohmann::json to_json(std::span<const Summary> summaries) {
  auto list = nlohmann::json::array();
  for (const Summary& one : summaries) {
    nlohmann::json figures = {{"label", one.label},         {"mode", one.mode},
                              {"scheduler", one.scheduler}, {"complete", one.complete},
                              {"seed", one.seed},           {"conserved", one.conserved()},
                              {"outran", one.outran()}};
    for_each_field<Summary>([&](const auto& figure) {
      const double value = one.*figure.member;
      const bool whole = std::string_view(figure.unit) == "1" && !std::isnan(value);
      if (whole) {
        figures[figure.name] = static_cast<std::uint64_t>(value);
      } else {
        figures[figure.name] = value;
      }
    });
    list.push_back(std::move(figures));
  }
  return list;
}

}  // namespace somnus
