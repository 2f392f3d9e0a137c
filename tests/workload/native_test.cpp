#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>

#include "workload/native.hpp"
#include "workload/support.hpp"

namespace somnus::test {
namespace {

WorkloadSpec parsed(std::string text) {
  return value_or_throw(parse_native(text_file("w.jsonl", std::move(text))));
}

constexpr std::string_view full =
    R"({"somnus_workload": 1, "name": "tpch", "resources": ["cpu", "mem_gb"], "users": {"ann": 2.5, "\u0000.[\"\n": 0.5}}
{"job": "q16", "user": "\u0000.[\"\n", "submit": 0, "durations": [1]}
{"job": "q17", "user": "ann", "submit": 12.5, "after": "q16", "think": 0.25, "estimate": 880.5, "weight": 2, "queue": "A", "app": "tpch-q17", "warmup": 2.3, "curve": [0.5, 0, 1, 0.25], "stages": [{"stage": 0, "durations": [3.1, 2.9], "fresh": [6, 5.5], "first": [4, 3], "demand": {"cpu": 1, "mem_gb": 2}}, {"stage": 1, "parents": [0], "tasks": 200, "duration": 4, "affinity": [7, 0]}, {"stage": 2, "parents": [0, 1], "work": 72, "skew": [1, 1, 5], "demand": {"mem_gb": 0.5}}]}
)";

TEST(Native, ReadsEveryKeyOfTheFormat) {
  const auto workload = parsed(std::string(full));
  EXPECT_EQ(workload.name, "tpch");
  EXPECT_EQ(workload.resources, (std::vector<std::string>{"cpu", "mem_gb"}));
  ASSERT_EQ(workload.users.size(), 2U);
  EXPECT_EQ(workload.users[0].user, "ann");
  EXPECT_EQ(workload.users[0].weight, 2.5);
  EXPECT_EQ(workload.users[1].user, std::string("\0.[\"\n", 5));
  EXPECT_EQ(workload.users[1].weight, 0.5);
  ASSERT_EQ(workload.jobs.size(), 2U);
  EXPECT_EQ(workload.jobs[0].user, workload.users[1].user);
  const JobSpec& job = workload.jobs[1];
  EXPECT_EQ(job.job, "q17");
  EXPECT_EQ(job.after, "q16");
  EXPECT_EQ(job.think, 0.25);
  EXPECT_EQ(job.estimate, 880.5);
  EXPECT_EQ(job.user, "ann");
  EXPECT_EQ(job.queue, "A");
  EXPECT_EQ(job.app, "tpch-q17");
  EXPECT_EQ(job.submit, 12.5);
  EXPECT_EQ(job.weight, 2);
  EXPECT_EQ(job.warmup, 2.3);
  EXPECT_EQ(job.curve, (std::vector{0.5, 0.0, 1.0, 0.25}));
  ASSERT_EQ(job.stages.size(), 3U);
  EXPECT_EQ(job.stages[0].durations, (std::vector{3.1, 2.9}));
  EXPECT_EQ(job.stages[0].fresh, (std::vector{6.0, 5.5}));
  EXPECT_EQ(job.stages[0].first, (std::vector{4.0, 3.0}));
  EXPECT_TRUE(job.stages[1].fresh.empty());
  EXPECT_EQ(job.stages[0].demand, (std::vector{1.0, 2.0}));
  EXPECT_EQ(job.stages[1].durations, std::vector<double>(200, 4.0));
  EXPECT_TRUE(job.stages[1].demand.empty());
  EXPECT_TRUE(job.stages[0].affinity.empty());
  EXPECT_EQ(job.stages[1].affinity, (std::vector<std::uint32_t>{7, 0}));
  EXPECT_EQ(job.stages[2].parents, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(job.stages[2].work, 72);
  EXPECT_EQ(job.stages[2].skew, (std::vector{1.0, 1.0, 5.0}));
  EXPECT_EQ(job.stages[2].demand, (std::vector{0.0, 0.5}));
}

TEST(Native, WritesWhatItReadByteForByte) {
  EXPECT_EQ(native_text(parsed(std::string(full))), full);
}

TEST(Native, ReadsTheAffinityOfAJobOfOneStageFromTheJob) {
  const auto workload = parsed(
      "{\"somnus_workload\": 1}\n"
      "{\"job\": \"a\", \"submit\": 0, \"durations\": [1], \"affinity\": [4294967294, 2]}\n");
  EXPECT_EQ(workload.jobs[0].stages[0].affinity, (std::vector<std::uint32_t>{4294967294, 2}));
}

TEST(Native, FillsInWhatAShortJobLeavesOut) {
  const auto workload = parsed(
      "{\"somnus_workload\": 1}\n"
      "{\"job\": \"a\", \"submit\": 0, \"durations\": [0, 1.5]}\n"
      "{\"job\": \"b\", \"submit\": 0, \"tasks\": 3, \"duration\": 0.25}");
  ASSERT_EQ(workload.jobs.size(), 2U);
  const JobSpec& job = workload.jobs[0];
  EXPECT_EQ(job.user, "default");
  EXPECT_EQ(job.queue, "default");
  EXPECT_EQ(job.app, "");
  EXPECT_EQ(job.weight, 1);
  EXPECT_EQ(job.after, "");
  EXPECT_EQ(job.think, 0);
  EXPECT_EQ(job.estimate, 0);
  EXPECT_EQ(job.warmup, 0);
  EXPECT_TRUE(job.curve.empty());
  ASSERT_EQ(job.stages.size(), 1U);
  EXPECT_EQ(job.stages[0].stage, 0U);
  EXPECT_EQ(job.stages[0].durations, (std::vector{0.0, 1.5}));
  EXPECT_EQ(workload.jobs[1].stages[0].durations, (std::vector{0.25, 0.25, 0.25}));
}

TEST(Native, NumbersStagesByPlaceWhereTheyHaveNoNumber) {
  const auto workload = parsed(
      "{\"somnus_workload\": 1}\n"
      "{\"job\": \"a\", \"submit\": 0, \"stages\": [{\"durations\": [1]},"
      " {\"durations\": [1], \"parents\": [0]}]}");
  EXPECT_EQ(workload.jobs[0].stages[1].stage, 1U);
}

TEST(Native, ReadsWindowsLineEndsAMarkAndBlankLines) {
  std::string windows = "\xef\xbb\xbf";
  for (const char c : full) windows += c == '\n' ? "\r\n\r\n" : std::string(1, c);
  EXPECT_EQ(native_text(parsed(windows)), full);
}

TEST(Native, WritesTheSameBytesPlainAndCompressed) {
  const Folder folder;
  const auto workload = parsed(std::string(full));
  write_native(workload, folder / "a.jsonl");
  write_native(workload, folder / "a.jsonl.gz");
  write_native(workload, folder / "b.jsonl.gz");
  EXPECT_EQ(bytes_of(folder / "a.jsonl"), full);
  EXPECT_EQ(bytes_of(folder / "a.jsonl.gz"), bytes_of(folder / "b.jsonl.gz"));
  EXPECT_EQ(native_text(value_or_throw(read_native(folder / "a.jsonl.gz"))), full);
}

TEST(Native, ReplacesAFileIfItMay) {
  const Folder folder;
  const auto path = folder.file("w.jsonl", "old");
  EXPECT_THROW(write_native(parsed(std::string(full)), path), UserError);
  EXPECT_EQ(bytes_of(path), "old");
  write_native(parsed(std::string(full)), path, {.replace = true});
  EXPECT_EQ(bytes_of(path), full);
}

TEST(Native, SaysWhyAFileCannotBeWritten) {
  const Folder folder;
  const auto path = folder / "absent/w.jsonl";
  try {
    write_native(parsed(std::string(full)), path);
    FAIL() << "it was written";
  } catch (const WorldError& error) {
    EXPECT_EQ(std::string(error.what()),
              fmt::format("{}: cannot be written: No such file or directory; make the folder {} "
                          "first",
                          path.string(), path.parent_path().string()));
  }
}

TEST(Native, SaysThatTheDiskIsFull) {
  const Folder folder;
  const auto device = folder / "full";  // as /dev/full
  if (::mknod(device.c_str(), S_IFCHR | 0600, makedev(1, 7)) != 0) {
    GTEST_SKIP() << "nobody may make devices here";
  }
  EXPECT_THROW(write_native(parsed(std::string(full)), device), WorldError);
  EXPECT_TRUE(std::filesystem::is_character_file(device));
}

TEST(Native, KeepsThatJobsWereRigid) {
  const std::string text =
      "{\"somnus_workload\": 1, \"name\": \"w\", \"rigid\": true}\n"
      "{\"job\": \"a\", \"submit\": 0, \"tasks\": 2, \"duration\": 1}\n";
  const WorkloadSpec rigid = parsed(text);
  EXPECT_TRUE(rigid.rigid);
  EXPECT_EQ(native_text(rigid), text);
  WorkloadSpec other = rigid;
  other.rigid = false;
  EXPECT_FALSE(parsed(native_text(other)).rigid);
  EXPECT_EQ(assemble(rigid, 1).rigid_jobs, 1U);
  EXPECT_EQ(assemble(other, 1).rigid_jobs, 0U);
  EXPECT_EQ(assemble(rigid, 1).digest, assemble(other, 1).digest) << "no decision changes";
}

}  // namespace
}  // namespace somnus::test
