// How the rows of rows.hpp are made: what a part's type says of itself, as a Part.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "scheduler/ranked.hpp"
#include "scheduler/registry.hpp"
#include "scheduler/rows.hpp"

namespace somnus::rows {

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

/// What a part's parameters say of the environment, if they can say anything.
template <class P>
std::vector<ConfigError> config_errors_in([[maybe_unused]] const P& parameters,
                                          [[maybe_unused]] const Environment& environment) {
  if constexpr (requires { parameters.config_errors(environment); }) {
    return parameters.config_errors(environment);
  } else {
    return {};
  }
}
template <Described Rules>
std::vector<ConfigError> config_errors_of_rules(const Parameters& given,
                                                const Environment& environment) {
  return config_errors_in(with_parameters<Rules>(given), environment);
}

template <Ranking R>
Part order(const char* name, const char* summary, const char* source, const char* note) {
  OrderPart part;
  part.make = [name](const Parameters& given, const Environment& environment) {
    R ranking = with_parameters<R>(given, environment.cluster);
    if constexpr (Handles<R, Configured>) ranking.on(Configured{environment});
    return std::make_unique<Ranked<R>>(
        std::move(ranking), OrderFacts{.name = name, .audit_keys = environment.audit_keys});
  };
  part.traits = []([[maybe_unused]] const Parameters& given) {
    OrderTraits traits{.has_tiers = TieredRanking<R>};  // one with traits() says so there
    if constexpr (requires(const R ranking) { ranking.traits(); }) {
      traits = with_parameters<R>(given, Cluster()).traits();
    }
    traits.counts_slots = std::is_constructible_v<R, double>;  // it gets their number
    return traits;
  };
  part.config_errors = [](const Parameters& given, const Environment& environment) {
    return config_errors_in(with_parameters<R>(given, environment.cluster), environment);
  };
  return {.kind = PartKind::order,
          .name = name,
          .summary = summary,
          .source = source,
          .note = note,
          .parameters = parameters_of(fresh<R>(Cluster())),
          .as = std::move(part)};
}

/// A class with Rules, which say its parameters, its traits, and what config_errors there are.
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
              [](const Parameters& given, const Environment& environment) {
                return std::make_unique<P>(with_parameters<Rules>(given), environment);
              },
          .traits = [](const Parameters& given) { return with_parameters<Rules>(given).traits(); },
          .config_errors = config_errors_of_rules<Rules>}};
}

template <class P>
Part policy(const char* name, const char* summary, const char* source) {
  return with_rules<PolicyPart, P>(PartKind::policy, name, summary, source);
}

template <class O>
Part own_order(const char* name, const char* summary, const char* source) {
  return with_rules<OrderPart, O>(PartKind::order, name, summary, source);
}

template <class W>
Part within(const char* name, const char* summary, const char* source) {
  return {.kind = PartKind::within,
          .name = name,
          .summary = summary,
          .source = source,
          .note = {},
          .parameters = {},
          .as = StageOrderPart{
              .make = [](const Parameters&, [[maybe_unused]] const Environment& environment)
                  -> std::unique_ptr<StageOrder> {
                if constexpr (std::is_void_v<W>) {
                  return nullptr;
                } else if constexpr (std::is_constructible_v<W, const Environment&>) {
                  return std::make_unique<W>(environment);
                } else {
                  return std::make_unique<W>();
                }
              }}};
}

template <class B>
Part backfill(const char* name, const char* summary, const char* source) {
  return {.kind = PartKind::backfill,
          .name = name,
          .summary = summary,
          .source = source,
          .note = {},
          .parameters = parameters_of(B()),
          .as = BackfillPart{.make =
                                 [](const Parameters& given, const Environment& environment) {
                                   return with_parameters<B>(given).made(environment);
                                 },
                             .traits = B::traits}};
}

template <class P>
Part preemption(const char* name, const char* summary, const char* source) {
  return {.kind = PartKind::preemption,
          .name = name,
          .summary = summary,
          .source = source,
          .note = {},
          .parameters = {},
          .as = PreemptionPart{.make = P::made, .done = P::done}};
}

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
                    [](const Parameters&, [[maybe_unused]] const Environment& environment) {
                      if constexpr (std::is_constructible_v<P, const Environment&>) {
                        return std::make_unique<P>(environment);
                      } else {
                        return std::make_unique<P>();
                      }
                    },
                .traits = [](const Parameters&) { return P::traits; },
                .config_errors = [](const Parameters&,
                                    const Environment&) { return std::vector<ConfigError>(); }}};
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
