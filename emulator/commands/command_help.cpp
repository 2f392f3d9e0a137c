#include "emulator/commands/command_help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ranges>

#include "base/error.hpp"
#include "base/suggest.hpp"
#include "base/wrapped.hpp"
#include "emulator/commands/command.hpp"
#include "version/version.hpp"

namespace somnus {
namespace {

/// The page unchanged, but for what roff would take for requests and escapes.
std::string verbatim(const std::string& page) {
  std::string roff = ".nf\n";
  bool starts_line = true;
  for (const char each : page) {
    if (starts_line && (each == '.' || each == '\'')) roff += "\\&";
    if (each == '\\' || each == '-') roff += '\\';
    roff += each == '\\' ? 'e' : each;
    starts_line = each == '\n';
  }
  return roff + ".fi\n";
}

/// Where the text of a line begins that is a name and what it means; else its first word.
std::size_t text_column(std::string_view line) {
  const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t gap = first == 0 ? std::string_view::npos : line.find("  ", first);
  return gap == std::string_view::npos ? first : line.find_first_not_of(' ', gap);
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode mode) const {
  const std::string page = Formatter::make_help(app, std::move(name), mode);
  std::string narrow;
  for (const auto part : std::views::split(page, '\n')) {
    const std::string_view line(part.begin(), part.end());
    const std::size_t column = std::min(text_column(line), line.size());
    narrow.append(line.substr(0, column)).append(wrapped(line.substr(column), column)) += '\n';
  }
  narrow.pop_back();  // after the last line end there is no line
  return narrow;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string help_of(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* at = &app;
  std::string path;
  for (const std::string& word : words) {
    std::vector<std::string> names;
    const CLI::App* next = nullptr;
    for (const CLI::App* command : commands_of(*at)) {
      names.push_back(command->get_name());
      if (command->get_name() == word) next = command;
    }
    if (next == nullptr) {
      throw UserError(
          mistake({.key = word, .what = "no such command", .hint = suggest(word, names)}).value());
    }
    path += (path.empty() ? "" : " ") + at->get_name();
    at = next;
  }
  // Not App::help(), which describes the command that was parsed instead.
  return at->get_formatter()->make_help(at, path + (path.empty() ? "" : " ") + at->get_name(),
                                        CLI::AppFormatMode::Normal);
}

std::string manual(const CLI::App& app) {
  std::string page = fmt::format(
      ".TH SOMNUS 1 \"\" \"somnus {}\"\n.SH NAME\nsomnus \\- emulate and simulate cluster "
      "schedulers\n.SH DESCRIPTION\n",
      somnus_version);
  page += verbatim(help_of(app, {}));
  for (const CLI::App* command : commands_of(app)) {
    page += fmt::format(".SH {}\n", command->get_name());
    page += verbatim(help_of(app, {command->get_name()}));
    for (const CLI::App* inner : commands_of(*command)) {
      page += fmt::format(".SS {} {}\n", command->get_name(), inner->get_name());
      page += verbatim(help_of(app, {command->get_name(), inner->get_name()}));
    }
  }
  return page;
}

}  // namespace somnus

namespace somnus::command_help {
namespace {

// The shapes that other programs want it in are not for people to look for.
struct HelpOptions {
  std::vector<std::string> words;
  bool for_man = false;
  bool as_markdown = false;
};

int help(const HelpOptions& options, const CommandLine& line) {
  const std::string page = options.for_man       ? manual(line.program)
                           : options.as_markdown ? reference(line.program)
                                                 : help_of(line.program, options.words);
  std::fputs(page.c_str(), stdout);
  return exit_fine;
}

void describe(CLI::App& app, HelpOptions& options) {
  app.add_option("command", options.words, "whose page")->type_name("COMMAND");
  app.add_flag("--man", options.for_man, "everything, for man(1)");
  app.add_flag("--markdown", options.as_markdown, "everything, as docs/reference.md has it");
}

const Registered<Command> row =
    command("help", CommandGroup::reference, "how a command is used, e.g. help workload make",
            describe, help);

}  // namespace
}  // namespace somnus::command_help
