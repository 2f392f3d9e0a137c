#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <string_view>

#include "base/error.hpp"
#include "base/value.hpp"
#include "config/help.hpp"
#include "emulator/commands/command.hpp"
#include "emulator/commands/command_help.hpp"

namespace somnus::command_completion {
namespace {

/// What follows a command: those inside it, and its options.
std::string words_after(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::App* inner : commands_of(command)) words.push_back(inner->get_name());
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  }
  return fmt::format("{}", fmt::join(words, " "));
}

std::string case_for(std::string_view command, const std::string& words) {
  return fmt::format("    \"{}\") words=\"{}\" ;;\n", command, words);
}

std::string rows_of(const CLI::App& app) {
  std::string rows = case_for("", words_after(app));
  for (const CLI::App* command : commands_of(app)) {
    rows += case_for(command->get_name(), words_after(*command));
    for (const CLI::App* inner : commands_of(*command)) {
      rows += case_for(command->get_name() + " " + inner->get_name(), words_after(*inner));
    }
  }
  return rows;
}

std::string all_keys() {
  std::vector<std::string> keys;
  for (const HelpTable& table : settings_tables()) {
    if (table.head.starts_with("[[")) continue;  // --set has no way to say which of them
    for (const HelpRow& row : table.rows) keys.push_back(joined(table.name, row.name) + "=");
  }
  return fmt::format("{}", fmt::join(keys, " "));
}

std::string all_policies() {
  for (const HelpTable& table : settings_tables()) {
    if (table.name != "scheduler") continue;
    for (const HelpRow& row : table.rows) {
      if (row.name == "policy") return fmt::format("{}", fmt::join(row.choices, " "));
    }
  }
  return {};
}

// The command so far is the words that are no options. Where nothing fits, file names do.
constexpr std::string_view bash = R"(_somnus_words() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  local command="" word words="" at
  for ((at = 1; at < COMP_CWORD; ++at)); do
    word=${{COMP_WORDS[at]}}
    case "$command $word" in
      {groups}) command="${{command:+$command }}$word" ;;
      *) [[ -n $command || $word == -* ]] || command=$word ;;
    esac
  done
  case $command in
{rows}  esac
  case $before in
    --policy | --template) words="{policies}" ;;
    --set) words="{keys}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ ${{COMPREPLY[0]-}} != *= ]] || compopt -o nospace 2> /dev/null
}}
complete -o default -F _somnus_words somnus
)";

/// For bash or zsh: commands, their options, and after --policy and --set what may follow.
std::string completion(const CLI::App& app, const std::string& shell) {
  if (shell != "bash" && shell != "zsh") {
    throw UserError(mistake({.key = shell, .what = "expected a shell: bash or zsh"}).value());
  }
  std::vector<std::string> groups;
  for (const CLI::App* command : commands_of(app)) {
    for (const CLI::App* inner : commands_of(*command)) {
      groups.push_back(fmt::format("\"{} {}\"", command->get_name(), inner->get_name()));
    }
  }
  const std::string script = fmt::format(
      fmt::runtime(bash), fmt::arg("groups", fmt::format("{}", fmt::join(groups, " | "))),
      fmt::arg("rows", rows_of(app)), fmt::arg("policies", all_policies()),
      fmt::arg("keys", all_keys()));
  if (shell == "bash") return script;
  // zsh calls the file itself, as _somnus, the first time that there is something to complete.
  return "#compdef somnus\nautoload -U +X bashcompinit && bashcompinit\n" + script +
         "[[ $funcstack[1] != _somnus ]] || _bash_complete -o default -F _somnus_words\n";
}

struct CompletionOptions {
  std::string shell;
};

int complete(const CompletionOptions& options, const CommandLine& line) {
  std::fputs(completion(line.program, options.shell).c_str(), stdout);
  return exit_fine;
}

void describe(CLI::App& app, CompletionOptions& options) {
  app.add_option("shell", options.shell, "bash or zsh")->required()->type_name("SHELL");
  app.footer("  source <(somnus completion bash)");
}

const Registered<Command> row =
    command("completion", CommandGroup::reference,
            "a script for your shell, so that Tab completes commands", describe, complete);

}  // namespace
}  // namespace somnus::command_completion
