#include "export/table_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "base/value.hpp"
#include "output/file.hpp"
#include "parquet/writer.hpp"
#include "print/printable.hpp"
#include "text/csv_cell.hpp"

namespace somnus {
namespace {

constexpr std::size_t batch_rows = 1 << 16;  // that many are in memory at once

constexpr const char* columns_file = "columns.csv";
constexpr std::string_view columns_head = "table,column,unit,meaning";

/// "/events/task_ended" is events_task_ended.
std::string name_of_table(std::string_view path) {
  std::string name(path.substr(1));
  std::ranges::replace(name, '/', '_');
  return name;
}

std::filesystem::path file_of(const TableView& table, const std::filesystem::path& folder,
                              const char* suffix) {
  return folder / (name_of_table(table.path) + suffix);
}

/// The tables that columns.csv is about; none if it is no such file.
std::set<std::string> tables_listed_in(const std::filesystem::path& folder) {
  std::ifstream file(folder / columns_file);
  std::string line;
  std::set<std::string> tables;
  if (!std::getline(file, line) || line != columns_head) return tables;
  while (std::getline(file, line)) {
    if (line.starts_with('/')) tables.insert(name_of_table(line.substr(0, line.find(','))));
  }
  return tables;
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

std::string cell_of(const TableView& table, const ViewColumn& column, std::size_t row) {
  if (table.is_none(row, column)) return {};
  if (column.names != nullptr) return csv_cell(as_utf8(table.name(row, column)));
  return std::visit([](auto number) { return as_text(number); }, table.cell(row, column));
}

void add_line(std::string& text, const TableView& table, std::size_t row) {
  const char* before = "";
  for (const ViewColumn& column : table.columns) {
    text += std::exchange(before, ",") + cell_of(table, column, row);
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

/// Row by row, whether there is one; of a column that always has one no row.
std::vector<bool> cells_there(const TableView& table, const ViewColumn& column, std::size_t begin,
                              std::size_t end) {
  std::vector<bool> there;
  if (!column.may_be_none) return there;
  for (std::size_t row = begin; row < end; ++row) there.push_back(!table.is_none(row, column));
  return there;
}

template <class Value, class Read>
std::vector<Value> cells(const TableView& table, const ViewColumn& column, std::size_t begin,
                         std::size_t end, Read&& read) {
  std::vector<Value> all;
  all.reserve(end - begin);
  for (std::size_t row = begin; row < end; ++row) {
    if (!table.is_none(row, column)) all.push_back(read(row));
  }
  return all;
}

/// Of the cells that are there.
parquet::Values values_of(const TableView& table, const ViewColumn& column, std::size_t begin,
                          std::size_t end) {
  if (column.names != nullptr) {
    return cells<std::string>(table, column, begin, end,
                              [&](std::size_t row) { return as_utf8(table.name(row, column)); });
  }
  if (column.of.number == Number::f64) {
    return cells<double>(table, column, begin, end, [&](std::size_t row) {
      return std::get<double>(table.cell(row, column));
    });
  }
  return cells<std::int64_t>(table, column, begin, end, [&](std::size_t row) {
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
                     .meaning = meaning_of(column),
                     .optional = column.may_be_none});
  }
  OutputFile out(file_of(table, folder, ".parquet"));
  parquet::Writer writer(std::move(specs), [&](std::string_view bytes) { out.write(bytes); });
  by_batches(table, progress, [&](std::size_t begin, std::size_t end) {
    std::vector<parquet::Values> batch;
    std::vector<std::vector<bool>> there;
    for (const ViewColumn& column : table.columns) {
      batch.push_back(values_of(table, column, begin, end));
      there.push_back(cells_there(table, column, begin, end));
    }
    writer.add_rows(batch, there);
  });
  writer.finish();
  out.commit();
}

void write_columns(const std::vector<TableView>& tables, const std::filesystem::path& folder) {
  std::string text = fmt::format("{}\n", columns_head);
  for (const TableView& table : tables) {
    for (const ViewColumn& column : table.columns) {
      fmt::format_to(std::back_inserter(text), "{},{},{},{}\n", table.path,
                     csv_cell(as_utf8(column.name)), unit_of(column), csv_cell(meaning_of(column)));
    }
  }
  OutputFile out(folder / columns_file);
  out.write(text);
  out.commit();
}

std::string file_beside_tables(const std::filesystem::path& folder) {
  const std::set<std::string> tables = tables_listed_in(folder);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::filesystem::path name = entry.path().filename();
    const std::filesystem::path ending = name.extension();
    const bool is_file = std::filesystem::is_regular_file(entry.symlink_status());
    const bool is_table =
        (ending == ".csv" || ending == ".parquet") && tables.contains(name.stem().string());
    const bool is_ours = is_file && (is_table || (name == columns_file && !tables.empty()));
    if (!is_ours) return name.string();
  }
  return {};
}

}  // namespace somnus
