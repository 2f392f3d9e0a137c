#include "transport/cpus.hpp"

#include <sched.h>

#include <algorithm>
#include <memory>
#include <thread>

namespace somnus {
namespace {

struct FreeSet {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};

constexpr int most_cpus = 1 << 16;  // more than any kernel knows

}  // namespace

int usable_cpus() {
  const std::size_t size = CPU_ALLOC_SIZE(most_cpus);
  const std::unique_ptr<cpu_set_t, FreeSet> set(CPU_ALLOC(most_cpus));
  if (set == nullptr || sched_getaffinity(0, size, set.get()) != 0) {
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  }
  return std::max(1, CPU_COUNT_S(size, set.get()));
}

}  // namespace somnus
