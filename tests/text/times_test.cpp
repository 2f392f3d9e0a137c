// Dates and lengths of time in the forms that tables have.
#include <gtest/gtest.h>

#include "text/cell_number.hpp"
#include "text/date_time.hpp"
#include "text/time_span.hpp"

namespace somnus::test {
namespace {

constexpr double noon = 1'714'564'800;  // 2024-05-01T12:00:00Z

TEST(Dates, AreReadWhereTheirFormSaysWhichNumberIsTheDay) {
  for (const char* text :
       {"2024-05-01T12:00:00", "2024-05-01 12:00", "2024/05/01 12:00:00", "01.05.2024 12:00:00",
        "1.5.2024 12:00", "2024-05-01T12:00:00.000", "2024-05-01 12:00:00,0"}) {
    const auto date = parse_date_time(text);
    ASSERT_TRUE(date) << text;
    EXPECT_EQ(date->seconds, noon) << text;
    EXPECT_FALSE(date->has_zone) << text;
  }
  for (const char* text :
       {"2024-05-01T12:00:00Z", "2024-05-01 14:00:00+02:00", "2024-05-01 14:00:00 +0200",
        "2024-05-01 14:00:00+02", "01.05.2024 12:00:00 UTC", "2024-05-01 12:00:00 +0000 UTC",
        "2024-05-01T08:30:00.000-03:30"}) {
    const auto date = parse_date_time(text);
    ASSERT_TRUE(date) << text;
    EXPECT_EQ(date->seconds, noon) << text;
    EXPECT_TRUE(date->has_zone) << text;
  }
  EXPECT_EQ(parse_date_time("31.12.1969 23:59:59,75")->seconds, -0.25);
}

TEST(Dates, WithTheDayOrTheMonthFirstNeedTheirOrder) {
  EXPECT_FALSE(parse_date_time("01/05/2024 12:00"));
  EXPECT_EQ(parse_date_time("01/05/2024 12:00", DateOrder::day_first)->seconds, noon);
  EXPECT_EQ(parse_date_time("5/1/2024 12:00", DateOrder::month_first)->seconds, noon);
  EXPECT_EQ(parse_date_time("01-05-2024 12:00", DateOrder::day_first)->seconds, noon);
  EXPECT_EQ(parse_date_time("01.05.2024 12:00", DateOrder::month_first)->seconds, noon)
      << "points always have the day first";
  EXPECT_FALSE(parse_date_time("13/05/2024 12:00", DateOrder::month_first));
}

TEST(Dates, MayHaveTheMonthInWordsAndHalvesOfADay) {
  for (const char* text : {"Wed May  1 12:00:00 2024", "1 May 2024 12:00", "01-May-2024 12:00:00",
                           "May 1, 2024 12:00 PM", "2024 May 1 12:00:00"}) {
    const auto date = parse_date_time(text);
    ASSERT_TRUE(date) << text;
    EXPECT_EQ(date->seconds, noon) << text;
    EXPECT_FALSE(date->has_zone) << text;
  }
  EXPECT_EQ(parse_date_time("Wed, 01 May 2024 14:00:00 +0200")->seconds, noon);
  EXPECT_TRUE(parse_date_time("Wed, 01 May 2024 12:00:00 GMT")->has_zone);
  EXPECT_EQ(parse_date_time("5/1/2024 12:00:00 PM", DateOrder::month_first)->seconds, noon);
  EXPECT_EQ(parse_date_time("2024-05-01 12:00:30 AM")->seconds, noon - 43'170);
  for (const char* text : {"May 1 12:00:00", "2024-05-01 13:00 PM", "2024-05-01 00:30 AM",
                           "Foo 1 12:00:00 2024", "May 1 12:00:00 2024 CEST"}) {
    EXPECT_FALSE(parse_date_time(text)) << text;
  }
}

TEST(Dates, InOtherFormsAreNone) {
  for (const char* text :
       {"", "2024-05-01", "12:00:00", "1714564800", "2024-05-01T", "2024-05-01T12",
        "2024-13-01T00:00", "2024-02-30T00:00", "30.02.2024 00:00", "01.05.24 12:00",
        "2024-05-01T12:00:00 CEST", "2024-05-01T12:00:00+", "2024-05-01T12:00:00,",
        "05/01/2024 02:00 PM", "1.5.2024", "2024-05/01 12:00", "2024-05-01T12:00:00Zx",
        "2024-05-01  12:00"}) {
    EXPECT_FALSE(parse_date_time(text)) << text;
  }
}

TEST(Spans, AreReadInTheFormsOfIsoSlurmPythonAndGo) {
  const std::pair<const char*, double> forms[] = {{"PT1H30M", 5400},
                                                  {"P1DT2H3M4.5S", 93'784.5},
                                                  {"PT0,25S", 0.25},
                                                  {"P2W", 1'209'600},
                                                  {"PT36H", 129'600},
                                                  {"PT0S", 0},
                                                  {"P1D", 86'400},
                                                  {"1-02:03:04", 93'784},
                                                  {"02:03:04", 7384},
                                                  {"100:00:00.5", 360'000.5},
                                                  {"1 day, 2:03:04", 93'784},
                                                  {"0 days 00:00:01.5", 1.5},
                                                  {"3 days", 259'200},
                                                  {"1h30m5s", 5405},
                                                  {"250ms", 0.25},
                                                  {"5d3h", 442'800},
                                                  {"1.5s", 1.5},
                                                  {"810 second(s)", 810},
                                                  {"21.10 min", 1266},
                                                  {"1 hour, 2 minutes", 3720},
                                                  {"1 day 2 hours", 93'600}};
  for (const auto& [text, seconds] : forms) EXPECT_EQ(parse_time_span(text), seconds) << text;
}

TEST(Spans, WhoseLengthIsNotKnownAreNone) {
  for (const char* text :
       {"",          "P",        "PT",       "P1Y",  "P1M",   "P1DT",      "PT1S1M",
        "PT1.5H30M", "PT1H1H",   "-PT1H",    "P1H",  "12:30", "12:60:00",  "1:2:3:4",
        "1.5:00:00", "-1:00:00", "00:00:-1", "5",    "1.5",   "5 moments", "1m1h",
        "1x",        "1 day 2",  "1-2",      "1e3s", "nan",   "UNLIMITED", "PT1,H"}) {
    EXPECT_FALSE(parse_time_span(text)) << text;
  }
}

TEST(Spans, AsShortAsAClockNeedToBeKnown) {
  EXPECT_EQ(parse_short_clock("12:30", ShortClock::hours), 45'000);
  EXPECT_EQ(parse_short_clock("12:30", ShortClock::minutes), 750);
  EXPECT_FALSE(parse_short_clock("12:30", ShortClock::unknown));
  for (const char* text : {"12:60", "12:3", "12", "12:30:00", "-1:30", "a:30"}) {
    EXPECT_FALSE(parse_short_clock(text, ShortClock::hours)) << text;
  }
}

TEST(Spans, OfSlurmMayBeMinutesAndSeconds) {
  EXPECT_EQ(parse_slurm_span("12:30"), 750);
  EXPECT_EQ(parse_slurm_span("00:30.250"), 30.25);
  EXPECT_EQ(parse_slurm_span("1-00:10:00"), 87'000);
  for (const char* text : {"12", "", "UNLIMITED", "PT1H", "1-10:00", "a:1", "1:-1"}) {
    EXPECT_FALSE(parse_slurm_span(text)) << text;
  }
}

TEST(Amounts, AreNumbersAndWhatTheyAreCountedIn) {
  const std::pair<const char*, double> forms[] = {
      {"4", 4},       {"62.50G", 62.5e9},    {"2Gi", 2147483648.0}, {"500m", 0.5},
      {"4000M", 4e9}, {"106 Mbytes", 106e6}, {"1234K", 1.234e6},    {"16 GB", 16e9},
      {"512B", 512},  {"1e3", 1000}};
  for (const auto& [text, amount] : forms) EXPECT_EQ(parse_amount(text, {}), amount) << text;
  for (const char* text : {"", "G", "1X", "2GiG", "1 2G", "mB", "4 mB", "nan"}) {
    EXPECT_FALSE(parse_amount(text, {})) << text;
  }
  EXPECT_EQ(parse_amount("1,5G", {.decimal = DecimalMark::comma}), 1.5e9);
}

TEST(Amounts, MayHaveMarksBetweenThousandsBesideAFraction) {
  const CellStyle comma = {.decimal = DecimalMark::comma};
  EXPECT_EQ(parse_cell("1.024,5", comma)->value, 1024.5);
  EXPECT_EQ(parse_cell("-1.234.567,25", comma)->value, -1234567.25);
  EXPECT_EQ(parse_cell("1,024.5", {})->value, 1024.5);
  for (const char* text : {"1.024", "10.24,5", "1024.000,5", ".024,5", "1,5,5", "1.02,5"}) {
    EXPECT_FALSE(parse_cell(text, comma)) << text;
  }
  EXPECT_FALSE(parse_cell("1,024", {}));
}

}  // namespace
}  // namespace somnus::test
