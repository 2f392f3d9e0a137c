// Files that hyparquet-writer has written (tests/data/parquet/README.md).
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "parquet/file.hpp"

namespace somnus::parquet {
namespace {

constexpr std::size_t fixture_rows = 200;

std::string fixture(const std::string& codec) {
  std::ifstream input(SOMNUS_FIXTURES "/" + codec + ".parquet", std::ios::binary);
  return {std::istreambuf_iterator<char>(input), {}};
}

class Fixtures : public testing::TestWithParam<const char*> {
 protected:
  template <class Value>
  std::vector<std::vector<Value>> rows_of(const char* name) const {
    const Column column = value_or_throw(file_.read(name));
    const auto& values = std::get<std::vector<Value>>(column.values);
    std::vector<std::vector<Value>> rows;
    for (std::size_t row = 0; row < column.rows(); ++row) {
      const auto [begin, end] = column.range(row);
      rows.emplace_back(values.begin() + static_cast<std::ptrdiff_t>(begin),
                        values.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return rows;
  }

  template <class Value, class Expected>
  void expect(const char* name, Expected&& expected) const {
    const auto found = rows_of<Value>(name);
    ASSERT_EQ(found.size(), fixture_rows) << name;
    for (std::size_t row = 0; row < fixture_rows; ++row) {
      EXPECT_EQ(found[row], std::vector<Value>(expected(static_cast<std::int64_t>(row))))
          << name << " row " << row;
    }
  }

  const std::string bytes_ = fixture(GetParam());
  const File file_ = value_or_throw(File::open("fixture", bytes_));
};

TEST_P(Fixtures, SaysWhatItHolds) {
  EXPECT_EQ(file_.rows(), fixture_rows);
  EXPECT_EQ(file_.columns().size(), 10);
  EXPECT_EQ(file_.key_values().front(), (KeyValue{"small.unit", "s"}));
}

TEST_P(Fixtures, HasTruths) {
  using Row = std::vector<bool>;
  expect<bool>("truth", [](std::int64_t i) { return Row{i % 3 == 0}; });
  expect<bool>("truth_or_null",
               [](std::int64_t i) { return i % 5 == 0 ? Row{} : Row{i % 2 == 0}; });
}

TEST_P(Fixtures, HasWholeNumbers) {
  using Row = std::vector<std::int64_t>;
  expect<std::int64_t>("small", [](std::int64_t i) { return Row{i * 1000 - 7}; });
  expect<std::int64_t>("large", [](std::int64_t i) { return Row{i * 10'000'000'000 - 3}; });
  expect<std::int64_t>("large_or_null",
                       [](std::int64_t i) { return i % 7 == 3 ? Row{} : Row{i % 10}; });
}

TEST_P(Fixtures, HasFractions) {
  using Row = std::vector<double>;
  expect<double>("single", [](std::int64_t i) { return Row{static_cast<double>(i) / 4}; });
  expect<double>("double", [](std::int64_t i) { return Row{static_cast<double>(i) / 3}; });
}

TEST_P(Fixtures, HasTexts) {
  using Row = std::vector<std::string>;
  expect<std::string>("word", [](std::int64_t i) { return Row{fmt::format("wort {} ä", i % 4)}; });
  expect<std::string>("text_or_null", [](std::int64_t i) {
    return i % 11 == 0 ? Row{} : Row{std::string(static_cast<std::size_t>(i % 17), 'x')};
  });
}

TEST_P(Fixtures, HasListsUnderTheirOwnName) {
  expect<std::int64_t>("parents", [](std::int64_t i) {
    std::vector<std::int64_t> row;
    for (std::int64_t k = 0; i % 6 != 5 && k < i % 6; ++k) row.push_back(i - k);
    return row;
  });
}

TEST_P(Fixtures, WithAnyByteChangedGivesAValueOrASentence) {
  std::string damaged = bytes_;
  for (std::size_t at = 0; at < damaged.size(); at += 20 + at % 7) {
    const char before = damaged[at];
    damaged[at] = static_cast<char>(before ^ static_cast<char>(1 + at % 255));
    if (const auto file = File::open("damaged", damaged)) {
      for (const Leaf& leaf : file->columns()) {
        const auto column = file->read(leaf.name, 1 << 20);
        EXPECT_TRUE(column || column.error().any());
      }
    }
    damaged[at] = before;
  }
}

INSTANTIATE_TEST_SUITE_P(Codecs, Fixtures,
                         testing::Values("uncompressed", "snappy", "gzip", "zstd"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace somnus::parquet
