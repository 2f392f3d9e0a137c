#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "fidelity/comparison.hpp"
#include "print/text_table.hpp"

namespace somnus {
namespace {

std::string percent(double share) {
  return fmt::format("{:+.{}f} %", 100 * share, std::abs(share) < 1 ? 2 : 0);
}

}  // namespace

std::string to_text(std::span<const FigureCompared> figures) {
  std::vector<TextRow> rows{
      {.title = "",
       .cells = {"run", "simulated", "differs", "lateness", "sensitivity", "verdict"}}};
  for (const FigureCompared& one : figures) {
    const bool of_jobs = one.unit == "%";
    const std::vector<double> both = {one.run, one.simulation};
    TextRow row = of_jobs ? TextRow{.title = one.meaning, .cells = {"", ""}}
                          : figure_row(one.meaning, one.unit, both);
    for (std::string cell : {percent(one.difference), percent(one.lateness),
                             fmt::format("{:.2f} %", 100 * one.sensitivity),
                             one.verdict() == "error" ? "ERROR" : std::string(one.verdict())}) {
      row.cells.push_back(std::move(cell));
    }
    rows.push_back(std::move(row));
  }
  return aligned(rows);
}

nlohmann::json to_json(std::span<const FigureCompared> figures) {
  auto list = nlohmann::json::array();
  for (const FigureCompared& one : figures) {
    list.push_back({{"figure", one.name},
                    {"unit", one.unit},
                    {"run", one.run},
                    {"simulation", one.simulation},
                    {"difference", one.difference},
                    {"lateness", one.lateness},
                    {"spread", one.spread},
                    {"sensitivity", one.sensitivity},
                    {"verdict", one.verdict()}});
  }
  return list;
}

}  // namespace somnus
