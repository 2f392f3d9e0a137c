// The floor under task lateness: one thread, nothing to do but to sleep to one absolute deadline
// after another, as many a second as a cluster of 8,000 slots has ends of tasks of 1.5 s. Prints
// JSON: how late it wakes up, in milliseconds.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

constexpr std::int64_t second_ns = 1'000'000'000;
constexpr std::int64_t step_ns = second_ns * 3 / 2 / 8000;
constexpr std::size_t sleeps = 25'000;

std::int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * second_ns + now.tv_nsec;
}

}  // namespace

int main() {
  std::vector<double> late_ms;
  late_ms.reserve(sleeps);
  std::int64_t deadline = now_ns();
  for (std::size_t n = 0; n < sleeps; ++n) {
    deadline += step_ns;
    const timespec until{.tv_sec = deadline / second_ns, .tv_nsec = deadline % second_ns};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) != 0) {
    }
    late_ms.push_back(static_cast<double>(now_ns() - deadline) / 1e6);
  }
  std::ranges::sort(late_ms);
  fmt::print("{{\"p50_ms\": {:.4f}, \"p99_ms\": {:.4f}}}\n", late_ms[sleeps / 2],
             late_ms[sleeps * 99 / 100]);
}
