#include "external/external_process.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

namespace somnus {

namespace {

std::FILE* shown_on = stderr;

/// At once, for what the process prints itself goes between.
void show(char direction, std::string_view line) {
  fmt::print(shown_on, "{} {}\n", direction, line);
  std::fflush(shown_on);
}

}  // namespace

void ExternalProcess::trace_to(std::FILE* stream) { shown_on = stream; }

std::vector<ConfigError> ProcessSettings::config_errors(const Environment& /*environment*/) const {
  const bool has_command = !command.empty() && !command.front().empty();
  if (has_command && !socket.empty()) {
    return {{.parameter = "socket", .what = "expected a command or a socket, found both"}};
  }
  if (has_command || !socket.empty()) return {};
  return {{.parameter = "command",
           .what = "expected the program to start and its arguments, such as [\"python3\", "
                   "\"las.py\"]"}};
}

void require_later(Time wakes_at, Time now) {
  if (wakes_at > now) return;
  throw WorldError("wants to be woken at a time that is not later than now");
}

ExternalProcess::ExternalProcess(std::string_view role, const ProcessSettings& settings)
    : role_and_place_(settings.socket.empty()
                          ? fmt::format("the {} '{}'", role, fmt::join(settings.command, " "))
                          : fmt::format("the {} at '{}'", role, settings.socket)),
      patience_(settings.deadline_s),
      traces_(settings.trace) {
  attempt([&] {
    peer_.emplace(settings.socket.empty() ? Peer::start(settings.command)
                                          : Peer::connect(settings.socket, patience_));
  });
}

std::string_view ExternalProcess::ask(Time now, std::string_view more) {
  line_.clear();
  fmt::format_to(std::back_inserter(line_), R"({{"now":{}{},"events":[{}]}})",
                 now.time_since_epoch().count(), more, unheard_);
  unheard_.clear();
  return answer();
}

std::string_view ExternalProcess::answer() {
  if (traces_) show('>', line_);
  line_ += '\n';
  const std::string_view said = attempt([&] { return peer_->ask(line_, patience_); });
  if (traces_) show('<', said);
  return said;
}

std::string ExternalProcess::who() const {
  return name_.empty() ? role_and_place_ : fmt::format("{} ('{}')", role_and_place_, name_);
}

}  // namespace somnus
