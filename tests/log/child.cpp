#include "log/child.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <thread>

namespace somnus::testing {

Child::Child(const std::function<int()>& work) : pid_(::fork()) {
  if (pid_ < 0) throw std::runtime_error("cannot fork");
  if (pid_ > 0) return;
  int code = 99;
  try {
    code = work();
  } catch (const std::exception& problem) {
    std::cerr << "child: " << problem.what() << std::endl;
  }
  std::exit(code);
}

Child::~Child() { kill(); }

void Child::kill() {
  if (gone_) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  gone_ = true;
}

std::optional<int> Child::exit_code(std::chrono::seconds timeout) {
  int status = 0;
  if (!eventually([&] { return ::waitpid(pid_, &status, WNOHANG) == pid_; }, timeout)) {
    return std::nullopt;
  }
  gone_ = true;
  if (!WIFEXITED(status)) return std::nullopt;
  return WEXITSTATUS(status);
}

bool eventually(const std::function<bool()>& condition, std::chrono::seconds timeout) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  while (std::chrono::steady_clock::now() < end) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return condition();
}

}  // namespace somnus::testing
