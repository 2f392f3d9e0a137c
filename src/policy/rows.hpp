// From types to rows of the registry: what a part's type says of itself, as a Part.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "policy/ranked.hpp"
#include "policy/registry.hpp"

namespace somnus::rows {

/// Those that are rankings (registry_orders.cpp).
[[nodiscard]] std::vector<Part> orders();

template <class R>
R fresh(const Cluster& cluster) {
  if constexpr (std::is_constructible_v<R, double>) {
    return R(static_cast<double>(cluster.slot_count()));
  } else {
    return R();
  }
}

template <class R>
R with_parameters(const Parameters& given, const Cluster& cluster) {
  R ranking = fresh<R>(cluster);
  apply_parameters(ranking, given);
  return ranking;
}

template <Described T>
T with_parameters(const Parameters& given) {
  T described;
  apply_parameters(described, given);
  return described;
}

/// What a part's parameters say of the surroundings, if they can say anything.
template <class P>
std::vector<Misfit> misfits_in([[maybe_unused]] const P& parameters,
                               [[maybe_unused]] const Surroundings& surroundings) {
  if constexpr (requires { parameters.misfits(surroundings); }) {
    return parameters.misfits(surroundings);
  } else {
    return {};
  }
}
template <Described Rules>
std::vector<Misfit> misfits_of_rules(const Parameters& given, const Surroundings& surroundings) {
  return misfits_in(with_parameters<Rules>(given), surroundings);
}

template <Ranking R>
Part order(const char* name, const char* summary, const char* source, const char* note = "") {
  OrderPart part;
  part.make = [](const Parameters& given, const Surroundings& surroundings) {
    R ranking = with_parameters<R>(given, surroundings.cluster);
    if constexpr (Hears<R, Settled>) ranking.on(Settled{surroundings});
    return std::make_unique<Ranked<R>>(std::move(ranking));
  };
  part.traits = []([[maybe_unused]] const Parameters& given) {
    OrderTraits traits;
    if constexpr (requires(const R ranking) { ranking.traits(); }) {
      traits = with_parameters<R>(given, Cluster()).traits();
    }
    traits.counts_slots = std::is_constructible_v<R, double>;  // it is told how many there are
    return traits;
  };
  part.misfits = [](const Parameters& given, const Surroundings& surroundings) {
    return misfits_in(with_parameters<R>(given, surroundings.cluster), surroundings);
  };
  return {.kind = PartKind::order,
          .name = name,
          .summary = summary,
          .source = source,
          .note = note,
          .parameters = parameters_of(fresh<R>(Cluster())),
          .as = std::move(part)};
}

/// A class with Rules, which say its parameters, its traits, and what misfits there are.
template <class AsPart, class P>
Part with_rules(PartKind kind, const char* name, const char* summary, const char* source) {
  using Rules = typename P::Rules;
  return {
      .kind = kind,
      .name = name,
      .summary = summary,
      .source = source,
      .note = {},
      .parameters = parameters_of(Rules()),
      .as = AsPart{
          .make =
              [](const Parameters& given, const Surroundings& surroundings) {
                return std::make_unique<P>(with_parameters<Rules>(given), surroundings);
              },
          .traits = [](const Parameters& given) { return with_parameters<Rules>(given).traits(); },
          .misfits = misfits_of_rules<Rules>}};
}

/// One that decides by itself.
template <class P>
Part policy(const char* name, const char* summary, const char* source) {
  return with_rules<PolicyPart, P>(PartKind::policy, name, summary, source);
}

/// One that is no ranking.
template <class O>
Part own_order(const char* name, const char* summary, const char* source) {
  return with_rules<OrderPart, O>(PartKind::order, name, summary, source);
}

/// void: the order of their numbers, which stages have anyway.
template <class W>
Part within(const char* name, const char* summary, const char* source) {
  return {
      .kind = PartKind::within,
      .name = name,
      .summary = summary,
      .source = source,
      .note = {},
      .parameters = {},
      .as = WithinPart{
          .make = [](const Parameters&,
                     [[maybe_unused]] const Surroundings& surroundings) -> std::unique_ptr<Within> {
            if constexpr (std::is_void_v<W>) {
              return nullptr;
            } else if constexpr (std::is_constructible_v<W, const Surroundings&>) {
              return std::make_unique<W>(surroundings);
            } else {
              return std::make_unique<W>();
            }
          }}};
}

/// One with Rules says its traits by them; one without, once for all.
template <class P>
Part placement(const char* name, const char* summary, const char* source) {
  if constexpr (requires { typename P::Rules; }) {
    return with_rules<PlacementPart, P>(PartKind::placement, name, summary, source);
  } else {
    return {.kind = PartKind::placement,
            .name = name,
            .summary = summary,
            .source = source,
            .note = {},
            .parameters = {},
            .as = PlacementPart{
                .make =
                    [](const Parameters&, [[maybe_unused]] const Surroundings& surroundings) {
                      if constexpr (std::is_constructible_v<P, const Surroundings&>) {
                        return std::make_unique<P>(surroundings);
                      } else {
                        return std::make_unique<P>();
                      }
                    },
                .traits = [](const Parameters&) { return P::traits; },
                .misfits = [](const Parameters&,
                              const Surroundings&) { return std::vector<Misfit>(); }}};
  }
}

template <class F>
Part feedback(const char* name, const char* summary, const char* source) {
  return {.kind = PartKind::feedback,
          .name = name,
          .summary = summary,
          .source = source,
          .note = {},
          .parameters = {},
          .as = FeedbackPart{.make = [] { return std::make_unique<F>(); }, .traits = F::traits}};
}

/// Of what nodes do with tasks that they cannot start; void: nothing, none comes to them.
template <class Q>
Part queue(const char* name, const char* summary, const char* source) {
  QueuePart made;
  if constexpr (!std::is_void_v<Q>) made = {.make = make_worker_queue<Q>, .traits = Q::traits};
  return {.kind = PartKind::queue,
          .name = name,
          .summary = summary,
          .source = source,
          .note = {},
          .parameters = {},
          .as = made};
}

inline Part reordering(const ReorderingRow& row) {
  return {.kind = PartKind::reorder,
          .name = row.name,
          .summary = row.summary,
          .source = row.source,
          .note = {},
          .parameters = {},
          .as = Reordering::named(row.name)};
}

template <class P>
Part partitioner(const char* name, const char* summary, const char* source) {
  return {
      .kind = PartKind::partitioner,
      .name = name,
      .summary = summary,
      .source = source,
      .note = {},
      .parameters = parameters_of(P()),
      .as = PartitionerPart{
          .make =
              [](const Parameters& given, const Cluster& cluster) {
                return with_parameters<P>(given).partitioning(cluster.slot_count());
              },
          .traits = [](const Parameters& given) { return with_parameters<P>(given).traits(); }}};
}

}  // namespace somnus::rows
