#include "formats/table_sample.hpp"

#include <fmt/format.h>

#include <simdjson.h>

#include <algorithm>

#include "formats/parquet_rows.hpp"
#include "formats/parquet_table.hpp"
#include "text/cell_number.hpp"
#include "text/csv_records.hpp"

namespace somnus {
namespace {

/// Of wider tables, and of more cells, nobody has to wait for a guess.
constexpr std::size_t most_columns = 500;
constexpr std::size_t most_cells = 2'000'000;

std::size_t most_rows_of(const TableSample& sample) {
  return std::min(TableSample::most_rows,
                  most_cells / std::max<std::size_t>(1, sample.names.size()));
}

bool is_too_wide(std::size_t columns, MistakeCollector& report) {
  if (columns <= most_columns) return false;
  report.add(
      0, 0, "",
      fmt::format("expected at most {} columns to guess from, found {}", most_columns, columns),
      "somnus workload import names the format and its columns");
  return true;
}

void add_row(TableSample& sample, const TableRecord& record) {
  sample.lines.push_back(record.line);
  for (std::size_t column = 0; column < sample.columns.size(); ++column) {
    sample.columns[column].emplace_back(record.cells[column].text);
  }
}

/// A number, date or length of time in a way that some table has: names are not so.
bool is_like_a_number(std::string_view text) {
  const CellStyle with_points{.dates = DateOrder::day_first};
  const CellStyle with_commas{.decimal = DecimalMark::comma, .dates = DateOrder::month_first};
  return parse_cell(text, with_points) || parse_cell(text, with_commas);
}

Checked<TableSample> sample_of_cells(const TextFile& file, const SampleOptions& options) {
  TableSample sample;
  sample.separator =
      options.separator != 0 ? options.separator : detected_separator(file.beginning());
  MistakeCollector report(file.name());
  CsvRecords records(TextWindow(file), sample.separator, report);
  TableRecord record;
  if (!records.next(record)) {
    report.add(0, 0, "", "expected a table, found an empty file");
    return tl::unexpected(std::move(report).take());
  }
  if (is_too_wide(record.cells.size(), report)) return tl::unexpected(std::move(report).take());
  for (const TableCell& cell : record.cells) {
    if (simdjson::validate_utf8(cell.text)) continue;
    report.add(cell.line, cell.column, "", "expected UTF-8 text, found other bytes",
               "save the file as UTF-8, for example by iconv -f latin1 -t utf-8, or -f cp932 of a "
               "Japanese one");
    return tl::unexpected(std::move(report).take());
  }
  const auto is_named = [](const TableCell& cell) { return !cell.text.empty(); };
  if (record.cells.size() > 2 && std::ranges::count_if(record.cells, is_named) == 1) {
    report.add(record.line, 0, "",
               fmt::format("expected names of columns, found one cell of {} that says something, "
                           "as a title does",
                           record.cells.size()),
               fmt::format("tail -n +{} FILE > TABLE.csv leaves it out", record.line + 1));
    return tl::unexpected(std::move(report).take());
  }
  sample.line = record.line;
  sample.has_header = options.knows_header
                          ? options.has_header
                          : std::ranges::none_of(record.cells, is_like_a_number, &TableCell::text);
  for (std::size_t column = 0; column < record.cells.size(); ++column) {
    sample.names.emplace_back(sample.has_header ? std::string(record.cells[column].text)
                                                : std::to_string(column + 1));
  }
  sample.columns.resize(sample.names.size());
  if (!sample.has_header) add_row(sample, record);
  while (records.next(record)) {
    if (sample.rows() == most_rows_of(sample)) {
      sample.is_whole = false;
      break;
    }
    if (!record.is_whole) continue;  // said when the table is read
    if (record.cells.size() == sample.columns.size()) {
      add_row(sample, record);
    } else {
      sample.uneven.emplace_back(record.line, record.cells.size());
    }
  }
  return sample;
}

Checked<TableSample> sample_of_parquet(const TextFile& file) {
  const auto opened = parquet::File::open(file.name(), file.text());
  if (!opened) return tl::unexpected(opened.error());
  MistakeCollector report(file.name());
  if (!has_possible_rows(*opened, file.text(), report)) {
    return tl::unexpected(std::move(report).take());
  }
  TableSample sample;
  sample.names = ParquetTable(*opened).names();
  if (is_too_wide(sample.names.size(), report)) return tl::unexpected(std::move(report).take());
  sample.columns.resize(sample.names.size());
  const std::size_t rows = std::min<std::size_t>(opened->rows(), most_rows_of(sample));
  TableRecord record;
  for (std::size_t column = 0; column < sample.names.size(); ++column) {
    ParquetTable table(*opened);                                // one column in memory at a time
    [[maybe_unused]] const auto not_read = table.read(column);  // its cells are empty then
    for (std::size_t row = 0; row < rows; ++row) {
      table.row(row, record);
      sample.columns[column].emplace_back(record.cells[column].text);
    }
  }
  for (std::size_t row = 0; row < rows; ++row) sample.lines.push_back(static_cast<int>(row) + 1);
  sample.is_whole = rows == opened->rows();
  return sample;
}

}  // namespace

TableColumns columns_of(const TableSample& sample) {
  return sample.has_header ? TableColumns(sample.names) : TableColumns(sample.names.size());
}

Checked<TableSample> sample_of(const TextFile& file, const SampleOptions& options) {
  return parquet::looks_parquet(file.beginning()) ? sample_of_parquet(file)
                                                  : sample_of_cells(file, options);
}

}  // namespace somnus
