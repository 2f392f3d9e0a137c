// A cell of a table of separated cells (RFC 4180).
#pragma once

#include <string>
#include <string_view>

namespace somnus {

/// In double quotes where it has to be: for quotes, line ends and whatever readers may take for the
/// separator, and for blanks at an end, which they may take for none.
[[nodiscard]] inline std::string csv_cell(std::string_view text) {
  const bool blank_at_an_end = text.starts_with(' ') || text.ends_with(' ');
  if (text.find_first_of(",;|\"\r\n\t") == std::string_view::npos && !blank_at_an_end) {
    return std::string(text);
  }
  std::string quoted = "\"";
  for (const char one : text) {
    if (one == '"') quoted += '"';
    quoted += one;
  }
  return quoted + '"';
}

}  // namespace somnus
