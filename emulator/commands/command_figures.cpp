// What the Python package draws. The options are its own, and so is --help.
#include "emulator/commands/command.hpp"
#include "emulator/commands/python_package.hpp"

namespace somnus::command_figures {
namespace {

struct NoOptions {};

void describe(CLI::App& app, NoOptions&) {
  app.set_help_flag();
  app.prefix_command();
}

int draw(const NoOptions&, const CommandLine& line) {
  hand_over_to_python("somnus", {line.argv + 1, line.argv + line.argc});
}

int analyse(const NoOptions&, const CommandLine& line) {
  hand_over_to_python("somnus analysis", {line.argv + 2, line.argv + line.argc});
}

const Registered<Command> rows[] = {
    command("plot", CommandGroup::logs, "draw every figure that suits the logs: LOG... -o FOLDER",
            describe, draw),
    command("report", CommandGroup::logs,
            "one page on logs, to be opened in a browser without a network: faithful or not, who "
            "won, a timeline, why jobs waited: LOG... -o FILE",
            describe, draw),
    command("figure", CommandGroup::logs, "draw one figure as it is printed: NAME LOG... -o FILE",
            describe, draw),
    command("reproduce", CommandGroup::reference,
            "redo a paper's tables and figures: carbyne, cfq, paf, uwfq, yaq, all", describe, draw),
    command("analysis", CommandGroup::logs,
            "other commands of the Python package, e.g. to draw what experiment found", describe,
            analyse)};

}  // namespace
}  // namespace somnus::command_figures
