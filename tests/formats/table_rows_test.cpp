// Which rows are jobs, which are tasks, and of how many tasks: where a table means something else
// than it seems to.
#include <gtest/gtest.h>

#include "formats/guessed.hpp"

namespace somnus::test {
namespace {

TEST(TableRows, NamesThatComeAgainAreNotAlwaysJobs) {
  const auto row = [](const std::string& name, int in, int from, int to) {
    return fmt::format("{},{},{},{},2", name, in, from, to);
  };
  const auto again =
      table("job_id,submit,start,end,cores", 300, [&](int job, int in, int from, int to) {
        return row(std::to_string(job == 50 ? 7 : job), in, from, to);
      });
  EXPECT_EQ(asked(guess_in(again)), "rows: task\n");
  EXPECT_TRUE(why(guess_in(again)).find("1 of 299 names in job_id come again, such as '7'") !=
              std::string::npos)
      << why(guess_in(again));
  EXPECT_EQ(asked(guess_in(again, {{"rows", "task"}})), "");
  const auto programs =
      table("job,submit,start,end,cores", 300, [&](int job, int in, int from, int to) {
        return row(job % 2 == 0 ? "lammps" : "gromacs", in, from, to);
      });
  EXPECT_EQ(asked(guess_in(programs)), "rows: task\n");
  const auto numbers =
      table("job_id,submit,start,end,cores,app_id", 300, [&](int job, int in, int from, int to) {
        return fmt::format("{},app_{}", row(std::to_string(job % 4), in, from, to), job / 10);
      });
  EXPECT_EQ(asked(guess_in(numbers)), "job: app_id or job_id\n");
  const auto tasks = table("job,submit,start,end,cores", 300, [&](int job, int, int from, int to) {
    return row(fmt::format("j{}", job / 3), 1'714'032'000, from, to);
  });
  EXPECT_EQ(asked(guess_in(tasks)), "") << "rows of a job that came together";
  EXPECT_EQ(text_of(guess_in(tasks), "rows"), "task");
}

TEST(TableRows, PartsOfJobsAreNoJobs) {
  for (const char* rows : {"7,0,5\n7.batch,0,5\n7.0,0,5\n", "7,0,5\n7:0,0,5\n7:1,0,5\n"}) {
    const TableGuess found = guess_in(std::string("JobID,submit,duration_s\n") + rows);
    EXPECT_TRUE(why(found).find("2 parts of jobs") != std::string::npos) << why(found);
  }
  EXPECT_TRUE(
      says(guess_in("id,submit,duration_s\n1.0,0,5\n2.0,0,5\n").assumed, "names in id end in .0"));
}

TEST(TableRows, FramesAndMapsMayBeTasks) {
  for (const char* name : {"Frame Count", "maps", "reduces", "shards"}) {
    const TableGuess found =
        guess_in(fmt::format("submit,duration_s,{}\n0,5,240\n1,6,48\n2,6,48\n", name));
    EXPECT_EQ(asked(found), fmt::format("tasks: {} or =1\n", name));
  }
  EXPECT_TRUE(says(guess_in("submit,duration_s,tasks\n0,5,2\n1,6,4\n").assumed,
                   "as many tasks, each as long as the row"));
}

TEST(TableRows, TasksThatFollowOneAnotherAreAskedFor) {
  const std::string names = "workflow,created,started,finished\n";
  const TableGuess whole_beside_parts = guess_in(names + "w,0,0,600\nw,0,0,240\nw,0,240,600\n");
  EXPECT_EQ(asked(whole_beside_parts), "rows: task\n");
  EXPECT_TRUE(why(whole_beside_parts).find("in 1 of 1 jobs, such as 'w'") != std::string::npos)
      << why(whole_beside_parts);
  EXPECT_EQ(asked(guess_in(names + "w,0,0,240\nw,0,240,600\n")), "rows: task\n") << "slices";
  EXPECT_EQ(asked(guess_in(names + "w,0,0,240\nw,0,10,600\n")), "") << "they overlap";
  EXPECT_EQ(asked(guess_in(names + "w,0,0,240\nw,0,240,600\n", {{"rows", "task"}})), "");
  EXPECT_EQ(asked(guess_in("workflow,created,started,finished,stage,parents\n"
                           "w,0,0,240,1,\nw,0,240,600,2,1\n")),
            "");
}

TEST(TableRows, UsersOfTheirOwnForEachRowAreNone) {
  const auto rows = [](int users) {
    return table("submit,duration_s,uid", 40, [=](int job, int in, int, int) {
      return fmt::format("{},50,u{}", in, job % users);
    });
  };
  EXPECT_EQ(text_of(guess_in(rows(40)), "user"), "");
  EXPECT_EQ(text_of(guess_in(rows(39)), "user"), "uid");
}

TEST(TableRows, UsersQueuesAndJobsHaveManyNames) {
  for (const char* name : {"user.username", "creator_user_name", "job_owner", "run_as", "startedBy",
                           "actor", "Utilisateur", "unixname"}) {
    EXPECT_EQ(text_of(guess_in(fmt::format("submit,duration_s,{}\n0,5,a\n", name)), "user"), name);
  }
  for (const char* name : {"qname", "jobQueue", "Warteschlange"}) {
    EXPECT_EQ(text_of(guess_in(fmt::format("submit,duration_s,{}\n0,5,a\n", name)), "queue"), name);
  }
  for (const char* name : {"jobnumber", "ClusterId"}) {
    EXPECT_EQ(text_of(guess_in(fmt::format("submit,duration_s,{}\n0,5,7\n", name)), "job"), name);
  }
}

TEST(TableRows, CountsOfTasksHaveManyNames) {
  for (const char* name : {"task_count", "taskCount", "Nb cœurs", "Anzahl Kerne"}) {
    EXPECT_EQ(text_of(guess_in(fmt::format("submit,duration_s,{}\n0,5,7\n", name)), "tasks"), name);
  }
  for (const char* name : {"array_size", "nb_resources", "completions"}) {
    EXPECT_EQ(asked(guess_in(fmt::format("submit,duration_s,{}\n0,5,7\n1,5,7\n", name))),
              fmt::format("tasks: {} or =1\n", name));
  }
  const TableGuess found =
      guess_in("submit,duration_s,Tasks: Succeeded/Total\n0,5,199/200\n1,5,8/8\n");
  EXPECT_EQ(asked(found), "tasks: =1\n");
  EXPECT_TRUE(why(found).find("found '199/200' in Tasks: Succeeded/Total") != std::string::npos);
}

TEST(TableRows, ATableWithoutRowsIsAskedForNothingOfThem) {
  EXPECT_EQ(asked(guess_in("submit,duration_s,Tasks: Succeeded/Total\n")),
            "submit: \nduration: \n");
}

TEST(TableRows, DurationsThatLackWhereStartsAndEndsDoNotAreAskedFor) {
  const TableGuess holes =
      guess_in("submit,start,end,duration_s\n0,10,60,50\n1,10,90,\n2,10,70,60\n3,10,40,30\n");
  EXPECT_EQ(asked(holes), "duration: end - start or duration_s\n");
  EXPECT_TRUE(why(holes).find("duration_s is empty in 1 of 4 rows, which have start and end") !=
              std::string::npos)
      << why(holes);
  EXPECT_EQ(asked(guess_in("submit,start,end,duration_s\n0,10,60,50\n1,,,\n2,10,,\n")), "");
}

TEST(TableRows, SubmitsAreOfferedInTheirUnit) {
  EXPECT_EQ(asked(guess_in("build,timestamp,duration_s\n1,1714338565000,5\n2,1714338600000,6\n")),
            "submit: timestamp/1000\n");
}

TEST(TableRows, ZeroSecondsOfWhatNeverBeganAreAskedFor) {
  const std::string rows = "submit,start,duration_s\n0,10,50\n1,-,0\n2,10,60\n3,12,0\n";
  const TableGuess found = guess_in(rows);
  EXPECT_EQ(asked(found), "duration: duration_s\n");
  EXPECT_TRUE(why(found).find("found 1 of 4 with a duration_s of 0 and no start") !=
              std::string::npos)
      << why(found);
  EXPECT_EQ(asked(guess_in(rows, {{"duration", "duration_s"}})), "");
  // One was removed while it ran: how long, only this column says.
  const auto removed = table("submit,start,end,took", 90, [](int job, int in, int from, int to) {
    return job == 3   ? fmt::format("{},undefined,undefined,0.0", in)
           : job == 8 ? fmt::format("{},{},undefined,70", in, from)
                      : fmt::format("{},{},{},{}", in, from, to, to - from);
  });
  EXPECT_EQ(asked(guess_in(removed)), "duration: end - start or took\n");
}

}  // namespace
}  // namespace somnus::test
