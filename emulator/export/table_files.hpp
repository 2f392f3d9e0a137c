// A log's tables as CSV or Parquet, one file each.
#pragma once

#include <cstddef>
#include <filesystem>

#include "emulator/export/export_progress.hpp"
#include "emulator/export/table_views.hpp"

namespace somnus {

/// "/events/task_ended" is events_task_ended.csv. Numbers read back as the same, NaN is an empty
/// cell. Throws WorldError.
void write_csv(const TableView& table, const std::filesystem::path& folder,
               ExportProgress& progress);

/// The same as .parquet, with units and meanings among the file's metadata. NaN is NaN.
void write_parquet(const TableView& table, const std::filesystem::path& folder,
                   ExportProgress& progress);

/// columns.csv: table, column, unit and meaning of all of them.
void write_columns(const std::vector<TableView>& tables, const std::filesystem::path& folder);

}  // namespace somnus
