// How each column of the log is verified: each is under its row's seal, and a column that follows
// from other rows is also recomputed.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace somnus {

enum class Held : std::uint8_t { recomputed, sealed };

struct ColumnAudit {
  std::string_view column;  // "/jobs.submit", "/nodes.*": any other; "seed": a root attribute
  Held held;
  std::string_view how;  // recomputed: from what, and by which code; sealed: why no more
};

/// Of all columns, names and root attributes.
[[nodiscard]] std::span<const ColumnAudit> column_audits();

/// The entry of a column of a file; null: nobody says how it is held.
[[nodiscard]] const ColumnAudit* audit_of(std::string_view column);

}  // namespace somnus
