#include "text/csv_cell.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace somnus {
namespace {

/// As a reader of RFC 4180 sees it.
std::string without_quotes(const std::string& cell) {
  if (!cell.starts_with('"')) return cell;
  std::string text;
  for (std::size_t at = 1; at + 1 < cell.size(); ++at) {
    text += cell[at];
    if (cell[at] == '"') ++at;
  }
  return text;
}

TEST(TableCell, IsNoFormulaForASpreadsheet) {
  EXPECT_EQ(csv_cell("=1+1"), "'=1+1");
  EXPECT_EQ(csv_cell("+cmd"), "'+cmd");
  EXPECT_EQ(csv_cell("-a"), "'-a");
  EXPECT_EQ(csv_cell("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(csv_cell("\t=1"), "\"'\t=1\"");
  EXPECT_EQ(csv_cell("\r=1"), "\"'\r=1\"");
  EXPECT_EQ(csv_cell("=HYPERLINK(\"x\",1)"), "\"'=HYPERLINK(\"\"x\"\",1)\"");
  EXPECT_EQ(csv_cell("\uff1d1+1"), "'\uff1d1+1") << "a wide equals sign";
  EXPECT_EQ(csv_cell("-inf"), "'-inf");
}

TEST(TableCell, LeavesNumbersAndOtherTextsAsTheyAre) {
  for (const std::string text :
       {"", "job", "a=b", "-", "-5", "+3", "-1.5e-3", "-.5", "'", "''", "'a'"}) {
    EXPECT_EQ(csv_cell(text), text);
  }
}

TEST(TableCell, GivesEveryTextBack) {
  std::vector<std::string> texts = {"\t",      "=",   "'",   "a",  "-5", "-5x",
                                    "\uff0b1", " =1", "=1 ", "\"", "=\""};
  for (const char* const apostrophes : {"", "'", "''", "'''"}) {
    for (const char* const beginning : {"=", "+", "-", "@", "\t", "\r", "\n", "5", "x"}) {
      for (const char* const end : {"", "5", "x", "'", ",;|", "=1"}) {
        texts.push_back(std::string(apostrophes) + beginning + end);
      }
    }
  }
  for (const std::string& text : texts) {
    EXPECT_EQ(csv_text(without_quotes(csv_cell(text))), text) << csv_cell(text);
  }
}

}  // namespace
}  // namespace somnus
