// A table's rows as its users mean them: each parameter's column is found once, and then each row's
// cells are read and checked.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/describe.hpp"
#include "formats/table_options.hpp"
#include "model/workload.hpp"
#include "text/cell_number.hpp"
#include "text/mistake_collector.hpp"
#include "text/table_columns.hpp"
#include "text/table_record.hpp"

namespace somnus {

/// What its cells may have beside numbers.
enum class AlsoTakes { nothing, dates, spans, amounts };

/// What accounting writes for a job that had no limit of its own.
inline constexpr std::string_view no_limit_words[] = {"UNLIMITED", "unlimited", "Unlimited",
                                                      "Partition_Limit", "INFINITE"};
/// What tables write for a time that never came.
inline constexpr std::string_view never_words[] = {
    "",    "-1",  "Unknown", "None", "NaT", "nan", "NaN", "null", "NULL",
    "N/A", "n/a", "NA",      "-",    "--",  "–",   "—",   "―",    "undefined"};

/// Where 0 may say so, too: of an end it does, of a start it may be when the clock began.
[[nodiscard]] bool never_came(std::string_view cell, bool may_be_zero);

/// A parameter, and what of the file it means; nothing if it was not given.
struct NumberColumn {
  const char* parameter;
  AlsoTakes also = AlsoTakes::nothing;
  std::span<const std::string_view> absent =
      {};  // cells that say, as empty ones, that there is none
  std::optional<TableNumber> meant = {};
};
struct TextColumn {
  const char* parameter;
  std::optional<TableText> meant = {};
};

struct TableMapping {
  NumberColumn submit{"submit", AlsoTakes::dates};
  NumberColumn duration{"duration", AlsoTakes::spans};
  NumberColumn tasks{"tasks"};
  TextColumn job{"job"};
  TextColumn user{"user"};
  TextColumn queue{"queue"};
  TextColumn account{"account"};
  TextColumn qos{"qos"};
  NumberColumn nice{"nice"};
  TextColumn app{"app"};
  NumberColumn weight{"weight"};
  NumberColumn estimate{"estimate", AlsoTakes::spans};
  NumberColumn limit{"limit", AlsoTakes::spans, no_limit_words};
  NumberColumn stage{"stage"};
  TextColumn parents{"parents"};
  std::vector<NumberColumn> demands;  // by kind
};

/// Numbers and texts of one row; where it is broken, some are defaults.
struct TableRow {
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

class TableRowReader {
 public:
  /// Both must outlive it.
  TableRowReader(const TableOptions& options, MistakeCollector& report)
      : options_(options), mistakes_(report) {}

  /// Finds the columns, which were named in that line. False if something is wrong with them.
  [[nodiscard]] bool begin(TableColumns columns, int line);
  [[nodiscard]] bool has_begun() const { return first_line_.has_value(); }

  /// Nothing if the row is of no job that could be left out, or has no end and is left out.
  [[nodiscard]] std::optional<TableRow> read(const TableRecord& record);

  enum class Skip { as_configured, refused };
  /// Reports something wrong with a cell of the row read last, under its column's name, unless such
  /// rows are left out. What is wrong with a constant is so in every row.
  template <class Column>
  void wrong(const Column& column, std::string what, Skip skip = Skip::as_configured,
             std::string hint = "") {
    wrong_at(column.meant ? column.meant->column : std::nullopt, column.parameter, std::move(what),
             skip, std::move(hint));
  }

  /// How many rows never ran or had not ended, and were left out.
  [[nodiscard]] std::size_t unfinished() const { return unfinished_; }

  /// Of the table, of which a parameter uses some.
  [[nodiscard]] bool uses(std::size_t column) const { return is_used_[column]; }
  [[nodiscard]] const TableMapping& mapping() const { return mapping_; }
  [[nodiscard]] const std::vector<std::string>& kinds() const { return kinds_; }

 private:
  void resolve(NumberColumn& column, const std::string& text);
  void resolve(TextColumn& column, const std::string& text);
  void require(const std::string& text, const char* parameter);
  void refuse_mapping(const char* parameter, std::string what, std::string hint);

  void wrong_at(std::optional<std::size_t> column, const char* parameter, std::string what,
                Skip skip, std::string hint);
  [[nodiscard]] bool is_unfinished() const;
  void read_numbers(TableRow& row);
  void read_parents(TableRow& row);
  [[nodiscard]] std::string_view cell(const TableText& meant) const;
  [[nodiscard]] std::string text(const TextColumn& column, std::string_view fallback) const;
  [[nodiscard]] bool has(const NumberColumn& column) const;
  void refuse_cell(std::size_t cell, const NumberColumn& of, const char* expected);
  std::optional<CellNumber> cell_number(std::size_t cell, const NumberColumn& of);
  [[nodiscard]] bool is_as_before(std::size_t cell, const NumberColumn& of,
                                  const CellNumber& found);
  double number(const NumberColumn& of, const Range& range, std::string_view unit,
                std::string hint = "");
  std::uint64_t whole(const NumberColumn& of, std::uint64_t low, std::uint64_t high,
                      std::uint64_t fallback);

  const TableOptions& options_;
  MistakeCollector& mistakes_;
  /// What the cells of a column are, by the first of them: seconds since 1970 beside dates without
  /// a zone would be hours apart, and nobody would see it.
  struct ColumnForm {
    int line = 0;  // of that cell; 0: there was none yet
    CellForm form = CellForm::number;
  };

  TableColumns columns_{0};
  std::vector<bool> is_used_;        // by column
  std::vector<ColumnForm> form_of_;  // by column
  TableMapping mapping_;
  std::vector<std::string> kinds_;
  std::vector<std::string> demand_names_;  // "demand.cpu"
  const TableRecord* record_ = nullptr;    // the row that is being read
  std::size_t rows_ = 0;
  std::size_t unfinished_ = 0;
  bool is_broken_ = false;  // that row
  DatesOfAFile dates_;
  std::optional<int> first_line_;  // which names the columns; 0 where there are no lines
};

}  // namespace somnus
