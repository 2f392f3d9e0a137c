// How a part registers itself: its file ends with its own row, and there is no list of parts.
//
//     const Registered<Format> row = format("swf", ...);   // at the end of formats/import_swf.cpp
//
// Rows are collected before main() begins, in the order in which files happen to be linked, and
// when a plug-in is loaded; they are read in the order of their keys, so nothing depends on that.
// The layer of such a file says PARTS in its CMakeLists.txt, or else the linker would leave it out.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace somnus {

/// Row: has key(), which orders rows and differs between any two.
template <class Row>
class Registered {
 public:
  Registered(Row row) { collected().add(std::move(row)); }  // NOLINT(google-explicit-constructor)
  Registered(const Registered&) = delete;
  Registered& operator=(const Registered&) = delete;
  ~Registered() = default;

  /// All rows, by key. Not before main() begins. They stay where they are, also if a plug-in
  /// registers more; those are in the next call's. A key that is there twice is a Bug.
  [[nodiscard]] static std::span<const Row> rows() { return collected().read(); }

 private:
  class Collected {
   public:
    void add(Row row) {
      if (was_read_) tables_.push_back(std::make_unique<std::vector<Row>>(*tables_.back()));
      was_read_ = false;
      std::vector<Row>& rows = *tables_.back();
      const auto at = std::ranges::upper_bound(rows, row.key(), {}, &Row::key);
      rows.insert(at, std::move(row));
    }
    [[nodiscard]] std::span<const Row> read() {
      const std::vector<Row>& rows = *tables_.back();
      if (!was_read_.exchange(true)) {
        const auto twice = std::ranges::adjacent_find(rows, {}, &Row::key);
        SOMNUS_CHECK(twice == rows.end(), "two parts register themselves as '{}'", twice->name);
      }
      return rows;
    }

   private:
    std::vector<std::unique_ptr<std::vector<Row>>> tables_ = first();  // the last is in use
    std::atomic<bool> was_read_ = false;                               // the last

    static std::vector<std::unique_ptr<std::vector<Row>>> first() {
      std::vector<std::unique_ptr<std::vector<Row>>> tables;
      tables.push_back(std::make_unique<std::vector<Row>>());
      return tables;
    }
  };
  static Collected& collected() {
    static Collected rows;
    return rows;
  }
};

}  // namespace somnus
