// What an event loop needs: a clock, a transport and an observer.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "model/event.hpp"
#include "model/message.hpp"

namespace somnus {

template <class T, class Command>
concept Sends =
    requires(T transport, Time now, const Command& command) { transport.send(now, command); };

/// Where commands go and reports come from.
template <class T>
concept Transport = requires(T transport, const JobUpdate& update, Time now, Reports& reports) {
  transport.announce(update);                  // before launches of that job
  transport.flush();                           // everything so far is on its way
  transport.receive(now, reports);             // appends all that has come
  { transport.next() } -> std::same_as<Time>;  // when something comes by itself, or never
} && []<class... Messages>(TypeList<Messages...>) {
  return (Sends<T, Messages> && ...);
}(CommandMessages());

/// A transport that sees the nodes: who probably ends next, or after so many others.
template <class T>
concept ForeseesEnds = requires(const T& transport, std::size_t after) {
  { transport.expected_end(after) } -> std::same_as<std::optional<ExpectedEnd>>;
};

/// Emulated time. wait() returns the time at which the loop goes on: `until`, or earlier if
/// something came, or at the transport's next(), when something may come.
template <class C, class T>
concept Clock = requires(C clock, Time until, T& transport) {
  { C::foresees } -> std::convertible_to<bool>;  // only what the transport's next() gives can come
  { clock.now() } -> std::same_as<Time>;
  { clock.wait(until, transport) } -> std::same_as<Time>;
};

template <class O, class Decision>
concept Observes = requires(O observer, Time now, std::uint32_t round, const Decision& decision) {
  observer.decided(now, round, decision);
};

template <class O, class Kind>
concept Notices = requires(O observer, Time now, std::uint32_t round, const Kind& event) {
  observer.happened(now, round, event);
};

/// Who wants to know: the log, the progress line, a test.
template <class O>
concept Observer = requires(O observer, Time now, JobId job, TaskId task, std::uint16_t attempt,
                            NodeId node, const CompletionMessage& completion, Duration late) {
  observer.round_begins();
  observer.submitted(job, now);                 // the job is about to arrive; it was due then
  observer.ended(completion);                   // an attempt that the scheduler knew of is over
  observer.given_up(now, task, attempt, node);  // given up; ended() follows, if the end is reported
  observer.handled(late);                       // rank 0 dealt with something that late
  observer.sample(now);   // at multiples of the interval, behind all of that instant
  observer.instant(now);  // after each round
} && []<class... Kinds>(TypeList<Kinds...>) {
  return (Notices<O, Kinds> && ...);  // the scheduler got the event; what it decided() follows
}(Events()) && []<class... Kinds>(TypeList<Kinds...>) {
  return (Observes<O, Kinds> && ...);
}(Decisions());

}  // namespace somnus
