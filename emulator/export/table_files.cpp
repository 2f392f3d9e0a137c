#include "emulator/export/table_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/csv_cell.hpp"
#include "base/value.hpp"
#include "emulator/export/outlet.hpp"
#include "emulator/print/printable.hpp"
#include "parquet/writer.hpp"

namespace somnus {
namespace {

constexpr std::size_t batch_rows = 1 << 16;  // that many are in memory at once

std::filesystem::path file_of(const TableView& table, const std::filesystem::path& folder,
                              const char* suffix) {
  std::string name = table.path.substr(1);
  std::ranges::replace(name, '/', '_');
  return folder / (name + suffix);
}

/// visit(first row, one behind the last) for a batch after the other.
template <class Visit>
void by_batches(const TableView& table, ExportProgress& progress, Visit&& visit) {
  for (std::size_t begin = 0; begin < table.count; begin += batch_rows) {
    const std::size_t end = std::min(begin + batch_rows, table.count);
    visit(begin, end);
    progress.add(end - begin);
  }
}

std::string as_text(std::uint64_t number) { return std::to_string(number); }
std::string as_text(double number) { return std::isnan(number) ? "" : number_text(number); }

void add_line(std::string& text, const TableView& table, std::size_t row) {
  const char* before = "";
  for (const ViewColumn& column : table.columns) {
    text += std::exchange(before, ",");
    text += column.names != nullptr
                ? csv_cell(as_utf8(table.name(row, column)))
                : std::visit([](auto number) { return as_text(number); }, table.cell(row, column));
  }
  text += '\n';
}

parquet::CellKind kind_of(const ViewColumn& column) {
  using parquet::CellKind;
  if (column.names != nullptr) return CellKind::text;
  switch (column.of.number) {
    case Number::u8:
      return CellKind::u8;
    case Number::u16:
      return CellKind::u16;
    case Number::u32:
      return CellKind::u32;
    case Number::u64:
      return CellKind::u64;
    case Number::f64:
      break;
  }
  return CellKind::real;
}

std::string unit_of(const ViewColumn& column) {
  return column.names != nullptr ? "" : column.of.unit;
}
std::string meaning_of(const ViewColumn& column) {
  return column.names != nullptr ? "name of `" + column.of.name + "`" : column.of.meaning;
}

template <class Value, class Read>
std::vector<Value> cells(std::size_t begin, std::size_t end, Read&& read) {
  std::vector<Value> all;
  all.reserve(end - begin);
  for (std::size_t row = begin; row < end; ++row) all.push_back(read(row));
  return all;
}

parquet::Values values_of(const TableView& table, const ViewColumn& column, std::size_t begin,
                          std::size_t end) {
  if (column.names != nullptr) {
    return cells<std::string>(begin, end,
                              [&](std::size_t row) { return as_utf8(table.name(row, column)); });
  }
  if (column.of.number == Number::f64) {
    return cells<double>(
        begin, end, [&](std::size_t row) { return std::get<double>(table.cell(row, column)); });
  }
  return cells<std::int64_t>(begin, end, [&](std::size_t row) {
    return static_cast<std::int64_t>(std::get<std::uint64_t>(table.cell(row, column)));
  });
}

}  // namespace

void write_csv(const TableView& table, const std::filesystem::path& folder,
               ExportProgress& progress) {
  OutputFile out(file_of(table, folder, ".csv"));
  std::string text;
  const char* before = "";
  for (const ViewColumn& column : table.columns) {
    text += std::exchange(before, ",") + csv_cell(as_utf8(column.name));
  }
  out.write(text + '\n');
  by_batches(table, progress, [&](std::size_t begin, std::size_t end) {
    text.clear();
    for (std::size_t row = begin; row < end; ++row) add_line(text, table, row);
    out.write(text);
  });
  out.commit();
}

void write_parquet(const TableView& table, const std::filesystem::path& folder,
                   ExportProgress& progress) {
  std::vector<parquet::ColumnSpec> specs;
  specs.reserve(table.columns.size());
  for (const ViewColumn& column : table.columns) {
    specs.push_back({.name = as_utf8(column.name),
                     .kind = kind_of(column),
                     .unit = unit_of(column),
                     .meaning = meaning_of(column)});
  }
  OutputFile out(file_of(table, folder, ".parquet"));
  parquet::Writer writer(std::move(specs), [&](std::string_view bytes) { out.write(bytes); });
  by_batches(table, progress, [&](std::size_t begin, std::size_t end) {
    std::vector<parquet::Values> batch;
    batch.reserve(table.columns.size());
    for (const ViewColumn& column : table.columns) {
      batch.push_back(values_of(table, column, begin, end));
    }
    writer.add_rows(batch);
  });
  writer.finish();
  out.commit();
}

void write_columns(const std::vector<TableView>& tables, const std::filesystem::path& folder) {
  std::string text = "table,column,unit,meaning\n";
  for (const TableView& table : tables) {
    for (const ViewColumn& column : table.columns) {
      fmt::format_to(std::back_inserter(text), "{},{},{},{}\n", table.path,
                     csv_cell(as_utf8(column.name)), unit_of(column), csv_cell(meaning_of(column)));
    }
  }
  OutputFile out(folder / "columns.csv");
  out.write(text);
  out.commit();
}

}  // namespace somnus
