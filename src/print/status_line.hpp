// The progress of a long step, on stderr: nothing before two seconds have passed, then on a
// terminal one line that is rewritten, and gone with the object, elsewhere a line every ten
// seconds.
#pragma once

#include <chrono>
#include <string>

namespace somnus {

class StatusLine {
 public:
  explicit StatusLine(bool quiet = false);
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// line() gives the text; called only when it is time to print it, so this is cheap.
  template <class Line>
  void look(Line&& line) {
    if (is_due()) print(line());
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool is_due();
  void print(std::string text);

  bool quiet_;
  bool terminal_;
  bool printed_ = false;
  Clock::time_point next_ = Clock::now() + std::chrono::seconds(2);
};

}  // namespace somnus
