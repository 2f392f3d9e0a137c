// The records of a file of separated cells, as RFC 4180 has them: a cell may stand in double
// quotes, and then have the separator, line ends and quotes, doubled, in it. Blanks around a cell
// that has no quotes are not part of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/cells.hpp"
#include "text/mistake_collector.hpp"
#include "text/table_record.hpp"
#include "text/text_window.hpp"

namespace somnus {

class CsvRecords {
 public:
  /// What the window shows, and `report`, must outlive it.
  CsvRecords(TextWindow window, char separator, MistakeCollector& report)
      : window_(std::move(window)), separator_(separator), mistakes_(report) {}

  /// The next one that is no blank line; false at the end. Texts of the one before end.
  bool next(TableRecord& record);

 private:
  enum class Read { whole, beyond_the_window };
  [[nodiscard]] Read read_record(TableRecord& record);
  void read_cell(TableRecord& record);
  void read_quoted(TableRecord& record);
  void skip_blanks();
  bool skip_line_ends();
  void end_line();
  [[nodiscard]] bool at_line_end() const;
  [[nodiscard]] int column_of(std::size_t place) const {
    return static_cast<int>(static_cast<std::ptrdiff_t>(place) - line_start_) + 1;
  }

  struct ValueError {
    TableCell at;
    std::string what;
  };

  TextWindow window_;
  std::string_view text_;  // of the window, as of the last record
  char separator_;
  MistakeCollector& mistakes_;
  std::size_t at_ = 0;
  std::ptrdiff_t line_start_ = 0;  // below 0: before the window
  int line_ = 1;
  std::vector<ValueError> errors_;  // of the record
};

/// Of comma, semicolon, tab, bar and ^ the one that the first line has most of, outside quotes; a
/// comma if it has none.
[[nodiscard]] char detected_separator(std::string_view text);

}  // namespace somnus
