#include "text/text_window.hpp"
#include "workload/native.hpp"
#include "workload/support.hpp"

namespace somnus::test {
namespace {

std::string compressed(const Folder& folder) {
  WorkloadSpec workload;
  workload.jobs.push_back({.job = "a", .stages = {{.durations = {1, 2, 3}}}});
  write_native(workload, folder / "w.gz");
  return bytes_of(folder / "w.gz");
}

TEST(TextFile, NamesAMissingFile) {
  EXPECT_EQ(mistakes_in(TextFile::load("absent.jsonl")),
            "absent.jsonl: cannot be opened: No such file or directory");
}

TEST(TextFile, NamesADirectory) {
  const Folder folder;
  const auto path = folder / ".";
  EXPECT_EQ(mistakes_in(TextFile::load(path)),
            path.string() + ": is a directory, expected a workload file");
}

TEST(TextFile, NamesADeviceWhichMayHaveNoEnd) {
  EXPECT_EQ(mistakes_in(TextFile::load("/dev/zero")),
            "/dev/zero: is a device, expected a workload file");
}

TEST(TextFile, TellsGzipByItsBytesAndNotByItsName) {
  const Folder folder;
  const auto path = folder.file("w.jsonl", compressed(folder));
  EXPECT_TRUE(value_or_throw(TextFile::load(path)).text().starts_with("{\"somnus_workload\""));
}

TEST(TextFile, ReadsSeveralGzipMembersAsOneText) {
  const Folder folder;
  const std::string member = compressed(folder);
  const auto once = text_file("w.gz", member);
  const auto twice = text_file("w.gz", member + member);
  EXPECT_EQ(twice.text(), std::string(once.text()) + std::string(once.text()));
}

TEST(TextFile, NamesGzipDataCutAnywhereOrDamaged) {
  const Folder folder;
  const std::string whole = compressed(folder);
  for (std::size_t size = 2; size < whole.size(); ++size) {
    EXPECT_EQ(mistakes_in(TextFile::decode("w.gz", whole.substr(0, size))),
              "w.gz: the gzip data are damaged or cut off; copy the file again")
        << "cut after " << size << " bytes";
  }
  std::string damaged = whole;
  damaged[whole.size() / 2] = static_cast<char>(damaged[whole.size() / 2] ^ 0x55);
  EXPECT_EQ(mistakes_in(TextFile::decode("w.gz", damaged)),
            "w.gz: the gzip data are damaged or cut off; copy the file again");
}

TEST(TextFile, GivesLinesWithoutTheirEnds) {
  std::vector<std::string> lines;
  for_each_line(std::string_view("a\r\n\nb"), [&](std::string_view line, int number) {
    lines.push_back(fmt::format("{}{}", number, line));
  });
  EXPECT_EQ(lines, (std::vector<std::string>{"1a", "2", "3b"}));
}

}  // namespace
}  // namespace somnus::test
