// power-of-d: of d nodes drawn at random the one with most free slots (Mitzenmacher, The power of
// two choices in randomized load balancing, 2001). Where none of them has one, the first that has.
#include "plugins/plugin.hpp"

namespace {

class PowerOfD final : public somnus::Placement {
 public:
  struct Rules {
    std::uint32_t d = 2;

    static constexpr auto fields() {
      return somnus::in_order(somnus::field("d", &Rules::d, "1", "how many nodes are drawn",
                                            somnus::Range{.low = 1, .high = 1000}));
    }
    [[nodiscard]] static somnus::PlacementTraits traits() { return {.draws = true}; }
  };

  PowerOfD(Rules rules, const somnus::Environment& environment)
      : rules_(rules), random_(environment.seed.of_part("power-of-d")) {}

  [[nodiscard]] somnus::NodeId choose(somnus::StageId /*stage*/,
                                      const somnus::PlacementView& view) override {
    somnus::NodeId best;
    std::uint32_t most = 0;
    for (std::uint32_t drawn = 0; drawn < rules_.d; ++drawn) {
      const somnus::NodeId node(
          static_cast<std::uint32_t>(random_.integer(0, view.nodes.count() - 1)));
      const std::uint32_t free = view.nodes.usable(node) ? view.nodes.free_slots(node) : 0;
      if (free > most) {
        most = free;
        best = node;
      }
    }
    return most > 0 ? best : view.nodes.first_free();
  }

 private:
  Rules rules_;
  somnus::RandomStream random_;
};

const somnus::Registered<somnus::Part> power_of_d = somnus::rows::placement<PowerOfD>(
    "power-of-d", "of d nodes drawn at random the one with most free slots", "Mitzenmacher 2001");

}  // namespace
