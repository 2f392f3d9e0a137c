#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "fidelity/comparison.hpp"
#include "print/text_table.hpp"

namespace somnus {
namespace {

std::string percent(double share) { return fmt::format("{:+.2f} %", 100 * share); }

const char* words(Verdict verdict) {
  switch (verdict) {
    case Verdict::faithful:
      return "faithful";
    case Verdict::late:
      return "the machine's lateness";
    case Verdict::error:
      return "THE EMULATOR'S ERROR";
  }
  return "";
}

}  // namespace

std::string to_text(std::span<const FigureCompared> figures) {
  std::vector<TextRow> rows{
      {.title = "",
       .cells = {"run", "simulation", "difference", "lateness", "sensitivity", "verdict"}}};
  for (const FigureCompared& one : figures) {
    const bool of_jobs = one.unit == "%";
    rows.push_back(
        {.title = one.meaning,
         .cells = {of_jobs ? "" : fmt::format("{:.4g}", one.run),
                   of_jobs ? "" : fmt::format("{:.4g}", one.simulation), percent(one.difference),
                   percent(one.lateness), fmt::format("{:.2f} %", 100 * one.sensitivity),
                   words(one.verdict())}});
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
                    {"sensitivity", one.sensitivity},
                    {"verdict", name_of(one.verdict())}});
  }
  return list;
}

}  // namespace somnus
