// The page is made by the Python package.
#include "emulator/commands/command.hpp"
#include "emulator/commands/python_package.hpp"

namespace somnus::command_report {
namespace {

struct ReportOptions {
  std::vector<std::string> logs;
  std::string output = "report.html";
  bool force = false;    // replace what is there
  bool what_if = false;  // simulate again with one thing changed
  CommonOptions common;
};

void describe(CLI::App& app, ReportOptions& options) {
  app.add_option("log", options.logs, "logs of somnus")->required()->type_name("LOG");
  app.add_option("-o,--output", options.output, "the page (default report.html)")
      ->type_name("FILE");
  app.add_flag(
      "--what-if", options.what_if,
      "also what would have helped the worst jobs: one more node, another order, preemption; "
      "simulates each log a few times");
  add_force(app, options.force);
  add_output(app, options.common);
  app.footer(
      "Logs that differ in their seeds alone count as one scheduler's, with 95 % intervals. A log "
      "of a run that still goes on, or was cut off, will do. Needs Python with h5py, pandas and "
      "matplotlib.\n"
      "  somnus report fifo.h5 fair.h5 cfq.h5 -o report.html");
}

int report(const ReportOptions& options) {
  std::vector<std::string> words = {"report"};
  if (options.common.quiet) words.emplace_back("--quiet");
  if (options.common.json) words.emplace_back("--json");
  if (options.force) words.emplace_back("--force");
  if (options.what_if) words.emplace_back("--what-if");
  words.insert(words.end(), {"--output", options.output, "--"});
  words.insert(words.end(), options.logs.begin(), options.logs.end());
  hand_over_to_python("somnus", std::move(words));
}

const Registered<Command> row =
    command("report", CommandGroup::logs,
            "one page on logs, to be opened in a browser without a network: faithful or not, who "
            "won, a timeline, why jobs waited",
            describe, report);

}  // namespace
}  // namespace somnus::command_report
