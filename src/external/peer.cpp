#include "external/peer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include "print/printable.hpp"

extern char** environ;

namespace somnus {
namespace {

constexpr std::size_t longest_answer = std::size_t{64} << 20U;  // keys of a million units
constexpr std::chrono::milliseconds until_asked_to_end{1000};
constexpr std::chrono::milliseconds until_killed{1000};
constexpr std::chrono::milliseconds until_its_end_is_known{200};
constexpr std::chrono::milliseconds between_looks{100};  // at whether this program is to end

std::atomic<const std::atomic<int>*> to_end = nullptr;

struct Pipe {
  int out = -1;
  int in = -1;
};

/// The ends of other processes that start at the same time are not theirs.
Pipe new_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw PeerFailure(fmt::format("cannot open a pipe: {}", std::strerror(errno)));
  }
  return {.out = ends[0], .in = ends[1]};
}

void do_not_wait_for(int end) { fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK); }

/// Signals as they are for a program that a shell starts: this one ignores some, and under nohup
/// was started with others ignored. Ctrl-C is for this program, which ends the process in its turn.
class Attributes {
 public:
  Attributes() {
    posix_spawnattr_init(&attributes_);
    sigset_t usual;
    sigemptyset(&usual);
    for (const int number : {SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXFSZ}) {
      sigaddset(&usual, number);
    }
    posix_spawnattr_setsigdefault(&attributes_, &usual);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

class FileActions {
 public:
  FileActions(int input, int output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
  }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

std::string end_in_words(int status) {
  if (WIFSIGNALED(status)) {
    return fmt::format("was ended by signal {} ({})", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
  }
  return fmt::format("has ended with exit code {}", WEXITSTATUS(status));
}

}  // namespace

Peer Peer::start(const std::vector<std::string>& command) {
  const Pipe questions = new_pipe();
  const Pipe answers = new_pipe();
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const FileActions files(questions.out, answers.in);
  const Attributes attributes;
  pid_t process = 0;
  const int error = posix_spawnp(&process, arguments.front(), files.get(), attributes.get(),
                                 arguments.data(), environ);
  close(questions.out);
  close(answers.in);
  if (error != 0) {
    close(questions.in);
    close(answers.out);
    throw PeerFailure(fmt::format("cannot be started: {}", std::strerror(error)));
  }
  do_not_wait_for(questions.in);
  do_not_wait_for(answers.out);
  return {process, questions.in, answers.out};
}

Peer Peer::connect(const std::string& file, std::chrono::duration<double> span) {
  const Patience patience = until_end_of(span);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (file.size() >= sizeof address.sun_path) {
    throw PeerFailure(fmt::format("cannot be reached: the path of a socket has at most {} bytes",
                                  sizeof address.sun_path - 1));
  }
  file.copy(address.sun_path, file.size());
  const int end = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (end < 0) throw PeerFailure(fmt::format("cannot be reached: {}", std::strerror(errno)));
  Peer peer(0, end, fcntl(end, F_DUPFD_CLOEXEC, 0));
  const auto* const where = reinterpret_cast<const sockaddr*>(&address);
  while (::connect(end, where, sizeof address) != 0) {
    if (errno != EAGAIN && errno != EINTR) {
      throw PeerFailure(fmt::format("cannot be reached: {}", std::strerror(errno)));
    }
    std::this_thread::sleep_for(std::min(left_of(patience), between_looks));
  }
  return peer;
}

Peer::Peer(Peer&& other) noexcept
    : process_(std::exchange(other.process_, 0)),
      status_(other.status_),
      input_(std::exchange(other.input_, -1)),
      output_(std::exchange(other.output_, -1)),
      was_started_(other.was_started_),
      said_(std::move(other.said_)),
      taken_(other.taken_) {}

Peer::~Peer() {
  close_input();
  if (process_ != 0 && !ends_within(until_asked_to_end)) {
    kill(-process_, SIGTERM);
    if (!ends_within(until_killed)) {
      kill(-process_, SIGKILL);
      waitpid(process_, &status_, 0);
    }
  }
  if (output_ >= 0) close(output_);
}

void Peer::heed(const std::atomic<int>& stop) { to_end = &stop; }

Peer::Patience Peer::until_end_of(std::chrono::duration<double> span) {
  return {.span = span, .end = Clock::now() + std::chrono::duration_cast<Clock::duration>(span)};
}

std::chrono::milliseconds Peer::left_of(const Patience& patience) {
  const std::atomic<int>* const stop = to_end;
  if (stop != nullptr && *stop != 0) {
    throw PeerFailure("was waited for when this program was asked to end");
  }
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(patience.end - Clock::now());
  if (left.count() <= 0) {
    throw PeerFailure(
        fmt::format("did not answer within {} s; does it write whole lines, and flush each?",
                    patience.span.count()));
  }
  return left;
}

void Peer::close_input() {
  if (input_ < 0) return;
  if (!was_started_) shutdown(input_, SHUT_WR);  // its other end is here, too
  close(std::exchange(input_, -1));
}

bool Peer::ends_within(std::chrono::milliseconds span) {
  constexpr std::chrono::milliseconds most_between_looks{20};
  const auto give_up = Clock::now() + span;
  for (std::chrono::milliseconds pause{1};; pause = std::min(2 * pause, most_between_looks)) {
    // Its number is nobody else's until its end has been taken note of.
    siginfo_t end{};
    const int error = waitid(P_PID, static_cast<id_t>(process_), &end, WEXITED | WNOHANG | WNOWAIT);
    if (error != 0 || end.si_pid == process_) {
      kill(-process_, SIGTERM);  // those that it has left behind
      waitpid(std::exchange(process_, 0), &status_, 0);
      return true;
    }
    if (Clock::now() > give_up) return false;
    std::this_thread::sleep_for(pause);
  }
}

std::string_view Peer::ask(std::string_view line, std::chrono::duration<double> patience) {
  said_.erase(0, std::exchange(taken_, 0));
  read_some();
  if (!said_.empty()) {
    constexpr std::size_t most = 120;
    throw WorldError(fmt::format("said more than it was asked for: '{}'", printable(said_, most)));
  }
  const Patience until = until_end_of(patience);
  send(line, until);
  return receive(until);
}

void Peer::send(std::string_view line, const Patience& patience) {
  while (!line.empty()) {
    const ssize_t written = write(input_, line.data(), line.size());
    if (written > 0) {
      line.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      await(true, patience);
      read_some();  // or else it might wait for us while we wait for it
    } else if (errno != EINTR) {
      report_end();
    }
  }
}

std::string_view Peer::receive(const Patience& patience) {
  std::size_t looked_at = 0;
  for (;;) {
    const std::size_t end = said_.find('\n', looked_at);
    if (end != std::string::npos) {
      taken_ = end + 1;
      return std::string_view(said_).substr(0, end);
    }
    looked_at = said_.size();
    if (looked_at > longest_answer) {
      throw WorldError(fmt::format("has said {} bytes without an end of the line", looked_at));
    }
    if (!read_some()) await(false, patience);
  }
}

bool Peer::read_some() {
  char block[1 << 16];
  const ssize_t count = read(output_, block, sizeof block);
  if (count > 0) {
    said_.append(block, static_cast<std::size_t>(count));
    return true;
  }
  if (count == 0) report_end();
  return false;
}

void Peer::await(bool may_write, const Patience& patience) {
  pollfd ends[] = {{.fd = output_, .events = POLLIN, .revents = 0},
                   {.fd = may_write ? input_ : -1, .events = POLLOUT, .revents = 0}};
  if (poll(ends, 2, static_cast<int>(std::min(left_of(patience), between_looks).count())) != 0) {
    return;
  }
  // A process may have ended while a child of it keeps the output open.
  const bool has_ended =
      was_started_ && (process_ == 0 || ends_within(std::chrono::milliseconds(0)));
  if (has_ended && !read_some()) report_end();
}

void Peer::report_end() {
  close_input();
  if (!was_started_) throw PeerFailure("has closed the connection");
  if (process_ != 0 && !ends_within(until_its_end_is_known)) {
    throw PeerFailure("has closed its input or output, and goes on");
  }
  throw PeerFailure(end_in_words(status_));
}

}  // namespace somnus
