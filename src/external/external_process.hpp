// A process of somebody else, or a socket at which one listens, and what is said with it: what it
// is to hear is kept until it is asked, and goes out with the question in one line. A wrong answer
// is a UserError; no answer is a ProcessError. Both begin with who it is.
#pragma once

#include <chrono>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/describe.hpp"
#include "base/error.hpp"
#include "base/time.hpp"
#include "external/json_object.hpp"
#include "external/peer.hpp"
#include "scheduler/environment.hpp"

namespace somnus {

/// As [scheduler.external] has it.
struct ProcessSettings {
  std::vector<std::string> command;
  std::string socket;
  double deadline_s = 10;
  bool trace = false;
  std::map<std::string, double> parameters;

  static constexpr auto fields() {
    using P = ProcessSettings;
    return in_order(
        names_files(field("command", &P::command, "",
                          "the program and its arguments, a text each; ./las.py is a file beside "
                          "the config")),
        names_files(
            field("socket", &P::socket, "", "instead: a Unix socket, a file, at which it listens")),
        field("deadline_s", &P::deadline_s, "s", "real time that it has for each answer",
              Range{.low = 0.001, .high = 86400}),
        field("trace", &P::trace, "", "what is said goes to standard error, too"),
        field("parameters", &P::parameters, "", "numbers by name, which it gets at the start"));
  }
  [[nodiscard]] std::vector<ConfigError> config_errors(const Environment& environment) const;
};

/// What a first line has at either level.
template <Described Init>
[[nodiscard]] Init init_of(const ProcessSettings& settings, const Environment& environment) {
  Init init;
  init.seed = environment.seed.external();
  init.queues.assign(environment.queues.begin(), environment.queues.end());
  init.accounts.assign(environment.accounts.begin(), environment.accounts.end());
  init.qos.assign(environment.qos.begin(), environment.qos.end());
  init.parameters = settings.parameters;
  return init;
}

/// Throws WorldError if a process wants to be woken at that time.
void require_later(Time wakes_at, Time now);

/// A process that does not answer, or is not there.
class ProcessError : public WorldError {
 public:
  using WorldError::WorldError;
};

class ExternalProcess {
 public:
  /// Starts it, or connects. role: "order" or "policy", as messages call it.
  ExternalProcess(std::string_view role, const ProcessSettings& settings);

  /// What read(its answer to the first line) makes of it, which says its name.
  template <Described Init, class Read>
  auto begin(const Init& init, Read&& read) {
    line_ = R"({"init":{)";
    append_json_fields(line_, init);
    line_ += "}}";
    const std::string_view said = answer();
    auto about = attempt([&] { return read(said); });
    name_ = about.name;
    return about;
  }

  /// Where a process with `trace` shows what is said; standard error, unless a command says so
  /// before any starts.
  static void trace_to(std::FILE* stream);

  /// It hears of that with the next question.
  template <class Event>
  void hear(const Event& event) {
    if (!unheard_.empty()) unheard_ += ',';
    append_event(unheard_, event);
  }
  [[nodiscard]] bool has_unheard() const { return !unheard_.empty(); }

  /// What it answers now, valid until the next call. `more`: further keys of the question, each
  /// after a comma.
  [[nodiscard]] std::string_view ask(Time now, std::string_view more = {});

  /// Ends the run with a sentence that says what the process did.
  [[noreturn]] void blame(const std::string& deed) const { throw ProcessError(who() + " " + deed); }
  /// A WorldError on the way begins with who it is from here on: a ProcessError if the process does
  /// not answer, a UserError if it answers wrongly.
  template <class Does>
  auto attempt(Does&& does) {
    try {
      return does();
    } catch (const PeerFailure& error) {
      throw ProcessError(who() + " " + error.what());
    } catch (const WorldError& error) {
      throw UserError(mistake({.what = who() + " " + error.what()}).value());
    }
  }

 private:
  /// To what stands in line_.
  std::string_view answer();
  [[nodiscard]] std::string who() const;

  std::string role_and_place_;
  std::chrono::duration<double> patience_;
  bool traces_;
  std::optional<Peer> peer_;
  std::string name_;     // as it says; empty: it has not yet
  std::string unheard_;  // events, separated by commas
  std::string line_;
};

}  // namespace somnus
