// The program: a table of contents. What each command does is in its own file.
#include <fmt/format.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>

#include "emulator/commands/command_line.hpp"
#include "emulator/commands/commands.hpp"
#include "emulator/commands/launcher.hpp"
#include "emulator/commands/python_package.hpp"
#include "emulator/commands/result.hpp"
#include "emulator/commands/signals.hpp"
#include "plugins/plugins.hpp"
#include "print/printable.hpp"

namespace {

bool with_json = false;  // stands on the command line

/// On standard error for people, and with --json on standard output, too, unless a result stands
/// there. Returns the exit code.
int fail(int code, const std::string& text) {
  std::fputs((somnus::printable_lines(text) + "\n").c_str(), stderr);
  if (with_json && somnus::first_rank() && !somnus::has_printed_json) {
    const nlohmann::json error = {{"exit_code", code}, {"text", somnus::as_utf8(text)}};
    std::fputs((nlohmann::json{{"error", error}}.dump(2) + "\n").c_str(), stdout);
  }
  return code;
}

int fail_by_bug(const std::string& plugins, const char* words) {
  return plugins.empty()
             ? fail(somnus::exit_bug,
                    fmt::format("somnus: our mistake: {}\nPlease report it, with the command line.",
                                words))
             : fail(somnus::exit_world,
                    fmt::format("somnus: a mistake of the plug-in {}: {}", plugins, words));
}

int exit_code_of(int argc, char** argv) {
  try {
    return somnus::command_line(argc, argv);
  } catch (const somnus::UserError& error) {
    if (somnus::first_rank()) return fail(somnus::exit_mistake, error.what());
    somnus::let_first_rank_speak();
    return somnus::exit_mistake;
  } catch (const somnus::WorldError& error) {
    return fail(somnus::exit_world, fmt::format("somnus: {}", error.what()));
  } catch (const std::bad_alloc& error) {
    return fail(somnus::exit_world, fmt::format("somnus: {}; fewer jobs, tasks or nodes need less",
                                                somnus::in_words(error)));
  } catch (const std::system_error& error) {
    if (somnus::nobody_reads_output(error)) return somnus::exit_fine;
    return fail(somnus::exit_world, fmt::format("somnus: the system refuses: {}", error.what()));
  } catch (const std::exception& error) {
    return fail_by_bug(somnus::plugins_blamed_for(error), error.what());
  } catch (...) {
    return fail_by_bug(somnus::names_of_plugins(), "an exception that is no std::exception");
  }
}

/// A message without what could steer a terminal: it may quote a file's cells.
class Harmless : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm& /*time*/,
              spdlog::memory_buf_t& into) override {
    const std::string text =
        somnus::printable_lines({message.payload.data(), message.payload.size()});
    into.append(text.data(), text.data() + text.size());
  }
  [[nodiscard]] std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<Harmless>();
  }
};

bool main_has_returned = false;

/// A plug-in that calls exit() would leave half a log, and exit code 0.
void refuse_exit_of_plugin() {
  const std::string plugins = somnus::names_of_plugins();
  if (main_has_returned || plugins.empty()) return;
  somnus::end_at_once(somnus::exit_world,
                      fmt::format("a mistake of the plug-in {}: it has called exit()", plugins));
}

}  // namespace

int main(int argc, char** argv) {
  // Warnings and news go to stderr, results to stdout.
  spdlog::set_default_logger(spdlog::stderr_logger_st("somnus"));
  auto messages = std::make_unique<spdlog::pattern_formatter>();
  messages->add_flag<Harmless>('*').set_pattern("somnus: %*");
  spdlog::set_formatter(std::move(messages));
  with_json = std::find(argv, argv + argc, std::string_view("--json")) != argv + argc;
  somnus::handle_signals();
  somnus::let_python_find_package();
  static_cast<void>(somnus::loaded_plugins());  // lives longer than what is registered now
  std::atexit(refuse_exit_of_plugin);
  const int code = somnus::leave(exit_code_of(argc, argv));
  main_has_returned = true;
  return code;
}
