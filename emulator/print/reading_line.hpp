// How far the reading of a large file is: a line on a terminal's stderr that is rewritten, from the
// third second on, and goes away with the object.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace somnus {

class ReadingLine {
 public:
  explicit ReadingLine(std::string file);
  ~ReadingLine();
  ReadingLine(const ReadingLine&) = delete;
  ReadingLine& operator=(const ReadingLine&) = delete;

  /// Cheap; prints when it is time to.
  void look(std::uint64_t bytes, std::uint64_t of_bytes);

 private:
  using Clock = std::chrono::steady_clock;

  std::string file_;
  bool terminal_;
  bool printed_ = false;
  Clock::time_point next_ = Clock::now() + std::chrono::seconds(2);
};

}  // namespace somnus
