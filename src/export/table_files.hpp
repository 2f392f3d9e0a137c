// A log's tables as CSV or Parquet, one file each.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "export/export_progress.hpp"
#include "export/table_views.hpp"

namespace somnus {

/// "/events/task_ended" is events_task_ended.csv. Numbers read back as the same; NaN, and an id
/// that is none, is an empty cell. Throws WorldError.
void write_csv(const TableView& table, const std::filesystem::path& folder,
               ExportProgress& progress);

/// The same as .parquet, with units and meanings among the file's metadata. NaN is NaN, an id that
/// is none is null.
void write_parquet(const TableView& table, const std::filesystem::path& folder,
                   ExportProgress& progress);

/// columns.csv: table, column, unit and meaning of all of them.
void write_columns(const std::vector<TableView>& tables, const std::filesystem::path& folder);

/// The name of something in a folder that is none of the files of such an export; empty: all are.
[[nodiscard]] std::string file_beside_tables(const std::filesystem::path& folder);

}  // namespace somnus
