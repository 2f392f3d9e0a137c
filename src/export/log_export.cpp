#include "export/log_export.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/suggest.hpp"
#include "export/perfetto.hpp"
#include "export/table_files.hpp"
#include "export/table_views.hpp"
#include "log/log_tables.hpp"
#include "log/reader.hpp"
#include "output/file.hpp"
#include "output/folder.hpp"

namespace somnus {
namespace {

namespace fs = std::filesystem;

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

OutputRules rules_of(const LogExportRequest& request) {
  return {.inputs = {request.log}, .replace = request.force};
}

bool is_current_folder(const fs::path& folder) {
  std::error_code unknown;
  return fs::equivalent(folder, fs::current_path(unknown), unknown);
}

void check_folder(const LogExportRequest& request, Mistakes& mistakes) {
  const fs::path& folder = request.output;
  const auto refuse = [&](std::string what, std::string hint) {
    mistakes.add(
        {.location = {.file = folder.string()}, .what = std::move(what), .hint = std::move(hint)});
  };
  const fs::path ending = folder.extension();
  std::error_code unknown;
  if (!fs::is_directory(folder)) {
    if (fs::exists(folder, unknown)) {
      refuse("is not a folder, expected one for the tables", "name one that is not there yet");
    } else if (ending == ".csv" || ending == ".parquet") {
      refuse("is the name of one file, expected a folder: each table is a file in it",
             fmt::format("-o {}", fs::path(folder).replace_extension().string()));
    }
  } else if (is_current_folder(folder)) {
    refuse("is the folder that you are in, which can't be put in place as a whole",
           "-o tables makes one in it");
  } else if (fs::is_empty(folder)) {
    return;
  } else if (const std::string other = file_beside_tables(folder); !other.empty()) {
    refuse(fmt::format("is a folder with something else in it: {}", other),
           "name one that is not there yet");
  } else if (!request.force) {
    refuse("is there already and would be lost",
           "name another folder, or say --force to replace it");
  }
}

void check_output(const LogExportRequest& request, LogExportFormat format, Mistakes& mistakes) {
  if (request.output.empty()) {
    mistakes.add({.key = "-o", .what = "where to write is missing", .hint = "add -o FILE|FOLDER"});
  } else if (format == LogExportFormat::perfetto) {
    mistakes.append(objections_to_output(request.output, rules_of(request)));
  } else {
    check_folder(request, mistakes);
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
std::string error_of_attempts(const Log& log) {
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
  Mistakes mistakes;
  check_folder(request, mistakes);  // what has come there meanwhile is no less dear
  if (mistakes.any()) throw UserError(std::move(mistakes));
  folder.commit();
  return done;
}

LogExported write_trace_of(const Log& log, const LogExportRequest& request, TraceCut cut) {
  if (request.from_s) cut.from_s = *request.from_s;
  if (request.until_s) cut.until_s = *request.until_s;
  ExportProgress progress("export", log.tasks.size() + log.samples.size(), request.quiet,
                          request.stop);
  OutputFile out(request.output, rules_of(request));
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
  for (const auto find : {table_error, error_of_attempts}) {
    if (const std::string error = find(*log); !error.empty()) {
      return mistake({.location = {.file = request.log},
                      .what = error,
                      .hint = "`somnus check` says what else is wrong with it"});
    }
  }
  TraceCut cut{.jobs = chosen_jobs(request.jobs, *log, mistakes)};
  if (mistakes.any()) return tl::unexpected(std::move(mistakes));
  return write_trace_of(*log, request, std::move(cut));
}

}  // namespace somnus
