// Any free slot: the first node, by number, that has room for the task. For slots that are all
// alike this is as good as any other choice. Where nodes have queues, the first with a free slot,
// or else the first with room in its queue.
#pragma once

#include "policy/policy.hpp"

namespace somnus {

class AnyFree final : public Placement {
 public:
  [[nodiscard]] std::unique_ptr<Placement> clone() const override {
    return std::make_unique<AnyFree>(*this);
  }
  [[nodiscard]] NodeId choose(StageId stage, const Picture& picture) override {
    const Resources& demand = picture.jobs.catalogue()[stage].demand;
    NodeId node = picture.nodes.first_free();
    if (!node.valid()) node = picture.nodes.first_usable();
    while (node.valid() && !picture.nodes.fits(node, demand)) {
      node = picture.nodes.first_usable(NodeId(node.value() + 1));
    }
    return node;
  }
};

}  // namespace somnus
