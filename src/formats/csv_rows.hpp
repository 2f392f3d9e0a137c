// A table's rows as its users mean them: each parameter's column is found once, and then each row's
// cells are read and checked.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/describe.hpp"
#include "formats/importers.hpp"
#include "model/workload.hpp"
#include "text/csv_columns.hpp"
#include "text/csv_records.hpp"
#include "text/date_time.hpp"
#include "text/mistake_collector.hpp"

namespace somnus {

/// A parameter, and what of the file it means; nothing if it was not given.
struct CsvNumberColumn {
  const char* parameter;
  std::optional<CsvNumber> meant = {};
};
struct CsvTextColumn {
  const char* parameter;
  std::optional<CsvText> meant = {};
};

struct CsvMapping {
  CsvNumberColumn submit{"submit"};
  CsvNumberColumn duration{"duration"};
  CsvNumberColumn tasks{"tasks"};
  CsvTextColumn job{"job"};
  CsvTextColumn user{"user"};
  CsvTextColumn queue{"queue"};
  CsvTextColumn app{"app"};
  CsvNumberColumn weight{"weight"};
  CsvNumberColumn estimate{"estimate"};
  CsvNumberColumn stage{"stage"};
  CsvTextColumn parents{"parents"};
  std::vector<CsvNumberColumn> demands;  // by kind
};

/// Numbers and texts of one row; where it is broken, some are defaults.
struct CsvRow {
  int line = 0;
  int column = 0;  // of the submit
  JobSpec job;     // without stages
  std::uint32_t stage = 0;
  std::vector<std::uint32_t> parents;
  std::vector<double> demand;  // by kind
  std::uint64_t tasks = 1;
  double duration_s = 0;
  bool is_broken = false;
};

class CsvRowReader {
 public:
  /// Both must outlive it.
  CsvRowReader(const CsvOptions& options, MistakeCollector& report)
      : options_(options), mistakes_(report) {}

  /// Finds the columns, by the file's first record. False if something is wrong with them.
  [[nodiscard]] bool begin(const CsvRecord& first);
  [[nodiscard]] bool has_begun() const { return first_line_ > 0; }

  /// Nothing if the row is of no job that could be left out.
  [[nodiscard]] std::optional<CsvRow> read(const CsvRecord& record);

  enum class Skip { as_configured, refused };
  /// Reports something wrong with a cell of the row read last, under its column's name, unless such
  /// rows are left out. What is wrong with a constant is so in every row.
  template <class Column>
  void wrong(const Column& column, std::string what, Skip skip = Skip::as_configured,
             std::string hint = "") {
    wrong_at(column.meant ? column.meant->column : std::nullopt, column.parameter, std::move(what),
             skip, std::move(hint));
  }

  [[nodiscard]] const CsvMapping& mapping() const { return mapping_; }
  [[nodiscard]] const std::vector<std::string>& kinds() const { return kinds_; }

 private:
  void resolve(CsvNumberColumn& column, const std::string& text);
  void resolve(CsvTextColumn& column, const std::string& text);
  void require(const std::string& text, const char* parameter);
  void refuse_mapping(const char* parameter, std::string what, std::string hint);

  void wrong_at(std::optional<std::size_t> column, const char* parameter, std::string what,
                Skip skip, std::string hint);
  void read_numbers(CsvRow& row);
  void read_parents(CsvRow& row);
  [[nodiscard]] std::string_view cell(const CsvText& meant) const;
  [[nodiscard]] std::string text(const CsvTextColumn& column, std::string_view fallback) const;
  [[nodiscard]] bool has(const CsvNumberColumn& column) const;
  std::optional<double> cell_number(std::size_t cell, const CsvNumberColumn& of);
  double number(const CsvNumberColumn& of, const Range& range, std::string_view unit,
                std::string hint = "");
  std::uint64_t whole(const CsvNumberColumn& of, std::uint64_t low, std::uint64_t high,
                      std::uint64_t fallback);

  const CsvOptions& options_;
  MistakeCollector& mistakes_;
  CsvColumns columns_{0};
  CsvMapping mapping_;
  std::vector<std::string> kinds_;
  std::vector<std::string> demand_names_;  // "demand.cpu"
  const CsvRecord* record_ = nullptr;      // the row that is being read
  std::size_t rows_ = 0;
  bool is_broken_ = false;  // that row
  DatesOfAFile dates_;
  int first_line_ = 0;  // 0: none was read
};

}  // namespace somnus
