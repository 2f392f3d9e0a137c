// A real process that does something and can be killed.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>

namespace somnus::testing {

class Child {
 public:
  /// Forks. The child runs `work`, then exits as main() would; with 99 if `work` throws.
  explicit Child(const std::function<int()>& work);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// SIGKILL, and waits until it is gone.
  void kill();
  /// Its exit code; nullopt if it was ended by a signal or still runs after `timeout`.
  [[nodiscard]] std::optional<int> exit_code(std::chrono::seconds timeout);

 private:
  pid_t pid_;
  bool gone_ = false;
};

/// Asks again every few milliseconds until `condition` holds; false if it doesn't for `timeout`.
[[nodiscard]] bool eventually(const std::function<bool()>& condition,
                              std::chrono::seconds timeout = std::chrono::seconds(30));

}  // namespace somnus::testing
