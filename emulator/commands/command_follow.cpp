#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/wrapped.hpp"
#include "emulator/commands/command.hpp"
#include "emulator/commands/signals.hpp"
#include "follow/exporter.hpp"
#include "follow/follower.hpp"
#include "follow/view_print.hpp"
#include "print/terminal.hpp"

namespace somnus::command_follow {
namespace {

struct FollowOptions {
  CommonOptions common;
  std::string log;
  bool once = false;
  double interval_s = 1;
  std::uint16_t prometheus_port = 0;  // 0: nothing is served
};

constexpr std::size_t most_jobs = 10;
// A flush that is just being written may be seen half.
constexpr int most_tries = 5;
constexpr std::chrono::milliseconds between_tries(200);
constexpr std::chrono::milliseconds between_looks_at_signals(50);

/// Where a view is drawn over the one before.
class Terminal {
 public:
  Terminal() { fmt::print("\033[?1049h\033[?25l"); }  // a screen of its own, no cursor
  ~Terminal() {
    fmt::print("\033[?25h\033[?1049l");
    std::fflush(stdout);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void draw(const View& view) const {
    const TerminalSize size = terminal_size();
    fmt::print("\033[H\033[J{}", to_text(view, size.columns, size.lines - 1));
    std::fflush(stdout);
  }
};

bool asked_to_stop() { return stop_flag().load() != 0; }

void sleep_until(std::chrono::steady_clock::time_point next) {
  while (!asked_to_stop() && std::chrono::steady_clock::now() < next) {
    std::this_thread::sleep_for(between_looks_at_signals);
  }
}

/// Throws UserError, if it is no better after several tries, or as it is where nobody writes it.
void look(Follower& follower) {
  for (int tries = 1;; ++tries) {
    const Checked<void> looked = follower.look();
    if (looked) return;
    if (tries == most_tries || follower.ended() || asked_to_stop()) throw UserError(looked.error());
    std::this_thread::sleep_for(between_tries);
  }
}

void say(const View& view, const FollowOptions& options) {
  if (options.common.json) {
    fmt::print("{}\n", to_json(view).dump());
  } else if (options.once) {
    constexpr std::size_t lines = 60;
    fmt::print("{}", to_text(view, terminal_size().columns, lines));
  } else {
    fmt::print("{}\n", wrapped(to_line(view), 4));
  }
  std::fflush(stdout);
}

// Exit code 3 where the run has ended before its time.
int follow(const FollowOptions& options) {
  const auto interval = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(options.interval_s));
  Follower follower(options.log);
  look(follower);
  std::unique_ptr<Exporter> exporter;
  if (options.prometheus_port != 0) exporter = std::make_unique<Exporter>(options.prometheus_port);
  const bool prints = options.common.json || !options.common.quiet;
  const bool draws = prints && !options.once && !options.common.json && isatty(STDOUT_FILENO) != 0;
  std::unique_ptr<Terminal> terminal;
  if (draws) terminal = std::make_unique<Terminal>();
  View view = follower.view(most_jobs);
  for (;;) {
    const auto next = std::chrono::steady_clock::now() + interval;
    if (exporter) exporter->show(view);
    if (terminal) terminal->draw(view);
    if (!terminal && prints) say(view, options);
    if (options.once || view.ended) break;
    sleep_until(next);
    if (asked_to_stop() || std::ferror(stdout) != 0) break;  // nobody reads it any more
    look(follower);
    view = follower.view(most_jobs);
  }
  if (terminal) {
    terminal.reset();
    fmt::print("{}\n", wrapped(to_line(view), 4));
  }
  return view.ended && !view.complete && !options.once ? exit_world : exit_fine;
}

void describe(CLI::App& app, FollowOptions& options) {
  app.add_option("log", options.log, "of a run or a simulation that goes on, or has ended")
      ->required()
      ->type_name("LOG");
  app.add_flag("--once", options.once, "one look, and no more");
  app.add_option("--interval", options.interval_s, "between two looks (default 1)")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.1, 86400.0));
  app.add_option("--prometheus", options.prometheus_port,
                 "serve the same figures on http://127.0.0.1:PORT/metrics")
      ->type_name("PORT")
      ->check(CLI::Range(1, 65535));
  add_output(app, options.common);
  app.footer(
      "Reads only what the run flushes, every second or so, and asks nothing of it: it may be "
      "started and stopped at any time, by several people, and from another host that sees the "
      "file. Ends when the run does, or by Ctrl-C. Where it can't draw, a line or two a look.\n"
      "  somnus follow run.h5\n"
      "  somnus follow run.h5 --once --json\n"
      "  somnus follow run.h5 -q --prometheus 9100");
}

const Registered<Command> row =
    command("follow", CommandGroup::logs, "how a run stands while it goes on, read from its log",
            describe, follow);

}  // namespace
}  // namespace somnus::command_follow
