// What our writer writes, our reader reads; hyparquet is asked in tests/program/export_test.py.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>

#include "harness/property.hpp"
#include "parquet/file.hpp"
#include "parquet/writer.hpp"

namespace somnus::parquet {
namespace {

template <class Value>
std::vector<Value> some(std::size_t rows) {
  return *rc::gen::container<std::vector<Value>>(rows, rc::gen::arbitrary<Value>());
}

std::vector<std::int64_t> some_up_to(std::size_t rows, std::int64_t most) {
  return *rc::gen::container<std::vector<std::int64_t>>(rows,
                                                        rc::gen::inRange<std::int64_t>(0, most));
}

Values some_values(CellKind kind, std::size_t rows) {
  switch (kind) {
    case CellKind::boolean:
      return some<bool>(rows);
    case CellKind::u8:
      return some_up_to(rows, 1 << 8);
    case CellKind::u16:
      return some_up_to(rows, 1 << 16);
    case CellKind::u32:
      return some_up_to(rows, std::int64_t{1} << 32);
    case CellKind::u64:
      return some_up_to(rows, std::numeric_limits<std::int64_t>::max());
    case CellKind::i64:
      return some<std::int64_t>(rows);
    case CellKind::real:
      return some<double>(rows);
    case CellKind::text:
      return some<std::string>(rows);
  }
  return {};
}

void append(Values& all, const Values& more) {
  std::visit(
      [&](auto& to) {
        const auto& from = std::get<std::remove_cvref_t<decltype(to)>>(more);
        to.insert(to.end(), from.begin(), from.end());
      },
      all);
}

TEST(ParquetRoundTrip, GivesTheSameValuesBack) {
  harness::check_law({.cases = 100, .largest = 100}, [] {
    const std::vector<CellKind> kinds = {CellKind::boolean, CellKind::u8,  CellKind::u16,
                                         CellKind::u32,     CellKind::u64, CellKind::i64,
                                         CellKind::real,    CellKind::text};
    std::vector<ColumnSpec> specs;
    const auto columns = *rc::gen::element<std::size_t>(1, 5, 20);
    for (std::size_t at = 0; at < columns; ++at) {
      specs.push_back({.name = fmt::format("c{}", at),
                       .kind = *rc::gen::elementOf(kinds),
                       .unit = at % 3 == 0 ? "" : "s",
                       .meaning = "what it is"});
    }
    const Codec codec = *rc::gen::element(Codec::uncompressed, Codec::snappy);
    std::string bytes;
    Writer writer(specs, [&](std::string_view piece) { bytes += piece; }, codec);
    std::vector<Values> written(columns);
    const auto groups = *rc::gen::element(0, 1, 2, 3);
    for (int group = 0; group < groups; ++group) {
      const auto rows = *rc::gen::inRange<std::size_t>(1, 50);
      std::vector<Values> values;
      for (std::size_t at = 0; at < columns; ++at) {
        values.push_back(some_values(specs[at].kind, rows));
        if (group == 0) {
          written[at] = values.back();
        } else {
          append(written[at], values.back());
        }
      }
      writer.add_rows(values);
    }
    writer.finish();

    const File file = value_or_throw(File::open("written", bytes));
    RC_ASSERT(file.columns().size() == columns);
    for (std::size_t at = 0; at < columns; ++at) {
      const Column column = value_or_throw(file.read(specs[at].name));
      RC_ASSERT(column.rows() == file.rows());
      RC_ASSERT(count_of(column.values) == file.rows());
      if (groups > 0) RC_ASSERT(column.values == written[at]);
    }
  });
}

TEST(ParquetRoundTrip, KeepsWhatIsNull) {
  std::vector<bool> there(1000, true);
  std::vector<std::int64_t> numbers;
  std::vector<std::string> names;
  for (std::size_t row = 0; row < there.size(); ++row) {
    there[row] = row < 300 || row % 3 == 0;
    if (!there[row]) continue;
    numbers.push_back(static_cast<std::int64_t>(row));
    names.push_back(fmt::format("row {}", row));
  }
  std::string bytes;
  Writer writer({{.name = "row", .kind = CellKind::u32, .optional = true},
                 {.name = "name", .kind = CellKind::text, .optional = true},
                 {.name = "always", .kind = CellKind::i64}},
                [&](std::string_view piece) { bytes += piece; });
  const std::vector<std::int64_t> always(there.size(), 7);
  writer.add_rows(std::vector<Values>{numbers, names, always},
                  std::vector<std::vector<bool>>{there, there, {}});
  writer.add_rows(std::vector<Values>{std::vector<std::int64_t>(5, 1),
                                      std::vector<std::string>(5, "x"),
                                      std::vector<std::int64_t>(5, 7)});
  writer.finish();
  const File file = value_or_throw(File::open("written", bytes));
  const Column row = value_or_throw(file.read("row"));
  ASSERT_EQ(row.rows(), there.size() + 5);
  for (std::size_t at = 0; at < there.size(); ++at) {
    const auto [first, end] = row.range(at);
    ASSERT_EQ(end - first, there[at] ? 1u : 0u) << at;
    if (there[at]) {
      EXPECT_EQ(std::get<std::vector<std::int64_t>>(row.values)[first],
                static_cast<std::int64_t>(at));
    }
  }
  const Column name = value_or_throw(file.read("name"));
  EXPECT_EQ(std::get<std::vector<std::string>>(name.values).size(), names.size() + 5);
}

TEST(ParquetRoundTrip, KeepsUnitsAndMeanings) {
  std::string bytes;
  Writer writer({{.name = "runtime", .kind = CellKind::real, .unit = "s", .meaning = "how long"},
                 {.name = "job", .kind = CellKind::text, .unit = "", .meaning = "its name"}},
                [&](std::string_view piece) { bytes += piece; });
  writer.finish();
  const File file = value_or_throw(File::open("written", bytes));
  EXPECT_EQ(file.key_values(), (std::vector<KeyValue>{{"runtime.unit", "s"},
                                                      {"runtime.meaning", "how long"},
                                                      {"job.meaning", "its name"}}));
}

}  // namespace
}  // namespace somnus::parquet
