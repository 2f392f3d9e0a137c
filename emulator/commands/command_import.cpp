#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <span>
#include <system_error>

#include "base/wrapped.hpp"
#include "config/config.hpp"
#include "emulator/commands/command.hpp"
#include "emulator/commands/result.hpp"
#include "formats/csv_options.hpp"
#include "formats/failure_trace.hpp"
#include "formats/formats.hpp"
#include "formats/table_check.hpp"
#include "formats/table_guess.hpp"
#include "formats/table_sample.hpp"
#include "print/printable.hpp"
#include "print/reading_line.hpp"
#include "text/table_columns.hpp"
#include "text/text_window.hpp"
#include "text/write_text.hpp"
#include "workload/native.hpp"
#include "workload/summary.hpp"

namespace somnus::command_import {
namespace {

namespace fs = std::filesystem;

struct ImportOptions {
  CommonOptions common;
  std::string file;
  std::string format;  // empty: by the file
  std::string output;  // empty: nothing is written
};

/// What is known of the file, and said before anything is written.
struct Found {
  std::string format;
  TableGuess guess;  // of a format without columns: its parameters as given
  std::vector<std::string> left_out = {};
  std::vector<std::string> warnings = {};
};

std::vector<Override> overrides_in(const ImportOptions& options) {
  std::vector<Override> given;
  Mistakes mistakes;
  for (const std::string& text : options.common.set) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      mistakes.add({.key = "--set " + text, .what = "expected NAME=VALUE"});
    } else {
      given.push_back({text.substr(0, equals), text.substr(equals + 1)});
    }
  }
  if (mistakes.any()) throw UserError(std::move(mistakes));
  return given;
}

/// Without the defaults of those that are not given.
Parameters given_to(const ParameterSchema& schema, const std::string& owner,
                    const ImportOptions& options) {
  const std::vector<Override> overrides = overrides_in(options);
  const Parameters all = value_or_throw(read_parameters(schema, owner, overrides));
  Parameters given;
  for (const auto& [name, value] : all) {
    const bool is_given = std::ranges::any_of(overrides, [&](const Override& each) {
      return each.key == name || each.key.starts_with(name + ".");
    });
    if (is_given) given[name] = value;
  }
  return given;
}

/// What a format that knows its columns does with what is not given.
std::vector<std::string> defaults_of(const ParameterSchema& schema, const Parameters& given) {
  std::vector<std::string> kept;
  for (const auto& [name, value] : schema.defaults()) {
    if (!given.contains(name)) kept.push_back(fmt::format("{} = {}", name, text_of(value)));
  }
  if (kept.empty()) return {};
  return {fmt::format("the format's own defaults: {}", fmt::join(kept, ", "))};
}

SampleOptions sample_options(const Parameters& given) {
  SampleOptions options;
  const auto delimiter = given.find("delimiter");
  const auto header = given.find("header");
  if (delimiter != given.end() && delimiter->second.text() != nullptr) {
    for (const auto& [separator, name] : EnumNames<CsvSeparator>::names) {
      if (*delimiter->second.text() == name) options.separator = separator_of(separator, "");
    }
    if (*delimiter->second.text() == "auto") options.separator = 0;
  }
  if (header != given.end()) {
    options.knows_header = true;
    options.has_header = header->second.flag().value_or(true);
  }
  return options;
}

/// [workload] as a config has it, and the format's parameters beside the file.
std::string config_text(const std::string& file, const Found& found) {
  std::string text = "[workload]\n";
  const auto add = [&](const std::string& key, const Value& value) {
    text += fmt::format("{} = {}\n", key_text(key), text_of(value));
  };
  add("file", file);
  add("format", found.format);
  for (const auto& [name, value] : found.guess.parameters) add(name, value);
  return text;
}

std::string list_text(const char* head, const std::vector<std::string>& sentences) {
  if (sentences.empty()) return "";
  std::string text = fmt::format("{}\n", head);
  for (const std::string& each : sentences) text += "  " + wrapped(printable(each), 4) + "\n";
  return text;
}

std::string text_of_found(const std::string& file, const Found& found) {
  std::string text = fmt::format("{}: {}\n\n", printable(file), found.format);
  std::string config = config_text(file, found);
  for (std::size_t at = 0; at < config.size();) {
    const std::size_t end = config.find('\n', at) + 1;
    text += "    " + printable(config.substr(at, end - at - 1)) + "\n";
    at = end;
  }
  text += "\n" + list_text("WARNING:", found.warnings) +
          list_text("assumed:", found.guess.assumed) + list_text("not used:", found.guess.unused) +
          list_text("left out (rows: column: why):", found.left_out);
  return text;
}

nlohmann::json json_of_found(const std::string& file, const Found& found) {
  auto choices = nlohmann::json::array();
  for (const GuessChoice& choice : found.guess.choices) {
    choices.push_back({{"parameter", choice.parameter},
                       {"why", choice.why},
                       {"candidates", choice.candidates},
                       {"others", choice.others}});
  }
  return {{"input", file},
          {"format", found.format},
          {"config", config_text(file, found)},
          {"assumed", found.guess.assumed},
          {"unused", found.guess.unused},
          {"left_out", found.left_out},
          {"warnings", found.warnings},
          {"choices", choices}};
}

/// What only the user knows, each with what there is to choose from.
Mistakes mistakes_of(const ImportOptions& options, const Found& found, const TableSample& sample) {
  Mistakes mistakes;
  for (const GuessChoice& choice : found.guess.choices) {
    std::vector<std::string> ways;
    for (const std::string& candidate : choice.candidates) {
      ways.push_back(fmt::format("--set \"{}={}\"", choice.parameter, candidate));
    }
    ways.insert(ways.end(), choice.others.begin(), choice.others.end());
    std::string hint = ways.empty() ? fmt::format("--set {}=COLUMN; {}", choice.parameter,
                                                  TableColumns(sample.names).listed())
                                    : fmt::format("{}", fmt::join(ways, " or "));
    mistakes.add({.location = {.file = options.file, .line = sample.line},
                  .key = choice.parameter,
                  .what = choice.why,
                  .hint = std::move(hint)});
  }
  return mistakes;
}

/// Prints what was found and, where a workload was read, what it is of.
void print_found(const ImportOptions& options, const Found& found, const WorkloadSpec* read) {
  const bool is_written = read != nullptr && !options.output.empty();
  print_result(
      options.common,
      [&] {
        nlohmann::json all = json_of_found(options.file, found);
        if (read != nullptr) all["workload"] = workload_to_json(*read);
        if (is_written) all["file"] = options.output;
        return all;
      },
      [&] {
        if (is_standard_output(options.output)) return std::string();
        std::string text = text_of_found(options.file, found) + "\n";
        if (is_written) text += options.output + "\n";
        if (read != nullptr) text += describe_workload(*read);
        if (!is_written) return text + "nothing is written: -o OUT.jsonl writes it\n";
        return text +
               fmt::format("next: somnus simulate CONFIG --set workload.file={}\n", options.output);
      });
}

OutputRules rules_of(const ImportOptions& options, std::vector<fs::path> inputs) {
  const OutputRules rules{.inputs = std::move(inputs), .replace = options.common.force};
  if (options.output.empty()) return rules;
  Mistakes objections = objections_to_output(options.output, rules);
  if (objections.any()) throw UserError(std::move(objections));
  return rules;
}

/// Where nothing else of the format shows that its end is missing.
bool ends_within_a_line(const fs::path& path, const Format& format) {
  if (format.is_parquet) return false;
  const TextFile file = value_or_throw(TextFile::load(path));
  char last = '\n';
  TextWindow window(file);
  do {
    if (!window.text().empty()) last = window.text().back();
    window.drop(window.text().size());
  } while (window.grow());
  return last != '\n' && last != '}' && last != ']';
}

int import_workload(const ImportOptions& options) {
  const OutputRules rules = rules_of(options, {options.file});
  const Format& format =
      *value_or_throw(options.format.empty() ? format_at(options.file)
                                             : format_called(options.format, options.file));
  Found found{.format = std::string(format.name), .guess = {}};
  const std::string owner = fmt::format("format {}", format.name);
  const Parameters given = given_to(format.parameters, owner, options);
  found.guess.parameters = given;
  if (format.look != Look::common) found.guess.assumed = defaults_of(format.parameters, given);
  if (format.look == Look::common) {  // any table
    const TextFile file = value_or_throw(TextFile::load(options.file));
    const TableSample sample = value_or_throw(sample_of(file, sample_options(given)));
    if (auto wrong = check_given(sample, options.file, given)) throw UserError(std::move(*wrong));
    found.guess = guess_table(sample, given);
    if (!found.guess.choices.empty()) {
      print_found(options, found, nullptr);
      throw UserError(mistakes_of(options, found, sample));
    }
    TableCheck check = check_table(sample, options.file, found.guess.parameters);
    found.left_out = std::move(check.left_out);
    found.warnings = std::move(check.warnings);
  }
  ReadingLine line(options.file, options.common.quiet);
  const auto spec =
      read_workload(options.file, found.format, found.guess.parameters, {}, line.on_read());
  if (!spec) {
    if (format.look == Look::common && !options.common.json) print_found(options, found, nullptr);
    throw UserError(spec.error());
  }
  std::ranges::move(doubts_about(*spec), std::back_inserter(found.warnings));
  if (ends_within_a_line(options.file, format)) {
    found.warnings.emplace_back("the last line has no line end: was the file cut off?");
  }
  if (!options.output.empty()) write_native(*spec, options.output, rules);
  print_found(options, found, &*spec);
  return exit_fine;
}

/// The archive's table of events, which the folder has, or the file is; empty: it is none.
fs::path events_at(const fs::path& path) {
  std::error_code ignored;
  const fs::path file = fs::is_directory(path, ignored) ? path / "event_trace.tab" : path;
  if (!fs::is_regular_file(file, ignored)) return {};
  const auto events = TextFile::load(file);
  return events && is_failure_table(events->beginning()) ? file : fs::path();
}

int import_failures(const ImportOptions& options, const fs::path& path) {
  const fs::path nodes_path = path.parent_path() / "node.tab";
  std::error_code ignored;
  const bool has_nodes = fs::is_regular_file(nodes_path, ignored);
  const OutputRules rules =
      rules_of(options, has_nodes ? std::vector{path, nodes_path} : std::vector{path});
  const ParameterSchema schema = parameters_of(FailureOptions());
  const Parameters given = given_to(schema, "failure traces", options);
  const TextFile events = value_or_throw(TextFile::load(path));
  const auto nodes =
      has_nodes ? std::optional(value_or_throw(TextFile::load(nodes_path))) : std::nullopt;
  const FailureTrace trace = value_or_throw(
      read_failures(events, nodes ? &*nodes : nullptr, options_of<FailureOptions>(given)));
  if (!options.output.empty()) {
    write_text(faults_text(trace, path.filename().string()), options.output, rules);
  }
  print_result(
      options.common,
      [&] {
        nlohmann::json all = {{"input", path.string()},        {"format", "failure-trace"},
                              {"begin_s", trace.begin_s},      {"nodes", trace.nodes},
                              {"losses", trace.losses.size()}, {"not_represented", trace.unsaid}};
        if (!options.output.empty()) all["file"] = options.output;
        return all;
      },
      [&] {
        if (is_standard_output(options.output)) return std::string();
        const std::string text =
            fmt::format("{}: failure trace, {} nodes, {} losses\n", printable(path.string()),
                        trace.nodes.size(), trace.losses.size()) +
            list_text("no config says:", trace.unsaid);
        if (options.output.empty()) {
          return text + "\nnothing is written: -o OUT.toml writes [[faults.event]]\n";
        }
        return text + fmt::format("\n{}\nnext: cat {} >> CONFIG\n", options.output, options.output);
      });
  return exit_fine;
}

int import(const ImportOptions& options) {
  const fs::path events = options.format.empty() ? events_at(options.file) : fs::path();
  return events.empty() ? import_workload(options) : import_failures(options, events);
}

void describe(CLI::App& app, ImportOptions& options) {
  app.add_option("file", options.file, "a trace or table, or a folder with one")
      ->required()
      ->type_name("TRACE");
  app.add_option("-o,--output", options.output,
                 "where to; .gz is compressed; without it nothing is written")
      ->type_name("FILE");
  app.add_option("--format", options.format, "which it is; without it the file shows it")
      ->type_name("NAME");
  add_set(app, options.common, "submit=created");
  add_force(app, options.common.force);
  add_output(app, options.common);
  app.footer(
      "  somnus import jobs.csv\n"
      "  somnus import jobs.csv -o jobs.jsonl --set duration=took/1000\n"
      "  somnus import event_trace.tab -o faults.toml\n"
      "Of a table it prints the columns that it takes, as a config's [workload], and all that it "
      "assumes. What it cannot know it asks for, and then writes nothing. "
      "`somnus workload import` lists the formats and their parameters.");
}

const Registered<Command> row =
    command("import", CommandGroup::workloads,
            "a trace or table of whatever format as a workload, or failures of nodes as [faults]",
            describe, import);

}  // namespace
}  // namespace somnus::command_import
