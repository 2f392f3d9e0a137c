// How columns of the log are held to be true, said where that is done: each is sealed, and one that
// follows from other rows is also recomputed. An audit's file ends with the columns that it holds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/registered.hpp"

namespace somnus {

enum class Held : std::uint8_t { recomputed, sealed };

struct HeldColumn {
  std::string name;  // "/jobs.submit", "/nodes.*": any other; "seed": a root attribute
  Held held;
  std::string_view how;  // recomputed: from what, and by which command; sealed: why no more

  [[nodiscard]] const std::string& key() const { return name; }
  [[nodiscard]] bool covers(std::string_view column) const {
    const std::size_t star = name.find('*');
    if (star == std::string::npos) return column == name;
    return column.starts_with(name.substr(0, star)) && column.ends_with(name.substr(star + 1));
  }
};

/// table: "/jobs"; a group of tables, "/events"; empty of root attributes. columns: of the table,
/// or tables of the group, with spaces between them.
class HeldColumns {
 public:
  HeldColumns(std::string_view table, std::string_view columns, Held held, std::string_view how) {
    const bool is_group = table == "/names" || table == "/events" || table == "/decisions";
    while (!columns.empty()) {
      const std::size_t end = std::min(columns.find(' '), columns.size());
      std::string name(table);
      if (!table.empty()) name += is_group ? '/' : '.';
      name += columns.substr(0, end);
      const Registered<HeldColumn> row({.name = std::move(name), .held = held, .how = how});
      columns.remove_prefix(std::min(end + 1, columns.size()));
    }
  }
};

/// Of all columns, names and root attributes.
[[nodiscard]] inline std::span<const HeldColumn> held_columns() {
  return Registered<HeldColumn>::rows();
}

/// How a column of a file is held: by what is said of it, or else of several; nullptr: nobody says.
[[nodiscard]] inline const HeldColumn* held_column(std::string_view column) {
  const HeldColumn* best = nullptr;
  for (const HeldColumn& one : held_columns()) {
    if (one.covers(column) && (best == nullptr || one.name.size() > best->name.size())) best = &one;
  }
  return best;
}

}  // namespace somnus
