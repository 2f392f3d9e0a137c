// two-choices: of two nodes drawn at random the one with more free slots (Mitzenmacher, The power
// of two choices in randomized load balancing, 2001). Where neither has one, the first that has.
#include <utility>

#include "plugins/plugin.hpp"

namespace {

class TwoChoices final : public somnus::Placement {
 public:
  static constexpr somnus::PlacementTraits traits{.draws = true};

  explicit TwoChoices(const somnus::Environment& environment)
      : random_(environment.seed.of_part("two-choices")) {}

  [[nodiscard]] somnus::NodeId choose(somnus::StageId /*stage*/,
                                      const somnus::PlacementView& view) override {
    somnus::NodeId one = draw(view.nodes);
    somnus::NodeId other = draw(view.nodes);
    if (free_slots(other, view.nodes) > free_slots(one, view.nodes)) std::swap(one, other);
    return free_slots(one, view.nodes) > 0 ? one : view.nodes.first_free();
  }

 private:
  [[nodiscard]] somnus::NodeId draw(const somnus::NodeView& nodes) {
    return somnus::NodeId(static_cast<std::uint32_t>(random_.integer(0, nodes.count() - 1)));
  }
  [[nodiscard]] static std::uint32_t free_slots(somnus::NodeId node,
                                                const somnus::NodeView& nodes) {
    return nodes.usable(node) ? nodes.free_slots(node) : 0;
  }

  somnus::RandomStream random_;
};

const somnus::Registered<somnus::Part> two_choices = somnus::rows::placement<TwoChoices>(
    "two-choices", "of two nodes drawn at random the one with more free slots",
    "Mitzenmacher 2001");

}  // namespace
