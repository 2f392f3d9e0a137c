#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/wrapped.hpp"
#include "emulator/commands/command.hpp"
#include "emulator/commands/signals.hpp"
#include "follow/experiment_follower.hpp"
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

/// What is followed: a log, or an experiment's folder.
class Followed {
 public:
  virtual ~Followed() = default;
  /// Throws UserError.
  virtual void look() = 0;
  [[nodiscard]] virtual std::string text(std::size_t columns, std::size_t lines) const = 0;
  [[nodiscard]] virtual std::string line() const = 0;
  [[nodiscard]] virtual nlohmann::json json() const = 0;
  [[nodiscard]] virtual bool ended() const = 0;
  [[nodiscard]] virtual bool complete() const = 0;
};

bool asked_to_stop() { return stop_flag().load() != 0; }

void sleep_until(std::chrono::steady_clock::time_point next) {
  while (!asked_to_stop() && std::chrono::steady_clock::now() < next) {
    std::this_thread::sleep_for(between_looks_at_signals);
  }
}

class FollowedLog final : public Followed {
 public:
  FollowedLog(const std::string& log, std::uint16_t prometheus_port) : follower_(log) {
    look();
    if (prometheus_port != 0) exporter_ = std::make_unique<Exporter>(prometheus_port);
    if (exporter_) exporter_->show(view_);
  }

  /// Throws if it is no better after several tries, or as it is where nobody writes it.
  void look() override {
    for (int tries = 1;; ++tries) {
      const Checked<void> looked = follower_.look();
      if (looked) break;
      if (tries == most_tries || follower_.ended() || asked_to_stop()) {
        throw UserError(looked.error());
      }
      std::this_thread::sleep_for(between_tries);
    }
    view_ = follower_.view(most_jobs);
    if (exporter_) exporter_->show(view_);
  }
  [[nodiscard]] std::string text(std::size_t columns, std::size_t lines) const override {
    return to_text(view_, columns, lines);
  }
  [[nodiscard]] std::string line() const override { return to_line(view_); }
  [[nodiscard]] nlohmann::json json() const override { return to_json(view_); }
  [[nodiscard]] bool ended() const override { return view_.ended; }
  [[nodiscard]] bool complete() const override { return view_.complete; }

 private:
  Follower follower_;
  View view_;
  std::unique_ptr<Exporter> exporter_;
};

class FollowedExperiment final : public Followed {
 public:
  explicit FollowedExperiment(const std::string& folder) : follower_(folder) { look(); }

  void look() override {
    if (const Checked<void> looked = follower_.look(); !looked) throw UserError(looked.error());
  }
  [[nodiscard]] std::string text(std::size_t columns, std::size_t lines) const override {
    return to_text(follower_.progress(), columns, lines);
  }
  [[nodiscard]] std::string line() const override { return to_line(follower_.progress()); }
  [[nodiscard]] nlohmann::json json() const override { return to_json(follower_.progress()); }
  [[nodiscard]] bool ended() const override { return follower_.progress().ended; }
  [[nodiscard]] bool complete() const override { return follower_.progress().complete(); }

 private:
  ExperimentFollower follower_;
};

std::unique_ptr<Followed> followed_by(const FollowOptions& options) {
  std::error_code unknown;
  if (!std::filesystem::is_directory(options.log, unknown)) {
    return std::make_unique<FollowedLog>(options.log, options.prometheus_port);
  }
  if (options.prometheus_port == 0) return std::make_unique<FollowedExperiment>(options.log);
  throw UserError(
      mistake({.key = "--prometheus",
               .what = "expected a log, found a folder: an experiment's progress is not "
                       "served",
               .hint = "leave it out, or name a log"})
          .value());
}

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

  void draw(const Followed& followed) const {
    const TerminalSize size = terminal_size();
    fmt::print("\033[H\033[J{}", followed.text(size.columns, size.lines - 1));
    std::fflush(stdout);
  }
};

void say(const Followed& followed, const FollowOptions& options) {
  if (options.common.json) {
    fmt::print("{}\n", followed.json().dump());
  } else if (options.once) {
    constexpr std::size_t lines = 60;
    fmt::print("{}", followed.text(terminal_size().columns, lines));
  } else {
    fmt::print("{}\n", wrapped(followed.line(), 4));
  }
  std::fflush(stdout);
}

// Exit code 3 where the run, or the experiment, has ended before its time.
int follow(const FollowOptions& options) {
  const auto interval = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(options.interval_s));
  const std::unique_ptr<Followed> followed = followed_by(options);
  const bool prints = options.common.json || !options.common.quiet;
  const bool draws = prints && !options.once && !options.common.json && isatty(STDOUT_FILENO) != 0;
  std::unique_ptr<Terminal> terminal;
  if (draws) terminal = std::make_unique<Terminal>();
  for (;;) {
    const auto next = std::chrono::steady_clock::now() + interval;
    if (terminal) terminal->draw(*followed);
    if (!terminal && prints) say(*followed, options);
    if (options.once || followed->ended()) break;
    sleep_until(next);
    if (asked_to_stop() || std::ferror(stdout) != 0) break;  // nobody reads it any more
    followed->look();
  }
  if (terminal) {
    terminal.reset();
    fmt::print("{}\n", wrapped(followed->line(), 4));
  }
  return followed->ended() && !followed->complete() && !options.once ? exit_world : exit_fine;
}

void describe(CLI::App& app, FollowOptions& options) {
  app.add_option("log", options.log,
                 "of a run or a simulation that goes on, or has ended; or an experiment's folder")
      ->required()
      ->type_name("LOG|FOLDER");
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
      "  somnus follow out/load              # an experiment: means so far, runs left\n"
      "  somnus follow run.h5 --once --json\n"
      "  somnus follow run.h5 -q --prometheus 9100");
}

const Registered<Command> row =
    command("follow", CommandGroup::logs, "how a run or an experiment stands while it goes on",
            describe, follow);

}  // namespace
}  // namespace somnus::command_follow
