#include "emulator/commands/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/suggest.hpp"
#include "emulator/commands/command.hpp"
#include "emulator/commands/command_help.hpp"
#include "emulator/commands/launcher.hpp"
#include "plugins/plugins.hpp"
#include "version/version.hpp"

namespace somnus {
namespace {

constexpr const char* introduction =
    "Somnus emulates a cluster by sleeping: a scheduler on rank 0, thousands of nodes on the "
    "other ranks, tasks that really sleep. The same scheduler and nodes also run under a virtual "
    "clock.";

constexpr const char* closing_text =
    "A first try:\n"
    "  somnus simulate configs/laptop.toml --policy fifo,fair,srpt,cfq\n"
    "  somnus run configs/laptop.toml --log out.h5\n"
    "  somnus check out.h5\n"
    "  somnus replay out.h5\n"
    "Exit codes: 0 fine, 1 a check or replay found a difference, 2 your mistake, 3 the world "
    "failed (rank lost, disk full, killed), 4 our mistake. -q prints only what is wrong, with "
    "every "
    "command.";

const char* heading_of(CommandGroup group) {
  switch (group) {
    case CommandGroup::runs:
      return "Runs";
    case CommandGroup::logs:
      return "Logs";
    case CommandGroup::workloads:
      return "Workloads";
    case CommandGroup::reference:
      return "Reference";
  }
  return "";
}

class Program {
 public:
  Program(int argc, char** argv) : line_{argc, argv, app_} {
    app_.formatter(std::make_shared<HelpFormatter>());  // before there are commands, which take it
    app_.set_version_flag("--version",
                          std::string("somnus ") + somnus_version + " (" + somnus_commit + ")");
    app_.add_option("--plugin", plugins_,
                    "a shared object with parts of schedulers; more: again, or in SOMNUS_PLUGINS")
        ->type_name("FILE")
        ->allow_extra_args(false);
    app_.require_subcommand(1);
    for (const Command& row : Registered<Command>::rows()) add(row);
    app_.footer(closing_text);  // last, or else all commands would have it
  }

  int operator()() {
    require_known_command();
    require_plugins_of_environment();
    if (a_command_is_missing()) {  // CLI11 would only say so
      std::fputs(help_of(app_, {line_.argv + 1, line_.argv + line_.argc}).c_str(), stderr);
      return exit_mistake;
    }
    try {
      app_.parse(line_.argc, line_.argv);
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() != 0) throw UserError(mistakes_of(error));
      if (first_rank()) app_.exit(error);  // --help, --version
      return exit_fine;
    }
    for (const std::string& file : plugins_) require_plugin(file, "--plugin");
    if (!plugins_.empty()) hand_on_plugins();
    return chosen_(line_);
  }

 private:
  static void require_plugin(const std::string& file, const char* key) {
    const auto plugin = load_plugin(file);
    if (plugin) return;
    throw UserError(
        mistake({.location = {.file = file}, .key = key, .what = plugin.error()}).value());
  }
  /// So that ranks and Python, which this program starts, load them, too.
  static void hand_on_plugins() {
    std::string files;
    for (const Plugin* plugin : loaded_plugins()) {
      files += (files.empty() ? "" : ":") + plugin->file.string();
    }
    setenv(variable, files.c_str(), 1);
  }
  static constexpr const char* variable = "SOMNUS_PLUGINS";
  static void require_plugins_of_environment() {
    const char* const files = std::getenv(variable);
    if (files == nullptr) return;
    std::istringstream list(files);
    for (std::string file; std::getline(list, file, ':');) {
      if (!file.empty()) require_plugin(file, variable);
    }
  }

  /// A command comes before those below it, since rows are in order of names.
  void add(const Command& row) {
    const auto space = row.name.find(' ');
    const bool is_below = space != std::string_view::npos;
    CLI::App& under =
        is_below ? *app_.get_subcommand(std::string(row.name.substr(0, space))) : app_;
    CLI::App* const app =
        under.add_subcommand(std::string(row.name.substr(is_below ? space + 1 : 0)), row.summary);
    if (!is_below) app->group(heading_of(row.group));
    if (row.add_to == nullptr) {
      app->require_subcommand(1);
    } else {
      app->callback([this, does = row.add_to(*app)] { chosen_ = does; });
      // --plugin may stand behind the command, unless that hands all words on to another program.
      if (!app->get_allow_extras() && !app->get_prefix_command()) app->fallthrough();
    }
  }

  [[nodiscard]] bool a_command_is_missing() const {
    if (line_.argc != 2) return line_.argc < 2;
    return std::ranges::any_of(app_.get_subcommands({}), [this](const CLI::App* command) {
      return command->get_require_subcommand_min() > 0 && command->get_name() == line_.argv[1];
    });
  }

  // CLI11 only lists the words that it did not expect.
  [[nodiscard]] Mistakes mistakes_of(const CLI::ParseError& error) const {
    std::string command;
    std::vector<std::string> options;
    for (const CLI::App* at = &app_;; at = at->get_subcommands().front()) {
      command += (command.empty() ? "" : " ") + at->get_name();
      for (const CLI::Option* option : at->get_options()) {
        const bool is_known = std::ranges::find(options, option->get_name()) != options.end();
        if (!option->get_positional() && !is_known) options.push_back(option->get_name());
      }
      if (at->get_subcommands().empty()) break;
    }
    Mistakes mistakes;
    for (const std::string& word : app_.remaining(true)) {
      const std::string name = word.substr(0, word.find('='));
      if (!name.starts_with('-')) continue;
      std::string hint = suggest(name, options);
      if (hint.empty()) hint = fmt::format("`{} --help` lists them", command);
      mistakes.add({.key = name,
                    .what = fmt::format("no such option of `{}`", command),
                    .hint = std::move(hint)});
    }
    if (mistakes.any()) return mistakes;
    mistakes.add(
        {.what = error.what(),
         .hint = fmt::format("lists are one word, as in fair,cfq or 1,2,3; `{} --help` says "
                             "what there is",
                             command)});
    return mistakes;
  }

  // CLI11 would only say that a command is missing.
  void require_known_command() const {
    if (line_.argc < 2 || line_.argv[1][0] == '-') return;
    const std::string given = line_.argv[1];
    std::vector<std::string> names;
    for (const CLI::App* command : app_.get_subcommands({})) names.push_back(command->get_name());
    if (std::ranges::find(names, given) != names.end()) return;
    throw UserError(
        mistake({.key = given, .what = "no such command", .hint = suggest(given, names)}).value());
  }

  CLI::App app_{introduction, "somnus"};
  CommandLine line_;
  std::vector<std::string> plugins_;
  Command::Does chosen_;
};

}  // namespace

int command_line(int argc, char** argv) { return Program(argc, argv)(); }

}  // namespace somnus
