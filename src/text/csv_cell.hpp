// A cell of a table of separated cells (RFC 4180), written so that a spreadsheet does not execute
// it.
#pragma once

#include <string>
#include <string_view>

namespace somnus {

/// A text as a cell. One that a spreadsheet would take for a formula gets an apostrophe in front,
/// by which spreadsheets know a text; csv_text() takes it away. Numbers stay as they are. In double
/// quotes where it has to be: for quotes, line ends and whatever readers may take for the
/// separator, and for blanks at an end, which they may take for none.
[[nodiscard]] std::string csv_cell(std::string_view text);

/// What csv_cell() was given, of a cell without its quotes.
[[nodiscard]] std::string_view csv_text(std::string_view cell);

}  // namespace somnus
