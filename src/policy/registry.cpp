#include "policy/registry.hpp"

#include <algorithm>

#include "policy/any_free.hpp"
#include "policy/cfq.hpp"
#include "policy/fair.hpp"
#include "policy/fifo.hpp"
#include "policy/parameters.hpp"
#include "policy/serve.hpp"
#include "policy/srpt.hpp"

namespace somnus {
namespace {

template <class R>
R fresh(const Cluster& cluster) {
  if constexpr (std::is_constructible_v<R, double>) {
    return R(static_cast<double>(cluster.slot_count()));
  } else {
    return R();
  }
}

template <Ranking R>
Part order(const char* name, const char* summary, const char* source) {
  return {
      .kind = PartKind::order,
      .name = name,
      .summary = summary,
      .source = source,
      .parameters = parameters_of(fresh<R>(Cluster())),
      .make_order = [](const Parameters& given, const Cluster& cluster) -> std::unique_ptr<Order> {
        R ranking = fresh<R>(cluster);
        apply_parameters(ranking, given);
        return std::make_unique<Ranked<R>>(std::move(ranking));
      },
      .make_placement = {}};
}

template <class P>
Part placement(const char* name, const char* summary, const char* source) {
  return {.kind = PartKind::placement,
          .name = name,
          .summary = summary,
          .source = source,
          .parameters = {},
          .make_order = {},
          .make_placement = [](const Parameters&) { return std::make_unique<P>(); }};
}

Part plain(PartKind kind, const char* name, const char* summary, const char* source) {
  return {.kind = kind,
          .name = name,
          .summary = summary,
          .source = source,
          .parameters = {},
          .make_order = {},
          .make_placement = {}};
}

}  // namespace

std::span<const Part> parts() {
  static const std::vector<Part> table = {
      order<Fifo>("fifo", "first come, first served", "Spark; CFQ section V"),
      order<Fair>("fair", "fewest running tasks for its weight first", "Spark; CFQ section V"),
      order<Srpt>("srpt", "least remaining work first", "CFQ section V"),
      order<Cfq>("cfq", "the job that would end first under GPS", "CFQ section IV"),
      placement<AnyFree>("any-free", "the first node with room", "Spark"),
      plain(PartKind::feedback, "at-once", "the scheduler learns of each end at once", "Spark"),
      plain(PartKind::feedback, "heartbeat",
            "nodes report, and may be used, at their heartbeats only", "YARN; Yaq section 2"),
      plain(PartKind::queue, "none", "a node holds no task that it can't start", "Spark"),
  };
  return table;
}

std::span<const Preset> presets() {
  static const std::vector<Preset> table = {
      {"fifo", "fifo", "any-free", "at-once", "none", "Spark's FIFO", "CFQ section V"},
      {"fair", "fair", "any-free", "at-once", "none", "Spark's fair scheduler over jobs",
       "CFQ section V"},
      {"srpt", "srpt", "any-free", "at-once", "none",
       "shortest remaining processing time, non-preemptive", "CFQ section V"},
      {"cfq", "cfq", "any-free", "at-once", "none",
       "Cluster Fair Queueing: near SRPT's mean response time, with a bound on each job's delay",
       "CFQ section IV"},
  };
  return table;
}

const Part* find_part(PartKind kind, std::string_view name) {
  const auto found = std::ranges::find_if(
      parts(), [&](const Part& part) { return part.kind == kind && part.name == name; });
  return found == parts().end() ? nullptr : &*found;
}

const Preset* find_preset(std::string_view name) {
  const auto found = std::ranges::find(presets(), name, &Preset::name);
  return found == presets().end() ? nullptr : &*found;
}

std::unique_ptr<Policy> make_policy(std::string_view order, const Parameters& of_order,
                                    std::string_view placement, const Parameters& of_placement,
                                    const Cluster& cluster) {
  const Part* order_part = find_part(PartKind::order, order);
  const Part* placement_part = find_part(PartKind::placement, placement);
  SOMNUS_CHECK(order_part != nullptr, "no order is called '{}'", order);
  SOMNUS_CHECK(placement_part != nullptr, "no placement is called '{}'", placement);
  return std::make_unique<Serve>(order_part->make_order(of_order, cluster),
                                 placement_part->make_placement(of_placement));
}

}  // namespace somnus
