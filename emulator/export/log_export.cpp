#include "emulator/export/log_export.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/suggest.hpp"
#include "emulator/export/outlet.hpp"
#include "emulator/export/perfetto.hpp"
#include "emulator/export/table_files.hpp"
#include "emulator/export/table_views.hpp"
#include "emulator/log/log_tables.hpp"
#include "record/reader.hpp"

namespace somnus {
namespace {

namespace fs = std::filesystem;

constexpr const char* columns_file = "columns.csv";  // by which a folder is known as an export

std::optional<LogExportFormat> format_of_export(const LogExportRequest& request,
                                                Mistakes& mistakes) {
  if (request.format.empty()) {
    return request.output.extension() == ".json" ? LogExportFormat::perfetto : LogExportFormat::csv;
  }
  std::vector<std::string> known;
  for (const auto& [format, name] : EnumNames<LogExportFormat>::names) {
    if (request.format == name) return format;
    known.emplace_back(name);
  }
  mistakes.add({.key = "--format",
                .what = fmt::format("expected one of {}, found '{}'", fmt::join(known, ", "),
                                    request.format),
                .hint = suggest(request.format, known)});
  return std::nullopt;
}

void check_cut(const LogExportRequest& request, LogExportFormat format, Mistakes& mistakes) {
  if (format != LogExportFormat::perfetto) {
    const auto refuse = [&](const char* key) {
      mistakes.add({.key = key,
                    .what = "cuts a trace for perfetto; tables are always whole",
                    .hint = "--format perfetto -o FILE.json"});
    };
    if (request.from_s) refuse("--from-s");
    if (request.until_s) refuse("--until-s");
    if (!request.jobs.empty()) refuse("--jobs");
    return;
  }
  const auto check_time = [&](const char* key, const std::optional<double>& time_s) {
    if (!time_s || std::isfinite(*time_s)) return;
    mistakes.add({.key = key, .what = fmt::format("expected seconds, found {}", *time_s)});
  };
  check_time("--from-s", request.from_s);
  check_time("--until-s", request.until_s);
  if (request.from_s && request.until_s && *request.from_s > *request.until_s) {
    mistakes.add({.key = "--until-s",
                  .what = fmt::format("expected at least --from-s {}, found {}", *request.from_s,
                                      *request.until_s)});
  }
}

void check_output(const LogExportRequest& request, LogExportFormat format, Mistakes& mistakes) {
  const auto refuse = [&](std::string what, std::string hint) {
    mistakes.add({.place = {.file = request.output.string()},
                  .what = std::move(what),
                  .hint = std::move(hint)});
  };
  const bool wants_folder = format != LogExportFormat::perfetto;
  const bool is_folder = fs::is_directory(request.output);
  const fs::path ending = request.output.extension();
  if (request.output.empty()) {
    mistakes.add({.key = "-o", .what = "where to write is missing", .hint = "add -o FILE|FOLDER"});
  } else if (fs::exists(request.output) && wants_folder != is_folder) {
    refuse(wants_folder ? "is not a folder, expected one for the tables"
                        : "is a folder, expected a file",
           wants_folder ? "" : "-o FOLDER/trace.json");
  } else if (wants_folder && !is_folder && (ending == ".csv" || ending == ".parquet")) {
    refuse("is the name of one file, expected a folder: each table is a file in it",
           fmt::format("-o {}", fs::path(request.output).replace_extension().string()));
  } else if (is_folder && !fs::is_empty(request.output) &&
             !fs::exists(request.output / columns_file)) {
    refuse("is a folder with something else in it", "name one that is not there yet");
  } else if (fs::exists(request.output) && !request.force &&
             !(is_folder && fs::is_empty(request.output))) {
    refuse("is there already", "--force replaces it");
  }
}

std::vector<bool> chosen_jobs(const std::vector<std::string>& wanted, const Log& log,
                              Mistakes& mistakes) {
  if (wanted.empty()) return {};
  const std::vector<std::string>& names = log.tables.names.jobs;
  std::unordered_map<std::string_view, std::size_t> job_of;
  for (std::size_t job = 0; job < names.size(); ++job) job_of.emplace(names[job], job);
  std::vector<bool> chosen(log.tables.jobs.size());
  for (const std::string& name : wanted) {
    const auto found = job_of.find(name);
    if (found != job_of.end() && found->second < chosen.size()) {
      chosen[found->second] = true;
    } else {
      mistakes.add({.key = "--jobs",
                    .what = fmt::format("the log has no job '{}'", name),
                    .hint = suggest(name, names)});
    }
  }
  return chosen;
}

/// A row of /tasks that names what is not there.
std::string fault_of_attempts(const Log& log) {
  const LogTables& tables = log.tables;
  for (std::size_t row = 0; row < log.tasks.size(); ++row) {
    const TaskRow& one = log.tasks[row];
    const bool known = one.stage < tables.stages.size() &&
                       tables.stages[one.stage].job == one.job && one.node < tables.nodes.size();
    if (known) continue;
    return fmt::format("/tasks row {}: stage {} of job {} on node {}, one of them unknown", row,
                       one.stage, one.job, one.node);
  }
  return {};
}

std::uint64_t total_rows(const std::vector<TableView>& tables) {
  std::uint64_t rows = 0;
  for (const TableView& table : tables) rows += table.count;
  return rows;
}

std::string damage_of(const Log& log) {
  return log.seals && log.seals->broken > 0 ? log.seals->sentences.front() : "";
}

LogExported write_tables_of(const Log& log, const LogExportRequest& request,
                            LogExportFormat format) {
  const std::vector<TableView> tables = tables_of(log);
  ExportProgress progress("export", total_rows(tables), request.quiet, request.stop);
  OutputFolder folder(request.output);
  LogExported done{.format = format, .rows = {}, .damage = damage_of(log)};
  for (const TableView& table : tables) {
    const auto write = format == LogExportFormat::csv ? write_csv : write_parquet;
    write(table, folder.fresh(), progress);
    done.rows.emplace_back(table.path, table.count);
  }
  write_columns(tables, folder.fresh());
  folder.commit();
  return done;
}

LogExported write_trace_of(const Log& log, const LogExportRequest& request, TraceCut cut) {
  if (request.from_s) cut.from_s = *request.from_s;
  if (request.until_s) cut.until_s = *request.until_s;
  ExportProgress progress("export", log.tasks.size() + log.samples.size(), request.quiet,
                          request.stop);
  OutputFile out(request.output);
  const TraceCounts counts = write_perfetto(log, cut, out, progress);
  out.commit();
  return {.format = LogExportFormat::perfetto,
          .rows = {{"attempts", counts.attempts},
                   {"attempts that never started", counts.never_started},
                   {"jobs", counts.jobs},
                   {"samples", counts.samples}},
          .damage = damage_of(log)};
}

}  // namespace

Checked<LogExported> export_log(const LogExportRequest& request) {
  Mistakes mistakes;
  const std::optional<LogExportFormat> format = format_of_export(request, mistakes);
  if (format) check_cut(request, *format, mistakes);
  if (format) check_output(request, *format, mistakes);
  const Checked<Log> log = read_log(request.log);
  if (!log) mistakes.append(log.error());
  if (mistakes.any()) return tl::unexpected(std::move(mistakes));
  if (*format != LogExportFormat::perfetto) return write_tables_of(*log, request, *format);
  for (const auto find : {table_fault, fault_of_attempts}) {
    if (const std::string fault = find(*log); !fault.empty()) {
      return mistake({.place = {.file = request.log},
                      .what = fault,
                      .hint = "`somnus check` says what else is wrong with it"});
    }
  }
  TraceCut cut{.jobs = chosen_jobs(request.jobs, *log, mistakes)};
  if (mistakes.any()) return tl::unexpected(std::move(mistakes));
  return write_trace_of(*log, request, std::move(cut));
}

}  // namespace somnus
