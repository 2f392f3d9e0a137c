// Relative capacities of named queues, as users write them: "A 70, B 30".
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace somnus {

/// Entries are separated by commas; the last word of each is its capacity, above 0, and what stands
/// before it is the queue's name. A name with a comma, or with spaces at an end, is put in quotes
/// of either kind: "'a, b' 70, B 30". No entry at all: all queues alike.
struct Capacities {
  struct Entry {
    std::string queue;
    double capacity = 0;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  std::vector<Entry> entries;  // each queue once

  /// Or what is wrong, in words.
  [[nodiscard]] static tl::expected<Capacities, std::string> parse(std::string_view text);
  /// The entry of that queue; nullptr if there is none.
  [[nodiscard]] const Entry* find(std::string_view queue) const;

  friend bool operator==(const Capacities&, const Capacities&) = default;
};

}  // namespace somnus
