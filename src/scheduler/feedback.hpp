// The part that says what a scheduler knows of its nodes, and when. A feedback gets what the
// scheduler places and what nodes report, and keeps the view (node_view.hpp) by which policies
// place. It also says when a node may be used.
//
// Where each job has a manager of its own that sees what it placed itself and not what others do,
// use_view_of() says whose view is shown.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/node_event.hpp"
#include "scheduler/node_view.hpp"

namespace somnus {

/// What of a feedback concerns nodes, or parts that it is put together with.
struct FeedbackTraits {
  bool heartbeats = true;       // nodes send them, even without queues
  bool ends_with_them = false;  // the scheduler hears of ends at heartbeats only
  bool opens_at_them = false;   // nodes may be used at heartbeats only
  bool one_by_one = false;      // each at its own heartbeat, never two nodes at once
  bool may_overfill = false;    // a node may be full when a task comes: it needs a queue
  bool is_private = false;      // jobs' managers see different things
};

class Feedback {
 public:
  virtual ~Feedback() = default;

  /// How the view is before anything has happened; it shows idle nodes, all allowed.
  virtual void begin(NodeView&) {}
  /// The job's manager placed a task of that estimate; the books have it already.
  virtual void placed(JobId manager, NodeId node, Duration estimate, NodeView& view) = 0;
  /// The end of an attempt was heard; the books have it already.
  virtual void ended(NodeId node, NodeView& view) = 0;
  /// The node is all one stage's from now on, or idle again; the books have it already. Of those
  /// under which gangs start.
  virtual void all_taken(NodeId /*node*/, bool /*taken*/, NodeView& /*view*/) {}
  virtual void reported(const NodeOffered& report, NodeView& view) = 0;
  virtual void lost(NodeId node, NodeView& view) { view.update(node); }
  virtual void returned(NodeId node, NodeView& view) = 0;
  /// The scheduler has decided what to do at this instant.
  virtual void round_ends(NodeView&) {}

  /// Whether managers see different things.
  [[nodiscard]] virtual bool is_private() const { return false; }
  /// From now on the view is that manager's; of an invalid job: what all managers get.
  virtual void use_view_of(JobId /*manager*/, NodeView&) {}
  virtual void job_ended(JobId) {}
};

}  // namespace somnus
