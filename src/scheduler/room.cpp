#include "scheduler/room.hpp"

#include <algorithm>
#include <span>

namespace somnus {
namespace {

constexpr std::int64_t not_even_nothing = -1;  // free, less than a demand of 0
constexpr std::uint64_t changes_to_forget = 4096;

}  // namespace

Room::Room(std::uint32_t nodes, std::size_t kinds)
    : kinds_(kinds), levels_{0}, free_(nodes * kinds, not_even_nothing) {
  for (std::size_t places = nodes; places > 1;) {
    const std::size_t groups = (places + arity - 1) / arity;
    levels_.push_back(levels_.back() + groups * arity);
    places = groups;
  }
}

void Room::set(NodeId node, const Resources& free) {
  for (std::size_t kind = 0; kind < kinds_; ++kind) {
    free_[node.index() * kinds_ + kind] = free.millionths(kind);
  }
  changed(node.index());
}

void Room::close(NodeId node) {
  std::int64_t* const free = &free_[node.index() * kinds_];
  if (*free == not_even_nothing) return;
  std::fill_n(free, kinds_, not_even_nothing);
  changed(node.index());
}

void Room::changed(std::size_t node) {
  if (++changes_ % changes_to_forget == 0) forget_what_nobody_asks();
  for (Block& block : blocks_) {
    if (!block.fitting.empty()) put(block, node, block.demands.fitting(&free_[node * kinds_]));
  }
}

void Room::forget_what_nobody_asks() {
  for (Block& block : blocks_) {
    if (!block.asked) block = {};
    block.asked = false;
  }
}

void Room::begin(std::size_t block) const {
  if (block >= blocks_.size()) blocks_.resize(block + 1);
  Block& begun = blocks_[block];
  begun.demands = DemandBlock(kinds_);
  begun.fitting.resize(levels_.back() + 1);
  const std::size_t nodes = free_.size() / kinds_;
  for (std::size_t node = 0; node < nodes; ++node) put(begun, node, ~DemandBlock::Set{0});
}

bool Room::holds(std::size_t node, const Resources& demand) const {
  for (std::size_t kind = 0; kind < kinds_; ++kind) {
    if (demand.millionths(kind) > free_[node * kinds_ + kind]) return false;
  }
  return true;
}

void Room::put(Block& block, std::size_t node, DemandBlock::Set fitting) const {
  std::size_t place = node;
  for (std::size_t level = 0;; ++level) {
    DemandBlock::Set& here = block.fitting[levels_[level] + place];
    if (here == fitting) return;
    here = fitting;
    if (level + 1 == levels_.size()) return;
    place /= arity;
    const DemandBlock::Set* const below = &block.fitting[levels_[level] + place * arity];
    fitting = 0;
    for (std::size_t child = 0; child < arity; ++child) fitting |= below[child];
  }
}

NodeId Room::find(const Demand& demand) const {
  Block& block = known(demand.id.index() / DemandBlock::size);
  const std::size_t number = demand.id.index() % DemandBlock::size;
  const DemandBlock::Set one = DemandBlock::Set{1} << number;
  if (!block.demands.knows(number)) block.demands.add(number, demand.amounts);
  while ((block.fitting.back() & one) != 0) {
    std::size_t place = 0;
    for (std::size_t level = levels_.size() - 1; level-- > 0;) {
      place *= arity;
      while ((block.fitting[levels_[level] + place] & one) == 0) ++place;
    }
    if (holds(place, demand.amounts)) return NodeId(place);
    put(block, place, block.fitting[place] & ~one);
  }
  return {};
}

}  // namespace somnus
