#include "scheduler/room.hpp"

#include <algorithm>
#include <bit>
#include <span>

namespace somnus {
namespace {

constexpr std::int64_t nothing = -1;  // free, less than a demand of 0
// To look through more of the grown is not worth while; nor to remember more.
constexpr std::uint64_t most_looked_through = 64;
constexpr std::size_t most_remembered = 1U << 16;

}  // namespace

Room::Room(std::uint32_t nodes, std::size_t kinds)
    : kinds_(kinds),
      leaves_(std::bit_ceil(std::max<std::size_t>(nodes, 1))),
      most_(2 * leaves_ * kinds, nothing) {}

void Room::set(NodeId node, const Resources& free) {
  const std::size_t place = leaves_ + node.index();
  bool more = false;
  bool other = false;
  for (std::size_t kind = 0; kind < kinds_; ++kind) {
    std::int64_t& amount = most_[place * kinds_ + kind];
    more |= free.millionths(kind) > amount;
    other |= free.millionths(kind) != amount;
    amount = free.millionths(kind);
  }
  if (more) grown_.push_back(node);
  if (other) update_above(place);
}

void Room::close(NodeId node) {
  const std::size_t place = leaves_ + node.index();
  if (most_[place * kinds_] == nothing) return;
  std::ranges::fill(std::span(most_).subspan(place * kinds_, kinds_), nothing);
  update_above(place);
}

void Room::update_above(std::size_t place) {
  while (place > 1) {
    place /= 2;
    bool changed = false;
    const std::int64_t* const below = &most_[2 * place * kinds_];
    for (std::size_t kind = 0; kind < kinds_; ++kind) {
      const std::int64_t most = std::max(below[kind], below[kinds_ + kind]);
      std::int64_t& here = most_[place * kinds_ + kind];
      changed |= here != most;
      here = most;
    }
    if (!changed) return;
  }
}

bool Room::holds(std::size_t place, const Resources& demand) const {
  for (std::size_t kind = 0; kind < kinds_; ++kind) {
    if (demand.millionths(kind) > most_[place * kinds_ + kind]) return false;
  }
  return true;
}

// The place of a leaf; 0 if there is none.
std::size_t Room::first_below(std::size_t place, const Resources& demand) const {
  if (!holds(place, demand)) return 0;
  if (place >= leaves_) return place;
  const std::size_t found = first_below(2 * place, demand);
  return found != 0 ? found : first_below(2 * place + 1, demand);
}

// The number of a node; leaves_ if there is none.
std::size_t Room::first_from(std::size_t node, const Resources& demand) const {
  if (node == leaves_) return leaves_;
  for (std::size_t place = leaves_ + node;;) {
    if (const std::size_t found = first_below(place, demand); found != 0) return found - leaves_;
    while (place % 2 == 1) place /= 2;  // nothing is to the right of it below its parent
    if (place == 0) return leaves_;
    ++place;
  }
}

void Room::sort_the_latest() const {
  if (sorted_ == growths()) return;
  if (grown_.size() > most_remembered) {
    forgotten_ = growths();
    grown_.clear();
  }
  latest_ = std::max(sorted_, forgotten_);
  const auto from = grown_.begin() + static_cast<std::ptrdiff_t>(latest_ - forgotten_);
  std::sort(from, grown_.end());
  grown_.erase(std::unique(from, grown_.end()), grown_.end());
  sorted_ = growths();
}

NodeId Room::first_of_grown(Known& known, const Resources& demand) const {
  const auto grown = [&](std::uint64_t at) { return grown_[at - forgotten_]; };
  while (known.looked < sorted_ && !holds(grown(known.looked), demand)) ++known.looked;
  if (known.looked == sorted_) return {};
  NodeId first = grown(known.looked);
  if (known.looked >= latest_) return first;
  for (std::uint64_t at = known.looked + 1; at < sorted_; ++at) {
    if (grown(at) < first && holds(grown(at), demand)) first = grown(at);
  }
  return first;
}

NodeId Room::first(const Demand& demand) const {
  sort_the_latest();
  if (demand.id.index() >= known_.size()) known_.resize(demand.id.index() + 1);
  Known& known = known_[demand.id.index()];
  const bool too_many = known.looked < latest_ && sorted_ - known.looked > most_looked_through;
  if (known.looked < forgotten_ || too_many) known = {.from = 0, .looked = sorted_};
  const NodeId grown = first_of_grown(known, demand.amounts);
  if (grown.valid() && grown.index() < known.from) return grown;
  known.from = first_from(known.from, demand.amounts);
  return known.from == leaves_ ? NodeId() : NodeId(known.from);
}

}  // namespace somnus
