// Tables that are easily taken for something else: what is asked then, and what is said.
#include <gtest/gtest.h>

#include "formats/guessed.hpp"
#include "formats/parsed.hpp"

namespace somnus::test {
namespace {

TEST(TableTraps, WidthsAreTakenByManyNames) {
  for (const char* name : {"RequestCpus", "Resource_List.ncpus", "pods", "CPU Cores", "vCPU",
                           "Kerne", "ncpus", "request_cpus"}) {
    const TableGuess found = guess_in(fmt::format("submit,duration_s,{}\n0,5,4\n1,6,4\n", name));
    EXPECT_EQ(text_of(found, "tasks"), name);
  }
  EXPECT_EQ(
      text_of(guess_in("Abgabezeit;Dauer [hh:mm:ss]\n27.11.2026 06:00;00:22:22\n"), "duration"),
      "Dauer [hh:mm:ss]");
  EXPECT_EQ(text_of(guess_in("submit,duration_s,nodes,ppn\n0,5,4,16\n1,6,4,16\n"), "tasks"),
            "nodes*ppn");
}

TEST(TableTraps, AWidthOfAnotherNameIsAskedFor) {
  EXPECT_EQ(asked(guess_in("submit,duration_s,gpu_alloc\n0,5,4\n1,6,4\n")),
            "tasks: gpu_alloc or =1\n");
  EXPECT_EQ(asked(guess_in("submit,duration_s,nodes,cores\n0,5,2,8\n1,6,2,8\n")),
            "tasks: cores or nodes*cores\n");
  EXPECT_EQ(asked(guess_in("submit,duration_s,nodes,ncpus\n0,5,2,8\n1,6,2,8\n")), "")
      << "ncpus is of all nodes";
  const TableGuess other = guess_in("submit,duration_s,q\n0,5,4\n1,6,4\n");
  EXPECT_TRUE(says(other.assumed, "by its name; whole numbers are in q")) << joined(other.assumed);
}

TEST(TableTraps, SubmitsAreTakenByManyNamesAndNeverFromStartsUnasked) {
  for (const char* name : {"qtime", "ctime", "QDate", "queued_dttm", "Queued at"}) {
    const auto rows =
        table(fmt::format("{},start,end", name), 3,
              [](int, int in, int from, int to) { return fmt::format("{},{},{}", in, from, to); });
    EXPECT_EQ(text_of(guess_in(rows), "submit"), name);
  }
  const auto rows = table("etime,start,end", 3, [](int, int in, int from, int to) {
    return fmt::format("{},{},{}", in, from, to);
  });
  EXPECT_EQ(asked(guess_in(rows)), "submit: etime or start\n");
}

TEST(TableTraps, RequestedWalltimesAreNoDurations) {
  const auto rows =
      table("qtime,start,end,walltime,used_walltime", 30, [](int job, int in, int from, int to) {
        return fmt::format("{},{},{},24:00:00,00:{:02}:{:02}", in, from, to, (100 + job) / 60,
                           (100 + job) % 60);
      });
  const TableGuess found = guess_in(rows);
  EXPECT_EQ(asked(found), "");
  EXPECT_EQ(text_of(found, "duration"), "used_walltime");
  EXPECT_TRUE(says(found.unused, "walltime: may be a limit")) << joined(found.unused);
  const auto without = table("qtime,start,end,walltime", 30, [](int, int in, int from, int to) {
    return fmt::format("{},{},{},24:00:00", in, from, to);
  });
  EXPECT_EQ(text_of(guess_in(without), "duration"), "end - start");
}

TEST(TableTraps, AStartOfAnotherNameIsOfferedBeforeTheWait) {
  const auto rows = table("created,admitted,finished", 3, [](int, int in, int from, int to) {
    return fmt::format("{},{},{}", in, from, to);
  });
  EXPECT_EQ(text_of(guess_in(rows), "duration"), "finished - admitted");
  const auto other = table("created,on_node,finished", 3, [](int, int in, int from, int to) {
    return fmt::format("{},{},{}", in, from, to);
  });
  EXPECT_EQ(asked(guess_in(other)), "duration: finished - on_node or finished - created\n");
}

TEST(TableTraps, OnlyWhatCanBeReadIsOffered) {
  const TableGuess found = guess_in(
      "submit,duration_s,NCPUS,TimelimitRaw,ReqMem,mem,MaxRSS,Timelimit\n"
      "0,500,4,10,62.50G,16384,1234K,UNLIMITED\n1,500,4,10,4000M,16384,12?,01:00:00\n");
  const std::string unused = joined(found.unused);
  EXPECT_TRUE(says(found.unused, "--set \"limit=TimelimitRaw*60\"")) << unused;
  EXPECT_TRUE(says(found.unused, "--set \"limit=Timelimit\"")) << unused;
  EXPECT_TRUE(says(found.unused,
                   "--set \"demand.mem_gb=ReqMem/1000000000\"; if that is of all "
                   "tasks of a row, \"demand.mem_gb=ReqMem/1000000000/NCPUS\""))
      << unused;
  EXPECT_TRUE(says(found.unused,
                   "mem: may be what a task demands of memory, in a unit that its "
                   "name does not say"))
      << unused;
  EXPECT_TRUE(says(found.unused, "but '12?' is no amount of it")) << unused;
}

TEST(TableTraps, DurationsByNameAreHeldAgainstStartsAndEnds) {
  const auto hours = table("queued,start,end,took", 40, [](int, int in, int from, int to) {
    return fmt::format("{},{},{},{:.4f}", in, from, to, (to - from) / 3600.0);
  });
  const TableGuess found = guess_in(hours, {{"duration", "took"}});
  EXPECT_EQ(asked(found), "duration: took*3600 or took*1\n");
  EXPECT_TRUE(why(found).find("took is as long as end - start in hours") != std::string::npos)
      << why(found);
  for (const char* meant : {"took*3600", "took*1", "end - start"}) {
    EXPECT_EQ(asked(guess_in(hours, {{"duration", meant}})), "") << meant;
  }
  const auto seconds = table("queued,start,end,took", 40, [](int, int in, int from, int to) {
    return fmt::format("{},{},{},{}", in, from, to, to - from);
  });
  EXPECT_EQ(asked(guess_in(seconds, {{"duration", "took"}})), "");
}

TEST(TableTraps, FirstAttemptsAreOneWhereMostRowsAre) {
  const auto tries = [](int rows_of_none, int rows_of_two) {
    return table("submit,duration_s,try_number", 40, [=](int job, int in, int, int) {
      const int attempt = job < rows_of_none ? 0 : job < rows_of_none + rows_of_two ? 2 : 1;
      return fmt::format("{},50,{}", in, attempt);
    });
  };
  const std::string some = joined(guess_in(tries(2, 3)).unused);
  EXPECT_TRUE(some.find("rows of further attempts (3 of 40)") != std::string::npos) << some;
  const std::string none = joined(guess_in(tries(2, 0)).unused);
  EXPECT_TRUE(none.find("further attempts") == std::string::npos) << none;
}

TEST(TableTraps, WidthsThatAreNotTakenMayBeDemands) {
  const TableGuess found =
      guess_in("submit,duration_s,slots,vcpus\n0,5,2,8\n1,6,2,4\n", {{"tasks", "slots"}});
  EXPECT_TRUE(says(found.unused, "demand.cpu=vcpus")) << joined(found.unused);
}

TEST(TableTraps, ATotalBesideWidthAndDurationIsAskedFor) {
  const auto rows = [](const char* total) {
    return fmt::format("submit,duration_s,tasks,{}\n0,5,4,9\n1,6,2,8\n", total);
  };
  EXPECT_EQ(asked(guess_in(rows("Total Task Time"))),
            "duration: Total Task Time/tasks or duration_s\n");
  EXPECT_EQ(asked(guess_in(rows("total_run_time_ms"))),
            "duration: total_run_time_ms/1000/tasks or duration_s\n");
  EXPECT_EQ(asked(guess_in(rows("Total Task Time"), {{"duration", "duration_s"}})), "");
  for (const char* const other : {"total", "total_memory", "total_wait_time", "TotalCPU"}) {
    EXPECT_EQ(asked(guess_in(rows(other))), "") << other;
  }
  EXPECT_EQ(mistakes_in(parsed("csv", text_file("w.csv", rows("total_run_time_ms")),
                               {{"submit", "submit"},
                                {"duration", "total_run_time_ms/1000/tasks"},
                                {"tasks", "tasks"}})),
            "none");
}

TEST(TableTraps, NamesOfColumnsAreUtf8) {
  const auto found = sample_of(text_file("w.csv",
                                         "submit,dur\xe9"
                                         "e\n0,5\n"),
                               {});
  EXPECT_EQ(
      mistakes_in(found),
      "w.csv:1:8: expected UTF-8 text, found other bytes; save the file as UTF-8, for example "
      "by iconv -f latin1 -t utf-8, or -f cp932 of a Japanese one");
}

TEST(TableTraps, ATitleAboveAllColumnsIsNoHeader) {
  EXPECT_EQ(
      mistakes_in(sample_of(text_file("w.csv", "Jobs of May,,\nsubmit,took,user\n0,5,a\n"), {})),
      "w.csv:1: expected names of columns, found one cell of 3 that says something, as a "
      "title does; tail -n +2 FILE > TABLE.csv leaves it out");
}

TEST(TableTraps, DatesOfSpreadsheetsMayBeDays) {
  const TableGuess found = guess_in(
      "Submitted,Started,Finished\n45407.333958,45407.347454,45407.362106\n"
      "45407.334167,45407.338646,45407.345023\n");
  EXPECT_EQ(asked(found),
            "duration: (Finished - Started)*86400 or Finished - Started\n"
            "submit: Submitted*86400 or Submitted\n");
  EXPECT_EQ(asked(guess_in("submit,duration_s\n1,5\n2,6\n")), "");
}

TEST(TableTraps, DurationsThatAreImplausibleInSecondsAreAskedFor) {
  const auto ms = table("submitted,elapsed", 9, [](int job, int in, int, int) {
    return fmt::format("{},{}", in, 126'600 + job);
  });
  EXPECT_EQ(asked(guess_in(ms)), "duration: elapsed or elapsed/1000 or elapsed/1000000\n");
  EXPECT_EQ(asked(guess_in("submit,start,end\n1000000,2000000,1302000000\n"
                           "1000000,3000000,1303000000\n")),
            "duration: (end - start)/1000 or (end - start)/1000000\n"
            "submit: submit/1000 or submit/1000000\n");
  const TableGuess deduced = guess_in(
      "submit,start,end\n1000000,2000000,9002000000\n1000000,3000000,9003000000\n"
      "1000000,3000000,36003000000\n");
  EXPECT_EQ(asked(deduced), "") << "milliseconds would be months";
  EXPECT_EQ(text_of(deduced, "duration"), "(end - start)/1000000");
  EXPECT_EQ(text_of(deduced, "submit"), "submit/1000000");
  EXPECT_EQ(asked(guess_in("submit,start,end\n1000,2000,3000\n1000,2500,3000\n",
                           {{"duration", "(end - start)/1000"}})),
            "submit: submit/1000 or submit\n");
}

TEST(TableTraps, RowsThatNeverRanAreCountedAndLeftOut) {
  for (const char* never : {"0,0", "-1,-1", ",", "—,—", "n/a,n/a"}) {
    const auto rows = table("job_id,submit,start,end", 40, [&](int job, int in, int from, int to) {
      return job % 10 == 3 ? fmt::format("{},{},{}", job, in, never)
                           : fmt::format("{},{},{},{}", job, in, from, to);
    });
    const TableGuess found = guess_in(rows);
    EXPECT_EQ(asked(found), "") << never;
    EXPECT_EQ(text_of(found, "duration"), "end - start");
    EXPECT_EQ(found.parameters.at("skip_unfinished").flag(), true);
    EXPECT_TRUE(says(found.assumed, "4 of 40 rows never ran or had not ended and are left out"))
        << joined(found.assumed);
    EXPECT_TRUE(parsed("csv", text_file("w.csv", rows), found.parameters));
  }
  EXPECT_TRUE(says(guess_in("submit,duration_s\n0,5\n1,0\n").assumed, "1 of 2 rows take 0 s"));
  const auto beside = table("submit,start,end,runtime", 40, [](int job, int in, int from, int to) {
    return job == 3 ? fmt::format("{},undefined,undefined,0.0", in)
                    : fmt::format("{},{},{},{}", in, from, to, to - from);
  });
  EXPECT_EQ(text_of(guess_in(beside), "duration"), "end - start") << "which knows who never ran";
  EXPECT_EQ(joined(guess_in(beside).unused), "") << "runtime is no limit";
}

TEST(TableTraps, AColumnThatIsNotReadIsNamed) {
  EXPECT_EQ(
      why(guess_in("SUBMIT_TIME,START_TIME,RUN_TIME\nApr 25 04:00:46,2024-05-01 12:00:00,5\n")),
      "expected a column of when jobs come, found none by its name; SUBMIT_TIME may be it, "
      "but its 'Apr 25 04:00:46' is not read: a date needs its year");
}

TEST(TableTraps, ShortClocksAreAskedForUnlessTheNameSaysWhatTheyAre) {
  const std::string rows = "submit,elapsed\n0,0:21\n1,0:09\n";
  EXPECT_EQ(asked(guess_in(rows)), "clock: hours or minutes\n");
  EXPECT_EQ(asked(guess_in(rows, {{"clock", "hours"}})), "");
  EXPECT_TRUE(parsed("csv", text_file("w.csv", rows),
                     {{"submit", "submit"}, {"duration", "elapsed"}, {"clock", "hours"}}));
  const TableGuess named = guess_in("submit,elapsed (hh:mm)\n0,0:21\n1,0:09\n");
  EXPECT_EQ(asked(named), "");
  EXPECT_EQ(text_of(named, "clock"), "hours");
}

TEST(TableTraps, NothingIsSaidOfColumnsThatAreUsed) {
  const TableGuess found = guess_in("1,5,7\n2,6,7\n", {{"submit", 1}, {"duration", "2*60"}});
  EXPECT_EQ(joined(found.unused), "3");
  EXPECT_EQ(joined(guess_in(",submit,duration_s\na,0,5\nb,1,6\n").unused),
            "column 1, which has no name");
}

TEST(TableCheck, SaysWhichRowsAreLeftOut) {
  const std::string rows = "at,took,limit\n0,500,10\n1,600,10\n2,x,10\n";
  const TableCheck left =
      check_in(rows, {{"submit", "at"}, {"duration", "took"}, {"skip_broken", true}});
  EXPECT_EQ(joined(left.left_out),
            "1: took: duration: expected a number or a length of time, found 'x', line 4");
  EXPECT_TRUE(says(left.warnings, "1 of the first 3 rows are left out for one cause"));
}

TEST(TableCheck, KnowsWhichGivenColumnsAreNotThere) {
  const TableSample sample = sample_in("at,took\n0,5\n");
  EXPECT_FALSE(check_given(sample, "w.csv", {{"submit", "at"}}));
  EXPECT_EQ(
      check_given(sample, "w.csv", {{"submit", "att"}, {"demand", Table{{"cpu", "x"}}}})->text(),
      "w.csv:1: submit: expected a column, found 'att'; did you mean 'at'?\n"
      "w.csv:1: demand.cpu: expected a column, found 'x'; the file has at, took");
}

}  // namespace
}  // namespace somnus::test
