// How a part registers itself: its file ends with its own row, and there is no list of parts.
//
//     const Registered<Format> row = format("swf", ...);   // at the end of formats/import_swf.cpp
//
// Rows are collected before main() begins, in the order in which files happen to be linked; they
// are read in the order of their keys, so nothing depends on that. The layer of such a file says
// PARTS in its CMakeLists.txt, or else the linker would leave it out.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace somnus {

/// Row: has key(), which orders rows and differs between any two.
template <class Row>
class Registered {
 public:
  Registered(Row row) {
    collected().push_back(std::move(row));
  }  // NOLINT(google-explicit-constructor)
  Registered(const Registered&) = delete;
  Registered& operator=(const Registered&) = delete;
  ~Registered() = default;

  /// All rows, by key. Not before main() begins. A key that is there twice is a Bug.
  [[nodiscard]] static std::span<const Row> rows() {
    static const std::vector<Row> sorted = [] {
      std::vector<Row> all = collected();
      std::ranges::sort(all, {}, &Row::key);
      const auto twice = std::ranges::adjacent_find(all, {}, &Row::key);
      SOMNUS_CHECK(twice == all.end(), "two parts register themselves as '{}'", twice->name);
      return all;
    }();
    return sorted;
  }

 private:
  static std::vector<Row>& collected() {
    static std::vector<Row> rows;
    return rows;
  }
};

}  // namespace somnus
