#include <algorithm>

#include "support.hpp"
#include "workload/formats.hpp"

namespace somnus::test {
namespace {

constexpr std::string_view native =
    "{\"somnus_workload\": 1}\n{\"job\": \"a\", \"submit\": 0, \"durations\": [1]}\n";
constexpr std::string_view google =
    "workflow_id,ts_submit,runtime,resource_amount_requested,user_id\n6,0,1000,1,u\n";

TEST(Formats, AreToldFromTheName) {
  const Folder folder;
  EXPECT_EQ(mistakes_in(read_workload(folder.file("w.jsonl", native))), "none");
  EXPECT_EQ(mistakes_in(read_workload(folder.file("w.tr", "0 1 1 1"))), "none");
  const auto path = folder.file("broken.tr", native);
  EXPECT_TRUE(mistakes_in(read_workload(path)).starts_with(path.string() + ":1:1: submit: "));
}

TEST(Formats, AreToldFromTheContentWhereTheNameSaysNothing) {
  const Folder folder;
  EXPECT_EQ(value_or_throw(read_workload(folder.file("native", native))).jobs[0].job, "a");
  EXPECT_EQ(value_or_throw(read_workload(folder.file("tr.txt", "\n0 1 1 1"))).jobs[0].job, "0");
  EXPECT_EQ(value_or_throw(read_workload(folder.file("g.csv", google))).jobs[0].job, "6");
}

TEST(Formats, CanBeNamed) {
  const Folder folder;
  for (const Format& format : formats()) {
    const auto text = format.name == "native" ? native : format.name == "tr" ? "0 1 1 1" : google;
    const auto path = folder.file("odd.name", text);
    EXPECT_EQ(mistakes_in(read_workload(path, std::string(format.name))), "none");
  }
}

TEST(Formats, SuggestTheNameThatWasMeant) {
  EXPECT_EQ(mistakes_in(read_workload("w", "natve")),
            "w: format: expected a workload format, found 'natve'; did you mean 'native'?");
  EXPECT_EQ(mistakes_in(read_workload("w", "swf")),
            "w: format: expected a workload format, found 'swf'; known are native, tr, "
            "google-uwfq");
}

TEST(Formats, SayThatAFileIsOfNone) {
  const Folder folder;
  const auto path = folder.file("w.txt", "hello\n");
  EXPECT_EQ(mistakes_in(read_workload(path)),
            path.string() +
                ": format: expected a workload, found neither a known name nor known "
                "content; known are native, tr, google-uwfq");
}

}  // namespace
}  // namespace somnus::test
