// A feedback with its books and its view, with events by hand: `Seen<AtOnce>
// seen(cluster(2))`.
#pragma once

#include <optional>

#include "harness/builders.hpp"
#include "scheduler/feedback.hpp"

namespace somnus::harness {

template <class F>
class Seen {
 public:
  explicit Seen(const Cluster& cluster, std::optional<QueueRules> queue = {})
      : books_(cluster), view_(books_, queue) {
    feedback_.begin(view_);
  }

  void place(std::uint32_t node, Duration estimate = {}, std::uint32_t manager = 0) {
    books_.take(NodeId(node), {});
    feedback_.placed(JobId(manager), NodeId(node), estimate, view_);
  }
  void end(std::uint32_t node) {
    books_.give(NodeId(node), {});
    feedback_.ended(NodeId(node), view_);
  }
  void report(std::uint32_t node, std::uint32_t running = 0, std::uint32_t queued = 0,
              double wait_s = 0) {
    feedback_.reported(
        {.node = NodeId(node), .running = running, .queued = queued, .wait = Estimate{wait_s}},
        view_);
  }
  void lose(std::uint32_t node) {
    books_.lose(NodeId(node));
    feedback_.lost(NodeId(node), view_);
  }
  void restore(std::uint32_t node) {
    books_.restore(NodeId(node));
    feedback_.returned(NodeId(node), view_);
  }
  void round_ends() { feedback_.round_ends(view_); }
  void use_view_of(JobId manager) { feedback_.use_view_of(manager, view_); }

  [[nodiscard]] NodeView& view() { return view_; }
  [[nodiscard]] bool usable(std::uint32_t node) const { return view_.usable(NodeId(node)); }
  [[nodiscard]] std::uint32_t free(std::uint32_t node) const {
    return view_.free_slots(NodeId(node));
  }
  [[nodiscard]] std::uint32_t queued(std::uint32_t node) const {
    return view_.queued(NodeId(node));
  }
  [[nodiscard]] double wait_s(std::uint32_t node) const {
    const auto wait = view_.wait(NodeId(node));
    return static_cast<double>(wait.over) / static_cast<double>(wait.under) / 1e9;
  }

 private:
  NodeTable books_;
  NodeView view_;
  F feedback_;
};

}  // namespace somnus::harness
