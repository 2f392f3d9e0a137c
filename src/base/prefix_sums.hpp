// An ordered map from distinct keys to amounts that adds up the amounts up to a key: a treap, whose
// nodes know the sum of what is below them. Insertions anywhere, removal of the first only; each
// step, and each sum, costs O(log n). A plain value: a copy is independent.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace somnus {

template <class Key, class Amount>
class PrefixSums {
 public:
  [[nodiscard]] bool empty() const { return root_ == none; }

  /// The least key, and its amount. There must be one.
  [[nodiscard]] const Key& first() const { return nodes_[leftmost()].key; }
  [[nodiscard]] const Amount& first_amount() const { return nodes_[leftmost()].amount; }

  /// The sum over all keys up to this one, which need not be there.
  [[nodiscard]] Amount up_to(const Key& key) const {
    Amount sum{};
    std::uint32_t subtree = root_;
    while (subtree != none) {
      const Node& node = nodes_[subtree];
      if (key < node.key) {
        subtree = node.left;
        continue;
      }
      sum += sum_of(node.left) + node.amount;
      subtree = node.right;
    }
    return sum;
  }

  /// A key that is not there.
  void insert(Key key, Amount amount) {
    std::uint32_t made = free_;
    if (made == none) {
      made = static_cast<std::uint32_t>(nodes_.size());
      nodes_.emplace_back();
    } else {
      free_ = nodes_[made].left;
    }
    nodes_[made] = {.key = std::move(key), .amount = amount, .sum = amount, .rank = draw()};
    root_ = inserted(root_, made);
  }
  void pop_first() { root_ = without_first(root_); }
  void set_first(Amount amount) { set_first(root_, amount); }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  struct Node {
    Key key;
    Amount amount{};
    Amount sum{};            // of the subtree
    std::uint64_t rank = 0;  // random; the greatest on top
    std::uint32_t left = none;
    std::uint32_t right = none;
  };

  // What keeps the tree flat need not be unforeseeable: splitmix64 of a counter.
  [[nodiscard]] std::uint64_t draw() {
    std::uint64_t bits = (drawn_ += 0x9e3779b97f4a7c15U);
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31);
  }

  [[nodiscard]] std::uint32_t leftmost() const {
    std::uint32_t subtree = root_;
    while (nodes_[subtree].left != none) subtree = nodes_[subtree].left;
    return subtree;
  }
  [[nodiscard]] Amount sum_of(std::uint32_t subtree) const {
    return subtree == none ? Amount{} : nodes_[subtree].sum;
  }
  void add_up(std::uint32_t subtree) {
    Node& node = nodes_[subtree];
    node.sum = sum_of(node.left) + node.amount + sum_of(node.right);
  }

  [[nodiscard]] std::uint32_t inserted(std::uint32_t subtree, std::uint32_t made) {
    if (subtree == none) return made;
    if (nodes_[made].rank > nodes_[subtree].rank) {
      const auto [left, right] = split(subtree, nodes_[made].key);
      nodes_[made].left = left;
      nodes_[made].right = right;
      add_up(made);
      return made;
    }
    if (nodes_[made].key < nodes_[subtree].key) {
      nodes_[subtree].left = inserted(nodes_[subtree].left, made);
    } else {
      nodes_[subtree].right = inserted(nodes_[subtree].right, made);
    }
    add_up(subtree);
    return subtree;
  }

  // The subtree's keys below that key, and its keys above.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> split(std::uint32_t subtree,
                                                              const Key& key) {
    if (subtree == none) return {none, none};
    std::pair<std::uint32_t, std::uint32_t> parts;
    if (key < nodes_[subtree].key) {
      parts = split(nodes_[subtree].left, key);
      nodes_[subtree].left = std::exchange(parts.second, subtree);
    } else {
      parts = split(nodes_[subtree].right, key);
      nodes_[subtree].right = std::exchange(parts.first, subtree);
    }
    add_up(subtree);
    return parts;
  }

  [[nodiscard]] std::uint32_t without_first(std::uint32_t subtree) {
    if (nodes_[subtree].left == none) {
      const std::uint32_t right = nodes_[subtree].right;
      nodes_[subtree].left = std::exchange(free_, subtree);
      return right;
    }
    const std::uint32_t left = without_first(nodes_[subtree].left);
    nodes_[subtree].left = left;
    add_up(subtree);
    return subtree;
  }

  void set_first(std::uint32_t subtree, Amount amount) {
    if (nodes_[subtree].left == none) {
      nodes_[subtree].amount = amount;
    } else {
      set_first(nodes_[subtree].left, amount);
    }
    add_up(subtree);
  }

  std::vector<Node> nodes_;
  std::uint32_t root_ = none;
  std::uint32_t free_ = none;  // the first of a list through `left`
  std::uint64_t drawn_ = 0;
};

}  // namespace somnus
