// Any table of separated cells, quoted as in RFC 4180, with what its columns are said in words
// (TableColumns): `runtime/1000`, `end - start`, `=4`. Rows become jobs by table_jobs.hpp.
#include "formats/csv_options.hpp"
#include "formats/table_format.hpp"
#include "formats/table_jobs.hpp"
#include "text/csv_records.hpp"

namespace somnus::import_csv {
namespace {

class CsvReader {
 public:
  CsvReader(const TextFile& file, const CsvOptions& options)
      : file_(file), options_(options), jobs_(file.name(), options) {}

  Checked<WorkloadSpec> operator()() {
    const char separator = separator_of(options_.delimiter, file_.beginning());
    CsvRecords records(TextWindow(file_), separator, jobs_.mistakes());
    TableRecord record;
    if (records.next(record) && begin(record)) {
      if (!options_.header) jobs_.read(record);
      while (records.next(record)) jobs_.read(record);
    }
    return jobs_.finish();
  }

 private:
  bool begin(const TableRecord& first) {
    if (!options_.header) return jobs_.begin(TableColumns(first.cells.size()), first.line);
    std::vector<std::string> names;
    names.reserve(first.cells.size());
    for (const TableCell& cell : first.cells) names.emplace_back(cell.text);
    return jobs_.begin(TableColumns(std::move(names)), first.line);
  }

  const TextFile& file_;
  const CsvOptions& options_;
  TableJobs jobs_;
};

bool looks_like(std::string_view text) {
  if (text.starts_with("; ")) return false;  // a comment of .swf
  MistakeCollector report("");
  CsvRecords records(TextWindow(text), detected_separator(text), report);
  TableRecord first;
  TableRecord second;
  if (!records.next(first) || first.cells.size() < 2 || !records.next(second)) return false;
  return !report.any() && first.cells.size() == second.cells.size();
}

const Registered<Format> row = table_format<CsvReader, CsvOptions>(
    "csv", "any table of separated cells, whose columns are named by parameters", looks_like);

}  // namespace
}  // namespace somnus::import_csv
