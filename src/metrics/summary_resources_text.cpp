#include <fmt/format.h>

#include <algorithm>

#include "metrics/summary.hpp"
#include "print/block_table.hpp"
#include "print/printable.hpp"

namespace somnus {
namespace {

constexpr PartColumn<ResourceSummary> resource_columns[] = {
    {"in use", "%", [](const ResourceSummary& resource) { return resource.utilisation; }},
    {"middle", "%", [](const ResourceSummary& resource) { return resource.utilisation_middle; }},
    {"peak", "%", [](const ResourceSummary& resource) { return resource.peak; }},
    {"binding", "%", [](const ResourceSummary& resource) { return resource.binding; }},
};

/// Empty where nothing was ever in use.
std::string binding_line(const Summary& one, bool named) {
  const auto most = std::ranges::max_element(
      one.resources, [](const auto& a, const auto& b) { return a.binding < b.binding; });
  if (most == one.resources.end() || !(most->binding > 0)) return {};
  return fmt::format("binding{}: {}, for {:.0f} % of the makespan\n",
                     named ? " in " + printable(one.label) : "", printable(most->resource),
                     100 * most->binding);
}

}  // namespace

std::string resources_to_text(std::span<const Summary> summaries) {
  const auto lines = lines_of(summaries, &Summary::resources, &ResourceSummary::resource);
  if (lines.empty()) return {};
  std::string text =
      block_table<ResourceSummary>("resource", labels_of(summaries), lines, resource_columns);
  for (const Summary& one : summaries) text += binding_line(one, summaries.size() > 1);
  return text;
}

}  // namespace somnus
