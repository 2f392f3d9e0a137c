// LAST FREE: the last node, by number, that has a free slot and room for the task.
#include "scheduler/rows.hpp"

namespace somnus::last_free {
namespace {

class LastFree final : public Placement {
 public:
  static constexpr PlacementTraits traits{.heeds_demands = true};

  [[nodiscard]] NodeId choose(StageId stage, const PlacementView& view) override {
    const Resources& demand = view.stages.demand(stage).amounts;
    for (std::uint32_t node = view.nodes.count(); node-- > 0;) {
      const NodeId id(node);
      const bool free = view.nodes.usable(id) && view.nodes.free_slots(id) > 0;
      if (free && view.nodes.fits(id, demand)) return id;
    }
    return {};
  }
};

const Registered<Part> placement =
    rows::placement<LastFree>("last-free", "the last node with a free slot", "a recipe");

}  // namespace
}  // namespace somnus::last_free
