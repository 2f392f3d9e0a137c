// The program: a table of contents. What each command does is in its own file.
#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <exception>
#include <new>
#include <string>
#include <system_error>

#include "emulator/commands/command_line.hpp"
#include "emulator/commands/commands.hpp"
#include "emulator/commands/launcher.hpp"
#include "emulator/commands/python_package.hpp"
#include "emulator/commands/signals.hpp"
#include "plugins/plugins.hpp"

namespace {

int code_of_bug(const std::string& plugins, const char* words) {
  if (plugins.empty()) {
    fmt::print(stderr, "somnus: our mistake: {}\nPlease report it, with the command line.\n",
               words);
    return somnus::exit_bug;
  }
  fmt::print(stderr, "somnus: a mistake of the plug-in {}: {}\n", plugins, words);
  return somnus::exit_world;
}

int exit_code_of(int argc, char** argv) {
  try {
    return somnus::command_line(argc, argv);
  } catch (const somnus::UserError& error) {
    if (somnus::first_rank()) fmt::print(stderr, "{}\n", error.what());
    somnus::let_first_rank_speak();
    return somnus::exit_mistake;
  } catch (const somnus::WorldError& error) {
    fmt::print(stderr, "somnus: {}\n", error.what());
    return somnus::exit_world;
  } catch (const std::bad_alloc& error) {
    fmt::print(stderr, "somnus: {}; fewer jobs, tasks or nodes need less\n",
               somnus::in_words(error));
    return somnus::exit_world;
  } catch (const std::system_error& error) {
    if (somnus::nobody_reads_output(error)) return somnus::exit_fine;
    fmt::print(stderr, "somnus: the system refuses: {}\n", error.what());
    return somnus::exit_world;
  } catch (const std::exception& error) {
    return code_of_bug(somnus::plugins_blamed_for(error), error.what());
  } catch (...) {
    return code_of_bug(somnus::names_of_plugins(), "an exception that is no std::exception");
  }
}

}  // namespace

int main(int argc, char** argv) {
  // Warnings and news go to stderr, results to stdout.
  spdlog::set_default_logger(spdlog::stderr_logger_st("somnus"));
  spdlog::set_pattern("somnus: %v");
  somnus::handle_signals();
  somnus::let_python_find_package();
  return somnus::leave(exit_code_of(argc, argv));
}
