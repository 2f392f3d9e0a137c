// Which of 64 demands fit into what is free, found for all of them at once: for each kind, the
// amounts that they ask for stand in order, each with the set of those that ask for no more.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/ids.hpp"
#include "model/resources.hpp"

namespace somnus {

class DemandBlock {
 public:
  static constexpr std::size_t size = 64;
  /// A bit for each of its demands.
  using Set = std::uint64_t;

  DemandBlock() = default;
  explicit DemandBlock(std::size_t kinds) : kinds_(kinds) {}

  [[nodiscard]] bool knows(std::size_t place) const { return (known_ >> place & 1U) != 0; }
  void add(std::size_t place, const Resources& amounts) {
    const Set one = Set{1} << place;
    known_ |= one;
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      Kind& steps = kinds_[kind];
      const std::int64_t amount = amounts.millionths(kind);
      const auto at = std::ranges::lower_bound(steps.amounts, amount);
      const auto step = static_cast<std::size_t>(at - steps.amounts.begin());
      if (at == steps.amounts.end() || *at != amount) {
        steps.amounts.insert(at, amount);
        const Set less = steps.fitting[step - 1];
        steps.fitting.insert(steps.fitting.begin() + static_cast<std::ptrdiff_t>(step), less);
      }
      for (std::size_t less = 0; less < step; ++less) steps.fitting[less] &= ~one;
    }
  }
  /// free: by kind. Those that are not known are in it.
  [[nodiscard]] Set fitting(const std::int64_t* free) const {
    Set set = ~Set{0};
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      const Kind& steps = kinds_[kind];
      // The last amount that is there; the first is less than anything.
      const std::int64_t* step = steps.amounts.data();
      for (std::size_t length = steps.amounts.size(); length > 1;) {
        const std::size_t half = length / 2;
        step += step[half] <= free[kind] ? half : 0;
        length -= half;
      }
      set &= steps.fitting[static_cast<std::size_t>(step - steps.amounts.data())];
    }
    return set;
  }

 private:
  struct Kind {
    std::vector<std::int64_t> amounts{std::numeric_limits<std::int64_t>::min()};  // in order
    std::vector<Set> fitting{~Set{0}};  // by amount: those that ask for no more
  };
  std::vector<Kind> kinds_;
  Set known_ = 0;
};

/// A set of demands, by blocks.
class DemandSet {
 public:
  void set(DemandId demand, bool is_in) {
    const std::size_t block = demand.index() / DemandBlock::size;
    if (block >= blocks_.size()) blocks_.resize(block + 1);
    if (is_in) {
      blocks_[block] |= bit(demand);
    } else {
      blocks_[block] &= ~bit(demand);
    }
  }
  /// Those that are in within(block), too.
  template <class Within, class Visit>
  void for_each(Within&& within, Visit&& visit) const {
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      if (blocks_[block] == 0) continue;
      for (DemandBlock::Set some = blocks_[block] & within(block); some != 0; some &= some - 1) {
        visit(
            DemandId(block * DemandBlock::size + static_cast<std::size_t>(std::countr_zero(some))));
      }
    }
  }

 private:
  [[nodiscard]] static DemandBlock::Set bit(DemandId demand) {
    return DemandBlock::Set{1} << demand.index() % DemandBlock::size;
  }
  std::vector<DemandBlock::Set> blocks_;
};

}  // namespace somnus
