// How long a node's queue must be so that its slots stay busy from one heartbeat to the next
// (Yaq, section 3.1.1 and appendix A; policies.md 4.1).
//
// The model. A node has r slots and a queue of b. Work never runs out: every tau seconds a
// heartbeat fills all slots and the queue, and nothing comes in between. Tasks last 1/mu seconds on
// average and independently, so that about
//
//     a = r mu tau                                             [tasks]
//
// end between two heartbeats while all slots are busy. Let X_n be the time until the n-th end from
// then on. If durations are exponential, ends come at rate r mu, X_n has the Erlang distribution,
// and P_n = Pr[X_n <= tau] is the regularised incomplete gamma function P(n, a).
//
// Four answers to "how long", the first for tasks that are all alike, the others for exponential
// ones, from the most careful to the exact:
//
//   fixed     b >= r (mu tau - 1): the slots' work of one heartbeat, less what they have already.
//             Exact if tau is a multiple of the task duration.
//   chernoff  Proposition 1: a (1 + x (ln x - 1)) >= ln(1/delta), x = (b+1)/a, and b+1 >= a. It
//             bounds erlang. The paper leaves b+1 >= a out; but below it the left side falls as b
//             grows, no bound holds there, and for a above 6 or so b = 0 would already pass.
//   erlang    equation (2): P_{b+1} <= delta. No slot ever idles in a share 1 - delta of the
//             heartbeats, so utilisation is above 1 - delta.
//   utilised  u(b) >= 1 - delta, with the exact utilisation u.
//
// The exact utilisation. The queue is empty from X_b on. A slot then works off its last task, for
// an exponential time Y of mean 1/mu, and idles until the heartbeat:
//
//     u(b) = 1 - E[max(0, tau - X_b - Y)] / tau
//          = 1 - P_b + (b/a) P_{b+1} + (P_b - G_b) / (mu tau)                            [1]
//     G_b  = E[exp(-mu (tau - X_b)); X_b <= tau] = e^{-mu tau} (r/(r-1))^b P(b, (r-1) mu tau)
//
// and u(0) = (1 - e^{-mu tau}) / (mu tau). With one slot G_b is the limit e^{-mu tau} (mu
// tau)^b/b!.
//
// Proposition 2 as it is printed lacks (b/a) P_{b+1}, the busy time until the queue is empty in
// those heartbeats in which it does become empty: its proof counts that time only where the queue
// outlasts the heartbeat. For b = 0 there is none; for b > 0 the printed u is too small, and at
// first it even falls as the queue grows.
#pragma once

#include <cstdint>

namespace somnus {

/// A node that is filled up at every heartbeat. slots >= 1, times > 0, and at most
/// `most_ends_per_heartbeat` tasks can end in between.
struct RefilledNode {
  std::uint64_t slots = 1;     // r
  double heartbeat_s = 3;      // tau
  double task_duration_s = 1;  // 1/mu: of every task, or the mean

  static constexpr double most_ends_per_heartbeat = 1e6;

  /// mu tau, of one slot.
  [[nodiscard]] double ends_per_slot() const { return heartbeat_s / task_duration_s; }
  /// a = r mu tau.
  [[nodiscard]] double ends_per_heartbeat() const {
    return static_cast<double>(slots) * ends_per_slot();
  }
};

/// u(b), within [0, 1]: the share of its slots' time that the node is busy; exact to 1e-9.
[[nodiscard]] double utilisation(const RefilledNode& node, std::uint64_t queue);

/// P_{b+1}: the share of heartbeats before whose end a slot idles.
[[nodiscard]] double idling_share(const RefilledNode& node, std::uint64_t queue);

/// The left side of Proposition 1: idling_share() <= exp(-exponent) if b+1 >= a.
[[nodiscard]] double chernoff_exponent(const RefilledNode& node, std::uint64_t queue);

/// Each the shortest queue that its rule allows; `target` is 1 - delta, in (0, 1).
[[nodiscard]] std::uint64_t fixed_duration_queue(const RefilledNode& node);
[[nodiscard]] std::uint64_t chernoff_queue(const RefilledNode& node, double target);
[[nodiscard]] std::uint64_t erlang_queue(const RefilledNode& node, double target);
[[nodiscard]] std::uint64_t utilised_queue(const RefilledNode& node, double target);

}  // namespace somnus
