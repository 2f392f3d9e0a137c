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
#include "output/folder.hpp"
#include "scheduler/registry.hpp"
#include "text/write_text.hpp"

namespace somnus::command_new {
namespace {

namespace fs = std::filesystem;

struct NewOptions {
  std::string name;
  std::string folder;  // empty: of that name
  std::string language = "cpp";
};

struct NewFile {
  std::string_view name;
  std::string_view text;
};

// In names and texts, @name@ stands for the part's name, @Class@ for it as that of a type.

constexpr NewFile cpp_files[] = {
    {"@name@.cpp",
     R"file(// @name@: say here in a sentence who goes first, and where the idea is from.
#include "plugins/plugin.hpp"

SOMNUS_PLUGIN("@name@", "0.1");

namespace {  // or another plug-in, or the program, may have a type of that name

struct @Class@ {
  somnus::Level level = somnus::Level::job;  // what it ranks

  // Each is a key of [scheduler.@name@], with its unit and a sentence.
  static constexpr auto fields() {
    return somnus::in_order(somnus::field("level", &@Class@::level, "", "what is ranked"));
  }

  // The least key goes first; ties go to the earlier job. `moves` says which events change it, and
  // has to be right: not_at_all, when_tasks_end (work_left_of_job(), completed()), or
  // when_tasks_start_or_end (running(), runnable()).
  using Key = double;
  static constexpr somnus::KeyMoves moves = somnus::KeyMoves::when_tasks_end;
  [[nodiscard]] Key key(const somnus::Unit& unit) const { return unit.work_left_of_job().in_ns(); }
};
static_assert(somnus::Ranking<@Class@>);

const somnus::Registered<somnus::Part> row =
    somnus::rows::order<@Class@>("@name@", "least estimated work left first", "my own idea");

}  // namespace
)file"},
    {"CMakeLists.txt", R"cmake(cmake_minimum_required(VERSION 3.25)
project(@name@ CXX)

find_package(somnus REQUIRED)  # -D CMAKE_PREFIX_PATH=... says where it is installed
add_library(plugin MODULE @name@.cpp)
target_link_libraries(plugin PRIVATE somnus::policy)
set_target_properties(plugin PROPERTIES PREFIX "" OUTPUT_NAME @name@)

enable_testing()
add_test(NAME simulate COMMAND somnus::program simulate ${PROJECT_SOURCE_DIR}/compare.toml
  --plugin $<TARGET_FILE:plugin> --policy fair+order=@name@ --log @name@.h5 --force)
add_test(NAME check COMMAND somnus::program check @name@.h5)
add_test(NAME replay COMMAND somnus::program replay @name@.h5)
set_tests_properties(simulate PROPERTIES FIXTURES_SETUP log)
set_tests_properties(check replay PROPERTIES FIXTURES_REQUIRED log)
)cmake"},
    {"README.md", R"md(# @name@

An order for Somnus: who is next, by a key.

    cmake -B build -DCMAKE_BUILD_TYPE=Release   # -DCMAKE_PREFIX_PATH=... where Somnus is installed
    cmake --build build
    ctest --test-dir build                # it simulates, and its log is checked and replayed
    somnus simulate compare.toml --plugin build/@name@.so --policy fair,fair+order=@name@

What a key may be made of is in `scheduler/unit.hpp` of the installed headers, which events it may
hear of in `scheduler/ranking.hpp`.
)md"},
};

constexpr NewFile python_files[] = {
    {"@name@.py",
     R"py("""@name@: say here in a sentence who goes first, and where the idea is from."""

import somnus


class @Class@(somnus.Order):
    # What moves keys; () if nothing does. "ended" gives a unit work_left and completed, "started"
    # beside it running and runnable.
    events = ("ended",)

    # The least key goes first; ties go to the earlier job.
    def key(self, unit: somnus.Unit) -> somnus.Key:
        return unit.work_left


if __name__ == "__main__":
    somnus.serve(@Class@())
)py"},
    {"README.md", R"md(# @name@

An order for Somnus: who is next, by a key. In this folder:

    somnus protocol python3 @name@.py     # tries it with a dozen jobs, and shows all that is said
    somnus simulate compare.toml --policy fair,fair+order=external

`help(somnus.Order)` and `help(somnus.Unit)` say what a key may be made of, and which events an order may
hear of.
)md"},
};

constexpr NewFile policy_files[] = {
    {"@name@.py",
     R"py("""@name@: say here in a sentence what it decides, and where the idea is from."""

import somnus


class @Class@(somnus.Policy):
    # Called once an instant, when all that has happened is in self.jobs, self.stages and self.nodes.
    # Methods such as task_ended(now, end) hear of each event before.
    def plan(self, now: int) -> None:
        for stage in self.waiting():
            if not self.any_ready:
                return
            if stage.gang:
                if nodes := self.nodes_for_gang(stage):
                    self.place_gang(stage, nodes)
                continue
            while stage.runnable and (node := self.first_with_room(stage)):
                self.place(stage, node)


if __name__ == "__main__":
    somnus.serve(@Class@())
)py"},
    {"README.md", R"md(# @name@

A whole policy for Somnus: it decides all, by jobs, stages and nodes that it sees. In this folder:

    somnus protocol --level policy -- python3 @name@.py   # tries it, and shows all that is said
    somnus simulate compare.toml --policy fair,external

`help(somnus.Policy)` says what it may decide, and which events it may hear of.
)md"},
};

constexpr std::string_view config = R"toml(# FAIR beside @name@, on jobs as in a Google cluster.

[cluster]
nodes = 100
slots_per_node = 8

[scheduler]
policy = "fair"
@external@
[workload]
generator = "google"
jobs = 500
load = 0.9
)toml";

constexpr std::string_view external = R"toml(
[scheduler.external]  # of "external"
command = ["python3", "@name@.py"]
)toml";

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

std::string filled_in(std::string text, std::string_view name) {
  const std::pair<std::string_view, std::string> holes[] = {{"@name@", std::string(name)},
                                                            {"@Class@", class_of(name)}};
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

/// A folder of these, with a config that compares the part with FAIR.
int write_folder(const NewOptions& options, std::span<const NewFile> files, const char* what) {
  const fs::path folder = options.folder.empty() ? options.name : options.folder;
  if (fs::exists(fs::symlink_status(folder))) {
    refuse(folder.string(), "is there already, expected the name of a new folder");
  }
  OutputFolder made(folder);
  const auto write = [&](std::string_view name, std::string_view text) {
    write_text(filled_in(std::string(text), options.name),
               made.fresh() / filled_in(std::string(name), options.name), {});
  };
  std::string toml(config);
  const std::string_view hole = "@external@\n";
  const bool is_process = options.language == "python";
  toml.replace(toml.find(hole), hole.size(), is_process ? std::string(external) + "\n" : "\n");
  write("compare.toml", toml);
  for (const NewFile& file : files) write(file.name, file.text);
  made.commit();
  fmt::print("{}: {} to begin with; {} says how to go on\n", folder.string(), what,
             (folder / "README.md").string());
  return exit_fine;
}

int new_order(const NewOptions& options) {
  require_name(options.name, PartKind::order);
  require_language(options, {"cpp", "python"});
  const bool in_python = options.language == "python";
  return write_folder(options, in_python ? std::span<const NewFile>(python_files) : cpp_files,
                      "an order");
}

int new_policy(const NewOptions& options) {
  require_name(options.name, PartKind::policy);
  require_language(options, {"python"});
  return write_folder(options, policy_files, "a whole policy");
}

void describe(CLI::App& app, NewOptions& options) {
  app.add_option("name", options.name, "of the part, such as least-work")
      ->required()
      ->type_name("NAME");
  app.add_option("-o,--output", options.folder, "the folder; left out: of that name")
      ->type_name("FOLDER");
}

void describe_order(CLI::App& app, NewOptions& options) {
  describe(app, options);
  app.add_option("--language", options.language, "cpp: a plug-in; python: a process")
      ->type_name("LANGUAGE")
      ->default_str("cpp");
}

void describe_policy(CLI::App& app, NewOptions& options) {
  describe(app, options);
  options.language = "python";
  app.add_option("--language", options.language, "python: a process")
      ->type_name("LANGUAGE")
      ->default_str("python");
}

const Registered<Command> rows[] = {
    command_of_commands("new", CommandGroup::reference, "begin a part of your own"),
    command("new order", CommandGroup::reference,
            "a folder with an order that works, its test and a README", describe_order, new_order),
    command("new policy", CommandGroup::reference,
            "a folder with a whole policy in Python that works, and a README", describe_policy,
            new_policy),
};

}  // namespace
}  // namespace somnus::command_new
