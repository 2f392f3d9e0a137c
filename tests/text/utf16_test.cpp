#include "text/utf16.hpp"
#include "text/text_window.hpp"
#include "workload/support.hpp"

namespace somnus::test {
namespace {

/// Each unit as two bytes behind a byte order mark.
std::string utf16(const std::u16string& text, bool is_big_endian) {
  std::string bytes;
  for (const char16_t unit : u'\ufeff' + text) {
    const char low = static_cast<char>(unit & 0xff);
    const char high = static_cast<char>(unit >> 8);
    bytes += is_big_endian ? std::string{high, low} : std::string{low, high};
  }
  return bytes;
}

TEST(Utf16, BecomesUtf8InWhateverPieces) {
  for (const bool is_big_endian : {false, true}) {
    const std::string bytes = utf16(u"aäλ€\U0001f600\n", is_big_endian);
    for (std::size_t piece = 1; piece < bytes.size(); ++piece) {
      auto decoder = Utf16Decoder::of_mark(bytes);
      ASSERT_TRUE(decoder);
      std::string text;
      for (std::size_t at = Utf16Decoder::mark_bytes; at < bytes.size(); at += piece) {
        EXPECT_TRUE(decoder->decode(bytes.substr(at, piece), text));
      }
      EXPECT_TRUE(decoder->may_end());
      EXPECT_EQ(text, "aäλ€\U0001f600\n");
    }
  }
}

TEST(Utf16, IsToldByItsMark) {
  EXPECT_FALSE(Utf16Decoder::of_mark(""));
  EXPECT_FALSE(Utf16Decoder::of_mark("\xff"));
  EXPECT_FALSE(Utf16Decoder::of_mark("a\0b\0"));
}

TEST(Utf16, FilesAreReadAsTheirText) {
  const Folder folder;
  for (const bool is_big_endian : {false, true}) {
    EXPECT_EQ(text_file("w.csv", utf16(u"zeit;größe\n1,5;2\n", is_big_endian)).text(),
              "zeit;größe\n1,5;2\n");
    const std::u16string large(3 << 20, u'ü');
    const TextFile file =
        value_or_throw(TextFile::load(folder.file("large", utf16(large, is_big_endian))));
    EXPECT_FALSE(file.is_held());
    std::size_t bytes = 0;
    for_each_line(file, [&](std::string_view line, int) { bytes += line.size(); });
    EXPECT_EQ(bytes, 2 * large.size());
  }
}

TEST(Utf16, ThatIsDamagedIsRefused) {
  const std::string refused = "w: the UTF-16 text is damaged or cut off; save it as UTF-8";
  const std::string whole = utf16(u"ab\U0001f600", false);
  EXPECT_EQ(mistakes_in(TextFile::decode("w", whole.substr(0, 5))), refused) << "half a unit";
  EXPECT_EQ(mistakes_in(TextFile::decode("w", whole.substr(0, 8))), refused) << "half a pair";
  EXPECT_EQ(mistakes_in(TextFile::decode("w", utf16({u'a', char16_t{0xdc00}}, false))), refused);
  EXPECT_EQ(mistakes_in(TextFile::decode("w", utf16({char16_t{0xd800}, u'a'}, true))), refused);
  EXPECT_EQ(text_file("w", whole.substr(0, 2)).text(), "") << "a mark alone";
}

}  // namespace
}  // namespace somnus::test
