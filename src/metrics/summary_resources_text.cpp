#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "metrics/summary.hpp"
#include "print/printable.hpp"
#include "print/text_table.hpp"

namespace somnus {
namespace {

constexpr std::size_t longest_name = 24;

/// All logs' kinds, in the order of their first appearance.
std::vector<std::string> kinds_of(std::span<const Summary> summaries) {
  std::vector<std::string> kinds;
  std::set<std::string> known;
  for (const Summary& one : summaries) {
    for (const ResourceSummary& resource : one.resources) {
      if (known.insert(resource.resource).second) kinds.push_back(resource.resource);
    }
  }
  return kinds;
}

TextRow row_of(std::string title, const ResourceSummary& resource) {
  TextRow row{.title = std::move(title)};
  for (const double share :
       {resource.utilisation, resource.utilisation_middle, resource.peak, resource.binding}) {
    row.cells.push_back(cell(share, "%", scale_for("%", {})));
  }
  return row;
}

/// Empty where nothing was ever in use.
std::string binding_line(const Summary& one, bool named) {
  const auto most = std::ranges::max_element(one.resources, {}, &ResourceSummary::binding);
  if (most == one.resources.end() || !(most->binding > 0)) return {};
  return fmt::format("binding{}: {}, for {:.0f} % of the makespan\n",
                     named ? " in " + printable(one.label, longest_name) : "",
                     printable(most->resource, longest_name), 100 * most->binding);
}

}  // namespace

std::string resources_to_text(std::span<const Summary> summaries) {
  std::vector<TextRow> rows{
      {.title = "resource", .cells = {"in use [%]", "middle [%]", "peak [%]", "binding [%]"}}};
  const bool several = summaries.size() > 1;
  for (const std::string& kind : kinds_of(summaries)) {
    for (const Summary& one : summaries) {
      const auto found = std::ranges::find(one.resources, kind, &ResourceSummary::resource);
      if (found == one.resources.end()) continue;
      const std::string name = printable(kind, longest_name);
      rows.push_back(
          row_of(several ? fmt::format("{} in {}", name, printable(one.label, longest_name)) : name,
                 *found));
    }
  }
  if (rows.size() == 1) return {};
  std::string text = aligned(rows);
  for (const Summary& one : summaries) text += binding_line(one, several);
  return text;
}

}  // namespace somnus
