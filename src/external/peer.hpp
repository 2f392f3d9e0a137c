// Somebody who answers lines: one goes out, one comes back. It is a process that was started for
// that, whose errors and words for people go to where this program's go, or one that listens.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace somnus {

/// The peer does not answer, or is not there. What it answers wrongly is another WorldError.
class PeerFailure : public WorldError {
  using WorldError::WorldError;
};

class Peer {
 public:
  /// The program is looked for in PATH, and runs in this folder. Throws WorldError: it can't be
  /// started.
  [[nodiscard]] static Peer start(const std::vector<std::string>& command);
  /// Listens at that socket of this machine, a file. Throws WorldError: nobody does, or takes no
  /// more callers for that long.
  [[nodiscard]] static Peer connect(const std::string& socket,
                                    std::chrono::duration<double> patience);
  Peer(Peer&& other) noexcept;
  Peer& operator=(Peer&&) = delete;
  /// Its input ends. If a process that was started does not end within a second it is asked to
  /// (SIGTERM); if not within another one, it is killed. So are those that it has started.
  ~Peer();

  /// From now on nobody is waited for any more as soon as that is not 0: this program is to end.
  static void heed(const std::atomic<int>& stop);

  /// The line that it answers, without its end; valid until the next call. `line` has its end.
  /// Throws WorldError, which begins with what it did: "has ended with exit code 1", "did not
  /// answer within 10 s".
  [[nodiscard]] std::string_view ask(std::string_view line, std::chrono::duration<double> patience);

 private:
  using Clock = std::chrono::steady_clock;
  struct Patience {
    std::chrono::duration<double> span;
    Clock::time_point end;
  };

  Peer(pid_t process, int input, int output)
      : process_(process), input_(input), output_(output), was_started_(process != 0) {}
  [[nodiscard]] static Patience until_end_of(std::chrono::duration<double> span);
  /// Throws WorldError where there is none left, or this program is to end.
  static std::chrono::milliseconds left_of(const Patience& patience);
  void send(std::string_view line, const Patience& patience);
  [[nodiscard]] std::string_view receive(const Patience& patience);
  /// Whether there was anything to read.
  bool read_some();
  void await(bool may_write, const Patience& patience);
  /// It reads or writes no more.
  [[noreturn]] void report_end();
  [[nodiscard]] bool ends_within(std::chrono::milliseconds span);
  void close_input();

  pid_t process_;  // 0: its end is known, or it was not started
  int status_ = 0;
  int input_;   // of the peer
  int output_;  // of the peer
  bool was_started_;
  std::string said_;
  std::size_t taken_ = 0;  // of what it said
};

}  // namespace somnus
