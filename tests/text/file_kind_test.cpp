#include <gtest/gtest.h>

#include "text/file_kind.hpp"

namespace somnus::test {
namespace {

using std::string_literals::operator""s;

std::string name_of_kind(const std::string& bytes) {
  const auto kind = kind_of_binary(bytes);
  return kind ? kind->name : "text";
}

TEST(FileKind, NamesWhatIsNoText) {
  EXPECT_EQ(name_of_kind("\x89HDF\r\n\x1a\n\0"s), "an HDF5 file");
  EXPECT_EQ(name_of_kind("SQLite format 3\0\x10"s), "an SQLite database");
  EXPECT_EQ(name_of_kind("PK\x03\x04\x14\0\x06\0xl/workbook.xml"s),
            "an Excel workbook or another Office document");
  EXPECT_EQ(name_of_kind("PK\x03\x04\x14\0\0\0jobs.csv"s), "a zip archive");
  EXPECT_EQ(name_of_kind("\x80\x04\x95\x10\0\0\0"s), "a Python pickle");
  EXPECT_EQ(name_of_kind("\x80\x05K\x01."s), "a Python pickle");
  EXPECT_EQ(name_of_kind("BZh91AY&SY\0"s), "a bzip2 file");
  EXPECT_EQ(name_of_kind(std::string(257, 'a') + "ustar\0"s), "a tar archive");
  EXPECT_EQ(name_of_kind("a,b\n1,\0\n"s), "no text: byte 7 is 0");
  EXPECT_EQ(kind_of_binary("a\0,\0b\0"s)->hint,
            "if it is UTF-16, save it with a byte order mark, or as UTF-8");
}

TEST(FileKind, LeavesTextsAndParquetToTheirReaders) {
  for (const std::string& text : {""s, "a,b\n1,2\n"s, "PAR1\0\0"s, "BZh,ORC\n"s, "ORC,x\n1,2\n"s,
                                  "\x80"s, "größe;zeit\n"s, "PK"s, "ustar"s}) {
    EXPECT_EQ(name_of_kind(text), "text") << text;
  }
}

}  // namespace
}  // namespace somnus::test
