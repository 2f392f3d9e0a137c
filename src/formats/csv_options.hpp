// The parameters of csv: those of any table, and how the file separates its cells.
#pragma once

#include "base/enum_names.hpp"
#include "formats/table_options.hpp"
#include "text/csv_records.hpp"

namespace somnus {

enum class CsvSeparator { detected, comma, semicolon, tab, bar, caret };
template <>
struct EnumNames<CsvSeparator> {
  static constexpr std::pair<CsvSeparator, const char*> names[] = {
      {CsvSeparator::detected, "auto"}, {CsvSeparator::comma, ","}, {CsvSeparator::semicolon, ";"},
      {CsvSeparator::tab, "tab"},       {CsvSeparator::bar, "|"},   {CsvSeparator::caret, "^"}};
};

struct CsvOptions : TableOptions {
  CsvSeparator delimiter = CsvSeparator::detected;
  bool header = true;

  static constexpr auto fields() {
    using O = CsvOptions;
    return together(
        TableOptions::fields(),
        in_order(field("delimiter", &O::delimiter, "",
                       "between cells; auto: detected from the first line"),
                 field("header", &O::header, "",
                       "true: the first row names the columns; false: they are 1, 2, ...")));
  }
};

/// In a file that begins so.
[[nodiscard]] inline char separator_of(CsvSeparator delimiter, std::string_view beginning) {
  if (delimiter == CsvSeparator::detected) return detected_separator(beginning);
  return delimiter == CsvSeparator::tab ? '\t' : name_of(delimiter)[0];
}

}  // namespace somnus
