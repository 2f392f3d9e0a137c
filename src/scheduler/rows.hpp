// From types to rows of the registry. A part's file ends with its row:
//
//     const Registered<Part> fifo = rows::order<Fifo>("fifo", "first come, first served", "Spark");
//
// name: as configs have it. summary: one sentence, without a full stop. source: paper and section.
// A type's parameters, the keys of [scheduler.NAME], are its own described members (describe.hpp),
// or those of its `Rules`. It may say what of them can't be meant where it is to run:
//     std::vector<ConfigError> config_errors(const Environment& environment) const;
#pragma once

#include "base/registered.hpp"
#include "scheduler/ranking.hpp"
#include "scheduler/registry.hpp"

namespace somnus::rows {

/// Who is next: a ranking. It is made from nothing, or from the number of slots.
template <Ranking R>
Part order(const char* name, const char* summary, const char* source, const char* note = "");

/// An Order that is no ranking: O(Rules, environment). Rules has traits().
template <class O>
Part own_order(const char* name, const char* summary, const char* source);

/// Where tasks go: a Placement, P(Rules, environment), with Rules that have traits(); or, with
/// traits once for all, P(environment) or P().
template <class P>
Part placement(const char* name, const char* summary, const char* source);

/// A Policy, which decides all: P(Rules, environment). Rules has traits().
template <class P>
Part policy(const char* name, const char* summary, const char* source);

/// Which stage of a job is first: a StageOrder, W(environment) or W(); void: by their numbers.
template <class W>
Part within(const char* name, const char* summary, const char* source);

/// What happens when the next one does not fit: B().made(environment).
template <class B>
Part backfill(const char* name, const char* summary, const char* source);

/// Who has to give up slots: P::made(), and what becomes of the work: P::done.
template <class P>
Part preemption(const char* name, const char* summary, const char* source);

/// What a scheduler knows of its nodes, and when: a Feedback, F(), with traits.
template <class F>
Part feedback(const char* name, const char* summary, const char* source);

/// What nodes do with tasks that they cannot start: a WorkerQueue, Q(QueueRules), with traits;
/// void: nothing, none comes to them.
template <class Q>
Part queue(const char* name, const char* summary, const char* source);

/// Into how many tasks a divisible stage is cut: P().partitioning(slots).
template <class P>
Part partitioner(const char* name, const char* summary, const char* source);

}  // namespace somnus::rows

#include "scheduler/row_makers.hpp"  // IWYU pragma: keep
