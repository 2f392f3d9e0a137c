#include <fmt/format.h>

#include <string_view>

#include "base/value.hpp"
#include "config/help.hpp"
#include "emulator/commands/command_help.hpp"
#include "formats/formats.hpp"
#include "generators/generators.hpp"

namespace somnus {
namespace {

/// Of a table in Markdown, where a bar would end it.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char each : text) {
    if (each == '|') escaped += '\\';
    escaped += each == '\n' ? ' ' : each;
  }
  return escaped;
}

std::string code(std::string_view text) { return text.empty() ? "" : fmt::format("`{}`", text); }

void add_command(std::string& page, const CLI::App& app, const std::vector<std::string>& words) {
  page += "\n### somnus";
  for (const std::string& word : words) page += " " + word;
  page += fmt::format("\n\n```\n{}```\n", help_of(app, words));
}

void add_keys(std::string& page, const HelpTable& table) {
  page += fmt::format("\n### {}\n", table.head);
  if (!table.note.empty()) page += fmt::format("\n{}\n", cell(table.note));
  page += "\n| key | unit | default | |\n| --- | --- | --- | --- |\n";
  for (const HelpRow& row : table.rows) {
    std::string meaning = row.meaning;
    for (std::size_t at = 0; at < row.choices.size(); ++at) {
      meaning += (at == 0 ? ": " : ", ") + code(row.choices[at]);
    }
    if (!row.needs.empty()) meaning += fmt::format(" (only with {})", code(row.needs));
    const bool is_value = row.fallback != "-" && row.fallback != "required";
    page += fmt::format("| {} | {} | {} | {} |\n", code(row.name), row.unit,
                        is_value ? code(cell(row.fallback)) : row.fallback, cell(meaning));
  }
  for (const std::string& remark : table.remarks) page += fmt::format("\n* {}\n", remark);
}

/// Of generators or formats.
template <class All>
void add_parameters(std::string& page, const All& all) {
  for (const auto& each : all) {
    page += fmt::format("\n### {}\n\n{}\n", each.name, cell(each.summary));
    if (each.parameters.empty()) continue;
    page += "\n| parameter | unit | default | |\n| --- | --- | --- | --- |\n";
    for (const ParameterInfo& info : each.parameters) {
      page += fmt::format(
          "| {} | {} | {} | {} |\n", code(info.name), info.unit == "1" ? "" : info.unit,
          info.fallback ? code(cell(text_of(*info.fallback))) : "-", cell(info.meaning));
    }
  }
}

}  // namespace

std::string reference(const CLI::App& app) {
  std::string page =
      "# Reference\n\nMade by `somnus help --markdown` from what the program reads; `./dev "
      "reference` writes it anew.\nPolicies and their parts: `somnus policies`.\n\n## Commands\n";
  add_command(page, app, {});
  for (const CLI::App* command : commands_of(app)) {
    add_command(page, app, {command->get_name()});
    for (const CLI::App* inner : commands_of(*command)) {
      add_command(page, app, {command->get_name(), inner->get_name()});
    }
  }
  page += "\n## Keys of a config\n";
  for (const HelpTable& table : settings_tables()) add_keys(page, table);
  page +=
      "\n## Generators\n\nKeys of `[workload]` beside `generator`, or `--set` of `somnus "
      "workload make`.\n";
  add_parameters(page, generators());
  page +=
      "\n## Formats\n\nKeys of `[workload]` beside `file` and `format`, or `--set` of `somnus "
      "workload import`.\n";
  add_parameters(page, formats());
  return page;
}

}  // namespace somnus
