#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/commands/command.hpp"
#include "emulator/commands/new_files.hpp"
#include "output/folder.hpp"
#include "scheduler/registry.hpp"
#include "text/write_text.hpp"

namespace somnus::command_new {
namespace {

namespace fs = std::filesystem;

struct NewOptions {
  std::string name;
  std::string folder;  // empty: of that name
  std::string language;
};

std::string class_of(std::string_view name) {
  std::string made;
  bool begins = true;
  for (const char each : name) {
    if (each == '-' || each == '_') {
      begins = true;
      continue;
    }
    made += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(each))) : each;
    begins = false;
  }
  return made;
}

/// What stands in the place of which @hole@.
using Holes = std::vector<std::pair<std::string_view, std::string>>;

std::string filled_in(std::string text, const Holes& holes) {
  for (const auto& [hole, words] : holes) {
    for (auto at = text.find(hole); at != std::string::npos; at = text.find(hole)) {
      text.replace(at, hole.size(), words);
    }
  }
  return text;
}

[[noreturn]] void refuse(std::string key, std::string what, std::string hint = {}) {
  throw UserError(
      mistake({.key = std::move(key), .what = std::move(what), .hint = std::move(hint)}).value());
}

void require_name(const std::string& name, PartKind kind) {
  const auto fits = [](unsigned char each) {
    return std::islower(each) != 0 || std::isdigit(each) != 0 || each == '-';
  };
  const bool begins_well = !name.empty() && std::islower(static_cast<unsigned char>(name[0])) != 0;
  if (!begins_well || !std::ranges::all_of(name, fits)) {
    refuse(name, "expected small letters, digits and -, the first a letter, such as least-work");
  }
  // The file is called as the part, and Python would import it in the place of the module.
  constexpr std::string_view taken[] = {"somnus", "json", "sys", "os", "none", "true", "false"};
  if (std::ranges::find(taken, name) != std::end(taken)) {
    refuse(name, "is a name of Python's or of Somnus', expected another one");
  }
  if (find_part(kind, name) != nullptr) {
    refuse(name, fmt::format("the {} of that name is there already", name_of(kind)),
           "somnus policies " + name);
  }
}

void require_language(const NewOptions& options, const std::vector<std::string>& languages) {
  if (std::ranges::find(languages, options.language) != languages.end()) return;
  refuse("--language",
         fmt::format("expected {}, found '{}'", fmt::join(languages, " or "), options.language));
}

/// What the language makes of it.
struct NewPart {
  PartKind kind;
  std::span<const NewFile> files;
  bool is_process = false;
};

/// A folder of these, with a config that compares the part with others.
int write_folder(const NewOptions& options, const NewPart& part, const char* what) {
  const fs::path folder = options.folder.empty() ? options.name : options.folder;
  if (fs::exists(fs::symlink_status(folder))) {
    refuse(folder.string(), "is there already, expected the name of a new folder");
  }
  const std::string& name = options.name;
  const std::string called = part.is_process ? "external" : name;
  const bool is_whole = part.kind == PartKind::policy;
  const Holes holes = {
      {"@external@\n", part.is_process ? std::string(new_config_external) + "\n" : "\n"},
      {"@policy@", is_whole && part.is_process ? called : "fair"},
      {"@label@", is_whole ? called : "fair+order=" + called},
      {"@name@", name},
      {"@Class@", class_of(name)}};
  OutputFolder made(folder);
  const auto write = [&](std::string_view file, std::string_view text) {
    write_text(filled_in(std::string(text), holes),
               made.fresh() / filled_in(std::string(file), holes), {});
  };
  write("compare.toml", new_config);
  for (const NewFile& file : part.files) write(file.name, file.text);
  made.commit();
  fmt::print("{}: {} to begin with; {} says how to go on\n", folder.string(), what,
             (folder / "README.md").string());
  return exit_fine;
}

/// The languages are the same for each kind of part.
int new_part(const NewOptions& options, const NewPart& in_cpp, const NewPart& in_python,
             const char* what) {
  require_name(options.name, in_cpp.kind);
  require_language(options, {"cpp", "python"});
  return write_folder(options, options.language == "python" ? in_python : in_cpp, what);
}

int new_order(const NewOptions& options) {
  return new_part(options, {.kind = PartKind::order, .files = cpp_order_files},
                  {.kind = PartKind::order, .files = python_order_files, .is_process = true},
                  "an order");
}

int new_policy(const NewOptions& options) {
  return new_part(options, {.kind = PartKind::policy, .files = cpp_policy_files},
                  {.kind = PartKind::policy, .files = python_policy_files, .is_process = true},
                  "a whole policy");
}

void describe(CLI::App& app, NewOptions& options, const char* language) {
  app.add_option("name", options.name, "of the part, such as least-work")
      ->required()
      ->type_name("NAME");
  app.add_option("-o,--output", options.folder, "the folder; left out: of that name")
      ->type_name("FOLDER");
  options.language = language;
  app.add_option("--language", options.language, "cpp: a plug-in; python: a process")
      ->type_name("LANGUAGE")
      ->default_str(language);
}

void describe_order(CLI::App& app, NewOptions& options) { describe(app, options, "cpp"); }
void describe_policy(CLI::App& app, NewOptions& options) { describe(app, options, "python"); }

const Registered<Command> rows[] = {
    command_of_commands("new", CommandGroup::reference, "begin a part of your own"),
    command("new order", CommandGroup::reference,
            "a folder with an order that works, its test and a README", describe_order, new_order),
    command("new policy", CommandGroup::reference,
            "a folder with a whole policy that works, and a README", describe_policy, new_policy),
};

}  // namespace
}  // namespace somnus::command_new
