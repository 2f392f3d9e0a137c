// The records of a file of separated cells, as RFC 4180 has them: a cell may stand in double
// quotes, and then have the separator, line ends and quotes, doubled, in it. Blanks around a cell
// that has no quotes are not part of it.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workload/cells.hpp"
#include "workload/report.hpp"

namespace somnus {

struct CsvCell {
  std::string_view text;  // as long as the record is
  int line = 0;           // where it begins, from 1
  int column = 0;         // in bytes, from 1
};

struct CsvRecord {
  int line = 0;
  std::vector<CsvCell> cells;
  bool is_whole = true;              // false: something was reported
  std::deque<std::string> unquoted;  // the texts of cells with doubled quotes
};

class CsvRecords {
 public:
  /// `text` and `report` must outlive it.
  CsvRecords(std::string_view text, char separator, Report& report)
      : text_(text), separator_(separator), report_(report) {}

  /// The next one that is no blank line; false at the end.
  bool next(CsvRecord& record);

 private:
  void read_cell(CsvRecord& record);
  void read_quoted(CsvRecord& record);
  void skip_blanks();
  void end_line();
  [[nodiscard]] bool at_line_end() const;
  [[nodiscard]] int column() const { return static_cast<int>(at_ - line_start_) + 1; }

  std::string_view text_;
  char separator_;
  Report& report_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
};

/// Of comma, semicolon, tab and bar the one that the first line has most of, outside quotes; a
/// comma if it has none.
[[nodiscard]] char told_separator(std::string_view text);

}  // namespace somnus
