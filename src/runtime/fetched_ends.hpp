// Ends are handled one after the other, and each needs what lies far apart: the row of its task,
// its node, its stage, its job. So it is brought near while the ends before it are dealt with, in
// three steps, as each reads what the one before it has brought.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "model/message.hpp"
#include "runtime/loop_world.hpp"
#include "scheduler/engine.hpp"

namespace somnus {

// All of it becomes part of the loop: else g++ takes it for functions without an effect.

/// Calls handle(end) for each of one instant; whether any call has returned true.
template <class Handle>
[[gnu::always_inline]] inline bool handle_each(const Engine& engine,
                                               std::span<CompletionMessage> ends, Handle&& handle) {
  constexpr std::size_t ahead = 4;
  for (const CompletionMessage& end : ends.first(std::min(ahead, ends.size()))) {
    engine.fetch(end.task, end.node);
  }
  bool any = false;
  for (std::size_t at = 0; at < ends.size(); ++at) {
    if (at + ahead < ends.size()) engine.fetch(ends[at + ahead].task, ends[at + ahead].node);
    if (at + 2 < ends.size()) engine.fetch_stage(ends[at + 2].task);
    if (at + 1 < ends.size()) engine.fetch_job(ends[at + 1].task);
    any |= handle(ends[at]);
  }
  return any;
}

/// The same for those that are expected in later instants, of a transport that knows of any.
template <class SomeTransport>
[[gnu::always_inline]] inline void fetch_expected(const Engine& engine,
                                                  const SomeTransport& transport) {
  if constexpr (ForeseesEnds<SomeTransport>) {
    if (const auto end = transport.expected_end(2)) engine.fetch(end->task, end->node);
    if (const auto end = transport.expected_end(1)) engine.fetch_stage(end->task);
    if (const auto end = transport.expected_end(0)) engine.fetch_job(end->task);
  }
}

}  // namespace somnus
