#include "formats/formats.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/given_parameters.hpp"
#include "base/suggest.hpp"
#include "formats/importers.hpp"
#include "formats/system_importers.hpp"
#include "parquet/file.hpp"
#include "text/parse_number.hpp"
#include "text/words.hpp"
#include "workload/native.hpp"

namespace somnus {
namespace {

bool looks_native(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return false;
  return !looks_decima(text) && !looks_wfformat(text) && !looks_sls(text) && !looks_spark(text);
}

bool looks_tr(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  text.remove_prefix(first);
  Words words(text.substr(0, text.find_first_of("\r\n")));
  if (!parse_number<double>(words.next()) || looks_swf(text)) return false;
  return parse_number<std::uint64_t>(words.next()).value_or(0) > 0;
}

const Format* detected_in(const TextFile& file) {
  std::string_view name = file.name();
  if (name.ends_with(".gz")) name.remove_suffix(3);
  const Format* by_name = nullptr;
  for (const Format& format : formats()) {
    if (format.suffix.empty() || !name.ends_with(format.suffix)) continue;
    if (format.looks_like(file.beginning())) return &format;
    if (by_name == nullptr) by_name = &format;  // so that its reader says what is wrong
  }
  if (by_name != nullptr) return by_name;
  for (const Format& format : formats()) {
    if (format.looks_like(file.beginning())) return &format;
  }
  return nullptr;
}

Value number_as_text(const Value& value) {
  const auto number = value.number();
  if (number) return number_text(*number);
  if (value.table() == nullptr) return value;
  Table texts;
  for (const auto& [key, each] : *value.table()) texts[key] = number_as_text(each);
  return texts;
}

/// Columns may be numbers, and constants are, which TOML keeps apart from texts.
Table numbers_as_texts(const Table& given) {
  Table texts;
  for (const auto& [name, value] : given) texts[name] = number_as_text(value);
  return texts;
}

/// Whose parameters stay as they were given.
Format csv_format() {
  Format csv = format("csv", "any table of separated cells, whose columns are named by parameters",
                      "", looks_csv, parse_csv);
  csv.is_vague = true;
  const ParameterSchema plain = csv.parameters;
  csv.parameters = {{plain.begin(), plain.end()},
                    [plain](ValueReader& reader, const Table& given, const std::string& path) {
                      Table read = plain.read(reader, numbers_as_texts(given), path);
                      for (const auto& [name, value] : given) {
                        if (read.contains(name)) read[name] = value;
                      }
                      return read;
                    }};
  csv.parse = [parse = std::move(csv.parse)](const TextFile& file, const Parameters& given) {
    return parse(file, numbers_as_texts(given));
  };
  return csv;
}

/// The one whose tables may be in several files.
Format wta_format() {
  Format wta =
      format("wta", "the Workflow Trace Archive: Parquet, one task a row; a file, or a folder", "",
             parquet::looks_parquet, parse_wta);
  wta.is_folder_of = is_wta_folder;
  wta.read_folder = [](const std::filesystem::path& path, const Parameters& given) {
    WtaOptions options;
    apply_parameters(options, given);
    return read_wta(path, options);
  };
  return wta;
}

/// nullptr: it is none, or that of a format which has but files.
const Format* of_folder(const std::filesystem::path& path, std::string_view name) {
  for (const Format& format : formats()) {
    const bool is_meant = name.empty() || name == format.name;
    if (is_meant && format.is_folder_of != nullptr && format.is_folder_of(path)) return &format;
  }
  return nullptr;
}

/// A file of another format would fill the screen with mistakes that say nothing.
Checked<WorkloadSpec> parse_as(const Format& format, const TextFile& file,
                               const Parameters& checked) {
  auto parsed = format.parse(file, checked);
  if (parsed || format.looks_like(file.beginning())) return parsed;
  const auto other = std::ranges::find_if(formats(), [&](const Format& candidate) {
    return !candidate.is_vague && candidate.looks_like(file.beginning());
  });
  if (other == formats().end()) return parsed;
  return mistake({.location = {.file = file.name()},
                  .key = "format",
                  .what = fmt::format("expected {}, found a file that looks like {}", format.name,
                                      other->name),
                  .hint = ""});
}

tl::unexpected<Mistakes> refuse_format(const std::filesystem::path& path, std::string_view word,
                                       std::string what) {
  std::vector<std::string> names;
  for (const Format& format : formats()) names.emplace_back(format.name);
  Mistake one{.location = {.file = path.string()}, .key = "format"};
  one.what = std::move(what);
  one.hint = suggest(word, names);
  if (one.hint.empty()) one.hint = fmt::format("known are {}", fmt::join(names, ", "));
  return mistake(std::move(one));
}

}  // namespace

std::span<const Format> formats() {
  static const std::array<Format, 15> table = {{
      {.name = "native",
       .summary = "Somnus' own: JSON Lines, a header, then one job a line",
       .suffix = ".jsonl",
       .looks_like = looks_native,
       .parameters = {},
       .parse = [](const TextFile& file, const Parameters&) { return parse_native(file); }},
      {.name = "tr",
       .summary = "Sparrow, Hawk, Eagle: one job a line, submit n mean d_1 ... d_n in seconds",
       .suffix = ".tr",
       .looks_like = looks_tr,
       .parameters = {},
       .parse = [](const TextFile& file, const Parameters&) { return parse_tr(file); }},
      format(
          "carbyne-dags", "the Carbyne simulator's query DAGs: a header, stages and edges for each",
          "",
          [](std::string_view text) { return text.starts_with('#') && !looks_google2011(text); },
          parse_carbyne),
      format(
          "google-uwfq", "the UWFQ paper's windows of Google's trace: CSV, one sub-job a row", "",
          [](std::string_view text) { return text.starts_with("workflow_id,"); },
          parse_google_uwfq),
      format("alibaba2018",
             "Alibaba's cluster-trace-v2018, batch_task.csv: one task of a DAG a row", "",
             looks_alibaba2018, parse_alibaba2018),
      format("decima", "Decima's measured TPC-H runs: JSON Lines, one query's DAG a line", ".jsonl",
             looks_decima, parse_decima),
      format("swf",
             "the Standard Workload Format of the Parallel Workloads Archive: one job of so many "
             "processors a line",
             ".swf", looks_swf, parse_swf),
      format("sacct", "Slurm's accounting, as `sacct --parsable2` writes it: one job or step a row",
             "", looks_sacct, parse_sacct),
      wta_format(),
      format("wfformat", "WfCommons' WfFormat: one workflow as JSON, which is one job", "",
             looks_wfformat, parse_wfformat),
      format("swim",
             "SWIM's samples of Facebook's Hadoop clusters: one job's bytes a line, whose tasks "
             "are a model",
             "", looks_swim, parse_swim),
      format("google2011",
             "Google's cluster data of 2011, task_events: one event of one task a row", "",
             looks_google2011, parse_google2011),
      {.name = "sls",
       .summary = "the input of YARN's Scheduler Load Simulator: JSON objects, one a job",
       .suffix = "",
       .looks_like = looks_sls,
       .parameters = {},
       .parse = [](const TextFile& file, const Parameters&) { return parse_sls(file); }},
      format("spark", "a Spark application's event log: JSON Lines, one event a line", "",
             looks_spark, parse_spark),
      csv_format(),
  }};
  return table;
}

Checked<const Format*> format_of(const TextFile& file, const std::filesystem::path& path) {
  const Format* const detected = detected_in(file);
  if (detected != nullptr) return detected;
  return refuse_format(path, "",
                       "expected a workload, found neither a known name nor known content");
}

Checked<WorkloadSpec> read_workload(const std::filesystem::path& path, const std::string& format,
                                    const Parameters& parameters, const SourceLocation& where,
                                    OnRead on_read) {
  const auto checked_for = [&](const Format& of) {
    return check_parameters(of.parameters, parameters, fmt::format("format {}", of.name), where);
  };
  if (const Format* const folder = of_folder(path, format)) {
    return checked_for(*folder).and_then(
        [&](const Parameters& checked) { return folder->read_folder(path, checked); });
  }
  const auto named = std::ranges::find(formats(), format, &Format::name);
  if (named != formats().end()) {  // what is wrong with parameters shows without the file
    const auto checked = checked_for(*named);
    if (!checked) return tl::unexpected(checked.error());
    return read_text(
        path, [&](const TextFile& file) { return parse_as(*named, file, *checked); },
        std::move(on_read));
  }
  if (!format.empty()) {
    return refuse_format(path, format,
                         fmt::format("expected a workload format, found '{}'", format));
  }
  const auto parse_as_detected = [&](const TextFile& file) -> Checked<WorkloadSpec> {
    const auto detected = format_of(file, path);
    if (!detected) return tl::unexpected(detected.error());
    return checked_for(**detected).and_then([&](const Parameters& checked) {
      return parse_as(**detected, file, checked);
    });
  };
  return read_text(path, parse_as_detected, std::move(on_read));
}

}  // namespace somnus
