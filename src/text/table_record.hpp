// A row of a table, as texts.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace somnus {

struct TableCell {
  std::string_view text;  // as long as the record is
  int line = 0;           // where it begins, from 1; of a file without lines its row
  int column = 0;         // in bytes, from 1; 0: none
};

struct TableRecord {
  int line = 0;
  std::vector<TableCell> cells;
  bool is_whole = true;              // false: something was reported
  std::deque<std::string> unquoted;  // texts that stand so nowhere in the file
};

}  // namespace somnus
