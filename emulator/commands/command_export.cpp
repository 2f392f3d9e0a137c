#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "emulator/commands/command.hpp"
#include "emulator/commands/result.hpp"
#include "emulator/commands/signals.hpp"
#include "export/log_export.hpp"
#include "output/destination.hpp"

namespace somnus::command_export {
namespace {

struct ExportOptions {
  LogExportRequest request;
  CommonOptions output;
};

int export_a_log(const ExportOptions& options) {
  const CommonOptions& output = options.output;
  LogExportRequest request = options.request;
  request.quiet = output.quiet;
  request.stop = &stop_flag();
  const LogExported done = value_or_throw(export_log(request));
  if (!done.damage.empty()) {
    warn_of_damage(request.log, done.damage, "what was exported is");
  }
  print_result(
      output,
      [&] {
        nlohmann::json rows = nlohmann::json::object();
        for (const auto& [what, count] : done.rows) rows[what] = count;
        return nlohmann::json{{"log", request.log},
                              {"output", request.output.string()},
                              {"format", name_of(done.format)},
                              {"rows", rows}};
      },
      [&] {
        std::string text;
        if (is_standard_output(request.output)) return text;
        text = request.output.string() + "\n";
        for (const auto& [what, count] : done.rows) {
          text += fmt::format("  {:<28} {:>12}\n", what, count);
        }
        return text;
      });
  return exit_fine;
}

void describe(CLI::App& app, ExportOptions& options) {
  app.add_option("log", options.request.log, "log of somnus")->required()->type_name("LOG");
  app.add_option("-o,--output", options.request.output,
                 "a file (perfetto), or a folder for the tables")
      ->type_name("FILE|FOLDER");
  app.add_option(
         "--format", options.request.format,
         "perfetto, csv or parquet; without it FILE.json is perfetto's, and a folder gets csv")
      ->type_name("NAME");
  app.add_option("--from-s", options.request.from_s, "perfetto: what ended before is left out")
      ->type_name("SECONDS");
  app.add_option("--until-s", options.request.until_s, "perfetto: what began after is left out")
      ->type_name("SECONDS");
  app.add_option("--jobs", options.request.jobs, "perfetto: only these, by name")
      ->type_name("NAME");
  add_force(app, options.request.force);
  add_output(app, options.output);
  app.footer(
      "  somnus export out.h5 -o trace.json --from-s 100 --until-s 400\n"
      "  somnus export out.h5 -o tables --format parquet\n"
      "In a trace nodes are processes, slots threads and attempts spans; an arrow leads from a "
      "job's arrival to its first start. Units and meanings of tables stand in columns.csv, and in "
      "each Parquet file.");
}

const Registered<Command> row = command(
    "export", CommandGroup::logs,
    "a log for other programs: a trace for ui.perfetto.dev, or its tables as CSV or Parquet",
    describe, export_a_log);

}  // namespace
}  // namespace somnus::command_export
