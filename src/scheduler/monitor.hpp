// The feedback of a usage monitor (Yaq, section 2.5; Mercury): it sends every job's manager what
// nodes last reported, and a manager adds what it has placed itself since. It does not see what
// other managers place, so several may crowd onto one node.
//
// What a manager placed on a node counts until that node's next report, in its view as on the node:
// first on the free slots, then in the queue, where it adds its estimate / slots to the wait.
// Bounds of queues hold for what the manager sees. Changing from one manager to another costs a
// step for each node that either has placed on since its report.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "scheduler/feedback.hpp"

namespace somnus {

class Monitor final : public Feedback {
 public:
  static constexpr FeedbackTraits traits{.may_overfill = true, .is_private = true};

  void begin(NodeView& view) override;
  void placed(JobId manager, NodeId node, Duration estimate, NodeView& view) override;
  void ended(NodeId, NodeView&) override {}
  void reported(const NodeOffered& report, NodeView& view) override;
  void returned(NodeId node, NodeView& view) override;
  [[nodiscard]] bool is_private() const override { return traits.is_private; }
  void use_view_of(JobId manager, NodeView& view) override;
  void job_ended(JobId job) override { put_aside_.erase(job); }

 private:
  /// Of one manager on one node.
  struct Own {
    NodeId node;
    std::uint32_t report = 0;  // how many the node had made by then
    std::uint32_t tasks = 0;
    Duration work{};  // of all of them
  };
  [[nodiscard]] NodeView::Seen with(const Own& own) const;
  [[nodiscard]] bool is_outdated(const Own& own) const {
    return own.report != reports_[own.node.index()];
  }
  Own& own_of_shown(NodeId node);

  std::vector<NodeView::Seen> reported_;                   // by node
  std::vector<std::uint32_t> reports_;                     // by node
  JobId shown_;                                            // the manager whose view it is
  std::vector<Own> own_;                                   // of that one
  std::vector<std::uint32_t> place_;                       // by node: 1 + its place in own_, or 0
  std::unordered_map<JobId, std::vector<Own>> put_aside_;  // of the other managers
};

}  // namespace somnus
