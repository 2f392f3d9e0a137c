// Files beyond what is held at once are read as small ones are.
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <sstream>

#include "formats/formats.hpp"
#include "text/csv_records.hpp"
#include "text/text_window.hpp"
#include "workload/native.hpp"
#include "workload/support.hpp"

namespace somnus::test {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

template <class Packer>
std::string packed(const std::string& text, const Packer& packer) {
  std::ostringstream bytes;
  boost::iostreams::filtering_ostream out;
  out.push(packer);
  out.push(bytes);
  out << text;
  out.reset();
  return bytes.str();
}

std::string gzipped(const std::string& text) {
  return packed(text, boost::iostreams::gzip_compressor(1));
}
std::string zstd(const std::string& text) {
  return packed(text, boost::iostreams::zstd_compressor());
}
std::string xz(const std::string& text) {
  return packed(text, boost::iostreams::lzma_compressor());
}

TextFile loaded(const std::filesystem::path& path) { return value_or_throw(TextFile::load(path)); }

// Of many lengths, one of them longer than a block.
std::string many_lines() {
  std::string text;
  for (int line = 0; text.size() < 3 * mebibyte; ++line) {
    text +=
        fmt::format("{} {}\r\n", line, std::string(static_cast<std::size_t>(line * 7 % 900), 'x'));
    if (line == 1000) text += std::string(mebibyte * 3 / 2, 'y') + "\n\n";
  }
  return text + "the last";
}

TEST(TextWindow, NamesPackedDataCutAnywhere) {
  std::string text;
  for (int line = 0; line < 2000; ++line) text += fmt::format("{} {}\n", line, line * 7919 % 1000);
  for (const auto& [name, bytes] :
       {std::pair("gzip", gzipped(text)), {"zstd", zstd(text)}, {"xz", xz(text)}}) {
    EXPECT_EQ(text_file("w", bytes).text(), text) << name;
    for (const std::size_t size : {bytes.size() / 4, bytes.size() / 2, bytes.size() - 1}) {
      EXPECT_EQ(mistakes_in(TextFile::decode("w", bytes.substr(0, size))),
                fmt::format("w: the {} data are damaged or cut off; copy the file again", name))
          << size;
    }
  }
}

TEST(TextWindow, GivesTheLinesOfALargeFileAsThoseOfASmallOne) {
  const Folder folder;
  const std::string text = many_lines();
  std::vector<std::string> held;
  for_each_line(std::string_view(text), [&](std::string_view line, int number) {
    held.push_back(fmt::format("{}:{}", number, line));
  });
  for (const std::string& bytes :
       {text, "\xef\xbb\xbf" + text, gzipped(text), zstd(text), xz(text)}) {
    const TextFile file = loaded(folder.file("lines", bytes));
    EXPECT_FALSE(file.is_held());
    std::vector<std::string> read;
    for_each_line(file, [&](std::string_view line, int number) {
      read.push_back(fmt::format("{}:{}", number, line));
    });
    EXPECT_TRUE(read == held);
    EXPECT_FALSE(file.is_held());
    EXPECT_TRUE(file.text() == text);
    EXPECT_TRUE(file.is_held());
  }
}

TEST(TextWindow, HoldsOneBlockAndTheLineThatGoesOn) {
  const Folder folder;
  const TextFile file = loaded(folder.file("lines", std::string(8 * mebibyte, '\n')));
  TextWindow window(file);
  std::size_t most = 0;
  std::size_t all = 0;
  do {
    most = std::max(most, window.text().size());
    all += window.text().size();
    window.drop(window.text().size());
  } while (window.grow());
  EXPECT_EQ(all, 8 * mebibyte);
  EXPECT_EQ(most, mebibyte);
}

TEST(TextWindow, TellsHowFarItIs) {
  const Folder folder;
  const std::string text = many_lines();
  const auto path = folder.file("lines.gz", gzipped(text));
  std::uint64_t last = 0;
  const auto file = value_or_throw(TextFile::load(path, [&](std::uint64_t bytes, std::uint64_t of) {
    EXPECT_LE(last, bytes);
    EXPECT_EQ(of, std::filesystem::file_size(path));
    last = bytes;
  }));
  for_each_line(file, [](std::string_view, int) {});
  EXPECT_EQ(last, std::filesystem::file_size(path));
}

TEST(TextWindow, GivesCsvRecordsThatGoOverItsEnd) {
  const Folder folder;
  std::string text;
  for (int row = 0; text.size() < 2 * mebibyte; ++row) {
    text += fmt::format("{},\"a \"\"{}\"\"\r\n{}\", c\r\n", row,
                        std::string(static_cast<std::size_t>(row * 13 % 700), 'x'), row);
  }
  text += "1,\"" + std::string(mebibyte * 5 / 4, '\n') + "\"x\n";
  const auto all_of = [](TextWindow window) {
    MistakeCollector report("t.csv");
    CsvRecords records(std::move(window), ',', report);
    TableRecord record;
    std::string all;
    while (records.next(record)) {
      all += fmt::format("{}{}", record.line, record.is_whole ? "" : "!");
      for (const TableCell& cell : record.cells) {
        all += fmt::format("|{}:{}:{}", cell.line, cell.column, cell.text);
      }
    }
    return all + std::move(report).take().text();
  };
  const TextFile file = loaded(folder.file("t.csv", text));
  EXPECT_FALSE(file.is_held());
  const std::string held = all_of(TextWindow(std::string_view(text)));
  EXPECT_TRUE(all_of(TextWindow(file)) == held);
  EXPECT_TRUE(held.ends_with("expected the cell's end after its closing quote"));
}

std::string large_workload() {
  std::string text = "{\"somnus_workload\": 1, \"users\": {\"nobody\": 2}}\n";
  for (int job = 0; text.size() < 3 * mebibyte; ++job) {
    text +=
        fmt::format(R"({{"job": "{}", "submit": {}, "durations": [1, 2, 3]}})", job, job) + "\n";
  }
  return text;
}

TEST(TextWindow, NamesMistakesOfALargeFileAtTheirPlaces) {
  const Folder folder;
  std::string text = large_workload();
  EXPECT_EQ(
      mistakes_in(read_workload(folder.file("w.jsonl", text))),
      (folder / "w.jsonl").string() +
          ":1:44: users.nobody: expected a user who submits a job, found one who submits none; "
          "known are default");
  text.replace(text.rfind("[1, 2, 3]"), 9, "[1, 2, 'x");
  const std::string mistakes = mistakes_in(read_workload(folder.file("w.jsonl", text)));
  EXPECT_NE(mistakes.find(fmt::format(":{}:", std::ranges::count(text, '\n'))), std::string::npos)
      << mistakes;
}

TEST(TextWindow, SaysThatGzipDataAreDamagedBeyondTheFirstBlock) {
  const Folder folder;
  const std::string whole = gzipped(large_workload());
  const auto path = folder.file("w.jsonl.gz", whole.substr(0, whole.size() * 3 / 4));
  const std::string damaged =
      path.string() + ": the gzip data are damaged or cut off; copy the file again";
  EXPECT_EQ(mistakes_in(read_workload(path)), damaged);
  EXPECT_EQ(mistakes_in(read_workload(path, "native")), damaged);
  EXPECT_EQ(mistakes_in(read_native(path)), damaged);
}

}  // namespace
}  // namespace somnus::test
