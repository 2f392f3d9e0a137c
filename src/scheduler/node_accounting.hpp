// The feedbacks of one resource manager: it places all tasks, so it knows what is on its way.
//
// Free slots and lengths of queues follow from the tasks that were placed and not yet reported as
// ended. The wait in a
// queue is what the node last reported, and each task placed since adds its estimate / slots, also
// when it takes a free slot (Yaq, section 3.1.2; policies.md 4.1). A report does not know of tasks
// that have yet to come, so theirs stay on top of it.
//
// The three feedbacks of this kind differ in when nodes may be used.
#pragma once

#include <vector>

#include "scheduler/feedback.hpp"

namespace somnus {

class NodeAccounting : public Feedback {
 public:
  void begin(NodeView& view) override;
  void placed(JobId manager, NodeId node, Duration estimate, NodeView& view) override;
  void ended(NodeId node, NodeView& view) override;
  void all_taken(NodeId node, bool taken, NodeView& view) override;
  void reported(const NodeOffered& report, NodeView& view) override;
  void returned(NodeId node, NodeView& view) override;

 private:
  [[gnu::noinline]] void add_to_queue(NodeId node, Duration estimate, NodeView::Seen& seen);

  std::vector<std::vector<Duration>> on_way_;  // by node with a queue: estimates, oldest first
};

/// Spark's: each end is reported when it happens, and any node may be used at any time.
class AtOnce final : public NodeAccounting {
 public:
  static constexpr FeedbackTraits traits{.heartbeats = false};
};

/// YARN's (Yaq, section 2): nodes report at heartbeats, and each may be used in the round of its
/// own heartbeat only.
class AtHeartbeat final : public NodeAccounting {
 public:
  static constexpr FeedbackTraits traits{
      .ends_with_them = true, .opens_at_them = true, .one_by_one = true};
  void begin(NodeView& view) override;
  void reported(const NodeOffered& report, NodeView& view) override;
  void round_ends(NodeView& view) override;

 private:
  std::vector<NodeId> offered_;
};

/// Nodes report at heartbeats; at each of these all nodes may be used (Yaq, section 3.2).
class AtAnyHeartbeat final : public NodeAccounting {
 public:
  static constexpr FeedbackTraits traits{.ends_with_them = true, .opens_at_them = true};
  void begin(NodeView& view) override;
  void reported(const NodeOffered& report, NodeView& view) override;
  void round_ends(NodeView& view) override { view.open_round(false); }
};

}  // namespace somnus
