// Any table as Parquet, with what its columns are said in words as of csv (TableColumns): rows
// become jobs by table_jobs.hpp. Instants are dates, and have a zone if the file says that they
// count in UTC. A column in a group goes by its path, place.rack. In messages a row is a line.
#include "formats/parquet_rows.hpp"
#include "formats/parquet_table.hpp"
#include "formats/table_format.hpp"
#include "formats/table_jobs.hpp"

namespace somnus::import_parquet {
namespace {

class ParquetReader {
 public:
  ParquetReader(const TextFile& file, const TableOptions& options)
      : bytes_(file.text()), file_(file), jobs_(file.name(), options) {}

  Checked<WorkloadSpec> operator()() {
    const auto opened = parquet::File::open(file_.name(), bytes_);
    if (!opened) return tl::unexpected(opened.error());
    ParquetTable table(*opened);
    if (has_possible_rows(*opened, bytes_, jobs_.mistakes()) &&
        jobs_.begin(TableColumns(table.names()), 0)) {
      if (auto mistakes = read_columns(table)) return tl::unexpected(std::move(*mistakes));
      TableRecord record;
      for (std::size_t row = 0; row < opened->rows(); ++row) {
        table.row(row, record);
        jobs_.read(record);
      }
    }
    return jobs_.finish();
  }

 private:
  std::optional<Mistakes> read_columns(ParquetTable& table) {
    Mistakes all;
    for (std::size_t column = 0; column < table.names().size(); ++column) {
      if (!jobs_.uses(column)) continue;
      if (const auto mistakes = table.read(column)) all.append(*mistakes);
    }
    return all.any() ? std::optional(std::move(all)) : std::nullopt;
  }

  std::string_view bytes_;
  const TextFile& file_;
  TableJobs jobs_;
};

Format parquet_format() {
  Format table = table_format<ParquetReader, TableOptions>(
      "parquet", "any Parquet table, whose columns are named by parameters",
      parquet::looks_parquet);
  table.is_parquet = true;
  return table;
}

const Registered<Format> row = parquet_format();

}  // namespace
}  // namespace somnus::import_parquet
