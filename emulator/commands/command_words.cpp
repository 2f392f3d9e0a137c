#include "emulator/commands/command_words.hpp"

#include <utility>

#include "emulator/commands/signals.hpp"

namespace somnus {

CLI::App& add_command(CLI::App& under, const char* name, const char* help,
                      std::function<int()>& chosen, std::function<int()> does) {
  CLI::App* app = under.add_subcommand(name, help);
  app->callback([&chosen, does = std::move(does)] { chosen = does; });
  return *app;
}

void add_output(CLI::App& app, CommonOptions& options) {
  app.add_flag("-q,--quiet", options.quiet, "no progress, no closing table");
  app.add_flag("--json", options.json, "results as JSON on stdout");
}

void add_force(CLI::App& app, bool& force, const char* help) {
  app.add_flag("--force", force, help);
}

void add_set(CLI::App& app, CommonOptions& options, const std::string& example) {
  app.add_option("--set", options.set, "override, e.g. " + example + " (repeatable)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void LogCommands::add_to(CLI::App& app, Chosen& chosen) {
  add_finished(app, chosen, "replay",
               "decide again from a log; exit 0 only if every decision is equal", replay);
  add_finished(app, chosen, "check",
               "audit a log: one line per invariant, with the first offending row", check);
  add_finished(app, chosen, "recover", "make the log of a killed run whole up to its last flush",
               recover);
  add_finished(app, chosen, "summary", "closing tables of logs, side by side", summary);
  describe(add_command(app, "report", report_help, chosen, [this] { return report(report_); }),
           report_);
  add_compare(app, chosen);
  add_export(app, chosen);
  add_follow(app, chosen);
}

void LogCommands::add_finished(CLI::App& under, Chosen& chosen, const char* name, const char* help,
                               int (*does)(const FinishedLogs&)) {
  CLI::App& app = add_command(under, name, help, chosen, [this, does] { return does(finished_); });
  app.add_option("log", finished_.logs, "logs of somnus")->required()->type_name("LOG");
  add_output(app, finished_.common);
}

void LogCommands::add_compare(CLI::App& under, Chosen& chosen) {
  CLI::App& app = add_command(under, "compare",
                              "a run beside its simulation, and how much of what differs is the "
                              "scheduler's own sensitivity",
                              chosen, [this] { return compare(compare_); });
  app.add_option("run", compare_.run, "log of a run")->required()->type_name("RUN");
  app.add_option("simulation", compare_.simulation,
                 "log of its simulation: the same config, workload and seed; without one it is "
                 "simulated now")
      ->type_name("SIMULATION");
  app.add_option("--simulations", compare_.simulations,
                 "how many are made that are as late as the run was (default 20)")
      ->check(CLI::Range(2, 1000));
  add_output(app, compare_.common);
  app.footer(
      "Each rank of a run looks a little late after what is due, and logs how late (/lateness). "
      "A\n"
      "scheduler may make much of that: so the run's config is simulated several times with "
      "ranks\n"
      "that are as late, by other draws. What these show among themselves is the scheduler's\n"
      "sensitivity; how far they are from the simulation in the mean is the machine's lateness,\n"
      "which grows with the speed. Exit code 0: no figure differs by more than 1 % or the\n"
      "sensitivity; 1: some does.\n"
      "  somnus compare run.h5 simulation.h5");
}

void LogCommands::add_export(CLI::App& under, Chosen& chosen) {
  CLI::App& app = add_command(
      under, "export",
      "a log for other programs: a trace for ui.perfetto.dev, or its tables as CSV or Parquet",
      chosen, [this] {
        export_.quiet = export_output_.quiet;
        export_.stop = &stop_flag();
        return export_a_log(export_, export_output_);
      });
  app.add_option("log", export_.log, "log of somnus")->required()->type_name("LOG");
  app.add_option("-o,--output", export_.output, "a file (perfetto), or a folder for the tables")
      ->type_name("FILE|FOLDER");
  app.add_option(
         "--format", export_.format,
         "perfetto, csv or parquet; without it FILE.json is perfetto's, and a folder gets csv")
      ->type_name("NAME");
  app.add_option("--from-s", export_.from_s, "perfetto: what ended before is left out")
      ->type_name("SECONDS");
  app.add_option("--until-s", export_.until_s, "perfetto: what began after is left out")
      ->type_name("SECONDS");
  app.add_option("--jobs", export_.jobs, "perfetto: only these, by name")->type_name("NAME");
  add_force(app, export_.force);
  add_output(app, export_output_);
  app.footer(
      "  somnus export out.h5 -o trace.json --from-s 100 --until-s 400     # then ui.perfetto.dev\n"
      "  somnus export out.h5 -o tables --format parquet\n"
      "In a trace nodes are processes, slots threads and attempts spans; an arrow leads from a "
      "job's\n"
      "arrival to its first start. Units and meanings of tables stand in columns.csv, and in each\n"
      "Parquet file.");
}

void LogCommands::add_follow(CLI::App& under, Chosen& chosen) {
  CLI::App& app =
      add_command(under, "follow", "how a run stands while it goes on, read from its log", chosen,
                  [this] { return follow(follow_); });
  app.add_option("log", follow_.log, "of a run or a simulation that goes on, or has ended")
      ->required()
      ->type_name("LOG");
  app.add_flag("--once", follow_.once, "one look, and no more");
  app.add_option("--interval", follow_.interval_s, "between two looks (default 1)")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.1, 86400.0));
  app.add_option("--prometheus", follow_.prometheus_port,
                 "serve the same figures on http://127.0.0.1:PORT/metrics")
      ->type_name("PORT")
      ->check(CLI::Range(1, 65535));
  add_output(app, follow_.common);
  app.footer(
      "Reads only what the run flushes, every second or so, and asks nothing of it: it may be\n"
      "started and stopped at any time, by several people, and from another host that sees the\n"
      "file. Ends when the run does, or by Ctrl-C. Where it can't draw, one line a look.\n"
      "  somnus follow run.h5\n"
      "  somnus follow run.h5 --once --json\n"
      "  somnus follow run.h5 -q --prometheus 9100");
}

}  // namespace somnus
