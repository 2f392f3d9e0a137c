#include <nlohmann/json.hpp>

#include "metrics/summary.hpp"
#include "print/figures_json.hpp"
#include "print/printable.hpp"

namespace somnus {
namespace {

nlohmann::json figures_of(const ResourceSummary& resource) {
  nlohmann::json figures = {{"resource", as_utf8(resource.resource)}};
  add_figures(resource, figures);
  return figures;
}

template <class Part>
nlohmann::json list_of(const std::vector<Part>& parts) {
  auto list = nlohmann::json::array();
  for (const Part& part : parts) list.push_back(figures_of(part));
  return list;
}

}  // namespace

nlohmann::json to_json(std::span<const Summary> summaries) {
  auto list = nlohmann::json::array();
  for (const Summary& one : summaries) {
    nlohmann::json figures = {
        {"label", as_utf8(one.label)}, {"mode", one.mode}, {"scheduler", as_utf8(one.scheduler)},
        {"complete", one.complete},    {"seed", one.seed}, {"conserved", one.conserved()},
        {"outran", one.outran()}};
    figures["pace"] = name_of(one.pace());
    figures["pace_in_words"] = pace_in_words(one);
    add_figures(one, figures);
    figures["most_loaded"] = as_utf8(one.most_loaded);
    figures["resources"] = list_of(one.resources);
    list.push_back(std::move(figures));
  }
  return list;
}

}  // namespace somnus
