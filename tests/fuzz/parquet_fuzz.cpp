// Any bytes as a Parquet file: all its columns are read.
#include <fstream>
#include <iterator>

#include "fuzz/target.hpp"
#include "parquet/file.hpp"
#include "parquet/writer.hpp"

namespace somnus::fuzz {
namespace {

constexpr std::uint64_t most_bytes = 8 << 20;
constexpr std::size_t most_columns = 50;  // which may all lie in the same place

std::string written_here() {
  using parquet::CellKind;
  std::string bytes;
  parquet::Writer writer({{.name = "truth", .kind = CellKind::boolean, .unit = "", .meaning = ""},
                          {.name = "whole", .kind = CellKind::u32, .unit = "1", .meaning = "what"},
                          {.name = "real", .kind = CellKind::real, .unit = "s", .meaning = ""},
                          {.name = "text", .kind = CellKind::text, .unit = "", .meaning = ""}},
                         [&](std::string_view piece) { bytes += piece; });
  for (int group = 0; group < 2; ++group) {
    writer.add_rows({{std::vector<bool>{true, false, true}, std::vector<std::int64_t>{1, 2, 3},
                      std::vector<double>{0.5, 1, -2}, std::vector<std::string>{"a", "", "bcd"}}});
  }
  writer.finish();
  return bytes;
}

}  // namespace

void read(std::string_view bytes) {
  const parquet::File file = value_or_throw(parquet::File::open("fuzz", bytes));
  std::size_t columns = 0;
  for (const parquet::Leaf& leaf : file.columns()) {
    if (++columns > most_columns) break;
    const auto column = file.read(leaf.name, most_bytes);
    if (!column) continue;
    SOMNUS_CHECK(column->rows() == file.rows(), "{} rows of {}", column->rows(), file.rows());
    std::size_t end = 0;
    for (std::size_t row = 0; row < column->rows(); ++row) {
      SOMNUS_CHECK(column->ends[row] >= end, "row {} ends at {}", row, column->ends[row]);
      end = column->ends[row];
      SOMNUS_CHECK(column->is_list || end <= row + 1, "row {} has two values", row);
    }
    const std::size_t values = parquet::count_of(column->values);
    SOMNUS_CHECK(end == values, "{} values of {}", values, end);
  }
}

std::vector<Seed> seeds() {
  std::vector<Seed> all = {{"written_here.parquet", written_here()}};
  for (const char* codec : {"uncompressed", "snappy", "gzip", "zstd"}) {
    std::ifstream input(fmt::format("{}/{}.parquet", SOMNUS_FIXTURES, codec), std::ios::binary);
    all.push_back({fmt::format("{}.parquet", codec), {std::istreambuf_iterator<char>(input), {}}});
  }
  return all;
}

}  // namespace somnus::fuzz
