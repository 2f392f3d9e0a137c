#include "scheduler/registry.hpp"

#include <algorithm>

#include "base/registered.hpp"
#include "queueing/reordering.hpp"

namespace somnus {
namespace {

Part reordering(const ReorderingRow& row) {
  return {.kind = PartKind::reorder,
          .name = row.name,
          .summary = row.summary,
          .source = row.source,
          .note = {},
          .parameters = {},
          .as = Reordering::named(row.name)};
}

const bool reorderings_are_parts = [] {
  for (const ReorderingRow& row : Reordering::all()) Registered<Part>{reordering(row)};
  return true;
}();

}  // namespace

std::span<const Part> parts() { return Registered<Part>::rows(); }
std::span<const Preset> presets() { return Registered<Preset>::rows(); }

const Part* find_part(PartKind kind, std::string_view name) {
  const auto found = std::ranges::find_if(
      parts(), [&](const Part& part) { return part.kind == kind && part.name == name; });
  return found == parts().end() ? nullptr : &*found;
}

const Preset* find_preset(std::string_view name) {
  const auto found = std::ranges::find(presets(), name, &Preset::name);
  return found == presets().end() ? nullptr : &*found;
}

const char* default_part(PartKind kind) {
  switch (kind) {
    case PartKind::policy:
    case PartKind::order:
    case PartKind::placement:
      return nullptr;
    case PartKind::backfill:
      return "first-fit";
    case PartKind::feedback:
      return "at-once";
    case PartKind::preemption:
    case PartKind::queue:
      return "none";
    case PartKind::within:
      return "as-numbered";
    case PartKind::reorder:
      return Reordering().name();
    case PartKind::partitioner:
      return "by-size";
  }
  return nullptr;
}

}  // namespace somnus
