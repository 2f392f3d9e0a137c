#include "emulator/commands/command_report.hpp"

#include "emulator/commands/python_package.hpp"

namespace somnus {

void describe(CLI::App& app, ReportOptions& options) {
  app.add_option("log", options.logs, "logs of somnus")->required()->type_name("LOG");
  app.add_option("-o,--output", options.output, "the page (default report.html)")
      ->type_name("FILE");
  app.add_flag("--force", options.force, "replace what is there already");
  app.add_flag("-q,--quiet", options.quiet, "do not say where it is");
  app.footer(
      "Logs that differ in their seeds alone count as one scheduler's, with 95 % intervals.\n"
      "A log of a run that still goes on, or was cut off, will do. Needs Python with h5py, pandas\n"
      "and matplotlib.\n"
      "  somnus report fifo.h5 fair.h5 cfq.h5 -o report.html");
}

int report(const ReportOptions& options) {
  std::vector<std::string> words = {"report"};
  if (options.quiet) words.emplace_back("--quiet");
  if (options.force) words.emplace_back("--force");
  words.insert(words.end(), {"--output", options.output, "--"});
  words.insert(words.end(), options.logs.begin(), options.logs.end());
  hand_over_to_python(std::move(words));
}

}  // namespace somnus
