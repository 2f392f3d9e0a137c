// The one table where names meet code. `somnus policies`, config loading, the log and the docs all
// read it. Adding a policy: one file pair, one row in registry.cpp, one line in the tests.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/describe.hpp"
#include "model/cluster.hpp"
#include "model/partition.hpp"
#include "model/workload.hpp"
#include "policy/policy.hpp"

namespace somnus {

using ParameterValue = std::variant<bool, double, std::string>;
using Parameters = std::map<std::string, ParameterValue>;

/// One parameter of a part, from the part's own description.
struct ParameterInfo {
  std::string name;
  std::string unit;
  std::string meaning;
  ParameterValue fallback;           // its type is the parameter's type
  std::vector<std::string> choices;  // for a text parameter, all that it may be
  bool whole = false;                // for a number
  Range range;
};

enum class PartKind { order, placement, feedback, queue, partitioner };

template <>
struct EnumNames<PartKind> {
  static constexpr std::pair<PartKind, const char*> names[] = {
      {PartKind::order, "order"},
      {PartKind::placement, "placement"},
      {PartKind::feedback, "feedback"},
      {PartKind::queue, "queue"},
      {PartKind::partitioner, "partitioner"}};
};

/// One exchangeable part of a scheduler.
struct Part {
  PartKind kind;
  std::string name;                       // as in the config, e.g. `order = "cfq"`
  std::string summary;                    // one sentence
  std::string source;                     // paper and section
  std::string note;                       // what its user should know; sentences, may be empty
  std::vector<ParameterInfo> parameters;  // keys of [scheduler.NAME]
  // The one of its kind; none for feedback and queue, which live in engine and nodes.
  std::function<std::unique_ptr<Order>(const Parameters&, const Cluster&)> make_order;
  std::function<std::unique_ptr<Placement>(const Parameters&)> make_placement;
  std::function<Partitioning(const Parameters&, const Cluster&)> make_partitioning;
};

/// A published system, as a composition.
struct Preset {
  std::string name;  // as in the config, e.g. `policy = "cfq"`
  std::string order;
  std::string placement;
  std::string feedback;
  std::string queue;
  std::string partitioner;
  std::string summary;
  std::string source;
};

[[nodiscard]] std::span<const Part> parts();
[[nodiscard]] std::span<const Preset> presets();
[[nodiscard]] const Part* find_part(PartKind kind, std::string_view name);
[[nodiscard]] const Preset* find_preset(std::string_view name);

/// The composition "serve": take the next task of the order, find it a node.
/// Parameters that are not given keep their defaults; names must be known (config checks both).
[[nodiscard]] std::unique_ptr<Policy> make_policy(std::string_view order,
                                                  const Parameters& of_order,
                                                  std::string_view placement,
                                                  const Parameters& of_placement,
                                                  const Cluster& cluster);

/// How that partitioner cuts divisible stages on that cluster, told the truth of their work.
[[nodiscard]] Partitioning make_partitioning(std::string_view partitioner,
                                             const Parameters& parameters, const Cluster& cluster);

}  // namespace somnus
