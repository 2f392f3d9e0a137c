// A log's events, or its decisions, as one sequence over the tables of all kinds.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "log/schema.hpp"

namespace somnus {

template <class Rows>
class InOrder;

/// The rows in order of their numbers, which are 0, 1, 2 and so on: as many as there are before the
/// first that is not the next. The tables must outlive it.
template <class... Rows>
class InOrder<TypeList<Rows...>> {
 public:
  explicit InOrder(const Batches<TypeList<Rows...>>& tables) : tables_(tables) {
    places_.reserve(tables.size());
    std::array<std::uint32_t, sizeof...(Rows)> next{};  // row of each table
    while (places_.size() < tables.size() && error_.empty()) take_least(next);
  }

  [[nodiscard]] std::size_t size() const { return places_.size(); }
  /// Which row is not the next, and why; empty if all are in order.
  [[nodiscard]] const std::string& error() const { return error_; }
  /// That row's number leaves some out. So it is where tables were cut off, not all at one row.
  [[nodiscard]] bool has_gap() const { return has_gap_; }

  /// visit(row, its place in its table) of the row with that number.
  template <class Visit>
  void visit(std::size_t number, Visit&& visit) const {
    const auto [kind, at] = places_[number];
    TypeList<Rows...>::visit_at(kind, [&]<class Row>(std::type_identity<Row>) {
      visit(tables_.template get<Row>()[at], at);
    });
  }

 private:
  struct Position {
    std::uint32_t kind;  // place of the row's type in the list
    std::uint32_t row;
  };

  void take_least(std::array<std::uint32_t, sizeof...(Rows)>& next) {
    std::uint64_t least = ~std::uint64_t{0};
    Position place{};
    std::uint32_t kind = 0;
    const auto look = [&]<class Row>(const std::vector<Row>& rows) {
      const std::uint32_t at = next[kind];
      if (at < rows.size() && rows[at].number < least) {
        least = rows[at].number;
        place = {kind, at};
      }
      ++kind;
    };
    tables_.for_each(look);
    if (least != places_.size()) return add_error(place, least);
    ++next[place.kind];
    places_.push_back(place);
  }

  void add_error(Position place, std::uint64_t number) {
    has_gap_ = number > places_.size();
    TypeList<Rows...>::visit_at(place.kind, [&]<class Row>(std::type_identity<Row>) {
      error_ = fmt::format("{} row {}: number {}, expected {}", path_of<Row>(), place.row, number,
                           places_.size());
    });
  }

  const Batches<TypeList<Rows...>>& tables_;
  std::vector<Position> places_;  // by number
  std::string error_;
  bool has_gap_ = false;
};

}  // namespace somnus
