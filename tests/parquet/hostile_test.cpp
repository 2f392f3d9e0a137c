// Files that say what can't be.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "parquet/column_reader.hpp"
#include "parquet/file.hpp"
#include "parquet/runs.hpp"
#include "parquet/thrift_writer.hpp"
#include "parquet/writer.hpp"

namespace somnus::parquet {
namespace {

using Write = std::function<void(ThriftWriter&)>;

std::string file_of(const std::string& pages, const Write& footer) {
  std::string metadata;
  ThriftWriter out(metadata);
  footer(out);
  out.end();
  const auto length = static_cast<std::uint32_t>(metadata.size());
  std::string bytes = "PAR1" + pages + metadata;
  bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
  return bytes + "PAR1";
}

struct Pages {
  std::string bytes;
  std::int64_t values = 1;
  std::int64_t rows = 1;
  std::size_t groups = 1;  // all in the same place
  std::int64_t offset = 4;
  std::int32_t type = 2;  // INT64
  std::int32_t codec = 0;
  std::int32_t repetition = 0;  // 1: optional, 2: repeated
};

/// With one column "x".
std::string one_column(const Pages& pages) {
  return file_of(pages.bytes, [&](ThriftWriter& out) {
    out.each(2, Kind::structure, 2, [&](std::size_t at) {
      out.element([&](ThriftWriter& element) {
        if (at == 1) element.field(1, pages.type);
        if (at == 1) element.field(3, pages.repetition);
        element.field(4, at == 0 ? "schema" : "x");
        if (at == 0) element.field(5, 1);
      });
    });
    out.field(3, pages.rows * static_cast<std::int64_t>(pages.groups));
    out.each(4, Kind::structure, pages.groups, [&](std::size_t) {
      out.element([&](ThriftWriter& group) {
        group.each(1, Kind::structure, 1, [&](std::size_t) {
          group.element([&](ThriftWriter& chunk) {
            chunk.within(3, [&](ThriftWriter& data) {
              data.field(1, pages.type);
              data.field(4, pages.codec);
              data.field(5, pages.values);
              data.field(7, static_cast<std::int64_t>(pages.bytes.size()));
              data.field(9, pages.offset);
            });
          });
        });
        group.field(3, pages.rows);
      });
    });
  });
}

struct Head {
  std::int32_t plain_bytes = 8;
  std::int32_t packed_bytes = 8;
  std::int32_t values = 1;
  std::int32_t encoding = 0;
};

std::string page(const Head& head, const std::string& data) {
  std::string bytes;
  ThriftWriter out(bytes);
  out.field(1, 0);
  out.field(2, head.plain_bytes);
  out.field(3, head.packed_bytes);
  out.within(5, [&](ThriftWriter& one) {
    one.field(1, head.values);
    one.field(2, head.encoding);
    one.field(3, 3);
    one.field(4, 3);
  });
  out.end();
  return bytes + data;
}

const std::string eight(8, '\0');

std::string mistake_in(const std::string& bytes) {
  const auto file = File::open("a.parquet", bytes);
  if (!file) return file.error().text();
  const auto column = file->read("x");
  return column ? "none" : column.error().text();
}

TEST(HostileParquet, IsReadWhereNothingIsWrong) {
  EXPECT_EQ(mistake_in(one_column({.bytes = page({}, eight)})), "none");
}

TEST(HostileParquet, IsNoParquetFile) {
  EXPECT_EQ(mistake_in("PAR"), "a.parquet: expected a Parquet file, which begins with PAR1");
  EXPECT_EQ(
      mistake_in("PAR1"),
      "a.parquet: expected PAR1 at the end of a Parquet file too, found none: the file is cut "
      "off, or its footer is encrypted");
  EXPECT_EQ(mistake_in("PAR1\xff\xff\xff\xffPAR1"),
            "a.parquet: expected a footer within the file's 12 bytes, found one of 4294967295");
  EXPECT_EQ(mistake_in(file_of("", [](ThriftWriter&) {})),
            "a.parquet: expected a schema with all its columns, found one cut off");
}

TEST(HostileParquet, SaysThatAColumnIsNotThere) {
  const std::string bytes = one_column({.bytes = page({}, eight)});
  EXPECT_EQ(value_or_throw(File::open("a.parquet", bytes)).read("y").error().text(),
            "a.parquet: y: there is no such column; did you mean 'x'?");
}

TEST(HostileParquet, HasPagesThatAreElsewhere) {
  EXPECT_EQ(mistake_in(one_column({.bytes = page({}, eight), .offset = 1000})),
            "a.parquet: x: row group 0: expected pages within the file's 82 bytes, found 25 from "
            "1000 on");
  EXPECT_EQ(mistake_in(one_column({.bytes = page({.packed_bytes = 1 << 30}, eight)})),
            "a.parquet: x: row group 0: page 0: expected 1073741824 bytes, found 8");
  EXPECT_EQ(mistake_in(one_column({.bytes = page({.packed_bytes = -1}, eight)})),
            "a.parquet: x: row group 0: page 0: expected lengths and counts of 0 or more, found "
            "negative ones");
}

TEST(HostileParquet, HasFewerValuesThanItSays) {
  EXPECT_EQ(mistake_in(one_column({.bytes = page({.values = 2}, eight), .values = 2, .rows = 2})),
            "a.parquet: x: row group 0: page 0: expected 8 more bytes, found 0");
  EXPECT_EQ(mistake_in(one_column({.bytes = page({}, eight), .values = 7})),
            "a.parquet: x: row group 0: page 1: expected 7 values, found 1");
  EXPECT_EQ(mistake_in(one_column({.bytes = page({}, eight), .rows = 7})),
            "a.parquet: x: row group 0: expected 7 rows, found 1");
}

TEST(HostileParquet, UnpacksToMoreThanItsCodecCan) {
  EXPECT_EQ(mistake_in(one_column({.bytes = page({.plain_bytes = 1 << 30}, eight), .codec = 1})),
            "a.parquet: x: row group 0: page 0: expected a column of at most 536870912 bytes in "
            "memory, found more");
  EXPECT_EQ(mistake_in(one_column({.bytes = page({.plain_bytes = 1 << 20}, eight), .codec = 1})),
            "a.parquet: x: row group 0: page 0: expected at most 176 bytes from 8 of snappy, found "
            "a page that says 1048576");
  EXPECT_EQ(mistake_in(one_column({.bytes = page({}, eight), .codec = 6})),
            "a.parquet: x: row group 0: page 0: expected zstd that unpacks to 8 bytes, found "
            "damaged data");
  EXPECT_EQ(mistake_in(one_column({.bytes = page({}, eight), .codec = 5})),
            "a.parquet: x: row group 0: page 0: expected pages that are not compressed or by "
            "snappy, gzip or zstd, found codec 5");
}

TEST(HostileParquet, ClaimsThousandsOfMillionsOfNulls) {
  const std::string run("\x06\0\0\0\xfe\xff\xff\xff\x0f\0", 10);  // 2^31 - 1 nulls
  const Head head{.plain_bytes = 10, .packed_bytes = 10, .values = 0x7fffffff};
  EXPECT_EQ(
      mistake_in(one_column(
          {.bytes = page(head, run), .values = 0x7fffffff, .rows = 0x7fffffff, .repetition = 1})),
      "a.parquet: x: row group 0: page 0: expected a column of at most 536870912 bytes in "
      "memory, found more");
}

TEST(HostileParquet, ClaimsThousandsOfMillionsOfNullsInAList) {
  const std::string one_row("\x08\0\0\0\x02\0\xfc\xff\xff\xff\x0f\x01", 12);
  const std::string nulls("\x06\0\0\0\xfe\xff\xff\xff\x0f\0", 10);  // 2^31 - 1
  const Head head{.plain_bytes = 22, .packed_bytes = 22, .values = 0x7fffffff};
  const std::string bytes =
      one_column({.bytes = page(head, one_row + nulls), .values = 0x7fffffff, .repetition = 2});
  EXPECT_EQ(value_or_throw(File::open("a.parquet", bytes)).read("x", 1 << 20).error().text(),
            "a.parquet: x: row group 0: page 0: expected a column of at most 1048576 bytes in "
            "memory, found more");
}

TEST(HostileParquet, HasManyRowGroupsInTheSamePlace) {
  std::string pages;
  for (int at = 0; at < 1000; ++at)
    pages += page({.plain_bytes = 0, .packed_bytes = 0, .values = 0}, "");
  const std::string bytes = one_column({.bytes = pages + page({}, eight), .groups = 1000});
  EXPECT_EQ(
      value_or_throw(File::open("a.parquet", bytes)).read("x", 1 << 20).error().text(),
      "a.parquet: x: row group 61: expected a column of at most 1048576 bytes in memory, found "
      "more");
}

TEST(HostileParquet, PointsBehindItsDictionary) {
  const Head head{.plain_bytes = 3, .packed_bytes = 3, .encoding = 8};
  EXPECT_EQ(mistake_in(one_column({.bytes = page(head, std::string("\x01\x02\x01", 3))})),
            "a.parquet: x: row group 0: page 0: expected a place in the dictionary of 0 values, "
            "found 1");
}

TEST(HostileParquet, HasATypeOrAnEncodingThatIsNotRead) {
  EXPECT_EQ(mistake_in(one_column({.bytes = page({}, eight), .type = 7})),
            "a.parquet: x: expected truths, numbers of 32 or 64 bits, instants or texts, found "
            "Parquet's type 7");
  EXPECT_EQ(mistake_in(one_column({.bytes = page({.encoding = 5}, eight)})),
            "a.parquet: x: row group 0: page 0: expected values that are plain or in a dictionary, "
            "found encoding 5");
}

/// Nanoseconds of a day, and the day's Julian number, as INT96 has them.
std::string int96(std::int64_t ns, std::int32_t day) {
  std::string bytes(12, '\0');
  std::memcpy(bytes.data(), &ns, sizeof ns);
  std::memcpy(bytes.data() + sizeof ns, &day, sizeof day);
  return bytes;
}

TEST(HostileParquet, HasInstantsThatNoCalendarHas) {
  const auto one_instant = [](std::int64_t ns, std::int32_t day) {
    return one_column(
        {.bytes = page({.plain_bytes = 12, .packed_bytes = 12}, int96(ns, day)), .type = 3});
  };
  const std::string bytes = one_instant(1'500'000'000, 2'440'589);
  const File file = value_or_throw(File::open("a.parquet", bytes));
  EXPECT_EQ(file.columns()[0].timestamp->per_second, 1'000'000'000);
  EXPECT_FALSE(file.columns()[0].timestamp->has_zone) << "nobody says of where";
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(value_or_throw(file.read("x")).values),
            std::vector<std::int64_t>{86'401'500'000'000});
  EXPECT_EQ(mistake_in(one_instant(-1, 2'440'588)),
            "a.parquet: x: row group 0: page 0: expected an instant of 1696 to 2243, found day 0 "
            "and -1 ns");
  EXPECT_EQ(mistake_in(one_instant(0, 0)),
            "a.parquet: x: row group 0: page 0: expected an instant of 1696 to 2243, found day "
            "-2440588 and 0 ns");
}

TEST(HostileParquet, HoldsItselfWithoutEnd) {
  const std::string within(100, '\x1c');  // a struct in field 1, in a struct in field 1, ...
  const auto length = static_cast<std::uint32_t>(within.size());
  std::string bytes = "PAR1" + within;
  bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
  EXPECT_EQ(mistake_in(bytes + "PAR1"),
            "a.parquet: expected metadata of at most 32 structs within each other, found more");
}

TEST(Runs, AreRepeatedNumbersAndPackedOnes) {
  // The example of the format's documentation, 0 to 7 in three bits, behind four times 5.
  const std::string bytes("\x08\x05\x03\x88\xc6\xfa", 6);
  Runs runs(bytes, 3);
  for (int at = 0; at < 4; ++at) EXPECT_EQ(runs.next(), 5);
  for (std::uint32_t number = 0; number < 8; ++number) EXPECT_EQ(runs.next(), number);
  EXPECT_THROW(runs.next(), FormatError);
}

TEST(Runs, OfNoBitsAreZeros) {
  Runs runs("\x08", 0);
  for (int at = 0; at < 4; ++at) EXPECT_EQ(runs.next(), 0);
  EXPECT_THROW(Runs("", 33), FormatError);
}

}  // namespace
}  // namespace somnus::parquet
